"""Zoom, from its webhooks and polls into the graph; a host whose recording has no transcript is told, once."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.graph.people import GraphMembers
from assistant.graph.servers.embedded import Servers
from assistant.graph.store import Query
from assistant.model.answers import AskedQuestion
from assistant.model.audiences import Place, PlaceKind, Viewer
from connectors.git import GitRepository
from connectors.zoom.hook import recording
from tests.fakes import slack_server
from tests.fakes import zoom as at_zoom
from tests.fakes.git_history import History
from tests.fakes.slack_server import TOKEN, FakeSlack
from tests.fakes.zoom import HOST, FakeZoom
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers import equipment as at_work
from workers.ingest import ingest_git
from workers.pull import rounds, turns
from workers.pull import zoom as pull
from workers.queue import INGEST, Work, enqueue

DECIDED = "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nAda Lovelace: Decision: the trial has 25 seats from now on.\n"
DECISIONS = Query("test.decisions", "MATCH (d:Decision) RETURN d.id AS id")


def hours_ago(hours: float) -> str:
    return (datetime.now(UTC) - timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def zoom() -> Iterator[FakeZoom]:
    with at_zoom.running(FakeZoom()) as made:
        yield made


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with slack_server.running(FakeSlack()) as made:
        made.users["U07ADA"] = {"profile": {"email": HOST}}
        yield made


@pytest.fixture
def desk(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zoom: FakeZoom, slack: FakeSlack
) -> Iterator[Desk]:
    chat = {"slack_bot_token": TOKEN, "slack_api_url": slack.url}
    with pulling.desk(servers, tmp_path, monkeypatch, **zoom.settings(), **chat) as made:
        yield made


def happened(desk: Desk, body: bytes) -> None:
    """An event comes in as the web process queues it."""
    told = recording(json.loads(body))
    assert told is not None
    payload = {"told": told.told.value, "meeting": dict(told.meeting), "token": told.token}
    enqueue(desk.queue, Work(INGEST, "workers.pull.zoom.told", f"zoom/{hash(body)}", payload, 600))
    desk.work()


def test_a_transcript_is_taken_in_for_those_who_took_part(desk: Desk, zoom: FakeZoom) -> None:
    meeting = zoom.records("m1==")
    for _ in range(2):
        happened(desk, zoom.event("recording.transcript_completed", meeting))
    [(name, talk)] = desk.talks().items()
    assert desk.said(name) == ["The trial starts at 25 seats from now on.", "Agreed."]
    members = GraphMembers(desk.space.reader)
    assert talk.audience == f"channel:{name}"
    assert name in members.channels_of("grace@acme.example")
    assert name in members.channels_of(HOST)
    assert members.channels_of("eve@acme.example") == frozenset()
    assert desk.failed() == []


def test_the_parts_of_a_meeting_are_one_conversation(desk: Desk, zoom: FakeZoom) -> None:
    meeting = zoom.records("m1==", "2026-03-02T14:30:00Z")
    happened(desk, zoom.event("recording.transcript_completed", meeting))
    later = {"recording_start": "2026-03-02T15:00:00Z", "recording_end": "2026-03-02T15:10:00Z", "status": "completed"}
    meeting["recording_files"].append({"id": "v2", "file_type": "MP4", **later})
    zoom.transcribes(meeting, "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nAda Lovelace: And 31 in May.\n")
    only_new = {**meeting, "recording_files": meeting["recording_files"][-1:]}
    happened(desk, zoom.event("recording.transcript_completed", only_new))
    [name] = desk.talks()
    assert desk.said(name) == ["The trial starts at 25 seats from now on.", "Agreed.", "And 31 in May."]


def test_the_host_is_told_once_when_no_transcript_comes(desk: Desk, zoom: FakeZoom, slack: FakeSlack) -> None:
    meeting = zoom.records("m1==", hours_ago(30), transcript=None, topic="Growth <!channel>")
    for _ in range(2):
        happened(desk, zoom.event("recording.completed", meeting, ("MP4",)))
    assert len(desk.put_off()) == 1, "looked at when no transcript will come any more"
    assert slack.by_us("DU07ADA") == []
    for _ in range(2):
        desk.come_due()
        desk.work()
        pull.poll()
    [message] = slack.by_us("DU07ADA")
    assert "Audio transcript" in message["text"]
    assert "<!channel>" not in json.dumps(message)


def test_who_was_told_or_sought_in_vain_is_not_looked_up_again(desk: Desk, zoom: FakeZoom, slack: FakeSlack) -> None:
    for n in range(turns.AT_ONCE + 2):
        zoom.records(f"m{n}==", hours_ago(30 + n), transcript=None)
    rounds.round_of({"source": "zoom"})
    desk.work()
    assert len(slack.by_us("DU07ADA")) == turns.AT_ONCE + 2
    slack.users.clear()
    zoom.records("lost==", hours_ago(29), transcript=None)
    pull.poll()
    for calls in (zoom.calls, slack.calls):
        calls.clear()
    pull.poll()
    assert slack.calls == []
    assert ["accounts/me/recordings" in call for call in zoom.calls] == [True] * len(zoom.calls)


@pytest.mark.parametrize("method", ["users.lookupByEmail", "conversations.open"])
def test_a_limit_of_slacks_keeps_no_meeting_from_being_taken_in(
    desk: Desk, zoom: FakeZoom, slack: FakeSlack, method: str
) -> None:
    for n in range(2):
        zoom.records(f"silent{n}==", hours_ago(40 - n), transcript=None)
    zoom.records("m1==", hours_ago(1), transcript=DECIDED)
    slack.too_many[method], slack.retry_after = 1, 60
    pull.poll()
    assert len(desk.space.reader.rows(DECISIONS)) == 1
    assert len(slack.by_us("DU07ADA")) == 1, "the other is told, too"


def test_a_transcript_that_will_never_come_is_told_at_once(desk: Desk, zoom: FakeZoom, slack: FakeSlack) -> None:
    meeting = zoom.records("m1==", transcript=None)
    happened(desk, zoom.event("recording.transcript_completed", meeting))
    assert len(slack.by_us("DU07ADA")) == 1
    assert desk.failed() == []


def test_a_host_whom_nobody_knows_is_told_in_the_log(
    desk: Desk, zoom: FakeZoom, slack: FakeSlack, capfd: pytest.CaptureFixture[str]
) -> None:
    for marks in ({}, {"U07ADA": {"profile": {"email": HOST}, "is_restricted": True}}):
        slack.users = dict(marks)
        happened(desk, zoom.event("recording.transcript_completed", zoom.records("m1==", transcript=None)))
    assert slack.by_us("DU07ADA") == []
    assert "nobody we can write to" in capfd.readouterr().out


def test_a_recording_whose_transcript_came_is_nothing_to_tell_of(desk: Desk, zoom: FakeZoom, slack: FakeSlack) -> None:
    meeting = zoom.records("m1==", hours_ago(30), transcript=None)
    happened(desk, zoom.event("recording.completed", meeting, ("MP4",)))
    zoom.transcribes(meeting)
    desk.come_due()
    desk.work()
    assert len(desk.talks()) == 1, "its event was lost, and made up for"
    assert slack.by_us("DU07ADA") == []


def test_a_poll_takes_in_what_no_event_told_of_and_downloads_it_once(desk: Desk, zoom: FakeZoom) -> None:
    meetings = [zoom.records(f"m{n}==", hours_ago(n + 1)) for n in range(3)]
    happened(desk, zoom.event("recording.transcript_completed", meetings[0]))
    zoom.calls.clear()
    pull.poll()
    assert len(desk.talks()) == 3
    pull.poll()
    assert len([call for call in zoom.calls if "/rec/download/" in call]) == 2
    zoom.transcribes(meetings[1], "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nAda Lovelace: One more thing.\n")
    pull.poll()
    assert sum("One more thing." in desk.said(name) for name in desk.talks()) == 1


def test_one_that_cannot_be_had_keeps_no_other_from_being_taken_in_and_many_come_in_turns(
    desk: Desk, zoom: FakeZoom
) -> None:
    bad = zoom.records("bad==", hours_ago(50))
    bad["recording_files"][-1]["download_url"] = "https://elsewhere.example/x"
    for n in range(turns.AT_ONCE + 2):
        zoom.records(f"m{n}==", hours_ago(40 - n))
    rounds.round_of({"source": "zoom"})
    assert len(desk.talks()) == turns.AT_ONCE - 1
    desk.work()
    assert len(desk.talks()) == turns.AT_ONCE + 2
    assert desk.failed() == []
    assert not pull.poll()


@pytest.mark.parametrize("status", [403, 404, 500])
def test_many_that_fail_keep_none_behind_them_from_being_taken_in_and_judged(
    desk: Desk, zoom: FakeZoom, status: int
) -> None:
    for n in range(turns.AT_ONCE + 2):
        zoom.records(f"bad{n}==", hours_ago(40 - n))
        zoom.broken[f"t{n}"] = status
    zoom.records("good==", hours_ago(1), transcript=DECIDED)
    rounds.round_of({"source": "zoom"})
    desk.work()
    assert len(desk.talks()) == len(desk.space.reader.rows(DECISIONS)) == 1
    assert desk.failed() == []
    zoom.broken.clear()
    for key in desk.queue.keys("brain:failed:*"):
        assert 0 < desk.queue.ttl(key) < rounds.EVERY
        desk.queue.delete(key)
    while pull.poll():
        continue
    assert len(desk.talks()) == (1 if status == 404 else turns.AT_ONCE + 3)


def test_what_was_written_by_a_killed_job_is_judged_by_the_next(desk: Desk, zoom: FakeZoom) -> None:
    meeting = zoom.records("m1==", hours_ago(1), transcript=DECIDED)
    pull.take_in(desk.space, meeting)
    assert desk.space.reader.rows(DECISIONS) == []
    pull.awaited({"meeting": meeting})
    assert len(desk.space.reader.rows(DECISIONS)) == 1


def test_words_that_were_forgotten_are_not_brought_back(desk: Desk, zoom: FakeZoom) -> None:
    from workers.forgetting import forget

    meeting = zoom.records("m1==", hours_ago(1))
    happened(desk, zoom.event("recording.transcript_completed", meeting))
    [(name, talk)] = desk.talks().items()
    forget(desk.space, None, [one.id for one in talk.utterances], settings=desk.settings)
    assert desk.said(name) == []
    desk.queue.delete(pull.taken(meeting))
    pull.poll()
    assert desk.said(name) == []


def asked(desk: Desk, user: str, place: Place) -> str:
    question = AskedQuestion(id=f"q-{user}-{place.kind}", text="Who decided the number of seats of the trial?")
    return at_work.equipment().desk().ask(question, Viewer(user), place, frozenset()).text


def test_in_slack_a_meeting_is_told_to_who_took_part_and_to_nobody_else(
    desk: Desk, zoom: FakeZoom, slack: FakeSlack, tmp_path: Path
) -> None:
    history = History(tmp_path / "repo.git")
    history.commit({"rules.md": "# Parking\n\nPark behind the house.\n"})
    history.write()
    ingest_git(desk.space, GitRepository(history.folder, cache=tmp_path))
    slack.users |= {
        "U07ADA": {"profile": {"email": HOST}, "is_email_confirmed": True},
        "U08EVE": {"profile": {"email": "eve@acme.example"}, "is_email_confirmed": True},
        "U09FOX": {"profile": {"email": "grace@acme.example"}},
        "U10TOM": {"profile": {"email": "grace@acme.example"}, "is_email_confirmed": True, "is_restricted": True},
    }
    happened(desk, zoom.event("recording.transcript_completed", zoom.records("m1==", transcript=DECIDED)))
    private = Place(PlaceKind.DM)
    assert "25 seats" in asked(desk, "U07ADA", private)
    for other in ("U08EVE", "U09FOX", "U10TOM"):
        assert "25" not in asked(desk, other, private), other
    assert "25" not in asked(desk, "U07ADA", Place(PlaceKind.CHANNEL, "C1"))
    assert "25" not in asked(desk, "U07ADA", Place())


def test_rooms_of_the_graph_that_are_slacks_are_for_slack_to_tell(desk: Desk, slack: FakeSlack) -> None:
    slack.users["U07ADA"] = {"profile": {"email": HOST}, "is_email_confirmed": True}
    slack.channels["C5"] = {"members": ["U07ADA"]}
    directory = at_work.equipment().desk().directory
    known = replace(directory, met=lambda email: frozenset({"C9LEFT", "slack:T1/C8", "zoom:m1", "teams:meetings/x"}))
    assert known.channels_of("U07ADA") == {"C5", "zoom:m1", "teams:meetings/x"}
    slack.errors["users.info"] = "missing_scope"
    assert replace(known, team="T2").channels_of("U11NEW") == frozenset()
