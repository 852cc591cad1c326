"""Zoom's cloud: month by month, on from any meeting, with keys that end."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from assistant.errors import Fatal, Retry, Skip
from assistant.settings import Settings
from assistant.text.people import People
from connectors.base import Connector
from connectors.zoom.cloud import ZoomCloud, connected, months
from connectors.zoom.hook import Told, recording, validated
from connectors.zoom.meetings import ZoomMeeting, folder_name
from tests.connectors.conformance import ConnectorConformance, Grow
from tests.fakes.zoom import HOST, FakeZoom, running

SAMPLES = Path(__file__).parents[3] / "shared/data/samples/zoom-webhooks"


class Notes(dict[str, str]):
    """The protocol Notes, of this process alone."""

    def put(self, name: str, value: str, seconds: int) -> None:
        assert seconds > 0
        self[name] = value


@pytest.fixture
def zoom() -> Iterator[FakeZoom]:
    with running(FakeZoom()) as made:
        yield made


def account(zoom: FakeZoom, notes: Notes | None = None, since: date = date(2026, 1, 15)) -> ZoomCloud:
    return connected(Settings(**zoom.settings()), Notes() if notes is None else notes, since)


class TestZoom(ConnectorConformance):
    @pytest.fixture
    def connect(self, zoom: FakeZoom) -> Callable[[], Connector[ZoomMeeting]]:
        for n, day in enumerate(["2026-01-20", "2026-02-03", "2026-02-03", "2026-04-30"]):
            zoom.records(f"/m{n}==", f"{day}T10:0{n}:00Z")
        zoom.records("silent", "2026-03-01T10:00:00Z", transcript=None)
        zoom.page = 1
        return lambda: account(zoom)

    @pytest.fixture
    def grow(self, zoom: FakeZoom) -> Grow:
        return lambda: zoom.records("new", "2026-05-01T08:00:00Z") and None


def test_a_meeting_is_read_as_its_folder_would_be(zoom: FakeZoom) -> None:
    zoom.records("/abc//d==")
    [record] = account(zoom).pull(None)
    people = People()
    people.learn(record.value.identities())
    [talk] = record.value.read(people.speaker).conversations
    assert [(one.speaker.name, one.speaker.person, one.text) for one in talk.utterances] == [
        ("Ada Lovelace", "ada@acme.example", "The trial starts at 25 seats from now on."),
        ("Grace Hopper", "grace@acme.example", "Agreed."),
    ]
    assert talk.audience == f"channel:{talk.place}"
    [room] = record.value.read(people.speaker).channels
    assert {one.email for one in room.members} == {HOST, "grace@acme.example"}
    assert datetime.fromtimestamp(talk.utterances[0].at / 1e6, UTC).isoformat() == "2026-03-02T14:30:01+00:00"
    assert "/past_meetings/%252Fabc%252F%252Fd%253D%253D/" in next(call for call in zoom.calls if "past_" in call)


def test_only_the_first_and_last_day_of_a_month_are_asked_for() -> None:
    told = list(months(date(2026, 1, 30), date(2026, 3, 2)))
    assert told == [
        (date(2026, 1, 30), date(2026, 1, 31)),
        (date(2026, 2, 1), date(2026, 2, 28)),
        (date(2026, 3, 1), date(2026, 3, 2)),
    ]
    assert list(months(date(2026, 3, 2), date(2026, 3, 1))) == []


def test_a_token_is_asked_for_once_and_again_when_it_is_refused(zoom: FakeZoom) -> None:
    zoom.records("m1")
    notes = Notes()
    assert len(list(account(zoom, notes).pull(None))) == len(list(account(zoom, notes).pull(None))) == 1
    assert len(zoom.tokens) == 1
    zoom.tokens.append("somebody else asked for another")
    assert len(list(account(zoom, notes).pull(None))) == 1
    assert len(zoom.tokens) == 3


def test_what_zoom_says_of_our_keys_is_told_with_what_to_do(zoom: FakeZoom) -> None:
    wrong = Settings(**{**zoom.settings(), "zoom_client_secret": "other"})
    with pytest.raises(Fatal, match=r"invalid_client.*ZOOM_CLIENT_SECRET"):
        list(connected(wrong, Notes(), date(2026, 1, 1)).pull(None))
    zoom.tokens.append("x")
    zoom.too_many = 1
    with pytest.raises(Retry) as told:
        list(account(zoom).pull(None))
    assert told.value.after == 7


def test_an_event_brings_a_key_that_ends_after_a_day(zoom: FakeZoom) -> None:
    meeting = zoom.records("m1")
    told = recording(json.loads(zoom.event("recording.transcript_completed", meeting)))
    assert told is not None
    assert told.told is Told.SPOKEN
    bare = connected(Settings(zoom_api_url=f"{zoom.url}/v2"), Notes())
    assert bare.meeting(told.meeting, told.token).files[0][1].startswith("WEBVTT")
    zoom.event_token_ends = True
    with pytest.raises(Fatal, match="ZOOM_ACCOUNT_ID"):
        bare.meeting(told.meeting, told.token)
    assert account(zoom).meeting(told.meeting, told.token).files[0][1].startswith("WEBVTT")


def test_without_oauth_only_the_host_may_see_a_meeting(zoom: FakeZoom) -> None:
    meeting = zoom.records("m1")
    told = recording(json.loads(zoom.event("recording.transcript_completed", meeting)))
    assert told
    made = connected(Settings(zoom_api_url=f"{zoom.url}/v2"), Notes()).meeting(told.meeting, told.token)
    assert [one.email for one in made.identities()] == [HOST]


def test_no_key_of_ours_goes_to_other_hosts(zoom: FakeZoom) -> None:
    meeting = zoom.records("m1")
    meeting["recording_files"][1]["download_url"] = "https://zoom.us.evil.example/rec"
    with pytest.raises(Skip, match="does not lie at Zoom"):
        account(zoom).meeting(meeting)
    meeting["recording_files"][1]["download_url"] = "http://zoom.us/rec"
    with pytest.raises(Skip, match="does not lie at Zoom"):
        account(zoom).meeting(meeting)


def test_a_page_instead_of_a_transcript_is_asked_for_again(zoom: FakeZoom) -> None:
    meeting = zoom.records("m1", transcript="<!DOCTYPE html><title>Sign in</title>")
    with pytest.raises(Retry):
        account(zoom).meeting(meeting)


def test_one_that_cannot_be_had_keeps_none_behind_it_from_being_pulled(zoom: FakeZoom) -> None:
    zoom.records("first", "2026-02-01T10:00:00Z")
    zoom.broken = {"t1": 404, "t2": 410}
    for n in range(2):
        zoom.records(f"gone{n}", f"2026-02-0{n + 2}T10:00:00Z")
    zoom.records("page", "2026-02-04T10:00:00Z", transcript="<!DOCTYPE html><title>Sign in</title>")
    away = zoom.records("away", "2026-02-05T10:00:00Z")
    away["recording_files"][1]["download_url"] = "https://elsewhere.example/x"
    zoom.records("last", "2026-03-05T10:00:00Z")
    found = [one.cursor for one in account(zoom).pull(None)]
    assert found == ["2026-02-01T10:00:00 first", "2026-03-05T10:00:00 last"]
    assert [one.cursor for one in account(zoom).pull(found[0])] == found[1:]


@pytest.mark.parametrize(("status", "error"), [(403, Fatal), (500, Retry)])
def test_what_no_meeting_is_at_fault_for_ends_the_pull(zoom: FakeZoom, status: int, error: type[Exception]) -> None:
    zoom.records("m1", "2026-02-01T10:00:00Z")
    zoom.broken = {"t0": status}
    with pytest.raises(error):
        list(account(zoom).pull(None))


def test_a_meeting_has_one_name_however_it_comes_in(zoom: FakeZoom) -> None:
    meeting = zoom.records("/a b==", (datetime.now(UTC) - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ"))
    told = recording(json.loads(zoom.event("recording.transcript_completed", meeting)))
    assert told
    [listed] = account(zoom).lately(3)
    assert folder_name(told.meeting) == folder_name(listed) == folder_name(account(zoom).described("/a b=="))


def test_passcodes_are_not_kept(zoom: FakeZoom) -> None:
    told = recording(json.loads(zoom.event("recording.completed", zoom.records("m1"), ("MP4",))))
    assert told
    assert "123456" not in json.dumps(dict(told.meeting))


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples of real events are not here")
def test_what_zoom_itself_shows() -> None:
    asked = json.loads((SAMPLES / "official_url_validation_request.json").read_text())
    answer = json.loads((SAMPLES / "official_url_validation_response.json").read_text())
    made = validated(asked, "any")
    assert made is not None
    assert set(made) == set(answer)
    assert made["plainToken"] == answer["plainToken"]
    assert len(made["encryptedToken"]) == len(answer["encryptedToken"])
    told = recording(json.loads((SAMPLES / "recording.transcript_completed.json").read_text()))
    assert told is not None
    assert (told.told, told.token, told.meeting["uuid"]) == (Told.SPOKEN, "testing123", "4444AAAiAAAAAiAiAiiAii==")
    assert folder_name(told.meeting) == "2021-03-23-221457-4444AAAiAAAAAiAiAiiAii-3d-3d"
    for name in ("session.recording_completed", "session.recording_transcript_completed"):
        assert recording(json.loads((SAMPLES / f"official_videosdk_{name}.json").read_text())) is None


@pytest.mark.parametrize("value", [{}, {"payload": {}}, {"payload": {"plainToken": 5}}, {"payload": []}])
def test_a_question_without_a_token_is_malformed(value: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="plainToken"):
        validated({"event": "endpoint.url_validation", **value}, "secret")
