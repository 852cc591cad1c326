"""Questions of every kind, asked of a made handbook, answered word for word as answers.md has it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import last_commit
from assistant.graph.space import Space, open_space
from assistant.model.answers import Answer, AskedQuestion, Status
from assistant.model.audiences import Place, Viewer
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.golden.agent.company import write_company

CASES = [
    tuple(case.strip().split("\n", 2))
    for case in (Path(__file__).parent / "answers.md").read_text(encoding="utf-8").split("\n## ")[1:]
]


@pytest.fixture(scope="module")
def company(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    """A Space that knows the made handbook."""
    with open_space(shared_settings, name="golden-answers", servers=servers) as space:
        book = Handbook(space, tmp_path_factory.mktemp("company"))
        write_company(book.commit)
        book.ingest(web_url="https://github.com/acme/handbook")
        yield space
        drop(space.graph)


def asked(space: Space, thread: str) -> Answer:
    *earlier, last = thread.split(" | ")
    question = AskedQuestion(text=last, earlier=tuple(earlier))
    return ask(question, Viewer(), Place(), space, None, NOBODY, clock=last_commit(space.reader))


@pytest.mark.parametrize(("thread", "status", "text"), CASES, ids=[case[0] for case in CASES])
def test_the_answer_is_the_one_that_was_read_and_found_good(
    company: Space, thread: str, status: str, text: str
) -> None:
    answer = asked(company, thread)
    assert (status, text) == (answer.status.value, answer.text)
    cited = {name for claim in answer.claims for name in claim.citations}
    assert {citation.id for citation in answer.citations} == cited
    assert bool(answer.claims) == (answer.status is Status.ANSWERED)
    assert (answer.status is Status.ESCALATED) == bool(answer.owners)
