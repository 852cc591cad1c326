"""A turn of a poll over meetings: some are taken in one by one, and one that fails keeps no other from it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import redis
import structlog

from assistant.errors import BrainError
from assistant.model.ids import digest

T = TypeVar("T")

AT_ONCE = 10
"""Meetings that one turn takes on; whoever waits for the worker comes in between."""
LATER = 240
"""Seconds that one that failed is left alone: the round's other turns pass it by, the next round tries it again."""

log = structlog.get_logger()


def one_by_one(
    server: redis.Redis, source: str, waiting: Mapping[str, T], do: Callable[[T], bool], after: Callable[[], None]
) -> bool:
    """Does some of what waits, by name, and whatever comes `after` if anything was done; whether there is more.

    `do` says whether it did anything. What comes after is owed until it went well, whoever was killed in between.
    Raises what `after` does.
    """
    due = [name for name in waiting if not server.exists(_failed(source, name))]
    owed = f"brain:owed:{source}"
    try:
        for name in due[:AT_ONCE]:
            first = server.set(owed, 1, nx=True)
            if not _done(server, source, name, partial(do, waiting[name])) and first:
                server.delete(owed)
    finally:
        if server.exists(owed):
            after()
            server.delete(owed)
    return len(due) > AT_ONCE


def _done(server: redis.Redis, source: str, name: str, do: Callable[[], bool]) -> bool:
    try:
        return do()
    except BrainError as error:
        log.warning("left for later", source=source, meeting=digest(name), reason=str(error))
        server.set(_failed(source, name), 1, ex=LATER)
        return False


def _failed(source: str, name: str) -> str:
    return f"brain:failed:{source}:{digest(name)}"
