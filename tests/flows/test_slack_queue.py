"""RQ as we set it up: jobs that fell between chairs come back, ids are told apart, and JSON it is."""

import json
from collections.abc import Iterator

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st
from rq import SimpleWorker
from rq.job import Job, JobStatus
from rq.registry import ScheduledJobRegistry
from rq.serializers import JSONSerializer

from assistant.errors import Retry
from assistant.graph.servers.embedded import Servers
from workers.queue import (
    ACT,
    ANSWER,
    INGEST,
    PAUSES,
    LastingQueue,
    Work,
    connect,
    enqueue,
    janitor,
    job_id,
    open_queue,
    tries_so_far,
)
from workers.queue.watchful import WatchfulWorker

WORK = Work(ANSWER, "workers.answer.answer", "ask/C1/1.1", {"text": "limit?"})


@pytest.fixture
def queue(servers: Servers) -> Iterator[LastingQueue]:
    connection = connect(servers.queue_url)
    connection.flushall()
    yield open_queue(connection, ANSWER)
    connection.flushall()
    connection.close()


def test_what_is_queued_is_json_and_names_its_function(queue: LastingQueue) -> None:
    assert enqueue(queue.connection, WORK)
    [job] = queue.jobs
    assert json.loads(job.data) == ["workers.answer.answer", None, [{"text": "limit?"}], {}]
    assert "limit?" not in job.description


def test_the_same_about_is_the_same_job_even_after_it_was_done(queue: LastingQueue) -> None:
    assert enqueue(queue.connection, WORK)
    [job] = queue.jobs
    queue.remove(job)
    job.set_status(JobStatus.FINISHED)
    assert not enqueue(queue.connection, WORK)
    assert queue.count == 0


@given(st.text(max_size=40), st.text(max_size=40))
def test_ids_keep_to_rqs_alphabet_and_differ_when_the_words_do(one: str, other: str) -> None:
    assert all(c.isascii() and (c.isalnum() or c in "_-") for c in job_id(one))
    assert (job_id(one) == job_id(other)) == (one == other)


def test_what_a_worker_took_and_never_began_is_put_back(queue: LastingQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    enqueue(queue.connection, WORK)
    taken = queue.intermediate_queue
    queue.connection.lmove(queue.key, taken.key, "LEFT", "RIGHT")
    assert (janitor.sweep(queue), queue.count) == (0, 0), "it may just be on its way"
    assert janitor.sweep(queue) == 0, "a grace is given"
    monkeypatch.setattr(janitor, "GRACE", 0)
    assert (janitor.sweep(queue), queue.count) == (1, 1)
    assert taken.get_job_ids() == []
    assert janitor.sweep(queue) == 0


def test_a_job_that_began_is_left_alone(queue: LastingQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(janitor, "GRACE", 0)
    enqueue(queue.connection, WORK)
    [job] = queue.jobs
    queue.connection.lmove(queue.key, queue.intermediate_queue.key, "LEFT", "RIGHT")
    job.set_status(JobStatus.STARTED)
    assert [janitor.sweep(queue) for _ in range(3)] == [0, 0, 0]
    assert queue.count == 0


def test_the_next_try_comes_when_its_pause_is_over(queue: LastingQueue) -> None:
    enqueue(queue.connection, WORK)
    [job] = queue.jobs
    queue.remove(job)
    assert tries_so_far(job) == 0
    with queue.connection.pipeline() as pipeline:
        job.retry(queue, pipeline)
        pipeline.execute()
    assert tries_so_far(job) == 1
    scheduled = ScheduledJobRegistry(queue=queue)
    assert (janitor.sweep(queue), scheduled.count) == (0, 1)
    queue.connection.zadd(scheduled.key, {job.id: 1})
    assert (janitor.sweep(queue), scheduled.count, queue.count) == (1, 0, 1)
    assert queue.jobs[0].get_status() == JobStatus.QUEUED


def test_a_job_that_is_gone_is_not_called_back_to_life(queue: LastingQueue) -> None:
    scheduled = ScheduledJobRegistry(queue=queue)
    queue.connection.zadd(scheduled.key, {"gone": 1})
    assert (janitor.sweep(queue), scheduled.count, queue.connection.exists("rq:job:gone")) == (0, 0, 0)


def test_cleaning_that_was_killed_does_not_lock_others_out_for_long(queue: LastingQueue) -> None:
    assert queue.acquire_maintenance_lock()
    assert not queue.acquire_maintenance_lock()
    assert 0 < queue.connection.ttl(queue.registry_cleaning_key) <= 30


def test_tries_span_an_outage_but_the_first_come_quickly() -> None:
    assert sum(PAUSES) >= 20 * 60
    assert max(PAUSES[:3]) <= 2


class InProcess(WatchfulWorker, SimpleWorker):  # type: ignore[misc]  # rq ships no types
    """Our worker without its forked child."""


def say(payload: dict[str, str]) -> None:
    """A job that goes wrong when it is told to."""
    if payload["text"] == "wrong":
        raise ValueError


@pytest.mark.parametrize("name", [ANSWER, ACT, INGEST])
def test_what_was_done_is_remembered_without_its_words(queue: LastingQueue, name: str) -> None:
    server = queue.connection
    for text in ("right", "wrong"):
        enqueue(server, Work(name, f"{say.__module__}.say", f"say/{text}", {"text": text}))
    place = open_queue(server, name)
    InProcess([place], connection=server, serializer=JSONSerializer).work(burst=True, logging_level="CRITICAL")
    done, again = (Job.fetch(job_id(f"say/{text}"), server, JSONSerializer) for text in ("right", "wrong"))
    assert (done.get_status(), done.args) == (JobStatus.FINISHED, [{}])
    assert (again.get_status(), again.args) == (JobStatus.SCHEDULED, [{"text": "wrong"}]), "it is needed yet"
    assert not enqueue(server, Work(name, f"{say.__module__}.say", "say/right", {"text": "right"}))


def test_without_a_server_enqueueing_says_so() -> None:
    with pytest.raises(Retry):
        enqueue(redis.Redis.from_url("unix:///nowhere/queue.sock"), WORK)
