"""Short-lived notes in the queue's server: what Slack said lately of people and channels."""

from collections.abc import Iterable
from dataclasses import dataclass

import redis

PREFIX = "brain:cache:"
DROPPED = "brain:dropped:"

SETTLING = 30
"""Seconds after a note was dropped in which none takes its place: whoever asked before the change may answer late."""

PUT = """
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
"""


@dataclass(frozen=True, slots=True)
class RedisCache:
    """Short-lived notes that all processes share."""

    server: redis.Redis

    def get(self, name: str) -> str | None:
        """What was put under the name, while it lasts."""
        value = self.server.get(f"{PREFIX}{name}")
        return value.decode() if isinstance(value, bytes) else None

    def put(self, name: str, value: str, seconds: int) -> None:
        """Keep it for so long, unless it was dropped just now."""
        self.server.register_script(PUT)(keys=[f"{PREFIX}{name}", f"{DROPPED}{name}"], args=[value, seconds])

    def drop(self, names: Iterable[str]) -> None:
        """Forget these; of a name that ends with a star all that begin so."""
        pipe = self.server.pipeline()
        for name in names:
            keys = (
                self.server.scan_iter(f"{PREFIX}{name}", 1000) if name.endswith("*") else [f"{PREFIX}{name}".encode()]
            )
            for key in keys:
                pipe.delete(key)
                pipe.set(DROPPED.encode() + key.removeprefix(PREFIX.encode()), 1, ex=SETTLING)
        pipe.execute()
