"""Folders of recordings read for the audit: cues with their times and speakers, chat lines, participants."""

import html
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.evals.audit.said import Room

TIMES = re.compile(r"(?:(\d+):)?(\d\d):(\d\d)\.(\d{3})\s+-->")
NAMED = re.compile(r"(?:<v(?:\.\S+)?\s+(?P<voice>[^>]+)>|(?P<name>[^\s:][^:\n]{0,59}?): (?=\S))")
STAMP = re.compile(r"GMT(\d{8})-(\d{6})")
DAY = re.compile(r"20\d\d-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: when, who as it stands there ('' where nobody does), and the words, without the name and with it."""

    at: int
    name: str
    text: str
    whole: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """One folder."""

    room: Room
    cues: tuple[Cue, ...]
    chat: str
    """All that was written meanwhile."""
    start: int
    aliases: dict[str, frozenset[str]]
    """By the name that stands in the transcript, in lower case: what else the participant may be called."""


def read_meetings(root: Path, audience: str | None) -> dict[str, Meeting]:
    """Every meeting by its folder's place below `root`."""
    root = root.resolve()
    folders = sorted({file.parent for file in root.rglob("*.vtt")})
    names = [one.relative_to(root).as_posix() if one != root else one.name for one in folders]
    return {name: _meeting(name, one, audience) for name, one in zip(names, folders, strict=True)}


def _meeting(name: str, folder: Path, audience: str | None) -> Meeting:
    about = _about(folder)
    listed = {str(one.get("file_name")): one for one in about.get("recording_files") or () if isinstance(one, dict)}
    files = sorted(folder.glob("*.vtt"))
    own = [file for file in files if not re.search(r"correct|\.cc\.|summary", file.name)] or files
    cues: list[Cue] = []
    starts = []
    for file in own:
        start = _start(file, about, listed)
        starts.append(start)
        cues += read_cues(file.read_bytes().decode("utf-8", "replace"), start)
    aliases = {}
    for one in about.get("participants") or ():
        called = [one.get(key) for key in ("name", "user_name", "user_email", "email")]
        called += [f"{source}:{one[key]}" for source in ("zoom", "slack") for key in ("user_id", "id") if one.get(key)]
        names = frozenset(str(word).lower() for word in called if word)
        aliases.update({str(word).lower(): names for word in called[:2] if word})
    people = frozenset().union(*aliases.values(), (cue.name.lower() for cue in cues))
    chat = "\n".join(file.read_text("utf-8", "replace") for file in folder.glob("*.txt") if "chat" in file.name.lower())
    room = Room(audience or f"channel:zoom:{name}", people, str(about.get("topic") or folder.name))
    return Meeting(room, tuple(sorted(cues, key=lambda cue: cue.at)), chat, min(starts), aliases)


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
    told = (listed.get(file.name) or {}).get("recording_start") or about.get("start_time")
    if isinstance(told, str) and re.search(r"(?:Z|[+-]\d\d:?\d\d)$", told):
        return _micros(datetime.fromisoformat(told))
    if stamp := STAMP.search(file.name):
        return _micros(datetime.strptime(stamp[1] + stamp[2], "%Y%m%d%H%M%S").replace(tzinfo=UTC))
    if day := DAY.search(file.parent.name) or DAY.search(file.name):
        return _micros(datetime.fromisoformat(day[0]).replace(tzinfo=UTC))
    return int(file.stat().st_mtime) * 1_000_000


def _micros(when: datetime) -> int:
    return int(when.timestamp()) * 1_000_000 + when.microsecond


def read_cues(text: str, start: int) -> list[Cue]:
    """The cues that say something, in the file's order."""
    found = []
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        times = TIMES.search(block)
        if not times:
            continue
        hours, minutes, seconds, thousandths = (int(part or 0) for part in times.groups())
        words = block[times.end() :].partition("\n")[2]
        named = NAMED.match(words.strip())
        bare = words.strip()[named.end() :] if named else words
        name = _clean((named["voice"] or named["name"]) if named else "")
        at = start + ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + thousandths * 1000
        if said := _clean(bare):
            found.append(Cue(at, name, said, f"{name}: {said}" if name else said))
    return found


def _clean(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"</?[a-z][^>]*>|<[\d:.]+>", "", text)).split())
