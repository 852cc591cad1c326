"""Messages of a channel as people said them: what is no speech left out, entities as names and links."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.model.conversations import ConversationKind, Reaction, Speaker, Utterance
from connectors.slack.words import ENTITIES, REFERENCE

SPEECH = frozenset({"", "bot_message", "me_message", "file_share", "file_comment", "thread_broadcast"})
"""Subtypes that are somebody's words; all others are joins, topics, deletions and notices."""

AN_APP = "{name} (an app)"
"""How an app is called that writes: it may bear the name of anybody."""

TS = re.compile(r"\d{9,10}\.\d{1,6}")


@dataclass(frozen=True, slots=True)
class ChannelDay:
    """One day file."""

    name: str
    """`2020-03-01`."""
    messages: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Names:
    """What ids in messages stand for."""

    users: Mapping[str, str]
    channels: Mapping[str, str]
    """Public ones only: a private channel's name is its members' own."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message."""

    ts: str
    at: int
    speaker: Speaker
    text: str
    thread: str | None
    replies: tuple[str, ...] = ()
    """What Slack says was answered to it, by ts."""
    reactions: tuple[Reaction, ...] = ()
    edited: bool = False
    bot: bool = False
    files: tuple[str, ...] = field(default=())

    def utterance(self, room: str, url: str, kind: ConversationKind) -> Utterance:
        """It as an utterance. Its id is by its room and ts: the same whichever way the room is cut."""
        reply = self.thread is not None and self.thread != self.ts and kind is ConversationKind.THREAD
        return Utterance(
            id=f"{room}/{self.ts}",
            speaker=self.speaker,
            at=self.at,
            text=self.text,
            reply_to=f"{room}/{self.thread}" if reply else None,
            reactions=self.reactions,
            edited=self.edited,
            bot=self.bot,
            url=url,
            files=self.files,
        )


def said(
    days: Iterable[ChannelDay], names: Names, known: Mapping[str, Speaker], until: int | None = None
) -> Iterator[Said]:
    """What was said on these days, up to `until` (microseconds); each message once, as its last edit has it."""
    latest: dict[str, dict[str, Any]] = {}
    for message in (one for day in days for one in day.messages):
        for ts, version in _versions(message):
            if version is None:
                latest.pop(ts, None)
            elif ts not in latest or _edited_at(version) >= _edited_at(latest[ts]):
                latest[ts] = version
    for ts, message in latest.items():
        if until is None or micros_of(ts) <= until:
            found = _said(ts, message, names, known)
            if found.text:
                yield found


def sorted_by_time(messages: Iterable[Said]) -> list[Said]:
    """In the order they were said."""
    return sorted(messages, key=lambda one: one.at)


def micros_of(ts: str) -> int:
    """A message's ts as microseconds."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * 1_000_000 + int(rest.ljust(6, "0"))


def words_of(text: str, names: Names) -> str:
    """The text with people and channels by name, links as their words, entities decoded; nothing else is touched."""

    def word(found: re.Match[str]) -> str:
        target, label = found[1], found[2]
        if target.startswith("@"):
            return "@" + (names.users.get(target[1:]) or label or target[1:])
        if target.startswith("#"):
            return "#" + (label or names.channels.get(target[1:]) or target[1:])
        if target.startswith("!"):
            return label or "@" + target[1:].partition("^")[0]
        return label or target.removeprefix("mailto:")

    words = REFERENCE.sub(word, text)
    for entity, character in ENTITIES:
        words = words.replace(entity, character)
    return words.strip()


def _versions(message: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The message under its ts, None for one that is gone; nothing for what is no speech."""
    subtype = str(message.get("subtype") or "")
    if subtype == "message_changed":
        yield from _versions(_object(message.get("message")))
    elif subtype == "message_deleted" and message.get("deleted_ts"):
        yield str(message["deleted_ts"]), None
    elif TS.fullmatch(ts := str(message.get("ts") or "")):
        if subtype == "tombstone":
            yield ts, None
        elif subtype in SPEECH and message.get("type", "message") == "message":
            yield ts, dict(message)


def _edited_at(message: Mapping[str, Any]) -> int:
    stamp = str(_object(message.get("edited")).get("ts") or "")
    return micros_of(stamp) if TS.fullmatch(stamp) else 0


def _said(ts: str, message: Mapping[str, Any], names: Names, known: Mapping[str, Speaker]) -> Said:
    files = _objects(message.get("files"))
    shared = tuple(str(name) for one in files if (name := one.get("name") or one.get("title")))
    thread = str(message.get("thread_ts") or "")
    return Said(
        ts=ts,
        at=micros_of(ts),
        speaker=_speaker(message, known),
        text=words_of(_text(message), names) or ", ".join(shared),
        thread=thread if TS.fullmatch(thread) else None,
        replies=tuple(answer for one in _objects(message.get("replies")) if TS.fullmatch(answer := str(one.get("ts")))),
        reactions=tuple(_reactions(message, known)),
        edited=bool(message.get("edited")),
        bot=message.get("subtype") == "bot_message" or bool(message.get("bot_id")),
        files=shared,
    )


def _speaker(message: Mapping[str, Any], known: Mapping[str, Speaker]) -> Speaker:
    user = str(message.get("user") or "")
    shown = message.get("username") or _object(message.get("bot_profile")).get("name")
    if _by_app(message, user in known):
        name = shown or user or message.get("bot_id") or "somebody"
        return Speaker(AN_APP.format(name=" ".join(str(name).split())), None)
    if user in known:
        return known[user]
    profile = _object(message.get("user_profile"))
    name = shown or profile.get("real_name") or profile.get("display_name") or user
    return Speaker(str(name or "somebody"), None)


def _by_app(message: Mapping[str, Any], known: bool) -> bool:
    """Whether an app wrote it under a name of its choice, which may be somebody's."""
    if message.get("subtype") == "bot_message":
        return True
    if message.get("bot_id"):
        return bool(message.get("username")) or not known  # as a known user, without a name: by that user's own leave
    return not message.get("user") and bool(message.get("username"))


def _reactions(message: Mapping[str, Any], known: Mapping[str, Speaker]) -> Iterator[Reaction]:
    for one in _objects(message.get("reactions")):
        users = one.get("users")
        by = tuple(known.get(str(user), Speaker(str(user), None)) for user in users) if isinstance(users, list) else ()
        yield Reaction(str(one.get("name") or "").partition("::")[0], by)


def _object(value: object) -> dict[str, Any]:
    """The value where it is an object: apps write odd things into exports."""
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(message: Mapping[str, Any]) -> str:
    """The message's own text; where an app left it empty, what its attachments say."""
    text = message.get("text")
    if isinstance(text, str) and text.strip():
        return text
    attached = _objects(message.get("attachments"))
    return "\n".join(str(one.get("text") or one.get("fallback") or "") for one in attached).strip()
