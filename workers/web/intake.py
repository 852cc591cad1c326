"""The way from a request into the queue: nothing is acknowledged that is not durably queued."""

import asyncio
from dataclasses import dataclass

import redis
import structlog

from assistant.errors import Retry
from assistant.model.surfaces import Inquiry, Way
from workers.queue import ANSWER, Work, answering, enqueue
from workers.queue.recording import is_off
from workers.web.metrics import Metrics

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Intake:
    """Where listeners hand in work."""

    server: redis.Redis
    metrics: Metrics

    async def take(self, work: Work) -> None:
        """Queue it, once. Raises Retry when the queue does not answer, so that Slack is told to come again."""
        try:
            new = await asyncio.to_thread(enqueue, self.server, work)
        except Retry as error:
            self.metrics.jobs.labels("failed").inc()
            log.warning("could not queue", about=work.about, reason=str(error))
            raise
        self.metrics.jobs.labels("queued" if new else "known").inc()

    async def ask(self, asked: Inquiry) -> None:
        """Queue a question; the same words, however often and as whatever event they come, make one job.

        Where we are switched off it is refused unread, so its words are not kept for a moment.
        """
        if asked.way in (Way.MENTION, Way.SHARE):
            with answering():
                off = await asyncio.to_thread(is_off, self.server, asked.channel)
            asked = asked.model_copy(update={"text": ""}) if off else asked
        about = asked.key if asked.revision == asked.ts else f"{asked.key}/{asked.revision}"
        await self.take(Work(ANSWER, "workers.answer.answer", about, asked.model_dump(mode="json")))

    async def is_reachable(self) -> bool:
        """Whether the queue answers."""
        try:
            return bool(await asyncio.to_thread(self.server.ping))
        except redis.RedisError:
            return False
