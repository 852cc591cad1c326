"""Folders of Zoom recordings: transcript, meeting.json and chat of one meeting as one conversation."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assistant.errors import Skip, UserFacing
from assistant.model.audiences import channel_audience
from assistant.model.conversations import Channel, Conversation, ConversationKind, Heard, Identity, Speaker, Utterance
from assistant.model.times import micros
from assistant.text.cues import Turn, parsed_time, read_turns
from assistant.text.markdown import decode
from connectors.base.discussions import first, inner, objects
from connectors.zoom.chat import read_chat, uttered

LARGEST = 64 * 1024 * 1024
"""Bytes of a transcript at most; an hour has about a tenth of a megabyte."""

STAMPED = re.compile(r"GMT(\d{8})-(\d{6})")
"""How Zoom names the files of a recording: by its start in UTC."""

DATED = re.compile(r"(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)")

APART = timedelta(hours=12)
"""Recordings of one meeting begin closer together."""

PLAIN = re.compile(
    r"transcripts?|recordings?|captions?|subtitles?|audio|zoom|meeting|part|closed|copy|[a-z]{2}[-_][A-Z]{2}\b|[\W\d_]+",
    re.I,
)
"""What a file's name may hold without naming a meeting."""

Naming = Callable[[Identity], Speaker]


@dataclass(frozen=True, slots=True)
class Recording:
    """One transcript of a meeting; there are several where the recording was stopped and started again."""

    file: Path
    start: datetime
    play_url: str | None = None


@dataclass(frozen=True, slots=True)
class MeetingFolder:
    """A folder with at least one transcript."""

    path: Path
    id: str
    about: dict[str, Any]
    """meeting.json; {} where there is none."""

    def identities(self) -> list[Identity]:
        """Who took part, as meeting.json has them."""
        return [participant(one) for one in objects(self.about.get("participants"))]

    def read(self, naming: Naming, audience: str | None = None) -> Heard:
        """The meeting. Without `audience` its participants may see it.

        Raises Skip where no transcript can be read, or where they are of several meetings.
        """
        if names := self._of_several():
            raise Skip(
                f"{self.path.name}: holds several meetings ({', '.join(names)}), left out: put each into a folder "
                "of its own, with its meeting.json"
            )
        notes: list[str] = []
        if not self.about and (self.path / "meeting.json").exists():
            notes.append(f"{self.path.name}: meeting.json is cut off or no JSON, left out")
        parts = sorted(self._recordings(notes), key=lambda one: (one.start, one.file.name))
        utterances = list(self._utterances(parts, naming, notes))
        if not utterances:
            raise Skip(f"{self.path.name}: {'; '.join(notes) or 'no words in its transcript'}")
        topic = first(self.about, "topic") or self.path.name
        room = Channel(f"zoom:{self.id}", topic, audience is None, tuple(self.identities()))
        conversation = Conversation(
            id=room.id,
            shown_id=room.id,
            kind=ConversationKind.MEETING,
            place=room.id,
            place_name=topic,
            title=topic,
            audience=audience or channel_audience(room.id),
            started_at=micros(parts[0].start),
            utterances=tuple(utterances),
            url=first(self.about, "share_url") or parts[0].play_url,
        )
        return Heard((conversation,), (room,), frozenset({(room.id, "")}), tuple(notes))

    def _of_several(self) -> list[str]:
        """Names of transcripts that cannot be of one meeting, by their dates or else by what they are called."""
        files = transcripts(self.path)
        listed = objects(self.about.get("recording_files"))
        if len(files) < 2 or sum(one.get("file_type") == "TRANSCRIPT" for one in listed) >= len(files):
            return []
        names = [file.name for file in files]
        begun = [found for name in names if (found := named_start(name))]
        called = {PLAIN.sub("", name.partition(".")[0]).casefold() for name in names if not named_start(name)}
        far = bool(begun) and max(begun) - min(begun) > APART
        return names if far or (not self.about and len(called - {""}) > 1) else []

    def _recordings(self, notes: list[str]) -> Iterator[Recording]:
        listed = objects(self.about.get("recording_files"))
        spoken = [one for one in listed if one.get("file_type") == "TRANSCRIPT"]
        videos = [one for one in listed if one.get("play_url")]
        files = transcripts(self.path)
        for nth, file in enumerate(files):
            own = next((one for one in spoken if one.get("file_name") == file.name), None)
            if own is None and len(spoken) == len(files):
                own = sorted(spoken, key=lambda one: str(one.get("recording_start")))[nth]
            start = parsed_time((own or {}).get("recording_start")) or self._start(file, notes)
            video = next((one for one in videos if parsed_time(one.get("recording_start")) == start), None)
            yield Recording(file, start, first(own or {}, "play_url") or first(video or {}, "play_url") or None)

    def _start(self, file: Path, notes: list[str]) -> datetime:
        """When the recording began: as meeting.json, the file's or folder's name, or else the file's time tell."""
        told = self.about.get("start_time")
        if found := parsed_time(told):
            return found
        if STAMPED.search(file.name) and (stamp := named_start(file.name)):
            return stamp
        if day := named_start(self.path.name) or named_start(file.name):
            notes.append(f"{self.path.name}: no start time, so times of day are those of the recording")
            return day
        notes.append(f"{self.path.name}: no start time, so the file's own time stands for it")
        return datetime.fromtimestamp(int(file.stat().st_mtime), UTC)

    def _utterances(self, parts: list[Recording], naming: Naming, notes: list[str]) -> Iterator[Utterance]:
        people = {one.name: one for one in self.identities()}

        def speaker(name: str | None) -> Speaker:
            return naming(people.get(name or "") or Identity("zoom", name or ""))

        chats = [line for file in chats_in(self.path) for line in read_chat(text_of(file))]
        turns = [(one, turn) for one in parts for turn in self._turns(one, people, notes)]
        made = [self._turn(n, one, turn, speaker(turn.speaker)) for n, (one, turn) in enumerate(turns)]
        made += uttered(chats, f"zoom:{self.id}", parts[0].start if parts else None, speaker)
        yield from sorted(made, key=lambda one: one.at)

    def _turns(self, recording: Recording, people: dict[str, Identity], notes: list[str]) -> list[Turn]:
        try:
            return read_turns(text_of(recording.file), people)
        except Skip as error:
            notes.append(f"{self.path.name}/{recording.file.name}: {error}")
            return []

    def _turn(self, number: int, recording: Recording, turn: Turn, speaker: Speaker) -> Utterance:
        at = turn.at or recording.start + timedelta(milliseconds=turn.start)
        url = recording.play_url or first(self.about, "share_url") or None
        if url:  # Zoom's player takes the moment in milliseconds since 1970
            url += f"{'&' if '?' in url else '?'}startTime={micros(at) // 1000}"
        return Utterance(f"zoom:{self.id}/{number}", speaker, micros(at), turn.text, url=url)


def open_folders(path: Path) -> list[MeetingFolder]:
    """The meetings in a folder, at any depth, or the folder itself; raises UserFacing where there is none."""
    if not path.is_dir():
        raise UserFacing(f"{path} is no folder of recordings")
    root = path.resolve()
    places = sorted({file.parent for file in root.rglob("*.vtt") if is_own(file)})
    if not places:
        raise UserFacing(f"there is no transcript (*.vtt) in {path} or below")
    return [MeetingFolder(one, place_id(root, one), about(one)) for one in places]


def named_start(name: str) -> datetime | None:
    """When a recording began, as far as its name tells: to the second, the day, or not at all."""
    stamp, day = STAMPED.search(name), DATED.search(name)
    try:
        if stamp:
            return datetime.strptime("".join(stamp.groups()), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        return datetime.strptime("-".join(day.groups()), "%Y-%m-%d").replace(tzinfo=UTC) if day else None
    except ValueError:
        return None


def place_id(root: Path, place: Path) -> str:
    """A meeting's id: its folder's name, or its path where folders lie deeper."""
    return place.relative_to(root).as_posix() if place != root else root.name


def about(folder: Path) -> dict[str, Any]:
    """meeting.json, alone or as an event carries it; {} where there is none or it cannot be read."""
    file = folder / "meeting.json"
    try:
        told = json.loads(file.read_bytes().decode("utf-8-sig")) if is_own(file) else {}
    except (OSError, ValueError, RecursionError):
        return {}
    found = told if isinstance(told, dict) else {}
    return inner(inner(found, "payload"), "object") or found


def participant(one: dict[str, Any]) -> Identity:
    """A participant; their Zoom id may be another system's."""
    email = first(one, "user_email", "email") or None
    return Identity("zoom", first(one, "name", "user_name"), first(one, "user_id", "id") or None, email)


def transcripts(folder: Path) -> list[Path]:
    """The transcripts that Zoom itself wrote: not what was corrected by hand, nor captions where there is both."""
    files = sorted(file for file in folder.glob("*.vtt") if is_own(file))
    kept = [file for file in files if not re.search(r"correct|\.cc\.|summary", file.name)]
    return kept or files


def chats_in(folder: Path) -> list[Path]:
    """The files of what was written meanwhile."""
    return sorted(file for file in folder.glob("*.txt") if "chat" in file.name.lower() and is_own(file))


def is_own(file: Path) -> bool:
    """Whether it is a file, and of its own folder: a link would bring in what others may see, or nobody here."""
    return file.is_file() and file.resolve().parent == file.parent.resolve()


def text_of(file: Path) -> str:
    """A file's text; raises Skip for what is none."""
    if file.stat().st_size > LARGEST:
        raise Skip(f"larger than {LARGEST >> 20} MB")
    data = file.read_bytes()
    return decode(data) or data.decode("utf-8", "replace")
