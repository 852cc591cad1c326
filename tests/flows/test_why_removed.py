"""Rules that were taken out of the handbook: who did it, when, by which request, and what they said last."""

from collections.abc import Iterator

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.flows.test_why import asked
from tests.flows.test_why_none import day, exported
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export

DESK = "## Desk allowance\nEach new colleague gets 400 EUR for a desk and a chair at home.\n"
ABROAD = "## Working abroad\nPeople may work from abroad for up to 10 days a year, with the consent of their lead.\n"
TOLD = ("#31 by Ada", "20 October 2026", "up to 10 days a year")
SAID = {
    "people/2026-10-12": [
        ("U2", "Decided: working from abroad goes, nobody may do it from now on. The tax is a mess.")
    ],
    "it/2026-10-14": [("U3", "Decided: passwords need at least 16 characters from November on.")],
}


@pytest.fixture(scope="module", params=[{}, SAID], ids=["no word of it", "decided in chat"])
def company(
    request: pytest.FixtureRequest,
    shared_settings: Settings,
    servers: Servers,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Space, bool]]:
    folder = tmp_path_factory.mktemp("removed")
    with open_space(shared_settings, name="removed", servers=servers) as space:
        book = Handbook(space, folder)
        book.commit({"remote.md": f"# Remote work\n\n{ABROAD}\n{DESK}"}, "Start", at=day(2026, 1, 5))
        book.commit({"remote.md": f"# Remote work\n\n{DESK}"}, "Drop working abroad (#31)", at=day(2026, 10, 20))
        book.ingest()
        ingest_slack_export(space, exported(folder / "slack", request.param))
        reconcile(space, days=14)
        yield space, bool(request.param)
        drop(space.graph)


@pytest.mark.parametrize(
    "question",
    [
        "Why was working abroad removed?",
        "Who removed working abroad?",
        "When was working abroad removed?",
        "Who deleted the rule about working abroad?",
        "Why was the section on working abroad removed?",
    ],
)
def test_what_was_removed_is_told_with_its_request_and_last_words(company: tuple[Space, bool], question: str) -> None:
    space, by_people = company
    answer = asked(space, question)
    assert "not in the handbook" not in answer.text
    assert [told for told in TOLD if told not in answer.text] == []
    assert ("Nina Holt decided it on 12 October 2026" in answer.text) == by_people
