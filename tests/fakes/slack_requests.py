"""Requests as Slack sends them: events, commands, clicks, all signed."""

import itertools
import json
import time
from typing import Any
from urllib.parse import urlencode

from connectors.base.signatures import stamped

SECRET = "s3cr3t"
USER = "U01ANA"
CHANNEL = "C01RULES"
Json = dict[str, Any]
_numbers = itertools.count(1)


def signed(
    body: bytes, secret: str = SECRET, at: float | None = None, kind: str = "application/json"
) -> dict[str, str]:
    """Headers for a body, signed as of a moment (now)."""
    stamp = str(int(time.time() if at is None else at))
    return {
        "Content-Type": kind,
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": stamped(secret, stamp, body),
    }


def envelope(event: Json, event_id: str | None = None) -> bytes:
    """An event as the Events API delivers it."""
    number = next(_numbers)
    whole = {
        "token": "x",
        "team_id": "T01TEST",
        "api_app_id": "A01APP",
        "event": event,
        "type": "event_callback",
        "event_id": event_id or f"Ev{number:08d}",
        "event_time": int(time.time()),
        "authorizations": [{"team_id": "T01TEST", "user_id": "U0BOT", "is_bot": True}],
    }
    return json.dumps(whole).encode()


def mention(text: str, ts: str, channel: str = CHANNEL, user: str = USER, **more: Any) -> Json:
    """An `app_mention`."""
    words = f"<@U0BOT> {text}".rstrip()
    return {"type": "app_mention", "user": user, "text": words, "ts": ts, "channel": channel, "event_ts": ts, **more}


def message(text: str, ts: str, channel: str = "DU01ANA", user: str = USER, **more: Any) -> Json:
    """A `message`, in a direct conversation unless another channel is named."""
    kind = "im" if channel.startswith("D") else "channel"
    event = {"type": "message", "user": user, "text": text, "ts": ts, "channel": channel, "channel_type": kind}
    return {**event, "event_ts": ts, **more}


def command(text: str, channel: str = CHANNEL, user: str = USER, trigger: str | None = None) -> bytes:
    """A `/why`."""
    form = {
        "command": "/why",
        "text": text,
        "user_id": user,
        "channel_id": channel,
        "team_id": "T01TEST",
        "trigger_id": trigger or f"1.{next(_numbers)}",
        "response_url": "http://127.0.0.1:9/nowhere",
    }
    return urlencode(form).encode()


def click(action: Json, channel: str, ts: str, user: str = USER, thread: str | None = None) -> bytes:
    """A click on a button of a message."""
    container = {"type": "message", "message_ts": ts, "channel_id": channel} | ({"thread_ts": thread} if thread else {})
    payload = {
        "type": "block_actions",
        "user": {"id": user, "team_id": "T01TEST"},
        "team": {"id": "T01TEST", "domain": "test"},
        "api_app_id": "A01APP",
        "container": container,
        "channel": {"id": channel},
        "message": {"ts": ts},
        "trigger_id": f"2.{next(_numbers)}",
        "response_url": "http://127.0.0.1:9/nowhere",
        "actions": [{"block_id": "b", "action_ts": ts, "type": "button", **action}],
    }
    return urlencode({"payload": json.dumps(payload)}).encode()


def shortcut(
    name: str,
    message: Json,
    channel: str = CHANNEL,
    user: str = USER,
    answer_at: str = "http://127.0.0.1:9/nowhere",
    trigger: str | None = None,
) -> bytes:
    """A pick in the menu of a message."""
    payload = {
        "type": "message_action",
        "callback_id": name,
        "trigger_id": trigger or f"4.{next(_numbers)}",
        "message_ts": message["ts"],
        "response_url": answer_at,
        "user": {"id": user, "name": "ana", "team_id": "T01TEST"},
        "team": {"id": "T01TEST", "domain": "test"},
        "channel": {"id": channel, "name": "rules"},
        "message": {"type": "message", **message},
    }
    return urlencode({"payload": json.dumps(payload)}).encode()


def form_click(action: Json, view: Json, user: str = USER) -> bytes:
    """A click, or Enter in a field, of a form."""
    payload = {
        "type": "block_actions",
        "user": {"id": user, "team_id": "T01TEST"},
        "team": {"id": "T01TEST", "domain": "test"},
        "api_app_id": "A01APP",
        "container": {"type": "view", "view_id": view["id"]},
        "view": {"state": {"values": {}}, **view},
        "trigger_id": f"5.{next(_numbers)}",
        "actions": [{"block_id": "b", "action_ts": "1.1", "type": "button", **action}],
    }
    return urlencode({"payload": json.dumps(payload)}).encode()


def submission(view: Json, values: Json, user: str = USER) -> bytes:
    """A form sent in."""
    payload = {
        "type": "view_submission",
        "user": {"id": user, "team_id": "T01TEST"},
        "team": {"id": "T01TEST"},
        "api_app_id": "A01APP",
        "trigger_id": f"3.{next(_numbers)}",
        "view": {"id": f"V{next(_numbers)}", **view, "state": {"values": values}},
    }
    return urlencode({"payload": json.dumps(payload)}).encode()
