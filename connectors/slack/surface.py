"""Writing in Slack: the protocol Surface over slack_sdk."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import time
from typing import Any

import structlog
from slack_sdk import WebClient

from assistant.errors import Fatal, Retry
from assistant.model.surfaces import Json, Message, Posted, Said, Where
from connectors.slack.client import waited
from connectors.slack.words import mentions, plain_words

EVENT_TYPE = "company_brain_message"
"""Of the metadata that our messages carry; its payload holds the key by which one is found again."""

PAGE = 200
"""Messages a page when reading; Slack's recommendation."""
PAGES = 25
"""Pages that are read at most."""
LATELY = 3600
"""Seconds for which earlier messages on the main line of a direct conversation belong to the same talk."""
WAITING = 45.0
"""Seconds that one call may wait for Slack's rate limits before the job is put back."""
UNKNOWN_LAYOUT = ("invalid_blocks", "invalid_arguments", "msg_blocks_too_long", "msg_too_long")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SlackSurface:
    """One workspace's Slack. `pace` is called with a channel before each new message and waits for its turn."""

    client: WebClient
    bot: str
    """Our user id."""
    pace: Callable[[str], None]

    def post(self, where: Where, message: Message, key: str) -> Posted:
        """Write a message that carries `key` in its metadata; nothing in it unfurls."""
        metadata = {"event_type": EVENT_TYPE, "event_payload": {"key": key}}
        self.pace(where.channel)
        reply = self._write(
            "chat.postMessage",
            message,
            channel=where.channel,
            thread_ts=where.thread,
            metadata=metadata,
            unfurl_links=False,
            unfurl_media=False,
        )
        return Posted(str(reply["channel"]), str(reply["ts"]))

    def update(self, posted: Posted, message: Message) -> bool:
        """Replace a message's content; one that somebody deleted stays deleted, then it is False."""
        try:
            self._write("chat.update", message, channel=posted.channel, ts=posted.ts)
        except Fatal as error:
            if "message_not_found" not in str(error):
                raise
            return False
        return True

    def delete(self, posted: Posted) -> None:
        """Take a message of ours away."""
        try:
            self._call("chat.delete", channel=posted.channel, ts=posted.ts)
        except Fatal as error:
            if "message_not_found" not in str(error):
                raise

    def find(self, where: Where, key: str, since: str) -> tuple[Posted, ...]:
        """Our messages with this key in a thread or on a main line, oldest first."""
        found = [
            Posted(where.channel, str(message["ts"]))
            for message in self._messages(where, since)
            if message.get("metadata", {}).get("event_payload", {}).get("key") == key
            and message.get("metadata", {}).get("event_type") == EVENT_TYPE
        ]
        return tuple(sorted(found, key=lambda posted: posted.ts))

    def whisper(self, where: Where, user: str, message: Message) -> None:
        """Show an ephemeral message."""
        self._write("chat.postEphemeral", message, channel=where.channel, user=user, thread_ts=where.thread)

    def open_dm(self, user: str) -> Where:
        """The direct conversation with a person."""
        return Where(str(self._call("conversations.open", users=user)["channel"]["id"]))

    def status(self, where: Where, text: str) -> None:
        """Slack's own line under the thread; where a workspace has none, or it fails, the placeholder says enough."""
        if where.thread is None:
            return
        try:
            self._call("assistant.threads.setStatus", channel_id=where.channel, thread_ts=where.thread, status=text)
        except (Fatal, Retry) as error:
            log.debug("no native status", reason=str(error))

    def home(self, user: str, view: Json) -> None:
        """Publish the App Home."""
        self._call("views.publish", user_id=user, view=view)

    def refill(self, form: str, seen: str, view: Json) -> None:
        """Update a modal; one that was closed or changed meanwhile stays as it is."""
        try:
            self._call("views.update", view_id=form, hash=seen, view=view)
        except Fatal as error:
            if not any(code in str(error) for code in ("hash_conflict", "not_found")):
                raise

    def earlier(self, where: Where, before: str) -> Sequence[Said]:
        """What people said in the thread, or lately in a direct conversation; empty where we may not read it."""
        direct = where.channel.startswith("D")
        if where.thread is None and not direct:
            return ()
        since = where.thread or f"{float(before) - LATELY:.6f}"
        try:
            messages = [m for m in self._messages(where, since) if _by_person(m) and str(m["ts"]) < before]
        except Fatal as error:
            log.warning("answering without the thread's context", reason=str(error))
            return ()
        messages.sort(key=lambda message: str(message["ts"]))
        return tuple(
            Said(
                str(message["ts"]),
                plain_words(str(message.get("text", "")), self.bot),
                to_us=direct or mentions(str(message.get("text", "")), self.bot),
            )
            for message in messages
        )

    def _messages(self, where: Where, since: str) -> Iterator[dict[str, Any]]:
        """All messages of a thread or a main line that are not older than `since`, page by page."""
        method = "conversations.history" if where.thread is None else "conversations.replies"
        place = {"channel": where.channel, "ts": where.thread, "oldest": since, "inclusive": True}
        cursor = None
        for _ in range(PAGES):
            reply = self._call(method, **place, limit=PAGE, include_all_metadata=True, cursor=cursor)
            yield from reply.get("messages") or ()
            cursor = (reply.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return

    def _write(self, method: str, message: Message, **arguments: Any) -> dict[str, Any]:
        """A call with a message's content: in plainer layouts where Slack refuses the richer one, at last as text."""
        for blocks in filter(None, (message.blocks, message.plain_blocks)):
            try:
                return self._call(method, **arguments, text=message.text, blocks=list(blocks))
            except Fatal as error:
                if not any(code in str(error) for code in UNKNOWN_LAYOUT):
                    raise
                log.warning("Slack refused a layout", reason=str(error))
        return self._call(method, **arguments, text=message.text)

    def _call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """One Web API call; a rate limit is waited out as long as Slack says, up to WAITING seconds in all."""
        given = {name: value for name, value in arguments.items() if value is not None}
        return waited(self.client, method, given, time() + WAITING)


def _by_person(message: dict[str, Any]) -> bool:
    return not message.get("bot_id") and message.get("subtype") in (None, "thread_broadcast", "file_share")
