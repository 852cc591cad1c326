"""Brings back jobs that fell between RQ's chairs: what a worker took and never began, and what waits for its next try.

RQ itself moves the first kind to the failed ones after a minute, and leaves the second to a scheduler process; both are
done here by every worker as it looks around.
"""

from rq.job import Job, JobStatus
from rq.registry import ScheduledJobRegistry

from workers.queue import LastingQueue

GRACE = 10
"""Seconds between taking a job and beginning it; longer means that the worker died in between."""

PUT_BACK = """
if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 1 then
    redis.call('LPUSH', KEYS[2], ARGV[1])
    return 1
end
return 0
"""
"""One who takes it out of the intermediate list puts it back, whoever else tries the same."""

COME_DUE = """
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 and redis.call('EXISTS', KEYS[3]) == 1 then
    redis.call('RPUSH', KEYS[2], ARGV[1])
    redis.call('HSET', KEYS[3], 'status', 'queued')
    return 1
end
return 0
"""


def sweep(queue: LastingQueue) -> int:
    """Both kinds, once; how many jobs came back. Safe to run from many workers at once."""
    return _put_back(queue) + _come_due(queue)


def _put_back(queue: LastingQueue) -> int:
    """Jobs that a worker took from the queue more than GRACE seconds ago and that nobody began."""
    back = queue.connection.register_script(PUT_BACK)
    taken = queue.intermediate_queue
    count = 0
    for job_id in taken.get_job_ids():
        job = queue.fetch_job(job_id)
        if job is None or job.get_status() not in (JobStatus.QUEUED, JobStatus.SCHEDULED):
            taken.remove(job_id)
        elif _first_seen_long_ago(queue, job_id):
            count += int(back(keys=[taken.key, queue.key], args=[job_id]))
            queue.connection.delete(taken.get_first_seen_key(job_id))
    return count


def _first_seen_long_ago(queue: LastingQueue, job_id: str) -> bool:
    """Whether it has been there for GRACE seconds; notes the time when it has not been seen before."""
    taken = queue.intermediate_queue
    if taken.set_first_seen(job_id):
        return False
    ttl = queue.connection.ttl(taken.get_first_seen_key(job_id))
    return DAY - int(ttl) >= GRACE


DAY = 86_400
"""Seconds that RQ keeps the note of when it first saw such a job."""


def _come_due(queue: LastingQueue) -> int:
    """Jobs whose pause before the next try is over."""
    scheduled = ScheduledJobRegistry(queue=queue)
    due = queue.connection.register_script(COME_DUE)
    count = 0
    for job_id in scheduled.get_jobs_to_schedule():
        keys = [scheduled.key, queue.key, Job.key_for(job_id)]
        count += int(due(keys=keys, args=[job_id]))
    return count
