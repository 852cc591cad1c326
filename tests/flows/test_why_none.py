"""Decisions that nobody recorded, or that the asker may not see: another one is never told in their place."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.model.answers import DecisionCitation, Status
from assistant.model.audiences import Place, PlaceKind
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.flows.test_why import asked
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export

PAGE = """# Working here

## Remote work
People may work from home {remote} days a week.

## Desk allowance
Each new colleague gets 400 EUR for a desk and a chair at home.

## Sick leave
A doctor's note is needed from the third day.

## Passwords
Passwords need at least 14 characters. They do not expire.

## Annual leave
Everyone gets {leave} days of annual leave a year.
"""
SAID = {
    "people/2026-02-10": [
        ("U1", "We lose candidates over the 25 days of annual leave."),
        (
            "U2",
            "OK, decided: annual leave goes up from 25 to 27 days next week, because others offer more.",
        ),
    ],
    "people/2026-03-02": [
        ("U1", "How about three days a week from home? The survey says most teams want it."),
        (
            "U2",
            "OK, decided: work from home goes up from two to three days a week. I'll change the page.",
        ),
    ],
    "it/2026-03-12": [("U3", "Decided: passwords need at least 16 characters from April on. The auditor asked.")],
    "leads/2026-03-14": [
        ("U2", "Decided: the pilot of the four-day week runs for two months, in two teams, from June on.")
    ],
}
NAMES = {"U1": "Cleo Marsh", "U2": "Nina Holt", "U3": "Raj Patel"}


@pytest.fixture(scope="module")
def company(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    folder = tmp_path_factory.mktemp("none")
    with open_space(shared_settings, name="none", servers=servers) as space:
        book = Handbook(space, folder)
        book.commit({"people.md": PAGE.format(remote="two", leave=25)}, "Start", at=day(2026, 1, 5))
        book.commit({"people.md": PAGE.format(remote="two", leave=27)}, "More leave (#9)", at=day(2026, 2, 16))
        book.commit({"people.md": PAGE.format(remote="three", leave=27)}, "Home (#12)", at=day(2026, 3, 9))
        book.ingest()
        ingest_slack_export(space, exported(folder / "slack"))
        reconcile(space, days=14)
        yield space
        drop(space.graph)


def day(*date: int) -> int:
    return int(datetime(*date, tzinfo=UTC).timestamp())  # type: ignore[arg-type,misc]


def exported(folder: Path, talk: dict[str, list[tuple[str, str]]] = SAID) -> Path:
    users = [
        {"id": id_, "name": name.split()[0].lower(), "profile": {"real_name": name, "email": f"{id_}@acme.example"}}
        for id_, name in NAMES.items()
    ]
    lists = {
        "users": users,
        "channels": [{"id": "C1", "name": "people", "members": []}, {"id": "C2", "name": "it", "members": []}],
        "groups": [{"id": "G1", "name": "leads", "members": ["U2"]}],
    }
    folder.mkdir(parents=True)
    for name, rows in lists.items():
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    for place, said in talk.items():
        channel, day = place.split("/")
        first = datetime.fromisoformat(f"{day}T09:00:00+00:00").timestamp()
        messages = [
            {"type": "message", "user": user, "text": text, "ts": f"{first + 60 * number:.6f}"}
            for number, (user, text) in enumerate(said)
        ]
        (folder / channel).mkdir(exist_ok=True)
        (folder / channel / f"{day}.json").write_text(json.dumps(messages), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("Why is there a desk allowance?", "400 EUR"),
        ("Why is the desk allowance 400 EUR?", "400 EUR"),
        ("Who decided the desk allowance?", "400 EUR"),
        ("When was the desk allowance decided?", "400 EUR"),
        ("Who decided that a doctor's note is needed from the third day?", "third day"),
        ("Why do passwords not expire?", "do not expire"),
    ],
)
def test_a_rule_without_a_decision_is_told_by_the_handbook_alone(company: Space, question: str, held: str) -> None:
    answer = asked(company, question)
    assert answer.text.startswith("I found no decision about this")
    assert held in answer.text
    assert "not in the handbook" not in answer.text
    assert not [cited for cited in answer.citations if isinstance(cited, DecisionCitation)]


def test_who_may_not_see_a_decision_gets_no_other_one(company: Space) -> None:
    question = "Who decided about the four-day week pilot?"
    inside = asked(company, question, "U2@acme.example", Place(PlaceKind.CHANNEL, "G1"))
    assert "four-day week" in inside.citations[0].quote  # type: ignore[union-attr]
    outside = asked(company, question)
    assert outside.status is not Status.ANSWERED
    assert outside.text.startswith("I found no decision about this")


@pytest.mark.parametrize(
    ("question", "speaker", "words"),
    [
        ("Who decided on three days from home?", "Nina Holt", "three days a week"),
        ("Why do we get 27 days of annual leave?", "Nina Holt", "27 days"),
        ("Who decided that passwords need 16 characters?", "Raj Patel", "16 characters"),
    ],
)
def test_a_recorded_decision_is_told(company: Space, question: str, speaker: str, words: str) -> None:
    answer = asked(company, question)
    told = next(cited for cited in answer.citations if isinstance(cited, DecisionCitation))
    assert told.speaker == speaker
    assert words in answer.text
    assert "found no decision" not in answer.text


@pytest.mark.parametrize("question", ["Who decided that?", "Why?", "When was it agreed?", "Why was this changed?"])
def test_a_question_that_names_no_rule_is_asked_for_it(company: Space, question: str) -> None:
    answer = asked(company, question)
    assert answer.status is Status.REFUSED
    assert "Name it" in answer.text


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What did Nina Holt decide?", ["2 March 2026", "10 February 2026"]),
        ("What did Nina decide?", ["2 March 2026", "10 February 2026"]),
        ("Which decisions were made in March 2026?", ["12 March 2026", "2 March 2026"]),
        ("What was decided in February 2026?", ["10 February 2026"]),
        ("What has Nina Holt decided since March 2026?", ["2 March 2026"]),
    ],
)
def test_decisions_of_a_person_or_a_time_are_listed_latest_first(
    company: Space, question: str, days: list[str]
) -> None:
    lines = asked(company, question).text.splitlines()
    assert [line.split(",")[0].removeprefix("• ") for line in lines] == days


def test_a_list_holds_what_the_reader_may_see(company: Space) -> None:
    assert "pilot" not in asked(company, "What did Nina Holt decide?").text
    assert (
        "pilot" in asked(company, "What did Nina Holt decide?", "U2@acme.example", Place(PlaceKind.CHANNEL, "G1")).text
    )


def test_a_reason_is_what_is_said_to_be_one(company: Space) -> None:
    told = asked(company, "Why do we get 27 days of annual leave?").text
    assert "The reason: “because others offer more”" in told
    assert told.count("The reason:") == 1
    assert "The reason:" not in asked(company, "Why do we work from home three days a week?").text
