"""Forgotten words leave jobs, whatever became of them; what was done stays done, and who waits is still answered."""

from collections.abc import Iterator, Mapping

import pytest
import redis
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from assistant.graph.servers.embedded import Servers
from workers.queue import ANSWER, INGEST, Work, connect, enqueue, job_id, open_queue
from workers.queue.purge import Traces, nothing, purge

HEARD = {"channel": "C1", "ts": "1.1", "body": {"text": "the quagga is 31 \u00e0 day"}}
TRACES = Traces([("C1", "1.1")], ["the quagga is 31 \u00e0 day"], ["ask/C1/9.9"])


@pytest.fixture
def queue(servers: Servers) -> Iterator[redis.Redis]:
    server = connect(servers.queue_url)
    server.flushall()
    yield server
    server.flushall()


def put(queue: redis.Redis, about: str, payload: Mapping[str, object], status: JobStatus = JobStatus.QUEUED) -> str:
    """A job in some state; its id."""
    enqueue(queue, Work(INGEST if about.startswith("heard") else ANSWER, "workers.hear.heard", about, payload))
    queue.hset(f"rq:job:{job_id(about)}", "status", status.value)
    return job_id(about)


def held(queue: redis.Redis, name: str) -> object:
    """What a job is given, as a worker would read it."""
    return Job.fetch(name, connection=queue, serializer=JSONSerializer).args[0]


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.FINISHED, JobStatus.FAILED, JobStatus.SCHEDULED])
def test_words_leave_a_job_and_its_id_stays(queue: redis.Redis, status: JobStatus) -> None:
    name = put(queue, "heard/1", HEARD, status)
    other = put(queue, "heard/2", {**HEARD, "ts": "1.2", "body": {"text": "something else that was said"}}, status)
    assert purge(queue, TRACES) == 0
    assert held(queue, name) == {}
    assert held(queue, other) != {}
    assert not enqueue(queue, Work(INGEST, "workers.hear.heard", "heard/1", HEARD)), "it came before"
    [job, _] = open_queue(queue, INGEST).jobs
    assert job.func is nothing


def test_a_copy_elsewhere_goes_by_its_words(queue: redis.Redis) -> None:
    copy = {"channel": "C2", "ts": "5.5", "list": [{"said": f"> {HEARD['body']['text']} <"}]}  # type: ignore[index]
    name = put(queue, "heard/3", copy, JobStatus.FINISHED)
    purge(queue, TRACES)
    assert held(queue, name) == {}


def test_a_job_under_way_is_counted_as_it_would_put_the_words_back(queue: redis.Redis) -> None:
    name = put(queue, "heard/4", HEARD, JobStatus.STARTED)
    assert purge(queue, TRACES) == purge(queue, TRACES) == 1
    queue.hset(f"rq:job:{name}", "status", JobStatus.FINISHED.value)
    assert purge(queue, TRACES) == 0
    assert held(queue, name) == {}


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.SCHEDULED, JobStatus.DEFERRED])
@pytest.mark.parametrize(
    "others",
    [
        {**HEARD, "ts": "1.2"},
        {**HEARD, "channel": "C2"},
        {"channel": "C1", "ts": "1.2", "root": "1.1", "body": {"text": "another's reply", "thread_ts": "1.1"}},
        {"key": "ask/C1/1.3", "channel": "C1", "ts": "1.3", "thread": "1.1", "text": "another's question?"},
        {"picked": {"channel": "C1", "ts": "1.2", "thread": "1.1"}, "statement": HEARD["body"]["text"]},  # type: ignore[index]
    ],
    ids=["posted again", "elsewhere", "a reply", "a question in the thread", "a mark"],
)
def test_what_others_said_and_nobody_has_taken_in_yet_still_is(
    queue: redis.Redis, others: Mapping[str, object], status: JobStatus
) -> None:
    """Whether it repeats the words, or stands in the thread that they began."""
    name = put(queue, "heard/5", others, status)
    assert purge(queue, TRACES) == 0
    assert held(queue, name) == others


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.SCHEDULED])
def test_what_waits_and_is_about_the_message_itself_does_not(queue: redis.Redis, status: JobStatus) -> None:
    name = put(queue, "flag/1", {"picked": {"channel": "C1", "ts": "1.1"}, "statement": "in other words"}, status)
    purge(queue, TRACES)
    assert held(queue, name) == {}


MARK = {"picked": {"channel": "C1", "ts": "1.2", "thread": None, "user": "U1"}, "statement": "in my own words"}


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.FINISHED, JobStatus.FAILED, JobStatus.SCHEDULED])
def test_a_mark_is_taken_out_and_the_message_it_hangs_on_is_not(queue: redis.Redis, status: JobStatus) -> None:
    name = put(queue, "flag/1", MARK, status)
    others = {
        about: put(queue, about, payload, status)
        for about, payload in {
            "heard/1": {"channel": "C1", "ts": "1.2", "user": "U1", "body": {"text": "what was marked"}},
            "flag/2": {**MARK, "picked": {**MARK["picked"], "user": "U2"}},  # type: ignore[dict-item]
            "flag/3": {**MARK, "picked": {**MARK["picked"], "ts": "1.3"}},  # type: ignore[dict-item]
        }.items()
    }
    assert purge(queue, Traces((), (), (), [("C1", "1.2", "U1")])) == 0
    assert held(queue, name) == {}
    assert all(held(queue, other) != {} for other in others.values())


def test_a_question_that_waits_is_still_answered(queue: redis.Redis) -> None:
    waiting = put(queue, "ask/C1/9.9/10.1", {"key": "ask/C1/9.9", "text": "what about it?"})
    done = put(queue, "ask/C1/9.9", {"key": "ask/C1/9.9", "text": "what is it?"}, JobStatus.FINISHED)
    purge(queue, TRACES)
    assert held(queue, waiting) != {}
    assert held(queue, done) == {}


def test_what_cannot_be_read_is_left_alone(queue: redis.Redis) -> None:
    queue.hset("rq:job:odd", "data", b"\x00not packed")
    assert purge(queue, TRACES) == 0
