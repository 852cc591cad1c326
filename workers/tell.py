"""Has owners told of answers that commits broke: after whatever judged answers, and every few minutes.

What is to be told stands in the graph, so a kill between judging and queueing loses nothing: the next look finds it.
"""

import time
from contextlib import closing
from typing import Any

import redis

from assistant.graph.bundles import is_anything_due
from assistant.graph.space import Space
from assistant.settings import Settings
from workers.queue import ACT, Work, connect, enqueue

EVERY = 300
"""Seconds between two looks after what was put off, or left by a worker that died."""
LONGEST = 600
"""Seconds that telling may take; what is left then, the next try does."""
ALL = 12
"""Every so many looks those are looked for, too, whom nobody could reach."""


def ask_to_tell(space: Space, settings: Settings) -> None:
    """Queues the telling, where there is a chat to tell in and anything to tell. Raises Retry."""
    if is_told(settings) and is_anything_due(space.reader):
        with closing(connect(space.servers.queue_url)) as server:
            enqueue(server, Work(ACT, "workers.notify.notify", f"notify/{time.time():.6f}", {}, LONGEST))


def begin(server: redis.Redis, settings: Settings) -> None:
    """Queues this time's look, which looks after everything. Raises Retry while the queue is away."""
    if is_told(settings):
        _queue(server, int(time.time() // EVERY), 0.0, everything=True)


def go_on(server: redis.Redis) -> None:
    """Queues the next look."""
    now = time.time()
    number = int(now // EVERY) + 1
    _queue(server, number, number * EVERY - now, everything=number % ALL == 0)


def is_told(settings: Settings) -> bool:
    """Whether owners are told of anything."""
    return settings.notices and settings.slack_bot_token is not None


def _queue(server: redis.Redis, number: int, after: float, *, everything: bool) -> None:
    payload: dict[str, Any] = {"all": everything}
    enqueue(server, Work(ACT, "workers.notify.look", f"notify/look/{number}", payload, LONGEST), after)
