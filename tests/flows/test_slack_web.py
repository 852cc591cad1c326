"""The web process on signed requests: what is refused, what is queued, that nothing is acknowledged unqueued."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient, TestServer

from assistant.errors import UserFacing
from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import TOKEN, FakeSlack, running
from workers.queue import ACT, ANSWER, connect, open_queue
from workers.web.app import web_app

FORM = "application/x-www-form-urlencoded"


@dataclass
class Site:
    """The web process, its queue, and the Slack it talks to."""

    client: TestClient[Any, Any]
    queue: redis.Redis
    slack: FakeSlack

    async def send(self, body: bytes, path: str = "events", **signing: Any) -> ClientResponse:
        """A request of Slack's."""
        kind = "application/json" if path == "events" else FORM
        extra = signing.pop("headers", {})
        headers = {**made.signed(body, kind=kind, **signing), **extra}
        return await self.client.post(f"/slack/{path}", data=body, headers=headers)

    def jobs(self, name: str = ANSWER) -> list[dict[str, Any]]:
        """What is queued: each job's payload."""
        return [job.args[0] for job in open_queue(self.queue, name).jobs]


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as server:
        yield server


@pytest.fixture
async def site(servers: Servers, slack: FakeSlack, tmp_path: Path) -> AsyncIterator[Site]:
    queue = connect(servers.queue_url)
    queue.flushall()
    settings = Settings(home=tmp_path, slack_bot_token=TOKEN, slack_signing_secret=made.SECRET, slack_api_url=slack.url)
    app, _ = web_app(settings, servers)
    async with TestClient(TestServer(app)) as client:
        yield Site(client, queue, slack)
    queue.flushall()


async def test_a_mention_is_queued_in_plain_words(site: Site) -> None:
    response = await site.send(
        made.envelope(made.mention("what is the <https://x.example|trial> limit &amp; why?", "1.1"))
    )
    assert response.status == 200
    [job] = site.jobs()
    assert (job["text"], job["way"], job["thread"]) == ("what is the trial limit & why?", "mention", None)
    assert not site.slack.calls, "nothing is asked of Slack before it is acknowledged"


async def test_signatures_are_checked_on_the_bytes_as_they_came(site: Site) -> None:
    body = made.envelope(made.mention("hello", "1.2"))
    now = time.time()
    again = json.dumps(json.loads(body), indent=1).encode()
    for headers, data in [
        (made.signed(body, secret="other"), body),
        (made.signed(body, secret=""), body),
        (made.signed(body, at=now - 301), body),
        (made.signed(body, at=now + 302), body),
        (made.signed(body), again),
        (made.signed(body), body[:-1] + bytes([body[-1] ^ 1])),
        ({**made.signed(body), "X-Slack-Signature": "v0=é"}, body),
        ({**made.signed(body), "X-Slack-Request-Timestamp": "soon"}, body),
        ({"Content-Type": "application/json"}, body),
    ]:
        response = await site.client.post("/slack/events", data=data, headers=headers)
        assert response.status == 401
    assert site.jobs() == []
    assert (await site.send(body, at=now - 290)).status == 200


def test_without_a_signing_secret_it_does_not_start(servers: Servers, tmp_path: Path) -> None:
    with pytest.raises(UserFacing, match="SLACK_SIGNING_SECRET"):
        web_app(Settings(home=tmp_path, slack_bot_token=TOKEN), servers)


async def test_url_verification_gets_its_challenge(site: Site) -> None:
    response = await site.send(json.dumps({"type": "url_verification", "challenge": "abc"}).encode())
    assert (response.status, "abc" in await response.text()) == (200, True)


async def test_the_same_event_again_makes_one_job(site: Site) -> None:
    body = made.envelope(made.mention("once", "2.1"), event_id="Ev1")
    retried = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert [(await site.send(body)).status for _ in range(3)] == [200] * 3
    assert (await site.send(body, headers=retried)).status == 200
    assert len(site.jobs()) == 1


async def test_a_delivery_that_calls_itself_a_retry_may_be_the_first_we_see(site: Site) -> None:
    await site.send(made.envelope(made.mention("first", "2.2")), headers={"X-Slack-Retry-Num": "2"})
    assert len(site.jobs()) == 1


async def test_many_deliveries_at_once_make_one_job(site: Site) -> None:
    body = made.envelope(made.mention("at once", "2.3"))
    responses = await asyncio.gather(*(site.send(body) for _ in range(20)))
    assert {response.status for response in responses} == {200}
    assert len(site.jobs()) == 1


async def test_mention_and_message_of_the_same_words_make_one_job(site: Site) -> None:
    words = made.mention("same", "3.1")
    await site.send(made.envelope(words))
    await site.send(made.envelope(made.message(words["text"], "3.1", channel=made.CHANNEL)))
    assert len(site.jobs()) == 1
    direct = made.message("same", "3.2")
    await site.send(made.envelope(direct))
    await site.send(made.envelope({**direct, "type": "app_mention"}))
    assert len(site.jobs()) == 2


async def test_finished_jobs_are_remembered_for_a_day(site: Site) -> None:
    await site.send(made.envelope(made.mention("long ago", "3.3")))
    [job] = open_queue(site.queue, ANSWER).jobs
    assert job.result_ttl >= 25 * 3600
    assert job.retries_left >= 8


@pytest.mark.parametrize(
    "event",
    [
        made.message("chatter", "4.1", channel=made.CHANNEL),
        made.message("joined", "4.2", subtype="channel_join", channel=made.CHANNEL),
        made.message("I am a bot", "4.3", bot_id="B9"),
        made.mention("I am a bot", "4.4", bot_id="B9"),
        made.message("mine", "4.5", user="U0BOT", bot_id="B0BOT"),
        {"type": "message", "subtype": "message_deleted", "channel": "DU01ANA", "channel_type": "im", "ts": "4.6"},
        {"type": "reaction_added", "user": "U1", "item": {}, "event_ts": "4.7"},
        {"type": "app_home_opened", "user": "U1", "tab": "messages", "event_ts": "4.8", "channel": "D1"},
    ],
    ids=lambda event: str(event.get("ts") or event["event_ts"]),
)
async def test_what_is_none_of_our_business_is_acknowledged_and_left(site: Site, event: dict[str, Any]) -> None:
    assert (await site.send(made.envelope(event))).status == 200
    assert site.jobs() + site.jobs(ACT) == []


async def test_an_edit_that_changes_the_words_is_a_new_revision_of_the_same_question(site: Site) -> None:
    await site.send(made.envelope(made.message("limt?", "5.1")))
    after = {"type": "message", "user": made.USER, "text": "limit?", "ts": "5.1", "edited": {"ts": "5.9"}}
    changed = {
        "type": "message",
        "subtype": "message_changed",
        "channel": "DU01ANA",
        "channel_type": "im",
        "message": after,
        "previous_message": {"text": "limt?"},
        "ts": "5.95",
    }
    assert (await site.send(made.envelope(changed))).status == 200
    unfurled = {**changed, "previous_message": {"text": "limit?"}}
    await site.send(made.envelope(unfurled))
    first, second = site.jobs()
    assert (first["key"], second["key"]) == ("ask/DU01ANA/5.1", "ask/DU01ANA/5.1")
    assert (first["text"], second["text"], second["revision"]) == ("limt?", "limit?", "5.9")


async def test_why_is_acknowledged_in_private_and_queued(site: Site) -> None:
    response = await site.send(made.command("what is the limit?"), "commands")
    assert response.status == 200
    assert "direct messages" in await response.text()
    [job] = site.jobs()
    assert (job["way"], job["channel"]) == ("command", made.CHANNEL)


@pytest.mark.parametrize("text", ["", "help", " HELP "])
async def test_why_without_a_question_helps(site: Site, text: str) -> None:
    response = await site.send(made.command(text), "commands")
    assert "mention me" in await response.text()
    assert site.jobs() == []


async def test_bad_opens_a_form_and_what_it_says_is_queued(site: Site) -> None:
    bad = {"action_id": "feedback", "type": "feedback_buttons", "value": "bad:a1"}
    assert (await site.send(made.click(bad, made.CHANNEL, "6.1", thread="6.0"), "interactivity")).status == 200
    [opened] = site.slack.made("views.open")
    values = {"why": {"why": {"type": "plain_text_input", "value": "it is 31"}}}
    assert (await site.send(made.submission(opened["view"], values), "interactivity")).status == 200
    first, second = site.jobs(ACT)
    assert (first["answer_id"], first["good"], first["why"]) == ("a1", False, "")
    assert (second["answer_id"], second["good"], second["why"]) == ("a1", False, "it is 31")


async def test_share_is_queued_once_however_often_it_is_pressed(site: Site) -> None:
    share = {"action_id": "share", "value": json.dumps({"channel": "C7", "question": "limit?"})}
    for _ in range(2):
        assert (await site.send(made.click(share, "DU01ANA", "7.1"), "interactivity")).status == 200
    [job] = site.jobs()
    assert (job["way"], job["channel"], job["text"]) == ("share", "C7", "limit?")


async def test_a_visit_to_the_home_is_queued(site: Site) -> None:
    event = {"type": "app_home_opened", "user": "U1", "tab": "home", "event_ts": "8.1", "channel": "D1"}
    assert (await site.send(made.envelope(event))).status == 200
    assert site.jobs(ACT) == [{"user": "U1"}]


async def test_health_and_metrics(site: Site) -> None:
    await site.send(made.envelope(made.mention("count me", "9.1")))
    assert (await site.client.get("/healthz")).status == 200
    text = await (await site.client.get("/metrics")).text()
    assert 'brain_slack_requests_total{status="200"} 1.0' in text
    assert 'brain_jobs_total{outcome="queued"} 1.0' in text


@pytest.fixture
async def stranded(slack: FakeSlack, tmp_path: Path) -> AsyncIterator[Site]:
    """The web process with nothing where its queue should be."""
    nowhere = Servers("unix:///nowhere/graph.sock", f"unix://{tmp_path}/gone.sock")
    settings = Settings(home=tmp_path, slack_bot_token=TOKEN, slack_signing_secret=made.SECRET, slack_api_url=slack.url)
    app, _ = web_app(settings, nowhere)
    async with TestClient(TestServer(app)) as client:
        yield Site(client, connect(nowhere.queue_url), slack)


async def test_without_a_queue_slack_is_told_to_come_again(stranded: Site) -> None:
    body = made.envelope(made.mention("lost?", "10.1"))
    assert (await stranded.send(body)).status == 500
    assert (await stranded.send(body, headers={"X-Slack-Retry-Num": "2"})).status == 500
    assert stranded.slack.by_us(made.CHANNEL) == []
    assert (await stranded.client.get("/healthz")).status == 503


async def test_when_slack_will_not_come_again_the_asker_alone_is_told(stranded: Site) -> None:
    for event in (made.mention("lost?", "10.2"), made.message("lost?", "10.3")):
        assert (await stranded.send(made.envelope(event), headers={"X-Slack-Retry-Num": "3"})).status == 500
    assert stranded.slack.by_us(made.CHANNEL) == []
    [in_channel] = stranded.slack.messages[made.CHANNEL]
    assert (in_channel["ephemeral_to"], "queue" in in_channel["text"]) == (made.USER, True)
    [in_private] = stranded.slack.by_us("DU01ANA")
    assert in_private["text"] == in_channel["text"]


async def test_a_command_without_a_queue_is_told_at_once(stranded: Site) -> None:
    response = await stranded.send(made.command("limit?"), "commands")
    assert (response.status, "try again" in await response.text()) == (200, True)
