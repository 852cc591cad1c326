"""What Slack's events say, as questions and as their end. Pure; None where there is nothing for us."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.model.surfaces import Inquiry, Way
from connectors.slack.spoken import TS, micros_of
from connectors.slack.words import plain_words

Event = Mapping[str, Any]

BY_PEOPLE = (None, "file_share", "thread_broadcast")
"""Subtypes of messages that people write; all others are joins, topics, bots and the like."""

SKEW = 300
"""Seconds that our clock may be ahead of Slack's: an answer must not seem older than its question."""


LAST = "9999999999.999999"
"""A revision that no later one follows."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """A message's words are no more, as far as they are no newer than the revision `until`."""

    channel: str
    ts: str
    before: str
    """The revision that was the newest."""
    until: str
    thread: str | None = None
    """Ts of the first message of its thread, where it stands in one."""


def from_mention(event: Event, bot: str | None) -> Inquiry | None:
    """An `app_mention`; one that came about by an edit is a new revision of the same question."""
    return _asked(Way.MENTION, event, bot)


def from_direct_message(event: Event, bot: str | None) -> Inquiry | None:
    """A `message` in a direct conversation, or the edit of one. Messages in channels are not for us: mentions are."""
    if event.get("channel_type") != "im" and not str(event.get("channel", "")).startswith("D"):
        return None
    if event.get("subtype") == "message_changed":
        after, before = event.get("message") or {}, event.get("previous_message") or {}
        if after.get("text") == before.get("text") or not after.get("edited"):
            return None
        event = {**after, "channel": event["channel"]}
    return _asked(Way.DM, event, bot)


def outdated(event: Event) -> Outdated | None:
    """A person's message that was deleted or says something else now, wherever it stands."""
    before, after = event.get("previous_message") or {}, event.get("message") or {}
    edit = str((after.get("edited") or {}).get("ts") or "")
    if event.get("subtype") == "message_deleted":
        ts, until = str(event.get("deleted_ts") or ""), LAST
    elif event.get("subtype") == "message_changed" and after.get("subtype") == "tombstone":
        ts, until = str(after.get("ts") or ""), LAST
    elif event.get("subtype") == "message_changed" and TS.fullmatch(edit) and after.get("text") != before.get("text"):
        earlier = micros_of(edit) - 1
        ts, until = str(after.get("ts") or ""), f"{earlier // 1_000_000}.{earlier % 1_000_000:06d}"
    else:
        return None
    if not TS.fullmatch(ts) or before.get("bot_id") or after.get("bot_id"):
        return None
    return Outdated(event["channel"], ts, (before.get("edited") or {}).get("ts", ts), until, before.get("thread_ts"))


def question_key(channel: str, ts: str) -> str:
    """Names the one message that answers what a message asked."""
    return f"ask/{channel}/{ts}"


def from_command(command: Event, now: float) -> Inquiry:
    """A slash command's question; `now` in seconds since 1970 is when it came, by our own clock."""
    return Inquiry(
        way=Way.COMMAND,
        key=f"why/{command['trigger_id']}",
        revision=f"{now:.6f}",
        user=command["user_id"],
        text=plain_words(command.get("text") or "", None),
        channel=command["channel_id"],
        ts=f"{now - SKEW:.6f}",
    )


def from_share(action: Event, channel: str, question: str) -> Inquiry:
    """A click on *Share here*: the question again, for everybody in the channel. Clicking twice shares once."""
    container = action["container"]
    return Inquiry(
        way=Way.SHARE,
        key=f"share/{container['channel_id']}/{container['message_ts']}",
        revision=container["message_ts"],
        user=action["user"]["id"],
        text=question,
        channel=channel,
        ts=container["message_ts"],
    )


def _asked(way: Way, event: Event, bot: str | None) -> Inquiry | None:
    user = event.get("user")
    if not user or user == bot or event.get("bot_id") or event.get("subtype") not in BY_PEOPLE:
        return None
    channel, ts = event["channel"], event["ts"]
    thread = event.get("thread_ts")
    return Inquiry(
        way=way,
        key=question_key(channel, ts),
        revision=(event.get("edited") or {}).get("ts", ts),
        user=user,
        text=plain_words(event.get("text") or "", bot),
        channel=channel,
        ts=ts,
        thread=thread,
        files=bool(event.get("files")),
    )
