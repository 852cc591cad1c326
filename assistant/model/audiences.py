"""Who may see a thing, who asks, and where the answer is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

PUBLIC = "public"
"""Full members of the workspace or tenant; never guests, never other companies."""


def channel_audience(channel: str) -> str:
    """The Audience that is the members of a channel, by its id."""
    return f"channel:{channel}"


class PlaceKind(StrEnum):
    """Who reads along where an answer is given."""

    PUBLIC = "public"
    CHANNEL = "channel"
    DM = "dm"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the answer is read: for whoever reads along, in a channel, or by the asker alone."""

    kind: PlaceKind = PlaceKind.PUBLIC
    channel: str | None = None
    """The channel's id, for kind CHANNEL."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks. `user` is an id, an e-mail or a handle; None is anybody: public sources only."""

    user: str | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a reader may see, and as of when: the two predicates that every read carries inside its query.

    Only `assistant.access` makes one. `audiences` are the values of `audience` that may be read. `days` gives for
    each source the microsecond as of which it is read, never later than its head; a source not in it is not read.
    """

    audiences: tuple[str, ...]
    days: Mapping[str, int] = field(default_factory=dict)
    as_of: int | None = None
    """The asked day's end in microseconds, None for now."""
