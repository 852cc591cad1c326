"""The only set-up of RQ's queues: where jobs wait, by what id, how often they are tried, how long they are remembered.

Jobs carry JSON, never pickles. A job's id is made from what it is about, so enqueueing the same thing twice within
`KEPT` makes one job, atomically: whoever is told True knows that it will be done, and done once.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any

import redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisError
from redis.retry import Retry as Again
from rq import Queue
from rq import Retry as Tries
from rq.exceptions import DequeueTimeout, DuplicateJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from assistant.errors import Retry

ANSWER = "answer"
"""Questions."""
ACT = "act"
"""Clicks and visits."""
INGEST = "ingest"
"""What was said and done at the sources: never so urgent that an answer waits for it."""
ANSWERING = (ANSWER, ACT)
"""What people wait for."""
QUEUES = (*ANSWERING, INGEST)
"""All, in the order in which workers look into them."""

KEPT = 90_000
"""Seconds that a finished job's id is remembered, 25 hours: Slack delivers an event again for up to a day."""

LONGEST_JOB = 120
"""Seconds until a job is stopped, unless it says otherwise."""

PAUSES = (1, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 600)
"""Seconds before each further try: quick at first, for a killed worker; some 30 minutes in all, for an outage."""

SLICE = 0.1
"""Seconds that a worker of several queues waits at the first before it looks into the others again."""

CLEANING = 30
"""Seconds after which a worker that died while cleaning no longer keeps others from it; RQ waits 15 minutes."""


def connect(url: str, patience: float = 5.0) -> redis.Redis:
    """The queue's server; `patience` is how many seconds one command may take. redis://, rediss:// or unix://."""
    again = Again(ExponentialBackoff(cap=0.2, base=0.05), 2)
    return redis.Redis.from_url(url, socket_timeout=patience, socket_connect_timeout=patience, retry=again)


@contextmanager
def answering() -> Iterator[None]:
    """Inside, what goes wrong with the queue's server is a Retry."""
    try:
        yield
    except RedisError as error:
        raise Retry(f"the queue does not answer: {type(error).__name__}", after=1.0) from error


class LastingQueue(Queue):  # type: ignore[misc]  # rq ships no types
    """A queue whose cleaning lock does not outlive its holder for long, and from which nothing is taken but to be kept.

    RQ itself takes jobs from several queues into the worker's memory alone: with the worker they are gone.
    """

    @classmethod
    def lpop(cls, queue_keys: Sequence[str], timeout: int | None, connection: Any = None) -> tuple[str, bytes] | None:
        """The first queue's job, else the second's, …, which stands in its queue's intermediate list until it is begun.

        Waits `timeout` seconds (None: not at all). Raises RQ's DequeueTimeout.
        """
        end = None if timeout is None else monotonic() + timeout
        while True:
            for key in queue_keys:
                taken = connection.lmove(key, f"{key}:intermediate")
                if taken is not None:
                    return key, taken
            if end is None:
                return None
            if monotonic() >= end:
                raise DequeueTimeout(timeout, queue_keys)
            if taken := connection.blmove(queue_keys[0], f"{queue_keys[0]}:intermediate", SLICE):
                return queue_keys[0], taken

    def acquire_maintenance_lock(self) -> bool:
        return bool(self.connection.set(self.registry_cleaning_key, 1, nx=True, ex=CLEANING))


def open_queue(connection: redis.Redis, name: str) -> LastingQueue:
    """One of our queues."""
    return LastingQueue(name, connection=connection, serializer=JSONSerializer)


@dataclass(frozen=True, slots=True)
class Work:
    """What to do: a function by its dotted name, what it is given, and what it is about."""

    queue: str
    function: str
    about: str
    """Makes the job's id: the same words, the same job."""
    payload: Mapping[str, Any]
    seconds: int = LONGEST_JOB
    """Until it is stopped."""


def enqueue(connection: redis.Redis, work: Work, after: float = 0.0) -> bool:
    """Put it in its queue, durably, to be done no sooner than in so many seconds; False when it was there before.

    Raises Retry when the queue does not answer.
    """
    queue = open_queue(connection, work.queue)
    put: Callable[..., Job] = partial(queue.enqueue_in, timedelta(seconds=after)) if after > 0 else queue.enqueue
    try:
        with answering():
            put(
                work.function,
                dict(work.payload),
                job_id=job_id(work.about),
                unique=True,
                description=work.about,
                job_timeout=work.seconds,
                result_ttl=KEPT,
                failure_ttl=KEPT,
                retry=Tries(max=len(PAUSES), interval=list(PAUSES)),
            )
    except DuplicateJobError:
        return False
    return True


def job_id(about: str) -> str:
    """An id in RQ's alphabet, different for different words."""
    return re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", about)


def tries_so_far(job: Job) -> int:
    """How often the job was begun before this time, as far as RQ counted."""
    return len(PAUSES) - (job.retries_left if job.retries_left is not None else 0)
