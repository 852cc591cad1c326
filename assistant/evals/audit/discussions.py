"""Issues and requests read for the audit from the JSON of GitHub, GitLab and Jira: every remark, wherever it stands."""

import calendar
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assistant.evals.audit.said import Room, Said

WHEN = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?\s*(?:Z|UTC|([+-])(\d\d):?(\d\d))?"
)
LINES = frozenset({"paragraph", "heading", "listItem", "codeBlock", "blockquote", "panel", "tableRow", "rule"})
"""What begins on a line of its own in Atlassian's documents."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Remark:
    """One remark: of which discussion, and under what id in it; '0' is what opened it."""

    thing: str
    place: str
    number: str
    said: Said
    reacted: frozenset[str] = frozenset()


@dataclass(slots=True)
class Discussed:
    """A discussion with its remarks by their ids in the graph."""

    room: Room
    said: dict[str, Said] = field(default_factory=dict)
    reacted: frozenset[str] = frozenset()
    title: str = ""


def read_discussions(path: Path, audience: str) -> dict[str, Discussed]:
    """Every discussion in a file or folder, by its conversation's id; of what is told twice the later counts."""
    found: dict[str, Discussed] = {}
    titles: dict[str, str] = {}
    for name, value in values(path):
        for thing, title in [*github_titles(value), *gitlab_titles(name, value), *jira_titles(value)]:
            titles.setdefault(thing, title)
        for one in (*github(value), *gitlab(name, value), *jira(value)):
            if one.said.text:
                talk = found.setdefault(one.thing, Discussed(Room(audience, frozenset(), one.place)))
                talk.said[f"{one.thing}/{one.number}"] = one.said
                talk.reacted |= one.reacted
    for thing, talk in found.items():
        talk.title = titles.get(thing, "")
    return found


def values(path: Path) -> Iterator[tuple[str, Json]]:
    """The objects of all JSON files, with their files' names; a file that is cut off gives none."""
    path = path.resolve()
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    for file in (one for one in files if one.suffix in (".json", ".jsonl", ".ndjson")):
        try:
            text = file.read_text("utf-8-sig")
            told = [json.loads(line) for line in text.split("\n") if line.strip()] if file.suffix != ".json" else None
            told = json.loads(text) if told is None else told
        except (ValueError, RecursionError):
            continue
        yield from ((file.name, one) for one in (told if isinstance(told, list) else [told]) if isinstance(one, dict))


def listed(value: object) -> list[Json]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def told(value: object, *names: str) -> str:
    """The first of these that an object says, '' for none."""
    found = (value.get(name) for name in names) if isinstance(value, dict) else ()
    return next((str(one) for one in found if one not in (None, "", [], {})), "")


def lowered(*names: str) -> frozenset[str]:
    """Names as they are compared."""
    return frozenset(name.lower() for name in names if name.rpartition(":")[2])


def micros(text: str) -> int | None:
    """A time in microseconds since 1970, in UTC where no zone is told; None for what is none."""
    found = WHEN.fullmatch(text.strip())
    if not found:
        return None
    *parts, fraction, sign, hours, minutes = found.groups()
    seconds = calendar.timegm(tuple(int(part or 0) for part in parts))
    seconds -= int(f"{sign}1") * (int(hours) * 60 + int(minutes)) * 60 if sign else 0
    return seconds * 1_000_000 + int((fraction or "0").ljust(6, "0"))


def remark(thing: tuple[str, str], number: str, names: frozenset[str], when: str, text: str) -> Iterator[Remark]:
    """The remark, if it has words, a writer and a time. `thing` are the discussion's id and its place's name."""
    at = micros(when)
    if at is not None and names and text:
        yield Remark(*thing, number, Said(text.strip(), names, at))


def github_thing(*addresses: object) -> tuple[str, str] | None:
    """Which discussion the first address names that names one."""
    for address in addresses:
        parts = urlsplit(address).path.split("/") if isinstance(address, str) and address.startswith("http") else []
        for at in range(3, len(parts)):
            if parts[at - 1] in ("issues", "pull", "pulls") and (number := re.match(r"\d+", parts[at])):
                place = f"{parts[at - 3]}/{parts[at - 2]}"
                return f"github:{place}#{number[0]}", place
    return None


def github_titles(value: Json) -> Iterator[tuple[str, str]]:
    """Discussions and what they are called."""
    for one in (value, value.get("issue"), value.get("pull_request")):
        if isinstance(one, dict) and "title" in one and (thing := github_thing(one.get("html_url"), one.get("url"))):
            yield thing[0], told(one, "title")


def github(value: Json, home: tuple[str, str] | None = None) -> Iterator[Remark]:
    """Answers of the API, of `gh`, hooks and archives: an opening, a comment, a review, or what holds some of them."""
    if "iid" in value or "object_kind" in value:
        return
    own = github_thing(value.get("html_url"), value.get("url")) if "title" in value else None
    about = [value.get(name) for name in ("issue", "pull_request")]
    held = [one for one in about if isinstance(one, dict)] if own is None else []
    home = (
        own
        or home
        or next((thing for one in held if (thing := github_thing(*map(one.get, ("html_url", "url"))))), None)
    )
    at = ("issue_url", "pull_request_url", "issue", "pull_request", "html_url")
    thing = home or github_thing(*map(value.get, at))
    if thing:
        by = value.get("user") or value.get("author")
        login = by.rstrip("/").rpartition("/")[2] if isinstance(by, str) else told(by, "login")
        names = lowered(login, f"github:{login}", told(by, "name"), told(by, "email")) if login else frozenset()
        address = told(value, "html_url", "url")
        number = "0" if own else told(value, "id", "node_id") or address.rpartition("/")[2]
        when = told(value, "created_at", "createdAt", "submitted_at", "submittedAt")
        yield from remark(thing, number, names, when, told(value, "body", "bodyText"))
    inside = [one for one in held[:1] if "title" in one]
    inside += [one for name in ("comment", "review") if isinstance(one := value.get(name), dict) and held]
    for name in ("comments", "reviews", "review_comments") if own else ():
        inside += listed(value.get(name))
    for one in inside:
        yield from github(one, home)


def gitlab_thing(name: str, value: Json) -> tuple[str, str] | None:
    """Which discussion an issue or merge request, a note on one, or its address is."""
    marks = {"issues": "#", "merge_requests": "!", "Issue": "#", "MergeRequest": "!"}
    path = urlsplit(told(value, "web_url", "url")).path
    if found := re.match(r"/(.+?)/(?:-/)?(issues|merge_requests)/(\d+)", path):
        return f"gitlab:{found[1]}{marks[found[2]]}{found[3]}", found[1]
    mark = marks.get(told(value, "noteable_type")) or marks.get(name.partition(".")[0])
    place = told(value, "project_path") or f"project {told(value, 'project_id', 'target_project_id')}"
    number = told(value, "noteable_iid", "iid")
    return (f"gitlab:{place}{mark}{number}", place) if mark and number else None


def gitlab_titles(name: str, value: Json) -> Iterator[tuple[str, str]]:
    """Discussions and what they are called."""
    if value.get("object_kind") == "note":
        said = value.get("object_attributes")
        about = next((one for key in ("merge_request", "issue") if isinstance(one := value.get(key), dict)), None)
        if isinstance(said, dict) and about and (thing := gitlab_thing("", said)):
            yield thing[0], told(about, "title")
    elif value.get("iid") and "title" in value and (thing := gitlab_thing(name, value)):
        yield thing[0], told(value, "title")


def gitlab(name: str, value: Json) -> Iterator[Remark]:
    """Answers of the API, hooks and exports; GitLab's own notes are nobody's words."""
    if value.get("object_kind") == "note":
        said = value.get("object_attributes")
        if isinstance(said, dict) and list(gitlab_titles(name, value)) and (thing := gitlab_thing("", said)):
            yield from _note(thing, {**said, "author": value.get("user")})
    elif value.get("iid") and "title" in value and (thing := gitlab_thing(name, value)):
        yield from _note(thing, {**value, "id": "0", "note": value.get("description")})
        for one in (*listed(value.get("notes")), *listed(value.get("discussions"))):
            for note in listed(one["notes"]) if isinstance(one.get("notes"), list) else [one]:
                yield from _note(thing, note)
    elif value.get("noteable_iid") and (thing := gitlab_thing("", {**value, "web_url": "", "url": ""})):
        yield from _note(thing, value)


def _note(thing: tuple[str, str], value: Json) -> Iterator[Remark]:
    names = _gitlab_names(value)
    when = told(value, "created_at")
    if value.get("system") or not names:
        return
    number = told(value, "id") or f"{(micros(when) or 0) / 1_000_000:.0f}"
    for one in remark(thing, number, names, when, told(value, "note", "body")):
        awards = [_gitlab_names({"author": award.get("user")}) for award in listed(value.get("award_emoji"))]
        yield Remark(one.thing, one.place, one.number, one.said, frozenset().union(*awards))


def _gitlab_names(value: Json) -> frozenset[str]:
    by = value.get("author") if isinstance(value.get("author"), dict) else value.get("user")
    handle, full, number = told(by, "username"), told(by, "name"), told(value, "author_id")
    if handle:
        return lowered(handle, f"gitlab:{handle}", full, told(by, "email"), told(by, "public_email"))
    shown = full or (f"author {number}" if number else "")
    return lowered(shown, f"gitlab:id {number}" if number else "")


def jira_titles(value: Json) -> Iterator[tuple[str, str]]:
    """Issues and what they are called."""
    for one in (value, value.get("issue"), *listed(value.get("issues"))):
        if isinstance(one, dict) and one.get("key") and isinstance(one.get("fields"), dict):
            yield f"jira:{one['key']}", told(one["fields"], "summary")


def jira(value: Json) -> Iterator[Remark]:
    """Answers of the API and of its search, and hooks; what only some may see there is not for the graph."""
    for issue in (value, value.get("issue"), *listed(value.get("issues"))):
        fields = issue.get("fields") if isinstance(issue, dict) else None
        if not isinstance(issue, dict) or not isinstance(fields, dict) or not told(issue, "key"):
            continue
        thing = f"jira:{told(issue, 'key')}", told(issue, "key").partition("-")[0]
        opened = {
            "id": "0",
            "author": fields.get("reporter") or fields.get("creator"),
            "body": fields.get("description"),
        }
        comments = fields.get("comment")
        for one in ({**opened, "created": fields.get("created")}, *listed((comments or {}).get("comments"))):
            if one.get("visibility") or one.get("jsdPublic") is False:
                continue
            by = one.get("author")
            number, name = told(by, "accountId", "key", "name"), told(by, "displayName", "name")
            names = lowered(number, f"jira:{number}", name, told(by, "emailAddress"))
            yield from remark(thing, told(one, "id"), names, told(one, "created"), written(one.get("body")))


def written(body: object) -> str:
    """A text as people read it: wiki markup as it is, a document's blocks each on a line."""
    if not isinstance(body, dict):
        return body.strip() if isinstance(body, str) else ""
    pieces: list[str] = []
    begun: list[int] = []
    waiting: list[object] = [body]
    while waiting:
        one = waiting.pop()
        if one is BEGIN:
            begun.append(len(pieces))
        elif one is END:
            start = begun.pop()
            pieces[start:] = ["".join(pieces[start:]).rstrip() + "\n"]
        elif isinstance(one, str):
            pieces.append(one)
        elif isinstance(one, dict):
            waiting += reversed(_parts(one))
    return "".join(pieces).strip()


def _parts(one: Json) -> list[object]:
    """What a node of a document is made of, in order."""
    if one.get("type") in ("mention", "emoji", "inlineCard"):
        return [told(one.get("attrs"), "text", "shortName", "url")]
    if one.get("type") == "hardBreak":
        return ["\n"]
    content = one.get("content")
    parts = list(content) if isinstance(content, list) else [told(one, "text")]
    return [BEGIN, *parts, END] if one.get("type") in LINES else parts


BEGIN, END = object(), object()
"""Where a block of a document begins and ends."""
