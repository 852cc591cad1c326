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


@dataclass(frozen=True, slots=True)
class Room:
    """Where it was said."""

    audience: str
    people: frozenset[str]
    """What those may be called who spoke, reacted or took part, in lower case."""
    name: str
    members: tuple[frozenset[str], ...] | None = ()
    """What each of those may be called who are in it; None where the source does not tell."""
    private: bool = False
    """Whether only they may see it."""
    title: str | None = None
    """What the conversations in it are called; None where each has its own."""
