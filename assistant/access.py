"""Viewer and place → Scope: the only way to obtain what a reader may see. What is unknown means public sources only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from assistant.model.audiences import PUBLIC, Place, PlaceKind, Scope, Viewer, channel_audience
from assistant.model.protocols import Members
from assistant.model.times import micros


@dataclass(frozen=True, slots=True)
class KnownMembers:
    """Members from a table of user → channel ids. The empty table knows nobody: everything private stays unseen."""

    channels: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def channels_of(self, user: str) -> frozenset[str]:
        """Ids of the channels that the user is a member of."""
        return self.channels.get(user, frozenset())

    def can_tell(self, user: str, channel: str | None) -> bool:
        """Whether the table has the user."""
        del channel
        return user in self.channels


NOBODY = KnownMembers()
"""Knows no memberships."""


@dataclass(frozen=True, slots=True)
class Vouching:
    """Members as others know them, with the channels that one person was seen writing in."""

    known: Members
    user: str | None
    seen_in: frozenset[str]

    def channels_of(self, user: str) -> frozenset[str]:
        """Ids of the channels that the user is a member of."""
        seen = self.seen_in if user == self.user else frozenset()
        return self.known.channels_of(user) | seen

    def can_tell(self, user: str, channel: str | None) -> bool:
        """Whether the others know who is in a channel, or which channels the user is in."""
        return self.known.can_tell(user, channel)


def scope_for(
    viewer: Viewer, place: Place, members: Members, heads: Mapping[str, int], as_of: datetime | None = None
) -> Scope:
    """What may be read for an answer to this viewer in this place, as of a moment (None: each source's head).

    `heads` are the sources' heads in microseconds; no source is read beyond its own.
    """
    asked = None if as_of is None else micros(as_of)
    days = {source: head if asked is None else min(head, asked) for source, head in heads.items()}
    return Scope(audiences=audiences_for(viewer, place, members), days=days, as_of=asked)


def audiences_for(viewer: Viewer, place: Place, members: Members) -> tuple[str, ...]:
    """The Audiences that may be read: in a channel what every member of it may see, in a DM what the viewer may see."""
    channels = members.channels_of(viewer.user) if viewer.user else frozenset()
    if place.kind is PlaceKind.CHANNEL:
        channels &= {place.channel or ""}
    elif place.kind is PlaceKind.PUBLIC:
        channels = frozenset()
    return (PUBLIC, *sorted(channel_audience(channel) for channel in channels))


def unchecked(viewer: Viewer, place: Place, members: Members) -> bool:
    """Whether only public sources may be read as it is unknown who reads: told by the place, not by what it holds."""
    if place.kind is PlaceKind.PUBLIC:
        return False
    if viewer.user is None:
        return not members.can_tell("", place.channel)
    seen = place.channel in members.channels_of(viewer.user)
    return not seen and not members.can_tell(viewer.user, place.channel)


def audience_of(place: Place, viewer: Viewer) -> str:
    """Who may see what was asked and answered in a place: the Audience of the Question and the Answer."""
    if place.kind is PlaceKind.CHANNEL and place.channel:
        return channel_audience(place.channel)
    if place.kind is PlaceKind.DM:
        return f"person:{viewer.user}" if viewer.user else PUBLIC
    return PUBLIC


def at_day(scope: Scope, day: datetime | None) -> Scope:
    """The same scope as of an earlier moment; a later one, or None, changes nothing."""
    if day is None:
        return scope
    asked = micros(day)
    days = {source: min(known, asked) for source, known in scope.days.items()}
    return Scope(scope.audiences, days, asked if scope.as_of is None else min(scope.as_of, asked))


def scope_beside(audience: str, source: str, at: int) -> Scope:
    """What whoever may see a thing of that Audience may read of its source as of a moment: to tell about the thing."""
    return Scope(tuple(dict.fromkeys((PUBLIC, audience))), {source: at}, at)


def scope_along(audiences: Iterable[str], heads: Mapping[str, int]) -> Scope:
    """What whoever may see things of all these Audiences may read of every source: to judge such things, now."""
    return Scope(tuple(dict.fromkeys((PUBLIC, *audiences))), dict(heads))


def place_of(audience: str) -> Place:
    """The place whose answers have that Audience; the inverse of `audience_of`."""
    kind, _, name = audience.partition(":")
    match kind:
        case "channel":
            return Place(PlaceKind.CHANNEL, channel=name)
        case "person":
            return Place(PlaceKind.DM)
        case _:
            return Place()
