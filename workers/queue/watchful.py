"""Workers whose death is noticed within seconds, and that bring back what dead ones left lying."""

from collections.abc import Sequence
from types import FrameType
from typing import Any

import redis
from rq import Worker
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker.base import StopRequested

from workers.queue import KEPT, LastingQueue, janitor, open_queue

BEAT = 5
"""Seconds between a working worker's heartbeats, and between looks after dead ones."""

MISSED = 7
"""Seconds that a heartbeat may be late before the worker counts as dead."""

IDLE = 20
"""Seconds that RQ lets an idle worker be silent; it waits for jobs 15 less, then looks around."""


class WatchfulWorker(Worker):  # type: ignore[misc]  # rq ships no types
    """RQ's forking worker, with short heartbeats, our janitor, knowing it was told to stop, and keeping no words."""

    queue_class = LastingQueue
    stopped = False

    def get_heartbeat_ttl(self, job: Job, working_time: float = 0.0) -> int:  # noqa: ARG002 RQ's signature
        """Seconds until a worker that says nothing more counts as dead."""
        return BEAT + MISSED

    def prepare_job_execution(self, job: Job, remove_from_intermediate_queue: bool = False) -> None:  # noqa: ARG002 RQ's
        """As RQ does before a job begins, and always taking it out of the list that LastingQueue keeps it in."""
        super().prepare_job_execution(job, remove_from_intermediate_queue=True)

    def handle_job_success(self, job: Job, *rest: Any, **more: Any) -> None:
        """As RQ does, but only that it was done is remembered for a day: in what a job is given are people's words."""
        job.args = ({},)
        super().handle_job_success(job, *rest, **more)

    def run_maintenance_tasks(self) -> None:
        """RQ's cleaning and ours."""
        super().run_maintenance_tasks()
        for queue in self.queues:
            janitor.sweep(queue)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Remember that the end was asked for, then end as RQ does: when the job under way is done."""
        self.stopped = True
        super().request_stop(signum, frame)


def work_until_stopped(connection: redis.Redis, names: Sequence[str]) -> None:
    """Do the jobs of these queues, first things first, until SIGINT or SIGTERM; a lost server is waited for."""
    worker = None
    while worker is None or not worker.stopped:
        worker = WatchfulWorker(
            [open_queue(connection, name) for name in names],
            connection=connection,
            serializer=JSONSerializer,
            worker_ttl=IDLE,
            maintenance_interval=BEAT,
            job_monitoring_interval=BEAT,
            default_result_ttl=KEPT,
            log_job_description=False,
        )
        try:
            worker.work(logging_level="WARNING")
        except StopRequested:
            return
