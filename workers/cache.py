"""Short-lived notes in the queue's server: what Slack said lately of people and channels."""

from dataclasses import dataclass

import redis

PREFIX = "brain:cache:"


@dataclass(frozen=True, slots=True)
class RedisCache:
    """Short-lived notes that all processes share."""

    server: redis.Redis

    def get(self, name: str) -> str | None:
        """What was put under the name, while it lasts."""
        value = self.server.get(f"{PREFIX}{name}")
        return value.decode() if isinstance(value, bytes) else None

    def put(self, name: str, value: str, seconds: int) -> None:
        """Keep it for so long."""
        self.server.set(f"{PREFIX}{name}", value, ex=seconds)
