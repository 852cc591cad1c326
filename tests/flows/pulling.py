"""A worker's equipment for the jobs that pull, on a Space of the test's own; and a worker that does what is queued."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from rq import SimpleWorker
from rq.registry import FailedJobRegistry, ScheduledJobRegistry
from rq.serializers import JSONSerializer

from assistant.access import scope_along
from assistant.graph.reading.conversations import conversations
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import heads
from assistant.graph.space import Space, open_space
from assistant.graph.store import Query
from assistant.model.conversations import Conversation
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.fakes.graphs import drop
from tests.fakes.slack_server import BOT, TEAM
from workers import equipment as at_work
from workers.equipment import Equipment
from workers.pull import handbook
from workers.queue import INGEST, LastingQueue, connect, open_queue

ALL = Query("test.conversations", "MATCH (c:Conversation) RETURN c.id AS id, c.audience AS audience ORDER BY id")


class Ready(Equipment):
    """Equipment whose Space is the test's."""

    def space(self) -> Space:
        return open_space(self.settings, "pulling", self.servers)


class Worker(SimpleWorker):  # type: ignore[misc]
    queue_class = LastingQueue


class Desk:
    """The queue, the Space and what is in them."""

    def __init__(self, settings: Settings, servers: Servers) -> None:
        self.settings = settings
        self.servers = servers
        self.queue: redis.Redis = connect(servers.queue_url)
        self.space = open_space(settings, "pulling", servers)
        self.embedding: list[Path] = []
        """Homes for which a process would have been started that embeds."""

    def work(self) -> None:
        """Does all that is queued, in this process."""
        queue = open_queue(self.queue, INGEST)
        Worker([queue], connection=self.queue, serializer=JSONSerializer).work(burst=True, logging_level="ERROR")

    def come_due(self) -> list[str]:
        """What was put off comes due now; what it is about."""
        registry = ScheduledJobRegistry(queue=open_queue(self.queue, INGEST))
        queue = open_queue(self.queue, INGEST)
        names = []
        for job_id in registry.get_job_ids():
            job = queue.fetch_job(job_id)
            assert job
            registry.remove(job_id)
            queue.enqueue_job(job)
            names.append(str(job.description))
        return names

    def put_off(self) -> list[str]:
        """What waits for its time."""
        queue = open_queue(self.queue, INGEST)
        return [str(queue.fetch_job(one).description) for one in ScheduledJobRegistry(queue=queue).get_job_ids()]

    def failed(self) -> list[str]:
        return list(FailedJobRegistry(queue=open_queue(self.queue, INGEST)).get_job_ids())

    def talks(self) -> dict[str, Conversation]:
        """Every conversation, whoever may see it."""
        found: dict[str, Conversation] = {}
        for row in self.space.reader.rows(ALL):
            scope = scope_along((row["audience"],), heads(self.space.reader))
            found |= {one.id: one for one in conversations(self.space.reader, scope, [row["id"]])}
        return found

    def said(self, conversation: str) -> list[str]:
        """Its words."""
        talk = self.talks().get(conversation)
        return [one.text for one in talk.utterances] if talk else []


@contextmanager
def desk(servers: Servers, home: Path, monkeypatch: pytest.MonkeyPatch, **given: Any) -> Iterator[Desk]:
    """A desk in front of the fakes that the settings name."""
    settings = Settings(home=home, cache=home / "cache", **given)
    monkeypatch.setattr(at_work, "_ready", [Ready(settings, servers, Identity(BOT, TEAM), None)])
    made = Desk(settings, servers)
    monkeypatch.setattr(handbook, "start_embedding", lambda given: made.embedding.append(given.home))
    made.queue.flushall()
    try:
        yield made
    finally:
        made.queue.flushall()
        drop(made.space.graph)
        made.space.close()
