"""@mentions, in channels and in threads."""

from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from connectors.slack.events import from_mention
from workers.web.intake import Intake
from workers.web.slack.question import hand_in


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to `app_mention`."""

    @app.event("app_mention")
    async def mentioned(event: dict[str, Any], request: AsyncBoltRequest, client: Any) -> None:
        await hand_in(from_mention(event, None), request, client, intake)
