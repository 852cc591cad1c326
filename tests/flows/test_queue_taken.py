"""What a worker took and never began is in no worker's memory alone, from however many queues it takes."""

import time
from collections.abc import Iterator

import pytest
import redis
from rq.exceptions import DequeueTimeout
from rq.serializers import JSONSerializer

from assistant.graph.servers.embedded import Servers
from workers.queue import (
    ACT,
    ANSWER,
    ANSWERING,
    INGEST,
    QUEUES,
    LastingQueue,
    Work,
    connect,
    enqueue,
    janitor,
    open_queue,
)


@pytest.fixture
def server(servers: Servers) -> Iterator[redis.Redis]:
    made = connect(servers.queue_url)
    made.flushall()
    yield made
    made.flushall()


def take(server: redis.Redis, names: tuple[str, ...], timeout: int | None = None) -> str | None:
    """The next job that a worker of these queues takes; what it is about."""
    queues = [open_queue(server, name) for name in names]
    found = LastingQueue.dequeue_any(queues, timeout, connection=server, serializer=JSONSerializer)
    return str(found[0].description) if found else None


@pytest.mark.parametrize("names", [QUEUES, ANSWERING, (INGEST,)], ids=["all", "answering", "ingest"])
def test_a_job_whose_worker_dies_before_it_begins_comes_back(
    server: redis.Redis, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(janitor, "GRACE", 1)
    for name in names:
        enqueue(server, Work(name, "builtins.print", f"about {name}", {}))
        assert take(server, names) == f"about {name}"
        queue = open_queue(server, name)
        assert queue.count == 0
        janitor.sweep(queue)
        time.sleep(1.1)
        janitor.sweep(queue)
        assert [job.description for job in queue.jobs] == [f"about {name}"]
        assert take(server, names) == f"about {name}"
        server.delete(queue.key, queue.intermediate_queue.key)


def test_the_first_queue_comes_first_and_each_is_waited_for(server: redis.Redis) -> None:
    for name in (INGEST, ACT, ANSWER):
        enqueue(server, Work(name, "builtins.print", f"about {name}", {}))
    assert [take(server, QUEUES) for _ in range(4)] == ["about answer", "about act", "about ingest", None]
    began = time.monotonic()
    with pytest.raises(DequeueTimeout):
        take(server, QUEUES, timeout=1)
    assert 0.9 < time.monotonic() - began < 3
