"""Once a day: what was said or asked too long ago is forgotten, and what was left undone of forgetting is done."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import redis

from assistant.graph.reading.whose import older
from assistant.graph.space import Space
from assistant.settings import Settings
from workers.equipment import equipment
from workers.forgetting import PART, Writing, carry_out, order, take_out_due
from workers.queue import INGEST, Work, connect, enqueue

DAY = 86_400
LONGEST = 7200
"""Seconds that one day's job may take; what is left then, its next try does."""


def begin(server: redis.Redis) -> None:
    """Queues today's job, unless it is there. Raises Retry while the queue is away."""
    _queue(server, int(time.time() // DAY), 0.0)


def daily(payload: dict[str, Any]) -> None:  # noqa: ARG001 every job takes one
    """The job: queues tomorrow's, then forgets. Whatever kills it, its next try goes on where it was."""
    ready, now = equipment(), time.time()
    tomorrow = int(now // DAY) + 1
    _queue(connect(ready.servers.queue_url), tomorrow, tomorrow * DAY - now)
    desk = ready.desk() if ready.settings.slack_bot_token else None
    with ready.space() as space:
        carry_out(space, desk, ready.settings)
        retain(space, desk, ready.settings, datetime.now(UTC))


def retain(space: Space, desk: Writing | None, settings: Settings, now: datetime) -> int:
    """Forgets, part by part, what is older than the settings let it become; how many messages and questions that was.

    Raises Retry as `carry_out`.
    """
    if settings.retention_days is None:
        return 0
    before, count = now - timedelta(days=settings.retention_days), 0
    about = f"older than {settings.retention_days} days"
    while any(part := older(space.reader, before, PART)):
        order(space, *part, by="", about=about, repeats=False)  # who copied an old message said it anew
        take_out_due(space, settings)
        count += sum(map(len, part))
    if count:
        carry_out(space, desk, settings)
    return count


def _queue(server: redis.Redis, day: int, after: float) -> None:
    enqueue(server, Work(INGEST, "workers.retention.daily", f"daily/{day}", {}, LONGEST), after)
