"""Folders of Teams transcripts read for the audit: voices or metadata, who took part, and when it began."""

import json
from pathlib import Path
from typing import Any

from assistant.evals.audit.cues import Cue, Meeting, file_time, micros, read_cues
from assistant.evals.audit.said import Room


def read_teams(root: Path, audience: str | None) -> dict[str, Meeting]:
    """Every meeting by its conversation's id; ids name the folder's place below `root`."""
    root = root.resolve()
    found = {}
    for folder in sorted({file.parent for file in root.rglob("*.vtt")}):
        place = folder.name if folder == root else folder.relative_to(root).as_posix()
        found[f"teams:meetings/{place}"] = _meeting(f"teams:meetings/{place}", folder, audience)
    return found


def _meeting(name: str, folder: Path, audience: str | None) -> Meeting:
    about: dict[str, Any] = {}
    for file in sorted(folder.glob("*.json")):
        about |= _told(file)
    files = sorted(folder.glob("*.vtt"))
    begun = (micros(about.get("createdDateTime")), micros(about.get("startDateTime")), file_time(files[0]))
    start = next(time for time in begun if time is not None)
    cues: list[Cue] = []
    for file in files:
        cues += read_cues(file.read_bytes().decode("utf-8-sig", "replace"), start)
    members = list(_members(about))
    aliases = {called: names for called, names in members if called}
    everybody = tuple(names for _, names in members)
    people = frozenset().union(*everybody, (cue.name.lower() for cue in cues))
    title = str(about.get("subject") or folder.name)
    room = Room(audience or f"channel:{name}", people, title, everybody, audience is None, title)
    return Meeting(room, tuple(cues), start, aliases)


def _told(file: Path) -> dict[str, Any]:
    try:
        told = json.loads(file.read_bytes().decode("utf-8-sig"))
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _members(about: dict[str, Any]) -> list[tuple[str, frozenset[str]]]:
    """Who took part: the name in the transcript, in lower case, and all names."""
    told = about.get("participants")
    told = told if isinstance(told, dict) else {}
    rows = [told.get("organizer"), *(told.get("attendees") or ()), {"identity": about.get("meetingOrganizer")}]
    found = []
    for row in (one for one in rows if isinstance(one, dict)):
        user = (row.get("identity") or {}).get("user") or {}
        number, address, shown = user.get("id"), row.get("upn"), user.get("displayName")
        names = [shown, address, f"teams:{number}" if number else None, number]
        if number or address:
            called = str(shown or address or number).lower()
            found.append((called, frozenset(str(one).lower() for one in names if one)))
    return found
