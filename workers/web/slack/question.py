"""Questions that came as events: queued, or, where the queue is gone for good, at least not met with silence."""

from typing import Any

from slack_bolt.request.async_request import AsyncBoltRequest

from assistant.chat import texts
from assistant.errors import Retry
from assistant.model.surfaces import Inquiry, Way
from workers.web.intake import Intake

LAST_DELIVERY = 3
"""Slack delivers an event again three times: at once, after a minute, after five."""


async def hand_in(asked: Inquiry | None, request: AsyncBoltRequest, client: Any, intake: Intake) -> None:
    """Queue a question. Raises Retry when the queue is gone; when Slack will not come again, the asker is told.

    Alone: who reads along in a channel cannot be found out without the queue's server, so nothing is written there.
    """
    if asked is None:
        return
    try:
        await intake.ask(asked)
    except Retry:
        if int(request.headers.get("x-slack-retry-num", ["0"])[0]) >= LAST_DELIVERY:
            said = {"channel": asked.channel, "thread_ts": asked.thread, "text": texts.QUEUE_GONE_FOR_LONG}
            if asked.way is Way.DM:
                await client.chat_postMessage(**said)
            else:
                await client.chat_postEphemeral(**said, user=asked.user)
        raise
