"""`/why forget`: a form opens at once; a worker fills it in, and forgets when it is sent."""

import time
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp

from assistant.chat import texts
from assistant.chat.render.forget import SURE
from assistant.chat.render.forms import note_view
from assistant.errors import Fatal, Retry
from connectors.slack.client import awaited
from workers.queue import ACT, INGEST, Work
from workers.web.intake import Intake

WORD = "forget"
LONGEST = 1800
"""Seconds that forgetting may take, with years of words in many places."""

log = structlog.get_logger()


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the form."""

    @app.view(SURE)
    async def sent(ack: Any, body: dict[str, Any], view: dict[str, Any]) -> None:
        payload = {
            "user": body["user"]["id"],
            "target": view["private_metadata"],
            "view": view["id"],
            "at": f"{time.time():.6f}",
        }
        try:
            await intake.take(Work(INGEST, "workers.forget_asked.sure", f"forget/{view['id']}", payload, LONGEST))
        except Retry:
            await ack(response_action="update", view=note_view(texts.FORGET_TITLE, texts.QUEUE_GONE))
        else:
            await ack(response_action="update", view=note_view(texts.FORGET_TITLE, texts.FORGET_BEGUN))


def is_forgetting(text: str) -> bool:
    """Whether a command's text asks to forget, alone or with one name behind it, and is no question."""
    words = text.split()
    return bool(words) and words[0].casefold() == WORD and len(words) <= 2


async def forget(ack: Any, command: dict[str, Any], client: Any, intake: Intake) -> None:
    """`/why forget` anywhere, `/why forget PERSON_OR_CONVERSATION` by admins."""
    _, *named = str(command.get("text") or "").split()
    try:
        shown = {"trigger_id": command["trigger_id"], "view": note_view(texts.FORGET_TITLE, texts.FORGET_LOOKING)}
        view = (await awaited("views.open", client.api_call("views.open", json=shown)))["view"]
        payload = {
            "user": command["user_id"],
            "target": named[0] if named else "",
            "view": view["id"],
            "hash": view["hash"],
        }
        await intake.take(Work(ACT, "workers.forget_asked.look", f"forget/look/{view['id']}", payload))
    except (Retry, Fatal) as error:
        log.warning("a form did not open", form=SURE, reason=str(error))
        await ack(texts.QUEUE_GONE, response_type="ephemeral")
    else:
        await ack()
