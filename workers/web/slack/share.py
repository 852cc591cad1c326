"""*Share here* under a private answer."""

import json
from typing import Any

from slack_bolt.async_app import AsyncApp

from assistant.chat import texts
from assistant.errors import Retry
from connectors.slack.events import from_share
from workers.web.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the button. Slack sends a click once, so a fault is told at once."""

    @app.action("share")
    async def shared(ack: Any, body: dict[str, Any], action: dict[str, Any], respond: Any) -> None:
        value = json.loads(action["value"])
        try:
            await intake.ask(from_share(body, value["channel"], value["question"]))
        except Retry:
            await respond(texts.QUEUE_GONE, response_type="ephemeral", replace_original=False)
        await ack()
