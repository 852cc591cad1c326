"""What the clouds that hold meetings have in common: they list them, and hand over one with its words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Protocol, TypeVar

import structlog

from assistant.errors import Skip
from assistant.model.conversations import Heard, Identity, Speaker
from assistant.text.cues import parsed_time
from connectors.base import CursorLost, Record

Naming = Callable[[Identity], Speaker]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, order=True)
class Listed:
    """A meeting as a list has it."""

    at: str
    """When it was over, in UTC; sorts as the times do."""
    id: str

    @property
    def cursor(self) -> str:
        """Behind this meeting."""
        return f"{self.at} {self.id}"


class Meeting(Protocol):
    """A meeting with its words; frozen."""

    def identities(self) -> list[Identity]:
        """Who took part."""
        ...

    def read(self, naming: Naming, audience: str | None = None) -> Heard:
        """It as a conversation. Without `audience` who took part may see it. Raises Skip where nothing was said."""
        ...


Meeting_co = TypeVar("Meeting_co", bound=Meeting, covariant=True)


class Wordless(Skip):
    """A meeting without transcript, as yet or for good."""


class Cloud(Protocol, Generic[Meeting_co]):
    """A service that holds meetings."""

    @property
    def since(self) -> datetime:
        """The moment from which on meetings are asked for."""

    def listed(self, start: datetime) -> list[Listed]:
        """The meetings that were over after a moment, by when they were. Raises Retry, Fatal."""
        ...

    def meeting(self, one: Listed) -> Meeting_co:
        """One with its words. Raises Wordless, Skip where it is there no more, Retry, Fatal."""
        ...


def pulled(cloud: Cloud[Meeting_co], cursor: str | None, until: str | None) -> Iterator[Record[Meeting_co]]:
    """The meetings behind the cursor that have words and are still there. Raises CursorLost, Retry, Fatal."""
    for one in cloud.listed(moment_of(cursor) if cursor else cloud.since):
        if until is not None and one.cursor > until:
            return
        if cursor is None or one.cursor > cursor:
            try:
                found = cloud.meeting(one)
            except Skip as error:
                if not isinstance(error, Wordless):
                    log.warning("left out", meeting=one.cursor, reason=str(error))
                continue
            yield Record(one.cursor, found)


def newest(cloud: Cloud[Meeting_co]) -> str | None:
    """The cursor behind the newest meeting that `pulled` gives. Raises Retry, Fatal."""
    for one in reversed(cloud.listed(cloud.since)):
        try:
            cloud.meeting(one)
        except Skip:
            continue
        return one.cursor
    return None


def moment_of(cursor: str) -> datetime:
    """The moment of a cursor. Raises CursorLost for what is none."""
    found = parsed_time(cursor.partition(" ")[0])
    if found is None:
        raise CursorLost(f"{cursor[:40]!r} is no place in a list of meetings")
    return found


def sortable(told: object) -> str | None:
    """A time as a service writes it, in UTC and as long as every other; None for what is none."""
    found = parsed_time(told)
    return None if found is None else found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
