"""Jobs that failed for good: which they are, and putting them back."""

from dataclasses import dataclass
from datetime import datetime

import redis
from rq.job import Job
from rq.registry import FailedJobRegistry

from workers.queue import PAUSES, QUEUES, answering, open_queue


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job that was tried as often as it may be."""

    id: str
    queue: str
    about: str
    since: datetime | None
    error: str
    """The last line of what went wrong; no message text is in it."""


@answering()
def failed_jobs(connection: redis.Redis) -> list[FailedJob]:
    """All of them, by queue, the longest failed first. Raises Retry when the queue does not answer."""
    found = []
    for name in QUEUES:
        registry = FailedJobRegistry(queue=open_queue(connection, name))
        for job_id in registry.get_job_ids():
            job = Job.fetch(job_id, connection=connection, serializer=registry.serializer)
            found.append(FailedJob(job.id, name, job.description or job.id, job.ended_at, last_line(job)))
    return found


def last_line(job: Job) -> str:
    """What went wrong, in one line."""
    result = job.latest_result()
    lines = (result.exc_string or "").strip().splitlines() if result else []
    return lines[-1] if lines else "no reason was kept"


@answering()
def requeue(connection: redis.Redis, job: FailedJob) -> None:
    """Puts a failed job back into its queue, to be tried from the start: RQ itself leaves its tries used up.

    Raises Retry when the queue does not answer.
    """
    registry = FailedJobRegistry(queue=open_queue(connection, job.queue))
    again = Job.fetch(job.id, connection=connection, serializer=registry.serializer)
    again.retries_left = len(PAUSES)
    registry.requeue(again)
