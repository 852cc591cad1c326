"""The buttons under a notice, in a direct message or on the App Home."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from slack_bolt.async_app import AsyncApp

from assistant.chat.render.notices import BUTTONS
from assistant.model.times import micros
from workers.queue import ACT, Work
from workers.tell import LONGEST
from workers.web.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to all of them."""
    for action in BUTTONS:
        app.action(action)(_clicked(action, intake))


def _clicked(name: str, intake: Intake) -> Callable[..., Any]:
    async def clicked(ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
        user = body["user"]["id"]
        at = micros(datetime.now(UTC))
        payload = {"notice": action["value"], "user": user, "action": name, "at": at}
        about = f"{name}/{action['value']}/{user}/{body['trigger_id']}"
        await intake.take(Work(ACT, "workers.settle.clicked", about, payload, LONGEST))
        await ack()

    return clicked
