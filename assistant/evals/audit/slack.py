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

ENTITY = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|]+)(?:\|(?P<label>[^<>]*))?>")


@dataclass(slots=True)
class Export:
    """Messages by (channel id, ts)."""

    said: dict[tuple[str, str], Said] = field(default_factory=dict)
    rooms: dict[str, Room] = field(default_factory=dict)
    """By channel id."""
    reacted: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """What those may be called who put a reaction on a message."""


def read_export(path: Path) -> Export:
    """All channels of a folder or zip."""
    files = dict(json_files(path))
    users = {user["id"]: user for user in files.get("users.json", [])}
    found = Export()
    listed = {name: files.get(name, []) for name in ("channels.json", "groups.json", "mpims.json")}
    channels = {one["id"]: (one, name != "channels.json") for name, rows in listed.items() for one in rows}
    public = {name: one["name"] for name, (one, private) in channels.items() if not private}
    for name, (one, private) in channels.items():
        audience = f"channel:{name}" if private or one.get("is_private") or one.get("is_mpim") else "public"
        members = frozenset().union(*(names_of(users[user]) for user in one.get("members") or () if user in users))
        found.rooms[name] = Room(audience, members, one["name"])
        for file, messages in files.items():
            if file.partition("/")[0] in (one["name"], name) and isinstance(messages, list):
                for message in messages:
                    _keep(found, name, message, users, public)
    return found


def _keep(found: Export, channel: str, message: dict[str, Any], users: dict[str, Any], public: dict[str, str]) -> None:
    if message.get("subtype") == "message_changed":
        message = message.get("message") or {}
    ts = str(message.get("ts") or "")
    if not re.fullmatch(r"\d+\.\d+", ts):
        return
    seconds, _, rest = ts.partition(".")
    user = users.get(message.get("user") or "")
    files = [one.get("name") or one.get("title") for one in message.get("files") or () if isinstance(one, dict)]
    text = str(message.get("text") or "")
    if not text.strip():
        attached = [one for one in message.get("attachments") or () if isinstance(one, dict)]
        text = "\n".join(str(one.get("text") or one.get("fallback") or "") for one in attached)
    said = Said(
        text=plain(text, users, public) or ", ".join(filter(None, files)),
        names=names_of(user) if user else _others(message),
        at=int(seconds) * 1_000_000 + int(rest.ljust(6, "0")[:6]),
    )
    known = found.said.get((channel, ts))
    if known is None or message.get("edited"):
        found.said[channel, ts] = said
        who = {name for one in message.get("reactions") or () for name in one.get("users") or ()}
        names = [names_of(users[name]) for name in who if name in users]
        found.reacted[channel, ts] = frozenset().union(*names)


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


def _others(message: dict[str, Any]) -> frozenset[str]:
    profiles = [message.get("bot_profile"), message.get("user_profile")]
    names = [one.get(key) for one in profiles if isinstance(one, dict) for key in ("name", "real_name", "display_name")]
    own = (message.get("username"), message.get("user"), message.get("bot_id"), "somebody")
    return frozenset(str(name).lower() for name in (*own, *names) if name)


def json_files(path: Path) -> Iterator[tuple[str, Any]]:
    """Names, from the export's root, and contents of its JSON files; broken ones are left out."""
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
            continue
