"""What a person picked in the menu of a message: which message, who wrote it, who picked. Pure."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from connectors.slack.words import plain_words


@dataclass(frozen=True, slots=True)
class Picked:
    """A message that somebody picked; it never holds the message's words, which stay where they are."""

    channel: str
    ts: str
    thread: str | None
    """Of the thread's first message, where it stands in one."""
    speaker: str | None
    """User id of who wrote it; None for an app."""
    user: str
    """User id of who picked it."""
    url: str
    """Opens the message."""

    def packed(self) -> str:
        """As a form carries it along, unseen."""
        return json.dumps(asdict(self))


def unpacked(packed: str) -> Picked:
    """The message that a form was opened about."""
    return Picked(**json.loads(packed))


def picked_of(payload: Mapping[str, Any]) -> Picked:
    """The message of a `message_action`."""
    message = payload["message"]
    domain = (payload.get("team") or {}).get("domain") or "app"
    by_app = message.get("bot_id") or message.get("subtype") == "bot_message"
    return Picked(
        channel=payload["channel"]["id"],
        ts=message["ts"],
        thread=message.get("thread_ts"),
        speaker=None if by_app else message.get("user"),
        user=payload["user"]["id"],
        url=permalink(domain, payload["channel"]["id"], message["ts"], message.get("thread_ts")),
    )


def permalink(domain: str, channel: str, ts: str, thread: str | None) -> str:
    """The address that opens a message."""
    there = f"https://{domain}.slack.com/archives/{channel}/p{ts.replace('.', '')}"
    return f"{there}?thread_ts={thread}&cid={channel}" if thread and thread != ts else there


def words_of(payload: Mapping[str, Any]) -> str:
    """The message's words as a person reads them, for filling in a form; '' where it has none."""
    return plain_words(str(payload["message"].get("text") or ""), None)


@dataclass(frozen=True, slots=True)
class Filled:
    """What a form was sent in with; '' and None where a field was left empty."""

    statement: str
    decider: str | None
    section: str | None


def filled(values: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Filled:
    """The fields of a form by the names of their blocks, up to a dot: a field that was filled anew has another end."""
    by_name = {block.partition(".")[0]: next(iter(fields.values()), {}) for block, fields in values.items()}
    chosen = by_name.get("section", {}).get("selected_option") or {}
    return Filled(
        statement=" ".join(str(by_name.get("statement", {}).get("value") or "").split()),
        decider=by_name.get("decider", {}).get("selected_user"),
        section=chosen.get("value"),
    )


def block_of(values: Mapping[str, Any], name: str) -> str:
    """The name of the block in which a field stands now; the field's own where it is not there."""
    return next((block for block in values if block.partition(".")[0] == name), name)
