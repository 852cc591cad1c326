"""Messages: those in direct conversations are questions; in channels only mentions are, and they come as such."""

from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from connectors.slack.events import from_direct_message
from workers.web.intake import Intake
from workers.web.slack.question import hand_in


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to `message`, edits included."""

    @app.event({"type": "message", "subtype": None})
    @app.event({"type": "message", "subtype": "file_share"})
    @app.event({"type": "message", "subtype": "message_changed"})
    async def written(event: dict[str, Any], request: AsyncBoltRequest, client: Any) -> None:
        await hand_in(from_direct_message(event, None), request, client, intake)
