"""Which channels record, and which want nothing of us, beside the queue: so that the web process lets in no more words
than it may.
"""

import redis

NAME = "brain:recording"
"""A set of channel ids. What counts is what the graph says; a worker brings this up to it when it starts."""

OFF = "brain:off"
"""The same of channels where we are switched off: what is said to us there is refused unread."""

TAKEN = "brain:taken"
"""Key of the moment of Slack's last event."""


def is_recording(server: redis.Redis, channel: str) -> bool:
    """Whether a channel's words may be queued."""
    return bool(server.sismember(NAME, channel))


def let_in(server: redis.Redis, channel: str, *, words: bool) -> None:
    """From now on a channel's words may be queued, or may not."""
    (server.sadd if words else server.srem)(NAME, channel)


def is_off(server: redis.Redis, channel: str) -> bool:
    """Whether not even a question from a channel may be queued with its words."""
    return bool(server.sismember(OFF, channel))


def switch_off(server: redis.Redis, channel: str, *, off: bool) -> None:
    """From now on a channel's questions are queued without their words, or as they are."""
    (server.sadd if off else server.srem)(OFF, channel)


def take_note(server: redis.Redis, at: float) -> None:
    """Slack sent something at that moment, in seconds since 1970."""
    server.set(TAKEN, at)


def taken_last(server: redis.Redis) -> float | None:
    """When Slack sent something last; None where it never did."""
    at = server.get(TAKEN)
    return None if at is None else float(at)


def recording(server: redis.Redis) -> set[str]:
    """All channels whose words may be queued."""
    return _members(server, NAME)


def switched_off(server: redis.Redis) -> set[str]:
    """All channels where we are switched off."""
    return _members(server, OFF)


def _members(server: redis.Redis, name: str) -> set[str]:
    return {one.decode() if isinstance(one, bytes) else str(one) for one in server.smembers(name)}
