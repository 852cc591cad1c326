"""A desk connected to a real ledger and a Slack that can misbehave; answers are made up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

import redis
from slack_sdk import WebClient

from assistant.chat.journeys import Desk
from assistant.graph.servers.embedded import Servers
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, Viewer
from assistant.model.surfaces import Inquiry, Way
from assistant.settings import Settings
from connectors.slack.client import sync_client
from connectors.slack.members import SlackDirectory
from connectors.slack.surface import SlackSurface
from tests.chat.answers import answered
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack, running
from workers.cache import RedisCache
from workers.ledger import RedisLedger
from workers.pace import Pace
from workers.queue import connect


@dataclass
class Office:
    """A desk and what it is connected to."""

    slack: FakeSlack
    client: WebClient
    desk: Desk
    queue: redis.Redis
    asked: list[tuple[AskedQuestion, Viewer, Place, frozenset[str]]] = field(default_factory=list)

    def told(self, channel: str) -> list[str]:
        """All that the bot's messages in a channel say, oldest first."""
        return ["\n".join(b["text"]["text"] for b in m["blocks"] if "text" in b) for m in self.slack.by_us(channel)]


@contextmanager
def opened(servers: Servers, folder: Path) -> Iterator[Office]:
    """An office with a queue server and a Slack of its own; C9ALLOWED is allowed."""
    queue = connect(servers.queue_url)
    queue.flushall()
    with running(FakeSlack()) as slack:
        settings = Settings(home=folder, slack_bot_token=TOKEN, slack_api_url=slack.url)
        client = sync_client(settings)

        def ask(question: AskedQuestion, viewer: Viewer, place: Place, seen_in: frozenset[str]) -> Answer:
            made.asked.append((question, viewer, place, seen_in))
            return answered("A trial needs 31 active seats.")

        desk = Desk(
            SlackSurface(client, BOT, Pace(queue, gap=0.01)),
            RedisLedger(queue),
            SlackDirectory(client, RedisCache(queue), TEAM),
            ask,
            UTC,
            frozenset({"C9ALLOWED"}),
        )
        made = Office(slack, client, desk, queue)
        yield made
    queue.flushall()
    queue.close()


def mention(text: str = "what is the limit?", ts: str = "100.000001", **more: object) -> Inquiry:
    """A mention in a channel."""
    given = {"channel": "C1", "thread": None, "revision": ts, **more}
    return Inquiry(way=Way.MENTION, key=f"ask/{given['channel']}/{ts}", user="U01ANA", text=text, ts=ts, **given)  # type: ignore[arg-type]


def direct(text: str, ts: str = "100.000001") -> Inquiry:
    """A direct message."""
    return Inquiry(way=Way.DM, key=f"ask/DU01ANA/{ts}", revision=ts, user="U01ANA", text=text, channel="DU01ANA", ts=ts)
