"""Whose turn it is to write in a channel, over all workers."""

from dataclasses import dataclass
from time import monotonic, sleep

import redis

from assistant.errors import Retry

PREFIX = "brain:pace:"


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
        name, end = f"{PREFIX}{channel}", monotonic() + self.longest
        while not self.server.set(name, 1, nx=True, px=int(self.gap * 1000)):
            if monotonic() > end:
                raise Retry("too many messages wait for their turn in this channel", after=5.0)
            sleep(max(0.01, int(self.server.pttl(name)) / 1000))
