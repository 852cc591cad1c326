"""What a channel chooses: the buttons under our message about ourselves, `/why settings`, and our being invited."""

import re
import time
from typing import Any

from slack_bolt.async_app import AsyncApp

from assistant.chat import texts
from assistant.errors import Retry
from workers.queue import ACT, Work
from workers.web.intake import Intake
from workers.web.slack.heard import our_user

MODES = re.compile(r"consent_(answer|record|off)")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the buttons. Slack sends a click once, so a fault is told at once."""

    @app.action(MODES)
    async def chosen(ack: Any, body: dict[str, Any], action: dict[str, Any], respond: Any) -> None:
        mode = action["action_id"].removeprefix("consent_")
        whispered = bool(body["container"].get("is_ephemeral"))
        payload = {"mode": mode, "at": time.time_ns() // 1000, "whispered": whispered}
        await _take("chosen", payload, body, action, respond)
        await ack()

    @app.action("consent_forget")
    async def forgotten(ack: Any, body: dict[str, Any], action: dict[str, Any], respond: Any) -> None:
        await _take("forgotten", {"at": f"{time.time():.6f}"}, body, action, respond)
        await ack()

    async def _take(what: str, payload: dict[str, Any], body: Any, action: Any, respond: Any) -> None:
        user, channel = body["user"]["id"], action["value"]
        about = f"consent/{what}/{channel}/{user}/{body['trigger_id']}"
        given = {**payload, "channel": channel, "user": user}
        try:
            await intake.take(Work(ACT, f"workers.consent.{what}", about, given))
        except Retry:
            await respond(texts.QUEUE_GONE, response_type="ephemeral", replace_original=False)


async def settings(ack: Any, command: dict[str, Any], intake: Intake) -> None:
    """`/why settings`, in the channel that is meant."""
    channel, user = command["channel_id"], command["user_id"]
    if channel.startswith("D"):
        await ack(texts.SETTINGS_WHERE, response_type="ephemeral")
        return
    about = f"consent/settings/{channel}/{user}/{command['trigger_id']}"
    try:
        await intake.take(Work(ACT, "workers.consent.settings", about, {"channel": channel, "user": user}))
    except Retry:
        await ack(texts.QUEUE_GONE, response_type="ephemeral")
    else:
        await ack()


async def joined(event: dict[str, Any], body: dict[str, Any], intake: Intake) -> None:
    """Somebody came to a channel: where it is us, we say what we do there; where others, they may be outsiders."""
    if event.get("type") not in ("member_joined_channel", "channel_shared"):
        return
    channel, at = event["channel"], event["event_ts"]
    job = "invited" if event.get("user") == our_user(body) else "watched"
    work = Work(ACT, f"workers.consent.{job}", f"consent/{job}/{channel}/{at}", {"channel": channel, "at": at})
    await intake.take(work)
