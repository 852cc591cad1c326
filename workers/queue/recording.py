"""Which channels record, beside the queue: so that the web process lets no other channel's words into it."""

import redis

NAME = "brain:recording"
"""A set of channel ids. What counts is what the graph says; a worker brings this up to it when it starts."""

TAKEN = "brain:taken"
"""Key of the moment of Slack's last event."""


def is_recording(server: redis.Redis, channel: str) -> bool:
    """Whether a channel's words may be queued."""
    return bool(server.sismember(NAME, channel))


def let_in(server: redis.Redis, channel: str, *, words: bool) -> None:
    """From now on a channel's words may be queued, or may not."""
    (server.sadd if words else server.srem)(NAME, channel)


def take_note(server: redis.Redis, at: float) -> None:
    """Slack sent something at that moment, in seconds since 1970."""
    server.set(TAKEN, at)


def taken_last(server: redis.Redis) -> float | None:
    """When Slack sent something last; None where it never did."""
    at = server.get(TAKEN)
    return None if at is None else float(at)


def recording(server: redis.Redis) -> set[str]:
    """All channels whose words may be queued."""
    return {one.decode() if isinstance(one, bytes) else str(one) for one in server.smembers(NAME)}
