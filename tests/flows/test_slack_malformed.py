"""Requests that Slack signed and that are malformed: 400, never 500, and not a word of them in the logs."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import TOKEN
from workers.queue import connect
from workers.web.app import web_app

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
CANARY = "xylophone"
Client = TestClient[Any, Any]


@pytest.fixture
async def client(servers: Servers, tmp_path: Path) -> AsyncIterator[Client]:
    queue = connect(servers.queue_url)
    given = Settings(
        home=tmp_path, slack_bot_token=TOKEN, slack_signing_secret=made.SECRET, slack_api_url="http://[::1]:9/"
    )
    async with TestClient(TestServer(web_app(given, servers)[0])) as made_client:
        yield made_client
    queue.flushall()


def event(**more: Any) -> str:
    return json.dumps({"type": "event_callback", "event_id": CANARY, "event": more})


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        *(("events", JSON, body) for body in ("", "{", "[]", "1", "null", f'"{CANARY}"', "[" * 100_000)),
        ("events", JSON, '{"type": "event_callback", "event": "xylophone"}'),
        (
            "events",
            JSON,
            '{"type": "event_callback", "event": {"type": "message", "channel_type": "im"}, "authorizations": 5}',
        ),
        ("events", JSON, event(type="app_mention", user="U1", text=5, channel="C1", ts="1.1")),
        ("events", JSON, event(type="app_mention", user="U1", text=CANARY, channel=["C1"], ts={})),
        ("events", JSON, event(type="app_mention", user="U1", text=CANARY)),
        ("events", JSON, event(type="message", channel_type="im", subtype="message_changed", message=CANARY)),
        ("interactivity", FORM, f"payload={CANARY}"),
        ("interactivity", FORM, "payload=[]"),
        ("interactivity", FORM, CANARY),
        (
            "interactivity",
            FORM,
            urlencode(
                {"payload": json.dumps({"type": "block_actions", "actions": [{"action_id": "share", "value": CANARY}]})}
            ),
        ),
        ("commands", FORM, "command=%2Fwhy&text=" + CANARY),
        ("commands", FORM, ""),
    ],
)
async def test_a_malformed_body_gets_400_and_no_word_in_the_logs(
    client: Client, capfd: pytest.CaptureFixture[str], path: str, kind: str, body: str
) -> None:
    response = await client.post(f"/slack/{path}", data=body.encode(), headers=made.signed(body.encode(), kind=kind))
    assert response.status == 400
    logged = capfd.readouterr()
    assert CANARY not in logged.out + logged.err
    assert "Traceback" not in logged.err


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["im", "U1", "1.1", "message_changed"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "ts", "user", "edited"]), inner)
    ),
    max_leaves=6,
)
events = st.fixed_dictionaries(
    {"type": st.sampled_from(["app_mention", "message", "app_home_opened", "reaction_added"])},
    optional=dict.fromkeys(
        ("channel_type", "channel", "user", "text", "ts", "thread_ts", "subtype", "message", "edited"), values
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events)
async def test_no_signed_event_whatever_its_shape_gives_500(client: Client, told: dict[str, Any]) -> None:
    body = json.dumps({"type": "event_callback", "event_id": "Ev1", "event": told}).encode()
    response = await client.post("/slack/events", data=body, headers=made.signed(body))
    assert response.status in (200, 400)
