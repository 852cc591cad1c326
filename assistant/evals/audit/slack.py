"""A Slack export read for the audit: messages by channel and ts, with who wrote them."""

import html
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.evals.audit.said import Room, Said
from assistant.model.times import moment

ENTITY = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|]+)(?:\|(?P<label>[^<>]*))?>")


SPEECH = ("", "bot_message", "me_message", "file_share", "file_comment", "thread_broadcast")
"""Kinds of messages that are somebody's words."""

Key = tuple[str, str]
"""A channel's id and a message's ts."""


@dataclass(slots=True)
class Export:
    """Messages by channel and ts."""

    said: dict[Key, Said] = field(default_factory=dict)
    rooms: dict[str, Room] = field(default_factory=dict)
    """By channel id."""
    reacted: dict[Key, frozenset[str]] = field(default_factory=dict)
    """What those may be called who put a reaction on a message."""
    gone: set[Key] = field(default_factory=set)
    """Deleted."""
    named: dict[Key, set[str]] = field(default_factory=dict)
    """Of threads, by channel and root: every ts that their messages name."""
    threads: dict[Key, str] = field(default_factory=dict)
    """Of messages in threads, their roots."""
    days: dict[str, set[str]] = field(default_factory=dict)
    """Of each channel, the days whose files can be read."""
    broken: set[str] = field(default_factory=set)
    """Channels with a file that cannot."""
    until: int | None = None
    """Up to which microsecond it was read; None for all of it."""
    users: list[frozenset[str]] = field(default_factory=list)
    """What each user may be called."""
    late: set[Key] = field(default_factory=set)
    """What came in just now and need not be in the graph yet."""

    def wanted(self) -> Iterator[Key]:
        """Messages that have to be in the graph: all that were said, but for threads of which a part is lost."""
        for key, one in self.said.items():
            root = self.threads.get(key, key[1])
            early = self.until is None or one.at <= self.until
            if (
                early
                and key not in self.gone | self.late
                and one.text
                and self._whole(key[0], self.named.get((key[0], root), set()))
            ):
                yield key

    def covers(self, key: Key) -> bool:
        """Whether the export tells of that channel's day."""
        return day_of(key[1]) in self.days.get(key[0], ())

    def _whole(self, channel: str, stamps: set[str]) -> bool:
        here = self.days[channel]
        lost = {day_of(ts) for ts in stamps} - here
        return not lost or (channel not in self.broken and not any(min(here) < day < max(here) for day in lost))


def day_of(ts: str) -> str:
    """The day of a message, as its file is called."""
    return moment(int(ts.partition(".")[0]) * 1_000_000).date().isoformat()


def read_export(path: Path, until: int | None = None) -> Export:
    """All channels of a folder or zip, of which was read what was said up to `until` (microseconds)."""
    files = dict(json_files(path))
    users = {user["id"]: user for user in files.get("users.json") or ()}
    found = Export(until=until, users=[names_of(user) | handles_of(user) for user in users.values()])
    listed = {name: files.get(name) or [] for name in ("channels.json", "groups.json", "mpims.json")}
    channels = {one["id"]: (one, name != "channels.json") for name, rows in listed.items() for one in rows}
    public = {name: one["name"] for name, (one, private) in channels.items() if not private}
    folders: dict[str, list[str]] = {}
    for file in sorted(files):
        folders.setdefault(file.partition("/")[0], []).append(file)
    for name, (one, private) in channels.items():
        secret = private or one.get("is_private") or one.get("is_mpim")
        members = tuple(
            names_of(users[user]) | handles_of(users[user]) for user in one.get("members") or () if user in users
        )
        audience = f"channel:{name}" if secret else "public"
        found.rooms[name] = Room(audience, frozenset().union(*members), one["name"], members, bool(secret), "")
        for file in sorted((*folders.get(one["name"], ()), *folders.get(name, ()))):
            messages = files[file]
            if isinstance(messages, list):
                found.days.setdefault(name, set()).add(file.rpartition("/")[2].removesuffix(".json"))
                for message in (each for each in messages if isinstance(each, dict)):
                    keep(found, name, message, users, public)
            else:
                found.broken.add(name)
    return found


def keep(found: Export, channel: str, message: dict[str, Any], users: dict[str, Any], public: dict[str, str]) -> None:
    """Takes a message as the export has it; of two versions the edited one counts."""
    if message.get("subtype") == "message_changed":
        message = message.get("message") or {}
    ts, subtype = str(message.get("ts") or ""), str(message.get("subtype") or "")
    if subtype in ("message_deleted", "tombstone"):
        found.gone.add((channel, str(message.get("deleted_ts") or ts)))
    if not re.fullmatch(r"\d+\.\d+", ts) or subtype not in SPEECH or message.get("type", "message") != "message":
        return
    root = str(message.get("thread_ts") or "")
    if re.fullmatch(r"\d+\.\d+", root):
        found.threads[channel, ts] = root
        answers = (str(one.get("ts")) for one in message.get("replies") or () if isinstance(one, dict))
        found.named.setdefault((channel, root), {root}).update(one for one in answers if one[:1].isdigit())
    known = found.said.get((channel, ts))
    if known is None or message.get("edited"):
        found.said[channel, ts] = _said(ts, message, users, public)
        who = {name for one in message.get("reactions") or () for name in one.get("users") or ()}
        names = [names_of(users[name]) for name in who if name in users]
        found.reacted[channel, ts] = frozenset().union(*names)


def _said(ts: str, message: dict[str, Any], users: dict[str, Any], public: dict[str, str]) -> Said:
    seconds, _, rest = ts.partition(".")
    user = users.get(message.get("user") or "")
    files = [one.get("name") or one.get("title") for one in message.get("files") or () if isinstance(one, dict)]
    text = str(message.get("text") or "")
    if not text.strip():
        attached = [one for one in message.get("attachments") or () if isinstance(one, dict)]
        text = "\n".join(str(one.get("text") or one.get("fallback") or "") for one in attached)
    return Said(
        text=plain(text, users, public) or ", ".join(filter(None, files)),
        names=names_of(user) if user else _others(message),
        at=int(seconds) * 1_000_000 + int(rest.ljust(6, "0")[:6]),
    )


def plain(text: str, users: dict[str, Any], public: dict[str, str]) -> str:
    """A message as people read it."""

    def word(found: re.Match[str]) -> str:
        target, label = found["target"], found["label"]
        if found["sign"] == "@":
            return "@" + (full_name(users[target]) if target in users else label or target)
        if found["sign"] == "#":
            return "#" + (label or public.get(target, target))
        if found["sign"] == "!":
            return label or "@" + target.split("^")[0]
        return label or re.sub("^mailto:", "", target)

    return html.unescape(re.sub(r"&(?!(?:lt|gt|amp);)", "&amp;", ENTITY.sub(word, text))).strip()


def full_name(user: dict[str, Any]) -> str:
    """A user's full name."""
    profile = user.get("profile") or {}
    names = (user.get("real_name"), profile.get("real_name"), profile.get("display_name"), user.get("name"))
    return next((str(name) for name in names if name), str(user["id"]))


def names_of(user: dict[str, Any]) -> frozenset[str]:
    """What a user may be called."""
    email = (user.get("profile") or {}).get("email")
    return frozenset(str(name).lower() for name in (full_name(user), email, f"slack:{user['id']}") if name)


def handles_of(user: dict[str, Any]) -> frozenset[str]:
    """Short names that a user goes by."""
    names = (user.get("name"), (user.get("profile") or {}).get("display_name"))
    return frozenset(str(name).lower() for name in names if name)


def _others(message: dict[str, Any]) -> frozenset[str]:
    profiles = [message.get("bot_profile"), message.get("user_profile")]
    names = [one.get(key) for one in profiles if isinstance(one, dict) for key in ("name", "real_name", "display_name")]
    own = (message.get("username"), message.get("user"), message.get("bot_id"), "somebody")
    known = frozenset(str(name).lower() for name in (*own, *names) if name)
    by_app = message.get("subtype") == "bot_message" or any(message.get(key) for key in ("bot_id", "username"))
    return known | {f"{name} (an app)" for name in known} if by_app else known


def json_files(path: Path) -> Iterator[tuple[str, Any]]:
    """Names, from the export's root, and contents of its JSON files; None for broken ones."""
    if path.is_dir():
        raw = [(file.relative_to(path).as_posix(), file.read_bytes()) for file in path.rglob("*.json")]
    else:
        with zipfile.ZipFile(path) as archive:
            raw = [(name, archive.read(name)) for name in archive.namelist() if name.endswith(".json")]
        root = min((name[: -len("users.json")] for name, _ in raw if name.endswith("users.json")), key=len, default="")
        raw = [(name.removeprefix(root), data) for name, data in raw]
    for name, data in raw:
        try:
            yield name, json.loads(data)
        except ValueError:
            yield name, None
