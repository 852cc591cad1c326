"""Folders of Teams transcripts: `*.vtt` with voice tags or metadata, and the callTranscript.json beside it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assistant.errors import Skip, UserFacing
from assistant.model.audiences import channel_audience
from assistant.model.conversations import Channel, Conversation, ConversationKind, Heard, Identity, Speaker, Utterance
from assistant.model.times import micros
from assistant.text.cues import parsed_time, read_turns
from connectors.base.discussions import first, inner, objects

Naming = Callable[[Identity], Speaker]


@dataclass(frozen=True, slots=True)
class TeamsFolder:
    """A folder with the transcript of one meeting."""

    path: Path
    id: str
    about: dict[str, Any]
    """What Graph says about the transcript or the meeting; {} where no JSON is there."""

    def identities(self) -> list[Identity]:
        """Who took part, as an online meeting's JSON has them; a bare transcript names its organizer only."""
        told = inner(self.about, "participants")
        people = [inner(told, "organizer"), *objects(told.get("attendees"))]
        people.append({"identity": self.about.get("meetingOrganizer")})
        return [one for each in people if (one := participant(each))]

    def read(self, naming: Naming, audience: str | None = None) -> Heard:
        """The meeting. Without `audience` its participants may see it. Raises Skip where nothing can be read."""
        notes: list[str] = []
        start = parsed_time(self.about.get("createdDateTime")) or parsed_time(self.about.get("startDateTime"))
        files = sorted(self.path.glob("*.vtt"))
        if start is None:
            start = datetime.fromtimestamp(int(files[0].stat().st_mtime), UTC)
        told = {one.name: one for one in self.identities()}
        said: list[Utterance] = []
        for file in files:
            for turn in read_turns(file.read_bytes().decode("utf-8-sig", "replace"), told):
                who = naming(told.get(turn.speaker or "") or Identity("teams", turn.speaker or ""))
                at = turn.at or start + timedelta(milliseconds=turn.start)
                said.append(Utterance(f"{self.id}/{len(said)}", who, micros(at), turn.text))
            if not self.about and not (said and said[-1].at != micros(start)):
                notes.append(f"{self.path.name}: no start time, so the file's own time stands for it")
        if not said:
            raise Skip(f"{self.path.name}: no words in its transcript")
        title = first(self.about, "subject") or self.path.name
        room = Channel(self.id, title, audience is None, tuple(told.values()))
        talk = Conversation(
            id=self.id,
            shown_id=self.id,
            kind=ConversationKind.MEETING,
            place=room.id,
            place_name=title,
            title=title,
            audience=audience or channel_audience(room.id),
            started_at=min(one.at for one in said),
            utterances=tuple(sorted(said, key=lambda one: one.at)),
            url=first(self.about, "joinWebUrl") or None,
        )
        return Heard((talk,), (room,), frozenset({(room.id, "")}), tuple(notes))


def open_folders(path: Path) -> list[TeamsFolder]:
    """The meetings in a folder, at any depth, or the folder itself; raises UserFacing where there is none."""
    root = path.resolve()
    places = sorted({file.parent for file in root.rglob("*.vtt") if file.resolve().is_relative_to(root)})
    if not places:
        raise UserFacing(f"there is no transcript (*.vtt) in {path} or below")
    names = [place.relative_to(root).as_posix() if place != root else root.name for place in places]
    return [TeamsFolder(one, f"teams:meetings/{name}", about(one)) for one, name in zip(places, names, strict=True)]


def about(folder: Path) -> dict[str, Any]:
    """All JSON objects of the folder as one; {} where there is none."""
    found: dict[str, Any] = {}
    for file in sorted(folder.glob("*.json")):
        try:
            told = json.loads(file.read_bytes().decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        found |= told if isinstance(told, dict) else {}
    return found


def participant(one: dict[str, Any]) -> Identity | None:
    """A participant of an online meeting."""
    user = inner(inner(one, "identity"), "user")
    number, address = first(user, "id"), first(one, "upn")
    if not (number or address):
        return None
    name = first(user, "displayName") or address or number
    return Identity("teams", name, number or None, address if "@" in address else None)
