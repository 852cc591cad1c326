"""Socket mode when Slack is away."""

import asyncio

from assistant.settings import Settings
from workers.queue import connect
from workers.web.intake import Intake
from workers.web.metrics import Metrics
from workers.web.serve import _socket_mode
from workers.web.slack.app import bolt_app


async def test_the_web_process_can_be_stopped_while_slack_is_away(settings: Settings) -> None:
    tokens = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1", "slack_api_url": "http://127.0.0.1:9/"}
    away = settings.model_copy(update=tokens)
    intake = Intake(connect("redis://127.0.0.1:9"), Metrics())
    async with asyncio.timeout(10):
        async with _socket_mode(away, bolt_app(away, intake)):
            await asyncio.sleep(0.3)
