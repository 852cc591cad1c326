"""What has been done and who works on what: kept in the queue's server, so every kill spares it."""

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep

import redis

from assistant.errors import Retry
from assistant.graph.writing.writer import is_dead
from assistant.model.surfaces import Posted

PREFIX = "brain:"
REMEMBERED = 7 * 86_400
"""Seconds that deeds are remembered: longer than any job or event can come back, and an edit within a week finds
the answer it changes."""

HELD = 12
"""Seconds that a holder may be silent; one who was killed is found out sooner, by the process id."""

PATIENCE = 20.0
"""Seconds to wait for another holder."""

LET_GO = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
TAKE_OVER = """
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
    return 1
end
return 0
"""


@dataclass(frozen=True, slots=True)
class RedisLedger:
    """The protocol Ledger over the queue's server."""

    server: redis.Redis

    def once(self, name: str) -> bool:
        """True for the first who asks about this name."""
        return bool(self.server.set(f"{PREFIX}once:{name}", 1, nx=True, ex=REMEMBERED))

    def posted(self, key: str) -> Posted | None:
        """The message known to carry this key."""
        known = self._text(f"{PREFIX}posted:{key}")
        return None if known is None else Posted(*known.split(" ", 1))

    def begun(self, key: str) -> bool:
        """Whether somebody was about to write the message with this key."""
        return bool(self.server.exists(f"{PREFIX}once:claim:{key}"))

    def record(self, key: str, posted: Posted) -> None:
        """Remember where the message stands."""
        self.server.set(f"{PREFIX}posted:{key}", f"{posted.channel} {posted.ts}", ex=REMEMBERED)

    def finished(self, key: str) -> str | None:
        """The newest answered revision."""
        return self._text(f"{PREFIX}finished:{key}")

    def finish(self, key: str, revision: str) -> None:
        """Remember that it is answered."""
        self.server.set(f"{PREFIX}finished:{key}", revision, ex=REMEMBERED)

    @contextmanager
    def hold(self, key: str) -> Iterator[Callable[[], bool]]:
        """Keep others off the key. The callable asks whether it is still ours and, if so, for HELD seconds more."""
        name, mark = f"{PREFIX}hold:{key}", f"{socket.gethostname()} {os.getpid()} {secrets.token_hex(8)}"
        self._take(name, mark)
        take_over = self.server.register_script(TAKE_OVER)
        try:
            yield lambda: bool(take_over(keys=[name], args=[mark, mark, HELD]))
        finally:
            self.server.register_script(LET_GO)(keys=[name], args=[mark])

    def _take(self, name: str, mark: str) -> None:
        take_over = self.server.register_script(TAKE_OVER)
        end = monotonic() + PATIENCE
        while not self.server.set(name, mark, nx=True, ex=HELD):
            holder = self._text(name)
            if holder is not None and is_dead(holder):
                if take_over(keys=[name], args=[holder, mark, HELD]):
                    return
                continue
            if monotonic() > end:
                raise Retry("another worker is at this question", after=2.0)
            sleep(0.1)

    def _text(self, name: str) -> str | None:
        value = self.server.get(name)
        return value.decode() if isinstance(value, bytes) else None
