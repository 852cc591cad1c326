"""Socket mode: when Slack is away, and when it refuses the app token."""

import asyncio

import pytest
from aiohttp.test_utils import TestClient, TestServer

from assistant.errors import Fatal
from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from connectors.slack.client import check_app_token
from tests.fakes.slack_server import APP_TOKEN, FakeSlack, running
from workers.web.app import web_app
from workers.web.serve import _socket_mode


async def test_the_web_process_can_be_stopped_while_slack_is_away(settings: Settings) -> None:
    tokens = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1", "slack_api_url": "http://127.0.0.1:9/"}
    away = settings.model_copy(update=tokens)
    app, routes = web_app(away, Servers("unix:///no/graph", "unix:///no/queue"))
    async with asyncio.timeout(10), _socket_mode(away, routes), TestClient(TestServer(app)) as client:
        await asyncio.sleep(0.3)
        assert (await (await client.get("/healthz")).json()) == {"queue": "down", "socket": "down"}


def test_a_wrong_app_token_is_told_at_the_start(settings: Settings) -> None:
    with running(FakeSlack()) as slack:
        wrong = settings.model_copy(update={"slack_app_token": "xapp-wrong", "slack_api_url": slack.url})
        with pytest.raises(Fatal, match=r"invalid_auth: set SLACK_APP_TOKEN .* connections:write"):
            check_app_token(wrong)
        check_app_token(wrong.model_copy(update={"slack_app_token": APP_TOKEN}))
        check_app_token(wrong.model_copy(update={"slack_app_token": None}))
    assert [method for method, _ in slack.calls] == ["apps.connections.open"]
