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
from tests.flows.test_reconcile import read_in_part
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
    "people/2024-08-29": [
        ("U1", "Visitors keep turning up without anybody knowing about it at the reception. Should we ask for notice?"),
        ("U3", "Decided: visitors are announced to the reception by mail, from next week on."),
    ],
    "people/2024-09-01": [
        ("U1", "Parents ask for more than the 16 weeks of fully paid leave in the first year. What do we tell them?"),
        ("U3", "Agreed: parents get 20 weeks of fully paid leave in the first year instead of 16 weeks."),
    ],
    "people-leads/2024-08-30": [
        ("U1", "Trials are still too noisy, 31 points are reached in a day."),
        ("U3", "Decided: the trial threshold goes up to 35 points for an MQL, I'll change the page next week."),
    ],
}


@pytest.fixture(scope="module")
def company(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    with open_space(shared_settings, name="beside", servers=servers) as space:
        yield filled(space, tmp_path_factory.mktemp("beside"))
        drop(space.graph)


@pytest.fixture(scope="module")
def waiting(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    """The same company, as it was known when nobody had looked at its handbook since its last commit."""
    with open_space(shared_settings, name="waiting", servers=servers) as space:
        yield filled(space, tmp_path_factory.mktemp("waiting"), in_part=True)
        drop(space.graph)


def filled(space: Space, folder: Path, in_part: bool = False) -> Space:
    book = Handbook(space, folder)
    write_company(book.commit)
    read_in_part(book) if in_part else book.ingest()
    ingest_zoom(space, meetings(folder / "zoom"), audience=PUBLIC)
    there = export(folder / "slack", private=True)
    for name, said in SAID.items():
        add_thread(there / f"{name}.json", said)
    ingest_slack_export(space, there)
    reconcile(space, days=14)
    return space


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


def test_what_is_decided_and_not_written_comes_after_the_rule_for_those_who_may_know(
    company: Space, waiting: Space
) -> None:
    question, members = "What is the trial threshold?", Place(PlaceKind.CHANNEL, "G1")
    for space, became in ((company, "and never put in the handbook"), (waiting, "not in the handbook yet")):
        outside, inside = asked(space, question), asked(space, question, "ana@acme.example", members)
        assert inside.text.startswith(outside.text)
        added = inside.text.removeprefix(outside.text).strip()
        assert added.startswith(f"Agreed on 30 August 2024 by Cleo Marsh in #people-leads, {became}: “Decided")
        assert "35" not in outside.text
        assert not inside.chat_only


def test_what_waits_for_its_commit_is_told_a_plain_question_that_the_handbook_does_not_answer(
    company: Space, waiting: Space
) -> None:
    question = "How are visitors announced to the reception?"
    for space, lead in ((company, "I found this only in chat"), (waiting, "This is not in the handbook yet.")):
        answer = asked(space, question)
        assert answer.text.startswith(lead) and answer.chat_only
        assert "Cleo Marsh decided it on 29 August 2024 in #people" in answer.text
        assert "by mail" in answer.text


def test_what_waits_and_goes_against_the_rule_is_told_before_it(company: Space, waiting: Space) -> None:
    question = "How many weeks of paid leave do parents get in the first year?"
    assert asked(company, question).text.startswith(
        "Handbook and talk disagree here. The handbook says “Parents take 16"
    )
    answer = asked(waiting, question)
    assert answer.text.startswith("Agreed on 1 September 2024 by Cleo Marsh in #people, not in the handbook yet:")
    assert "20 weeks" in answer.text and "The handbook still says “Parents take 16 weeks" in answer.text
    assert answer.chat_only and answer.conflict is None


def test_a_rule_that_was_taken_out_is_told_with_who_took_it_out_and_what_was_decided(company: Space) -> None:
    answer = asked(company, "How much do we pay for meals on trips?")
    assert answer.text.startswith("That is no longer in the handbook: #60 by Cleo Marsh took")
    assert "Cleo Marsh decided it on 28 August 2024 in #people" in answer.text or "#people" not in answer.text
    assert "in the handbook yet" not in answer.text
    assert "never put in the handbook" not in answer.text


def test_what_else_was_proposed_comes_first_or_that_nothing_was(company: Space) -> None:
    answer = asked(company, "What was the alternative to 31 points for the trial threshold?")
    assert answer.text.startswith("Proposed and not taken: “Should we say 40 then?” (Cleo Marsh).")
    answer = asked(company, "What was the alternative to booking the boat once a year for a summer party?")
    assert answer.text.endswith("As far as I can tell, nothing else was proposed there.")


def test_a_reason_is_no_mere_mention(company: Space) -> None:
    answer = asked(company, "Why was the trial threshold raised from 25 points?")
    assert "Sales loses a third of its hours" in answer.text
    assert "Only one topic" not in answer.text
