"""Folders of Teams transcripts: voices, metadata, who took part, and when."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.errors import Skip, UserFacing
from assistant.model.conversations import Conversation
from assistant.model.times import micros
from assistant.text.people import People
from connectors.teams.transcripts import open_folders

SHARED = Path(__file__).parents[3] / "shared/data"
VOICES = "WEBVTT\n\n0:0:1.0 --> 0:0:2.0\n<v Ada Byron>Ten?</v>\n\n0:0:2.0 --> 0:0:3.0\n<v Grace>25.</v>\n"
MEETING = {
    "subject": "Trial",
    "createdDateTime": "2026-03-02T14:30:00.1234567Z",
    "joinWebUrl": "https://teams.example/join",
    "participants": {
        "organizer": {"upn": "ada@acme.example", "identity": {"user": {"id": "a1", "displayName": "Ada Byron"}}},
        "attendees": [{"upn": None, "identity": {"user": None}}],
    },
}


def only(path: Path, audience: str | None = None) -> Conversation:
    [folder] = open_folders(path)
    people = People()
    people.learn(folder.identities())
    [one] = folder.read(people.speaker, audience).conversations
    return one


def test_a_meeting(tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    folder.mkdir()
    (folder / "content.vtt").write_text(VOICES)
    (folder / "meeting.json").write_text(json.dumps(MEETING))
    one = only(tmp_path)
    assert (one.id, one.title, one.audience) == ("teams:meetings/trial", "Trial", "channel:teams:meetings/trial")
    assert [(u.speaker.name, u.speaker.person, u.text) for u in one.utterances] == [
        ("Ada Byron", "ada@acme.example", "Ten?"),
        ("Grace", None, "25."),
    ]
    assert one.utterances[0].at == micros(datetime(2026, 3, 2, 14, 30, 1, 123456, tzinfo=UTC))
    assert only(folder, "public").audience == "public"


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserFacing):
        open_folders(tmp_path)
    (tmp_path / "a.vtt").write_text("WEBVTT\n")
    with pytest.raises(Skip, match="no words"):
        only(tmp_path)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
def test_the_documentations_examples() -> None:
    one = only(SHARED / "samples/teams-graph")
    assert {(u.speaker.name, u.text) for u in one.utterances} == {
        ("User Name", "This is a transcript test."),
        ("User Name", "This is a transcription test."),
    }
    assert micros(datetime(2023, 3, 8, 8, 22, 30, 46163, tzinfo=UTC)) in {u.at for u in one.utterances}
