"""What an event says of a channel's talk: a message written, edited or deleted, a reaction put on or taken off.

Only channels are listened to: direct and group messages are nobody's business. What our own bot writes is no talk.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from assistant.model.times import micros
from connectors.slack.spoken import SPEECH, TS, micros_of

Event = Mapping[str, Any]
Json = dict[str, Any]

ROOMS = ("channel", "group")
"""Types of channels that may record."""

AHEAD = 10 * 60 * 1_000_000
"""Microseconds by which Slack's clock may be ahead of ours. What lies further ahead would be the newest for years."""

PLAIN = ("type", "subtype", "ts", "user", "username", "bot_id", "text")
"""What is kept of a message as it is."""


@dataclass(frozen=True, slots=True)
class Written:
    """A message as it stands now."""

    channel: str
    ts: str
    root: str
    """Ts of the thread's first message; its own on the main line."""
    edited: int
    """Microseconds; 0 if never."""
    seen: int
    """As of when, microseconds."""
    body: Json
    kind: str = "written"


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message that is gone."""

    channel: str
    ts: str
    root: str | None
    """None where the event does not tell."""
    at: int
    kind: str = "deleted"


@dataclass(frozen=True, slots=True)
class Reacted:
    """An emoji put on a message, or taken off."""

    channel: str
    ts: str
    name: str
    user: str
    at: int
    on: bool
    kind: str = "reacted"


Change = Written | Deleted | Reacted
KINDS: dict[str, type[Change]] = {"written": Written, "deleted": Deleted, "reacted": Reacted}


def unpacked(value: Json) -> Change:
    """The change that a dictionary of its fields stands for."""
    return KINDS[value["kind"]](**value)


def change_of(event: Event, bot: str | None) -> Change | None:
    """What the event changes in a channel's talk; None where it is nothing, or nothing of ours to hear.

    `bot` is our own user id.
    """
    kind = event.get("type")
    if kind in ("reaction_added", "reaction_removed"):
        return _reacted(event, on=kind == "reaction_added")
    channel = str(event.get("channel") or "")
    if kind != "message" or event.get("channel_type") not in ROOMS or not channel:
        return None
    seen = _micros(event.get("event_ts") or event.get("ts"))
    if event.get("subtype") == "message_deleted":
        return _deleted(channel, str(event.get("deleted_ts") or ""), _object(event.get("previous_message")), seen)
    if event.get("subtype") == "message_changed":
        after, before = _object(event.get("message")), _object(event.get("previous_message"))
        if after.get("subtype") == "tombstone":
            return _deleted(channel, str(after.get("ts") or ""), after, seen)
        if before and kept(after) == kept(before):
            return None  # a link was unfurled, or somebody answered: nobody said anything else
        return written(channel, after, seen, bot)
    return written(channel, event, seen, bot)


def written(channel: str, message: Event, seen: int, bot: str | None) -> Written | None:
    """A message as Slack gives it; None for what is nobody's words, or our own."""
    ts, subtype = str(message.get("ts") or ""), str(message.get("subtype") or "")
    if not TS.fullmatch(ts) or subtype not in SPEECH or message.get("type", "message") != "message":
        return None
    if bot and message.get("user") == bot:
        return None
    root = str(message.get("thread_ts") or ts)
    edited = _micros(_object(message.get("edited")).get("ts"))
    if _ahead(micros_of(ts), edited, seen):
        return None
    return Written(channel, ts, root if TS.fullmatch(root) else ts, edited, seen, kept(message))


def kept(message: Event) -> Json:
    """What of a message makes up what was said: no layout, no previews of links, no counts of answers."""
    found: Json = {name: message[name] for name in PLAIN if message.get(name)}
    if message.get("thread_ts") and message["thread_ts"] != message.get("ts"):
        found["thread_ts"] = message["thread_ts"]
    if not str(message.get("text") or "").strip():
        attached = [{k: one[k] for k in ("text", "fallback") if one.get(k)} for one in _objects(message, "attachments")]
        found |= {"attachments": attached} if any(attached) else {}
    if files := [{k: one[k] for k in ("id", "name", "title") if one.get(k)} for one in _objects(message, "files")]:
        found["files"] = files
    if name := _object(message.get("bot_profile")).get("name"):
        found["bot_profile"] = {"name": name}
    if stamp := _object(message.get("edited")).get("ts"):
        found["edited"] = {"ts": stamp}
    return found


def reactions_of(message: Event) -> tuple[tuple[str, str], ...] | None:
    """Emoji and user of all reactions on a message of a channel's history; None where Slack does not list them all."""
    found = []
    for one in _objects(message, "reactions"):
        users = [str(user) for user in one.get("users") or [] if is_word(user)]
        count = one.get("count")
        if isinstance(count, int) and count > len(users):
            return None
        found += [(str(one.get("name")), user) for user in users if is_word(one.get("name"))]
    return tuple(dict.fromkeys(found))


def users_in(body: Event) -> set[str]:
    """Ids of the people that a message is by or mentions."""
    mentioned = set(re.findall(r"<@([A-Z0-9]+)", str(body.get("text") or "")))
    return mentioned | ({str(body["user"])} if body.get("user") else set())


def is_word(value: object) -> bool:
    """Whether it is text without spaces."""
    return isinstance(value, str) and re.fullmatch(r"\S+", value) is not None


def _reacted(event: Event, *, on: bool) -> Reacted | None:
    item = _object(event.get("item"))
    ts, channel, user = str(item.get("ts") or ""), str(item.get("channel") or ""), event.get("user")
    name = event.get("reaction")
    if item.get("type") != "message" or not TS.fullmatch(ts) or channel[:1] not in ("C", "G"):
        return None
    if not is_word(name) or not is_word(user):
        return None
    at = _micros(event.get("event_ts"))
    return None if _ahead(micros_of(ts), at) else Reacted(channel, ts, str(name), str(user), at, on)


def _deleted(channel: str, ts: str, before: Json, at: int) -> Deleted | None:
    root = str(before.get("thread_ts") or "")
    return Deleted(channel, ts, root if TS.fullmatch(root) else None, at) if TS.fullmatch(ts) else None


def _ahead(*moments: int) -> bool:
    """Whether any of them is yet to come, by our clock."""
    return max(moments) > micros(datetime.now(UTC)) + AHEAD


def _micros(stamp: object) -> int:
    return micros_of(stamp) if isinstance(stamp, str) and TS.fullmatch(stamp) else 0


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _objects(message: Event, name: str) -> list[Json]:
    found = message.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
