"""Visits to the App Home."""

from typing import Any

from slack_bolt.async_app import AsyncApp

from workers.queue import ACT, Work
from workers.web.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to `app_home_opened`; the tab *Messages* needs nothing from us."""

    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], body: dict[str, Any]) -> None:
        if event.get("tab", "home") == "home":
            about = f"home/{event['user']}/{body.get('event_id') or event['event_ts']}"
            await intake.take(Work(ACT, "workers.act.home", about, {"user": event["user"]}))
