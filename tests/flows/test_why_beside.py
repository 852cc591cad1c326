"""What the handbook says and what was only said, side by side: which comes first, and what is told of the other."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.model.audiences import PUBLIC, Place, PlaceKind
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.flows.test_why import asked, export, meetings
from tests.golden.agent.company import write_company
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export, ingest_zoom

SAID = {
    "people/2024-05-10": [
        ("U1", "Do we stay at 28 days of annual leave? Two candidates asked, the others offer 30."),
        ("U3", "Agreed then: everybody gets 30 days of paid annual leave a year, from this year on."),
    ],
    "people/2024-08-28": [
        ("U1", "Every month I type in forty meal receipts, and half of them are above the 45 euros anyway."),
        ("U3", "Decided: we no longer pay the €45 a day for meals on trips, meals go through the card."),
    ],
    "people-leads/2024-08-30": [
        ("U1", "Trials are still too noisy, 31 points are reached in a day."),
        ("U3", "Decided: the trial threshold goes up to 35 points for an MQL, I'll change the page next week."),
    ],
}


@pytest.fixture(scope="module")
def company(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    folder = tmp_path_factory.mktemp("beside")
    with open_space(shared_settings, name="beside", servers=servers) as space:
        book = Handbook(space, folder)
        write_company(book.commit)
        book.ingest()
        ingest_zoom(space, meetings(folder / "zoom"), audience=PUBLIC)
        there = export(folder / "slack", private=True)
        for name, said in SAID.items():
            add_thread(there / f"{name}.json", said)
        ingest_slack_export(space, there)
        reconcile(space, days=14)
        yield space
        drop(space.graph)


def add_thread(file: Path, said: list[tuple[str, str]]) -> None:
    start = int(datetime.fromisoformat(f"{file.stem}T09:00").replace(tzinfo=UTC).timestamp())
    stamps = [f"{start + 600 * n}.000100" for n in range(len(said))]
    messages = [
        {"type": "message", "user": user, "text": text, "ts": ts, "thread_ts": stamps[0]}
        for ts, (user, text) in zip(stamps, said, strict=True)
    ]
    file.write_text(json.dumps(messages), encoding="utf-8")


def test_a_plain_question_is_told_first_that_handbook_and_talk_disagree(company: Space) -> None:
    answer = asked(company, "How many days of annual leave do we get?")
    assert answer.text.startswith("Handbook and talk disagree here. The handbook says “Everybody has 28 days")
    assert "30 days" in answer.text
    assert answer.conflict


def test_other_words_of_the_same_section_are_in_no_conflict(company: Space) -> None:
    answer = asked(company, "How far ahead must I ask my manager for more than 5 days in a row?")
    assert "two weeks ahead" in answer.text
    assert answer.conflict is None


def test_what_is_decided_and_not_yet_written_comes_after_the_rule_for_those_who_may_know(company: Space) -> None:
    question = "What is the trial threshold?"
    outside, inside = (
        asked(company, question),
        asked(company, question, "ana@acme.example", Place(PlaceKind.CHANNEL, "G1")),
    )
    assert inside.text.startswith(outside.text)
    added = inside.text.removeprefix(outside.text).strip()
    assert added.startswith(
        "Decided on 30 August 2024 by Cleo Marsh in #people-leads, not yet in the handbook: “Decided"
    )
    assert "35" not in outside.text
    assert not inside.chat_only


def test_a_rule_that_was_taken_out_is_told_with_who_took_it_out_and_what_was_decided(company: Space) -> None:
    answer = asked(company, "How much do we pay for meals on trips?")
    assert answer.text.startswith("That is no longer in the handbook: #60 by Cleo Marsh took")
    assert "Cleo Marsh decided it on 28 August 2024 in #people" in answer.text or "#people" not in answer.text
    assert "not yet in the handbook" not in answer.text


def test_what_else_was_proposed_comes_first_or_that_nothing_was(company: Space) -> None:
    answer = asked(company, "What was the alternative to 31 points for the trial threshold?")
    assert answer.text.startswith("Proposed and not taken: “Should we say 40 then?” (Cleo Marsh).")
    answer = asked(company, "What was the alternative to booking the boat once a year for a summer party?")
    assert answer.text.endswith("As far as I can tell, nothing else was proposed there.")


def test_a_reason_is_no_mere_mention(company: Space) -> None:
    answer = asked(company, "Why was the trial threshold raised from 25 points?")
    assert "Sales loses a third of its hours" in answer.text
    assert "Only one topic" not in answer.text
