"""Issues and merge requests with their notes, from JSON files: answers of the REST API, webhook payloads, and the
`issues.ndjson` and `merge_requests.ndjson` of a project's export. What GitLab notes by itself is left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.model.conversations import Identity
from connectors.base.discussions import Comment, Discussion, Discussions, first, gathered, inner, objects, read_values
from connectors.base.discussions import when as time_of

PLACE = re.compile(r"https?://[^/]+/(.+?)/(?:-/)?(issues|work_items|merge_requests)/(\d+)")
MARKS = {"issues": "#", "work_items": "#", "merge_requests": "!", "Issue": "#", "MergeRequest": "!"}
LISTS = ("notes", "discussions")


def open_discussions(path: Path) -> Discussions:
    """Reads a file or folder; raises UserFacing where there is no file."""
    skipped: list[str] = []
    found = gathered(one for name, value in read_values(path, skipped) for one in read(name, value))
    return Discussions(found, tuple(skipped))


def read(name: str, value: dict[str, Any]) -> Iterator[Discussion]:
    """What one object, in a file of that name, tells of a discussion."""
    if value.get("object_kind") == "note":
        yield from _event(value)
    elif value.get("iid") and ("title" in value) and (place := _place(name, value)):
        yield _discussion(place, value)
    elif value.get("noteable_iid") and (kind := MARKS.get(first(value, "noteable_type"))) and (one := note(value)):
        project = first(value, "project_path") or f"project {first(value, 'project_id')}"
        made = Discussion(f"gitlab:{project}{kind}{value['noteable_iid']}", f"gitlab:{project}")
        made.comments[one.id] = one
        yield made


def _event(value: dict[str, Any]) -> Iterator[Discussion]:
    about, said = inner(value, "merge_request", "issue"), inner(value, "object_attributes")
    place = PLACE.search(first(said, "url"))
    one = note({**said, "author": value.get("user")})
    if about and place and one:
        made = Discussion(_id(place), f"gitlab:{place[1]}", first(about, "title"), first(said, "url").partition("#")[0])
        made.comments[one.id] = one
        yield made


def _place(name: str, value: dict[str, Any]) -> tuple[str, str, str] | None:
    """Project, mark and number: by the address, else by the file of an export."""
    if found := PLACE.search(first(value, "web_url")):
        return found[1], MARKS[found[2]], found[3]
    mark = MARKS.get(name.partition(".")[0])
    return (f"project {first(value, 'project_id', 'target_project_id')}", mark, first(value, "iid")) if mark else None


def _id(place: re.Match[str]) -> str:
    return f"gitlab:{place[1]}{MARKS[place[2]]}{place[3]}"


def _discussion(place: tuple[str, str, str], value: dict[str, Any]) -> Discussion:
    project, mark, number = place
    made = Discussion(f"gitlab:{project}{mark}{number}", f"gitlab:{project}", first(value, "title"))
    made.url = first(value, "web_url") or None
    if opening := note({**value, "note": value.get("description"), "id": "0"}):
        made.comments["0"] = opening
    told = [one for name in LISTS if isinstance(value.get(name), list) for one in objects(value[name])]
    told = [one for each in told for one in (objects(each["notes"]) if isinstance(each.get("notes"), list) else [each])]
    for one in map(note, told):
        made.comments |= {one.id: one} if one else {}
    return made


def note(value: dict[str, Any]) -> Comment | None:
    """A note; None for GitLab's own and for what has no words, writer or time."""
    at, text, who = time_of(first(value, "created_at")), first(value, "note", "body"), identity(value)
    if at is None or who is None or not text or value.get("system"):
        return None
    updated = time_of(first(value, "last_edited_at"))
    awarded = value.get("award_emoji")
    reactions = tuple(
        (first(one, "name"), by) for one in objects(awarded) if (by := identity({"author": one.get("user")}))
    )
    bot = bool(inner(value, "author").get("bot"))
    return Comment(
        first(value, "id") or f"{at.timestamp():.0f}",
        who,
        at,
        text,
        first(value, "web_url", "url") or None,
        bot,
        bool(updated),
        reactions,
    )


def identity(value: dict[str, Any]) -> Identity | None:
    """Who wrote it: by handle, else (in an export) by the author's number and the name beside it."""
    user = inner(value, "author", "user")
    handle, name = first(user, "username"), first(user, "name")
    if handle:
        return Identity("gitlab", name or handle, handle, first(user, "email", "public_email") or None)
    number = first(value, "author_id")
    return Identity("gitlab", name or f"author {number}", f"id {number}") if name or number else None
