"""From a rule to the words that decided it, before the right eyes only: a made handbook, a meeting and Slack."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.agent.ask import ask
from assistant.graph.answers import find_answer
from assistant.graph.people import GraphMembers
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.model.answers import Answer, AskedQuestion, DecisionCitation, Status, UtteranceCitation
from assistant.model.audiences import PUBLIC, Place, PlaceKind, Viewer
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.golden.agent.company import write_company
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export, ingest_zoom

VTT = """WEBVTT

1
00:00:04.000 --> 00:00:09.000
Ben Okoro: Only one topic, the trial threshold for MQLs.

2
00:00:10.000 --> 00:00:19.000
Ana Ruiz: Sales loses a third of its hours, because most trials with 25 points never answer the phone.

3
00:00:20.000 --> 00:00:26.000
Cleo Marsh: Should we say 40 then?

4
00:00:27.000 --> 00:00:34.000
Ana Ruiz: At 40 we'd lose every fourth deal.

5
00:00:35.000 --> 00:00:44.000
Ben Okoro: Okay, then it's decided: the trial threshold goes from 25 to 31 points, and I'll change the scoring page.
"""
MEETING = {
    "topic": "Revenue weekly",
    "start_time": "2024-07-10T09:00:00Z",
    "participants": [{"name": "Ben Okoro", "user_email": "ben@acme.example"}],
}
PEOPLE = (("U1", "Ana Ruiz", "ana"), ("U2", "Ben Okoro", "ben"), ("U3", "Cleo Marsh", "cleo"))
OPEN = [
    ("U1", "How often may a team book the boat for a summer party? There is nothing about boats anywhere."),
    ("U3", "Decided: every team books the boat for a summer party at most once a year, from today on."),
]
CLOSED = [
    ("U1", "The retention bonus for the platform team, what do we do about it?"),
    ("U3", "Decided: the retention bonus for the platform team is 15 percent, paid in August, and it stays in here."),
]


@pytest.fixture(scope="module")
def company(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    folder = tmp_path_factory.mktemp("why")
    with open_space(shared_settings, name="why", servers=servers) as space:
        book = Handbook(space, folder)
        write_company(book.commit)
        book.ingest()
        ingest_zoom(space, meetings(folder / "zoom"), audience=PUBLIC)
        ingest_slack_export(space, export(folder / "slack", private=False))
        reconcile(space, days=14)
        yield space
        drop(space.graph)


def meetings(folder: Path) -> Path:
    there = folder / "revenue-weekly-2024-07-10"
    there.mkdir(parents=True)
    (there / "transcript.vtt").write_text(VTT, encoding="utf-8")
    (there / "meeting.json").write_text(json.dumps(MEETING), encoding="utf-8")
    return folder


def export(folder: Path, *, private: bool) -> Path:
    """An export with a public channel and, if told so, a private one of two."""
    folder.mkdir()
    users = [
        {"id": name, "team_id": "T1", "name": handle, "real_name": full, "profile": {"email": f"{handle}@acme.example"}}
        for name, full, handle in PEOPLE
    ]
    everybody, two = [name for name, _, _ in PEOPLE], ["U1", "U3"]
    (folder / "users.json").write_text(json.dumps(users), encoding="utf-8")
    channels = [{"id": "C1", "name": "people", "members": everybody}]
    (folder / "channels.json").write_text(json.dumps(channels), encoding="utf-8")
    thread(folder / "people", OPEN)
    if private:
        groups = [{"id": "G1", "name": "people-leads", "members": two}]
        (folder / "groups.json").write_text(json.dumps(groups), encoding="utf-8")
        thread(folder / "people-leads", CLOSED)
    return folder


def thread(folder: Path, said: list[tuple[str, str]]) -> None:
    folder.mkdir()
    start = int(datetime(2024, 6, 3, 9, tzinfo=UTC).timestamp())
    stamps = [f"{start + 600 * n}.000100" for n in range(len(said))]
    messages = [
        {"type": "message", "user": user, "text": text, "ts": ts, "thread_ts": stamps[0]}
        for ts, (user, text) in zip(stamps, said, strict=True)
    ]
    (folder / "2024-06-03.json").write_text(json.dumps(messages), encoding="utf-8")


def asked(space: Space, question: str, viewer: str | None = None, place: Place | None = None) -> Answer:
    members = GraphMembers(space.reader)
    return ask(AskedQuestion(text=question), Viewer(viewer), place or Place(), space, None, members)


def test_why_gives_decider_reason_quote_and_request(company: Space) -> None:
    answer = asked(company, "Why was the trial threshold raised from 25 points?")
    assert answer.text.startswith("Ben Okoro decided it on 10 July 2024 in the meeting “Revenue weekly”")
    assert "Sales loses a third of its hours" in answer.text
    assert "#52" in answer.text
    [decision] = [one for one in answer.citations if isinstance(one, DecisionCitation)]
    assert (decision.speaker, decision.conversation, decision.merge_request) == (
        "Ben Okoro",
        "zoom:revenue-weekly-2024-07-10",
        "52",
    )
    assert any(isinstance(one, UtteranceCitation) and one.speaker == "Ana Ruiz" for one in answer.citations)
    assert (answer.chat_only, answer.conflict) == (False, None)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who decided the trial threshold?", "Ben Okoro decided it on 10 July 2024"),
        ("When was the trial threshold decided?", "10 July 2024"),
        (
            "In which meeting was the trial threshold decided?",
            "discussed in the meeting “Revenue weekly” on 10 July 2024",
        ),
        ("Which PR raised the trial threshold to 31 points?", "#52 by Ben Okoro"),
    ],
)
def test_each_fact_of_it_can_be_asked_for(company: Space, question: str, words: str) -> None:
    answer = asked(company, question)
    assert words in answer.text
    assert {one.kind for one in answer.citations} >= {"decision"}


def test_what_was_only_said_is_never_told_as_policy(company: Space) -> None:
    answer = asked(company, "How often may a team book the boat for a summer party?")
    assert answer.text.startswith("I found this only in chat, not in the handbook. Cleo Marsh decided it")
    assert answer.chat_only
    assert "#people" in answer.text


def test_a_stored_answer_comes_back_whole(company: Space) -> None:
    answer = asked(company, "Who decided the trial threshold?")
    assert find_answer(company.reader, answer.answer_id) == answer


def test_outsiders_read_word_for_word_what_they_would_if_nothing_private_existed(
    company: Space, tmp_path: Path
) -> None:
    questions = (
        "Is there a retention bonus for the platform team?",
        "Who decided the retention bonus for the platform team?",
        "Why was the trial threshold raised from 25 points?",
        "How often may a team book the boat for a summer party?",
    )
    readers = (
        ("", Place()),
        ("ana@acme.example", Place(PlaceKind.CHANNEL, "C1")),
        ("ana@acme.example", Place()),
        ("ben@acme.example", Place(PlaceKind.DM)),
        ("ben@acme.example", Place(PlaceKind.CHANNEL, "G1")),
    )

    def all_told() -> list[tuple[str, str, list[str]]]:
        return [told(asked(company, one, who, where)) for who, where in readers for one in questions]

    before = all_told()
    ingest_slack_export(company, export(tmp_path / "slack", private=True))
    reconcile(company, days=14)
    inside = asked(company, questions[1], "ana@acme.example", Place(PlaceKind.CHANNEL, "G1"))
    assert inside.status is Status.ANSWERED
    assert "15 percent" in inside.text
    assert all_told() == before


def told(answer: Answer) -> tuple[str, str, list[str]]:
    """All of an answer that a reader sees."""
    return answer.status.value, answer.text, [one.model_dump_json() for one in answer.citations]


@pytest.mark.parametrize("stretch", ["between 1 May 2024 and 31 July 2024", "in 2024", "since 1 May 2024"])
def test_a_list_of_changes_ends_with_no_decision_of_another_one(company: Space, stretch: str) -> None:
    answer = asked(company, f"What changed {stretch}?")
    assert answer.text.count("• ") > 1
    assert "decided that" not in answer.text
