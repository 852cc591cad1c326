"""/why: a question in private."""

import time
from typing import Any

from slack_bolt.async_app import AsyncApp

from assistant.chat import texts
from assistant.errors import Retry
from connectors.slack.events import from_command
from workers.web.intake import Intake
from workers.web.slack import consent, forget

COMMAND = "/why"


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the command. Slack sends a command once, so a fault is told in the reply."""

    @app.command(COMMAND)
    async def asked_why(ack: Any, command: dict[str, Any], client: Any) -> None:
        asked = from_command(command, time.time())
        if asked.text.casefold() in ("", "help"):
            await ack(texts.HELP, response_type="ephemeral")
            return
        if asked.text.casefold() == "settings":
            await consent.settings(ack, command, intake)
            return
        if forget.is_forgetting(asked.text):
            await forget.forget(ack, command, client, intake)
            return
        try:
            await intake.ask(asked)
        except Retry:
            await ack(texts.QUEUE_GONE, response_type="ephemeral")
        else:
            await ack(texts.IN_DM, response_type="ephemeral")
