"""Messages: those in direct conversations are questions; in channels only mentions are, and they come as such.

Whatever they were, those that are deleted or edited are questions no more as they stood.
What is said in channels is heard, where the channel records; some messages tell what became of the channel itself.
"""

from dataclasses import asdict
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from connectors.slack.events import from_direct_message, outdated
from workers.queue import INGEST, Work
from workers.web.intake import Intake
from workers.web.slack.heard import hear
from workers.web.slack.question import hand_in
from workers.web.slack.rooms import turned


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to `message`, of whatever kind."""

    @app.event("message")
    async def written(event: dict[str, Any], body: dict[str, Any], request: AsyncBoltRequest, client: Any) -> None:
        if (gone := outdated(event)) is not None:
            about = f"outdated/{body.get('event_id') or event.get('event_ts')}"
            await intake.take(Work(INGEST, "workers.outdated.outdated", about, asdict(gone)))
        await hand_in(from_direct_message(event, None), request, client, intake)
        await hear(event, body, intake)
        await turned(event, body, intake)
