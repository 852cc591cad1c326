"""One writer at a time in a Space: a lock with an end of its own, and a number that outlives it.

The lock keeps two runs from working at once. A run that slept through the end of its lock is stopped by its fence:
every write to a source names the number that the run was given, and a later run has given the source a higher one.
"""

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from assistant.errors import BrainError, Retry
from assistant.graph.store import Graph

LIFE = 30.0
"""Seconds that a lock lives without being renewed."""

RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"
RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
TAKE = """
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[3] then return holder end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return redis.call('incr', KEYS[2])
"""
"""Takes the lock where nobody, or a holder known to be dead, has it; gives the fence, else the holder."""


@contextmanager
def sole_writer(graph: Graph) -> Iterator[int]:
    """The right to write revisions, as a fence number. Raises Retry while another live process has it."""
    key, mine = f"{graph.name}:writer", f"{socket.gethostname()} {os.getpid()} {secrets.token_hex(8)}"
    fence = _take(graph, key, mine, "")
    if isinstance(fence, str) and is_dead(fence):
        fence = _take(graph, key, mine, fence)
    if isinstance(fence, str):
        host, pid, *_ = fence.split()
        raise Retry(f"process {pid} on {host} is filling this knowledge base: try again when it has finished", 10.0)
    ended = Event()
    keeper = Thread(target=_renew, args=(graph, key, mine, ended), daemon=True)
    keeper.start()
    try:
        yield fence
    finally:
        ended.set()
        keeper.join()
        graph.command("EVAL", RELEASE, 1, key, mine)


def _take(graph: Graph, key: str, mine: str, dead: str) -> int | str:
    taken: int | str = graph.command("EVAL", TAKE, 2, key, f"{graph.name}:fence", mine, int(LIFE * 1000), dead)
    return taken


def is_dead(holder: str) -> bool:
    """Whether a holder of a lock, "host pid …", was a process of this machine that is no more; of other machines
    nothing is known, so they count as alive.
    """
    host, pid, *_ = holder.split()
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _renew(graph: Graph, key: str, mine: str, ended: Event) -> None:
    while not ended.wait(LIFE / 3):
        try:
            graph.command("EVAL", RENEW, 1, key, mine, int(LIFE * 1000))
        except BrainError:
            continue  # the server is away; the fence protects what this run would write after the lock's end
