"""What has been done, who works on what, and whose turn it is: kept in the queue's server, so every kill spares it."""

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep

import redis

from assistant.errors import Retry
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
        name, mark = f"{PREFIX}hold:{key}", f"{_process()} {secrets.token_hex(8)}"
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
            if holder is not None and _is_dead(holder.split(" ")[0]):
                if take_over(keys=[name], args=[holder, mark, HELD]):
                    return
                continue
            if monotonic() > end:
                raise Retry("another worker is at this question", after=2.0)
            sleep(0.1)

    def _text(self, name: str) -> str | None:
        value = self.server.get(name)
        return value.decode() if isinstance(value, bytes) else None


@dataclass(frozen=True, slots=True)
class RedisCache:
    """Short-lived notes that all processes share."""

    server: redis.Redis

    def get(self, name: str) -> str | None:
        """What was put under the name, while it lasts."""
        value = self.server.get(f"{PREFIX}cache:{name}")
        return value.decode() if isinstance(value, bytes) else None

    def put(self, name: str, value: str, seconds: int) -> None:
        """Keep it for so long."""
        self.server.set(f"{PREFIX}cache:{name}", value, ex=seconds)


@dataclass(frozen=True, slots=True)
class Pace:
    """One message a second a channel, over all workers; Slack allows about that many."""

    server: redis.Redis
    gap: float = 1.0
    """Seconds between two messages in one channel."""
    longest: float = 60.0
    """Seconds to wait for a turn at most."""

    def __call__(self, channel: str) -> None:
        """Return when it is our turn in the channel. Raises Retry when the line is too long."""
        name, end = f"{PREFIX}pace:{channel}", monotonic() + self.longest
        while not self.server.set(name, 1, nx=True, px=int(self.gap * 1000)):
            if monotonic() > end:
                raise Retry("too many messages wait for their turn in this channel", after=5.0)
            sleep(max(0.01, int(self.server.pttl(name)) / 1000))


def _process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _is_dead(process: str) -> bool:
    """Whether a process of this machine is gone; of other machines nothing is known, so they count as alive."""
    host, _, pid = process.rpartition(":")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
