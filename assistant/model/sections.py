"""Sections, their versions, and what a commit does to them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from assistant.model.times import FOREVER, moment, moment_or_none


class ChangeKind(StrEnum):
    """What a commit did to a section."""

    ADDED = "added"
    MODIFIED = "modified"
    COSMETIC = "cosmetic"
    MOVED = "moved"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Block:
    """One section of a page as it is written, before it has a history.

    The `source` texts of a page's blocks, joined, are the page.
    """

    heading: str
    """The heading's words without markup; '' for what stands before the first heading."""
    heading_path: tuple[str, ...]
    """The headings above it and its own; () before the first heading."""
    level: int
    """1 to 6; 0 before the first heading."""
    anchor: str
    """What a link to it ends with: the written `{#id}`, else the slug of the heading; '' at level 0."""
    source: str
    """All its characters, heading line included, up to the next heading of any level."""
    body: str
    """The source without its heading line and without front matter."""


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block where it stands: the nth of its page."""

    path: str
    index: int
    block: Block


@dataclass(frozen=True, slots=True)
class SectionChange:
    """How a section before a commit and one after it belong together.

    `kind` is None where nothing changed. `before` is None for what was added, `after` for what was removed.
    """

    kind: ChangeKind | None
    before: PlacedBlock | None
    after: PlacedBlock | None


@dataclass(frozen=True, slots=True)
class SectionVersion:
    """One version of a section, as the graph holds it."""

    id: str
    lineage: str
    source: str
    """Id of the source (a repository) it came from."""
    page: str
    path: str
    title: str
    """The page's title when this version came up: front matter, else its first heading, else the file's name. A page
    that is called otherwise since has its new title on the Page, and on the versions that came after.
    """
    heading: str
    heading_path: tuple[str, ...]
    level: int
    anchor: str
    """As the host makes it, on the page at `commit`: links lead there."""
    position: str
    """Sorts the page's sections in reading order, as plain strings."""
    text: str
    """Verbatim source, heading line included."""
    valid_from: int
    """Microseconds since 1970, see `times`."""
    valid_to: int
    """FOREVER while it holds."""
    commit: str
    """Full sha of the commit that made this version what and where it is."""
    merge_request: str | None
    change: ChangeKind
    audience: str

    @property
    def current(self) -> bool:
        return self.valid_to >= FOREVER

    @property
    def since(self) -> datetime:
        return moment(self.valid_from)

    @property
    def until(self) -> datetime | None:
        return moment_or_none(self.valid_to)

    @property
    def name(self) -> str:
        """Its heading path as people read it; the page's title where it has none."""
        return " > ".join(self.heading_path) or self.title
