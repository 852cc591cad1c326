"""What GitHub and GitLab have in common when they tell of themselves: pushes, and discussions that changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from assistant.errors import Skip
from assistant.model.ids import digest
from assistant.text.cues import parsed_time
from connectors.base import CursorLost, Record
from connectors.base.discussions import Discussion, Discussions, objects
from connectors.base.http import Missing, Service

NEVER = "1970-01-01T00:00:00Z"
PAGE = 100
"""Entries a page; the most that both give."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """New commits on a branch."""

    repository: str
    """`acme/handbook`."""
    branch: str
    default: str
    """The repository's own branch; '' where nothing says so."""


@dataclass(frozen=True, slots=True)
class Discussed:
    """Something was said, edited or deleted on an issue, a request or a discussion."""

    repository: str
    kind: str
    """As the forge's addresses have it: `issues`, `pulls`, `discussions`, `merge_requests`."""
    number: int
    gone: bool = False
    """The whole of it was deleted, says the event."""


@dataclass(frozen=True, slots=True, order=True)
class Changed:
    """A discussion that changed, as a forge lists them."""

    at: str
    """When, as the forge writes it; sorts as the times do."""
    kind: str
    number: int

    @property
    def cursor(self) -> str:
        """Behind this change."""
        return f"{self.at} {self.kind} {self.number:09d}"


class Forge(Protocol):
    """One repository or project."""

    def changed(self, start: str, etags: dict[str, str]) -> list[Changed]:
        """What changed since a time, by time. `etags` are those of the last time, by address: a list that is as it was
        is not read again; those of this time are put in their place. Raises Retry, Fatal.
        """
        ...

    def whole(self, kind: str, number: int) -> Discussion:
        """One discussion with everything said in it. Raises Missing, Retry, Fatal; Skip where nobody said anything."""
        ...

    def stands(self, kind: str, number: int, said: str) -> bool:
        """Whether a comment, by its id, is still there: asked before one that a list left out counts as deleted.

        Raises Retry, Fatal.
        """
        ...


@dataclass(frozen=True, slots=True)
class WholeDiscussion:
    """A discussion with all its comments, as a connector hands it over."""

    kind: str
    number: int
    discussion: Discussion

    def __hash__(self) -> int:
        return hash(self.discussion.id)

    def found(self) -> Discussions:
        """It as what an export's files tell."""
        return Discussions({self.discussion.id: self.discussion})


def pulled(forge: Forge, cursor: str | None, until: str | None) -> Iterator[Record[WholeDiscussion]]:
    """Whole discussions, by when they changed last. Raises CursorLost, Retry, Fatal."""
    for one in forge.changed(since(cursor), {}):
        if until is not None and one.cursor > until:
            return
        if cursor is None or one.cursor > cursor:
            try:
                yield Record(one.cursor, WholeDiscussion(one.kind, one.number, forge.whole(one.kind, one.number)))
            except Skip:
                continue  # it went meanwhile, or nobody said anything


def since(cursor: str | None) -> str:
    """The time of a cursor. Raises CursorLost for what is none."""
    at = NEVER if cursor is None else cursor.partition(" ")[0]
    if parsed_time(at) is None:
        raise CursorLost(f"{at[:40]!r} is no time of a change")
    return at


def news(service: Service, path: str, asked: Mapping[str, object], etags: dict[str, str]) -> list[dict[str, Any]]:
    """The entries of a list over all its pages; none where it is as it was when its etag was told."""
    known = etags.pop(path, "")
    mark, _, etag = known.partition(" ")
    question = str(sorted(asked.items()))
    reply = service.get(path, asked, etag=etag if mark == digest(question) else None)
    if told := reply.headers.get("etag"):
        etags[path] = f"{digest(question)} {told}"
    if reply.unchanged:
        etags.setdefault(path, known)
        return []
    return objects([*reply.json(), *(service.pages(reply.following, {}) if reply.following else ())])


def is_there(service: Service, *paths: str) -> bool:
    """Whether anything lies under any of the paths. Raises Retry, Fatal."""
    for path in paths:
        try:
            service.get(path)
        except Missing:
            continue
        return True
    return False


def branch_of(ref: object) -> str | None:
    """The branch that a push's `ref` names; None for a tag."""
    return ref.removeprefix("refs/heads/") if isinstance(ref, str) and ref.startswith("refs/heads/") else None


def number_in(value: Mapping[str, Any], name: str) -> int:
    """A discussion's number. Raises ValueError where there is none."""
    number = value.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ValueError("no number of a discussion")
    return number


def repository_in(value: object) -> str:
    """A repository's name with its owner. Raises ValueError for what is no such name."""
    if not isinstance(value, str) or "/" not in value or ".." in value or value.strip("/") != value:
        raise ValueError("no name of a repository")
    return value


def slug(address: str | None) -> str:
    """What names a repository in its addresses, whichever kind: `github.com/acme/handbook`; '' for none."""
    told = (address or "").strip()
    if "://" not in told and ":" in told.partition("/")[0]:  # git@github.com:acme/handbook.git
        host, _, path = told.partition(":")
        told = f"ssh://{host}/{path}"
    parts = urlsplit(told)
    path = parts.path.strip("/").removesuffix(".git").strip("/")
    return f"{parts.hostname}/{path}".casefold() if parts.hostname and path else ""
