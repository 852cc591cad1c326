"""A meeting as Zoom's cloud has it: what is said about it and its transcripts, read as a folder of them is."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.model.conversations import Heard, Identity, Speaker
from assistant.text.cues import parsed_time
from connectors.base.discussions import first, objects
from connectors.base.folders import unpacked
from connectors.zoom.hook import MEETING
from connectors.zoom.recordings import MeetingFolder, participant

Naming = Callable[[Identity], Speaker]
WORDS = {"TRANSCRIPT": "transcript.vtt", "CHAT": "chat.txt"}
"""Kinds of files that hold words, and how their names end here."""


@dataclass(frozen=True, slots=True)
class ZoomMeeting:
    """A meeting with its files."""

    id: str
    """Of its conversation, without `zoom:`."""
    about: str
    """JSON, as meeting.json has it."""
    files: tuple[tuple[str, str], ...]
    """Names and texts."""

    def identities(self) -> list[Identity]:
        """Who took part."""
        return [participant(one) for one in objects(json.loads(self.about).get("participants"))]

    def read(self, naming: Naming, audience: str | None = None) -> Heard:
        """The meeting. Without `audience` its participants may see it. Raises Skip where no transcript can be read."""
        with unpacked(self.files) as folder:
            return MeetingFolder(folder, self.id, json.loads(self.about)).read(naming, audience)


def wordy(meeting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Its files with words that are ready, by when their recordings began."""
    ready = [one for one in objects(meeting.get("recording_files")) if first(one, "status") in ("", "completed")]
    found = [one for one in ready if one.get("file_type") in WORDS and first(one, "download_url")]
    return sorted(found, key=lambda one: (first(one, "recording_start"), first(one, "id")))


def has_transcript(meeting: Mapping[str, Any]) -> bool:
    """Whether what was spoken can be had."""
    return any(one["file_type"] == "TRANSCRIPT" for one in wordy(meeting))


def file_name(one: Mapping[str, Any]) -> str:
    """A file's name as Zoom's own downloads have it: by the recording's start; sorts as the recordings do."""
    stamp = f"{began(one):%Y%m%d-%H%M%S}"
    mark = re.sub(r"[^A-Za-z0-9]", "", first(dict(one), "id"))[:8]
    return f"GMT{stamp}_{mark}.{WORDS[one['file_type']]}"


def folder_name(meeting: Mapping[str, Any]) -> str:
    """Names the meeting: when its first recording began, and Zoom's own id; the same however it comes in."""
    starts = [began(one) for one in objects(meeting.get("recording_files")) if first(one, "recording_start")]
    uuid = re.sub(r"[^A-Za-z0-9]", lambda found: f"-{ord(found[0]):x}", str(meeting["uuid"]))
    return f"{min(starts, default=began(meeting)):%Y-%m-%d-%H%M%S}-{uuid}"


def began(one: Mapping[str, Any]) -> datetime:
    """When a recording or meeting began; 1970 where nothing says so."""
    told = dict(one)
    return parsed_time(first(told, "recording_start", "start_time")) or datetime.fromtimestamp(0, UTC)


def age(meeting: Mapping[str, Any]) -> float:
    """Seconds since it began."""
    return (datetime.now(UTC) - began(meeting)).total_seconds()


def described(meeting: Mapping[str, Any], participants: list[dict[str, Any]], names: Mapping[str, str]) -> str:
    """What meeting.json says: the meeting without keys to its files, its host among those who took part.

    `names` are its files' names here by their ids.
    """
    told = {name: meeting[name] for name in MEETING if name in meeting}
    files = [
        {
            **{name: one[name] for name in ("file_type", "recording_start", "play_url") if name in one},
            **({"file_name": names[first(one, "id")]} if first(one, "id") in names else {}),
        }
        for one in objects(meeting.get("recording_files"))
    ]
    people = [{**one, "name": first(one, "name", "user_email", "email")} for one in participants]
    host = first(dict(meeting), "host_email")
    if host and host not in {first(one, "user_email", "email") for one in people}:
        people.append({"name": host, "user_email": host})
    return json.dumps({**told, "recording_files": files, "participants": people}, sort_keys=True)


def is_transcript(file: Path | str, text: str) -> bool:
    """Whether a download is what its name says, and no page that asks for a password."""
    page = re.match(r"\s*<(!doctype|html)", text, re.I)
    return not page and (not str(file).endswith(".vtt") or text.removeprefix("\ufeff").lstrip().startswith("WEBVTT"))
