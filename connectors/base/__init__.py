"""What every source of knowledge looks like to the workers that pull from it.

A connector hands over frozen records in the order they happened, each with the cursor that stands behind it, so that
a run that stops anywhere is taken up where it stopped. Its errors are those of `assistant.errors`, chosen by what the
one who pulls should do: `Retry` (come back later), `UserFacing` (a person must mend something), `Fatal`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from assistant.errors import UserFacing

Value_co = TypeVar("Value_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Record(Generic[Value_co]):
    """One thing that happened at the source, and where to go on after it."""

    cursor: str
    """`pull(cursor)` yields what came after this record."""
    value: Value_co


class CursorLost(UserFacing):
    """The cursor is no place in the source's history any more (it was rewritten): go back to one that is."""


class Connector(Protocol[Value_co]):
    """One source of knowledge."""

    @property
    def name(self) -> str:
        """The kind of source: `git`, `slack`."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """The permissions that it needs at the source, in the source's own words; () where reading a file is enough."""

    @property
    def cursor(self) -> str | None:
        """The cursor behind the newest record there is now; None while there is none."""

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[Value_co]]:
        """All records after the cursor (None: from the start), oldest first, up to and including the one whose cursor
        is `until` (None: to the newest). Raises CursorLost, Retry, UserFacing.
        """
