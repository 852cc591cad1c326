"""Google Meet and Teams by their APIs: conferences with words, for those who took part."""

import json
from collections.abc import Callable, Iterator

import pytest

from assistant.errors import Fatal
from assistant.model.conversations import Conversation
from assistant.settings import Settings
from assistant.text.people import People
from connectors.base import Connector
from connectors.base.meetings import Meeting, Wordless
from connectors.meet import transcripts as meet
from connectors.meet.transcripts import Meet, MeetMeeting
from connectors.teams import graph as teams
from connectors.teams.graph import TeamsCloud, TeamsMeeting
from tests.connectors.conformance import ConnectorConformance, Grow
from tests.fakes import graph as at_microsoft
from tests.fakes import meet as at_google
from tests.fakes.graph import FakeGraph
from tests.fakes.meet import FakeMeet

TALK = (
    ("ada", "The trial starts"),
    ("ada", "at 25 seats."),
    ("grace", "Agreed."),
    ("guest", "Who are you?"),
    ("ada", "Ada."),
)


class Notes(dict[str, str]):
    def put(self, name: str, value: str, seconds: int) -> None:
        self[name] = value


@pytest.fixture
def google() -> Iterator[FakeMeet]:
    with at_google.running(FakeMeet()) as made:
        yield made


@pytest.fixture
def microsoft() -> Iterator[FakeGraph]:
    with at_microsoft.running(FakeGraph()) as made:
        yield made


def in_meet(fake: FakeMeet, **given: str) -> Meet:
    made = meet.connected(Settings(**{**fake.settings(), **given}), Notes())
    assert made
    return made


def in_teams(fake: FakeGraph, **given: str) -> TeamsCloud:
    made = teams.connected(Settings(**{**fake.settings(), **given}), Notes())
    assert made
    return made


def heard(meeting: Meeting) -> Conversation:
    people = People()
    people.learn(meeting.identities())
    [talk] = meeting.read(people.speaker).conversations
    return talk


class TestMeet(ConnectorConformance):
    @pytest.fixture
    def connect(self, google: FakeMeet) -> Callable[[], Connector[MeetMeeting]]:
        for n in range(5):
            google.met(f"c{n}", f"2026-03-0{n + 1}T10:00:00Z", TALK if n != 2 else None)
        return lambda: in_meet(google)

    @pytest.fixture
    def grow(self, google: FakeMeet) -> Grow:
        return lambda: google.met("new", "2026-04-01T10:00:00Z", TALK) and None


class TestTeams(ConnectorConformance):
    @pytest.fixture
    def connect(self, microsoft: FakeGraph) -> Callable[[], Connector[TeamsMeeting]]:
        for n in range(5):
            microsoft.met(f"m{n}", f"2026-03-0{n + 1}T10:00:00Z", "WEBVTT\n" if n == 2 else at_microsoft.WORDS)
        return lambda: in_teams(microsoft)

    @pytest.fixture
    def grow(self, microsoft: FakeGraph) -> Grow:
        return lambda: microsoft.met("new", "2026-04-01T10:00:00Z")


def test_what_one_person_says_without_a_break_is_one_utterance(google: FakeMeet) -> None:
    google.met("c1", "2026-03-02T10:00:00Z", TALK)
    [record] = in_meet(google).pull(None)
    talk = heard(record.value)
    assert [(one.speaker.name, one.text) for one in talk.utterances] == [
        ("Ada Lovelace", "The trial starts at 25 seats."),
        ("Grace Hopper", "Agreed."),
        ("Somebody", "Who are you?"),
        ("Ada Lovelace", "Ada."),
    ]
    assert (talk.id, talk.title, talk.audience) == ("meet:c1", "Meeting abc-mnop-xyz", "channel:meet:c1")
    assert talk.utterances[0].speaker.person == "ada@acme.example"
    assert {one.email for one in record.value.identities()} == {"ada@acme.example", "grace@acme.example", None}


def test_without_leave_to_read_the_directory_people_are_known_by_their_id(google: FakeMeet) -> None:
    google.people_refused = True
    google.met("c1", "2026-03-02T10:00:00Z", TALK)
    [record] = in_meet(google).pull(None)
    assert [(one.id, one.email) for one in record.value.identities()] == [("101", None), ("102", None), (None, None)]


def test_a_transcript_that_is_still_written_is_waited_for(google: FakeMeet) -> None:
    google.met("c1", "2026-03-02T10:00:00Z", TALK, state="STARTED")
    [listed] = in_meet(google).listed(meet.FIRST)
    with pytest.raises(Wordless):
        in_meet(google).meeting(listed)


@pytest.mark.parametrize("status", [404, 410])
def test_one_that_is_gone_keeps_none_behind_it_from_being_pulled(
    google: FakeMeet, microsoft: FakeGraph, status: int
) -> None:
    for n in range(3):
        google.met(f"c{n}", f"2026-03-0{n + 1}T10:00:00Z", TALK)
        microsoft.met(f"m{n}", f"2026-03-0{n + 1}T10:00:00Z")
    google.broken = {"conferenceRecords/c1": status}
    microsoft.broken = {"MSMjMCMj_m1": status}
    for cloud in (in_meet(google), in_teams(microsoft)):
        found = [one.cursor for one in cloud.pull(None)]
        assert [one[:10] for one in found] == ["2026-03-01", "2026-03-03"]
        assert [one.cursor for one in cloud.pull(found[0])] == found[1:]
    google.broken = {"conferenceRecords/c2": status}
    assert (in_meet(google).cursor or "").startswith("2026-03-02")


def test_teams_words_are_read_as_a_folder_of_them_is(microsoft: FakeGraph) -> None:
    microsoft.met("m1", "2026-03-02T10:00:00Z")
    [record] = in_teams(microsoft).pull(None)
    talk = heard(record.value)
    assert [(one.speaker.name, one.speaker.person, one.text) for one in talk.utterances] == [
        ("Ada Lovelace", "ada@acme.example", "The trial starts at 25 seats."),
        ("Grace Hopper", "grace@acme.example", "Agreed."),
    ]
    assert talk.title == "Growth"
    assert talk.id.startswith("teams:meetings/20260302T000000-")
    assert talk.audience == f"channel:{talk.id}"
    assert "xylophone" not in record.value.about


def test_two_transcripts_of_one_meeting_are_two_conversations(microsoft: FakeGraph) -> None:
    microsoft.met("m1", "2026-03-02T10:00:00Z")
    microsoft.transcripts.append({**microsoft.transcripts[0], "id": "MSMj_2", "endDateTime": "2026-03-02T11:00:00Z"})
    microsoft.words["MSMj_2"] = at_microsoft.WORDS
    assert len({heard(one.value).id for one in in_teams(microsoft).pull(None)}) == 2


def test_wrong_keys_say_what_to_do(google: FakeMeet, microsoft: FakeGraph) -> None:
    with pytest.raises(Fatal, match=r"invalid_grant.*GOOGLE_REFRESH_TOKEN"):
        list(in_meet(google, google_refresh_token="other").pull(None))
    with pytest.raises(Fatal, match=r"invalid_client.*MICROSOFT_CLIENT_SECRET"):
        list(in_teams(microsoft, microsoft_client_secret="other").pull(None))


def test_without_keys_there_is_no_cloud() -> None:
    assert meet.connected(Settings(), Notes()) is None
    assert teams.connected(Settings(), Notes()) is None
    assert json.dumps(Settings().model_dump(mode="json"))
