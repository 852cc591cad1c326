"""Folders of Zoom recordings read for the audit: cues with their times and speakers, chat lines, participants."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.evals.audit.cues import Cue, Meeting, Written, file_time, micros, read_cues
from assistant.evals.audit.said import Room

STAMP = re.compile(r"GMT(\d{8})-(\d{6})")
DAY = re.compile(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)")
CHATTED = re.compile(r"(\d\d):(\d\d):(\d\d)\t([^\t]+?):\t(.*)", re.S)
"""Since the recording began."""
SAVED = re.compile(
    r"(?:[\d-]{10} )?(\d\d):(\d\d):(\d\d)\s+From\s+(.+?)(?:\s+to\s+(.+?))?\s*:(?:\s+(.*)|$)", re.S | re.I
)
"""Of the day."""
ALONE = re.compile(r"direct message|privately|me\b", re.I)
"""To whom a line goes that is not everyone's."""


def read_meetings(root: Path, audience: str | None) -> dict[str, Meeting]:
    """Every meeting by its conversation's id; ids name the folder's place below `root`."""
    root = root.resolve()
    folders = sorted({file.parent for file in root.rglob("*.vtt")})
    names = [f"zoom:{one.relative_to(root).as_posix() if one != root else one.name}" for one in folders]
    return {name: _meeting(name, one, audience) for name, one in zip(names, folders, strict=True)}


def _meeting(name: str, folder: Path, audience: str | None) -> Meeting:
    about = _about(folder)
    listed = {str(one.get("file_name")): one for one in about.get("recording_files") or () if isinstance(one, dict)}
    files = sorted(folder.glob("*.vtt"))
    own = [file for file in files if not re.search(r"correct|\.cc\.|summary", file.name)] or files
    starts = {file: _start(file, about, listed) for file in own}
    cues: list[Cue] = []
    for file in sorted(own, key=lambda file: (starts[file], file.name)):
        cues += read_cues(file.read_bytes().decode("utf-8", "replace"), starts[file])
    aliases = {}
    for one in about.get("participants") or ():
        called = [one.get(key) for key in ("name", "user_name", "user_email", "email")]
        called += [f"{source}:{one[key]}" for source in ("zoom", "slack") for key in ("user_id", "id") if one.get(key)]
        names = frozenset(str(word).lower() for word in called if word)
        aliases.update({str(word).lower(): names for word in called[:2] if word})
    people = frozenset().union(*aliases.values(), (cue.name.lower() for cue in cues))
    members = tuple(dict.fromkeys(aliases.values()))
    topic = str(about.get("topic") or folder.name)
    room = Room(audience or f"channel:{name}", people, topic, members, audience is None, topic)
    chat = [line for file in sorted(folder.glob("*.txt")) if "chat" in file.name.lower() for line in read_chat(file)]
    return Meeting(room, tuple(cues), min(starts.values()), aliases, tuple(chat))


def _about(folder: Path) -> dict[str, Any]:
    try:
        told = json.loads((folder / "meeting.json").read_text("utf-8-sig"))
        told = told.get("payload", told)
        found = told.get("object", told)
    except (OSError, ValueError, AttributeError):
        return {}
    return found if isinstance(found, dict) else {}


def _start(file: Path, about: dict[str, Any], listed: dict[str, Any]) -> int:
    """When the recording began, in microseconds."""
    told = micros((listed.get(file.name) or {}).get("recording_start"))
    told = micros(about.get("start_time")) if told is None else told
    if told is not None:
        return told
    if stamp := STAMP.search(file.name):
        return _seconds(datetime.strptime(stamp[1] + stamp[2], "%Y%m%d%H%M%S").replace(tzinfo=UTC))
    if day := DAY.search(file.parent.name) or DAY.search(file.name):
        return _seconds(datetime.fromisoformat(day[0]).replace(tzinfo=UTC))
    return file_time(file)


def _seconds(when: datetime) -> int:
    return int(when.timestamp()) * 1_000_000


def read_chat(file: Path) -> Iterator[Written]:
    """The lines to everyone, in the file's order, with those that go on below them."""
    text = file.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for part in re.split(r"\n(?=(?:[\d-]{10} )?\d\d:\d\d:\d\d(?:\t[^\t\n]+?:\t|\s+From\s))", text):
        found = CHATTED.fullmatch(part) or SAVED.fullmatch(part)
        if found is None:
            continue
        cloud = found.re is CHATTED
        hours, minutes, seconds = (int(number) for number in found.groups()[:3])
        first, *below = (found.groups()[-1] or "").split("\n")
        words = "\n".join((first, *(line.strip() for line in below))).strip()
        if words and (cloud or not ALONE.search(found[5] or "")):
            yield Written(found[4].strip(), words, (hours * 60 + minutes) * 60 + seconds, not cloud)
