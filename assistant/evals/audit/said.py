"""What a source says was said: one record for each message, turn or line, before it is compared with the graph."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """Words as the source has them."""

    text: str
    names: frozenset[str]
    """What the speaker may be called, in lower case: names, e-mail, ids. Empty for nobody."""
    at: int
    """Microseconds since 1970."""
    slack: float = 0
    """Microseconds that the time may be off, where the source tells it only roughly."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where it was said."""

    audience: str
    people: frozenset[str]
    """What those may be called who spoke, reacted or took part, in lower case."""
    name: str
