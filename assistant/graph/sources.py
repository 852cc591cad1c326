"""Sources: what feeds a Space, how far each has been read, and who may see it."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from assistant.errors import Retry
from assistant.graph.store import Graph, Query, Reader
from assistant.model.audiences import PUBLIC
from assistant.model.times import moment


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as the graph has it."""

    id: str
    kind: str
    """`git`."""
    root: str
    """What makes it itself: for git the mainline's first commit, the same in every clone and bundle."""
    path: str
    """Where it was read last."""
    ref: str = ""
    """The branch that it follows."""
    subdir: str = ""
    web_url: str | None = None
    audience: str = PUBLIC
    own_codeowners: bool = True
    """False: a CODEOWNERS file was given instead of the repository's own."""
    head: int | None = None
    """Microseconds up to which it is complete; None before its first revision."""
    cursor: str | None = None
    """The commit at the head."""
    read_at: int | None = None
    """When it was last read to its end, microseconds: up to then no commit came after the head."""


TAKEN_OVER = "another process has begun to fill this source: this run gives way"

FIELDS = ("kind", "root", "path", "ref", "subdir", "web_url", "audience", "own_codeowners")
RETURNED = ", ".join(f"s.{name} AS {name}" for name in ("id", *FIELDS, "head", "cursor", "read_at"))

ALL = Query("sources.all", f"MATCH (s:Source) RETURN {RETURNED} ORDER BY s.id")
HEADS = Query("sources.heads", "MATCH (s:Source) WHERE s.head >= 0 RETURN s.id AS id, s.head AS head ORDER BY s.id")
SAVE = Query(
    "sources.save",
    "MERGE (s:Source {id: $id}) WITH s, coalesce(s.audience <> $audience, false) AS moves "
    "WHERE coalesce(s.fence, 0) <= $fence "
    f"SET {', '.join(f's.{name} = ${name}' for name in FIELDS)}, s.fence = $fence, "
    "s.moving = coalesce(s.moving, false) OR moves RETURN s.id AS id",
)
"""`moving`: what came from the source has still to follow its Audience."""
REWIND = Query(
    "sources.rewind",
    "MATCH (s:Source {id: $id}) WHERE s.fence = $fence SET s.head = $head, s.cursor = $cursor, s.read_at = null, "
    "s.rewound = true",
)
READ = Query("sources.read", "MATCH (s:Source {id: $id}) WHERE s.fence = $fence SET s.read_at = $at")
HOLDS = Query("sources.holds", "MATCH (f:Source {id: $source}) WHERE f.fence = $fence RETURN f.id AS id")
FENCED = "MATCH (f:Source {id: $source}) WHERE f.fence = $fence WITH f "
"""How a write begins that only the run to which the source was given last may make."""


def list_sources(reader: Reader) -> list[SourceRow]:
    """Every source of the Space, by id."""
    return [SourceRow(**row) for row in reader.rows(ALL)]


def heads(reader: Reader) -> dict[str, int]:
    """For each source that can be read the microsecond up to which it is complete."""
    return {row["id"]: row["head"] for row in reader.rows(HEADS)}


def last_commit(reader: Reader) -> datetime | None:
    """When the last commit that was read was made: the clock of who goes through a history as it happened."""
    return max(map(moment, heads(reader).values()), default=None)


def save_source(graph: Graph, source: SourceRow, fence: int) -> None:
    """Writes what is known about the source, and that it is this run's; head and cursor only move with its revisions.

    Raises Retry where a later run has it.
    """
    if not graph.write(SAVE, id=source.id, fence=fence, **{name: getattr(source, name) for name in FIELDS}):
        raise Retry(TAKEN_OVER, after=10.0)


def check_fence(reader: Reader, source: str, fence: int) -> None:
    """Raises Retry where a later run has the source."""
    if not reader.rows(HOLDS, source=source, fence=fence):
        raise Retry(TAKEN_OVER, after=10.0)


def rewind(graph: Graph, source: SourceRow, fence: int, head: int | None, cursor: str | None) -> SourceRow:
    """Moves the head back to an earlier commit: readers see the graph as of then at once. `undo` cleans up after it."""
    graph.write(REWIND, id=source.id, fence=fence, head=head, cursor=cursor)
    return replace(source, head=head, cursor=cursor)


def read_to_its_end(graph: Graph, source: str, fence: int, at: int) -> None:
    """Notes that at a moment, microseconds, the source held no commit behind its head."""
    graph.write(READ, id=source, fence=fence, at=at)


AUDIENCES: dict[str, Query] = {
    label: Query(
        f"sources.audience_{label}",
        f"{FENCED}MATCH (n:{label}) WHERE n.source = $source AND n.audience <> $audience WITH n LIMIT 500 "
        "SET n.audience = $audience RETURN count(n) AS changed",
        scans="" if label == "OwnersFile" else "rare, and all of a source has to be gone through",
    )
    for label in ("Section", "Page", "Commit", "MergeRequest", "OwnersFile", "Person")
}


MOVING = Query("sources.moving", "MATCH (s:Source {id: $id}) WHERE s.moving = true RETURN s.id AS id")
MOVED = Query("sources.moved", f"{FENCED}SET f.moving = false")


def move_to_audience(graph: Graph, source: SourceRow, fence: int) -> None:
    """Gives everything that came from the source to its Audience, where a run since `save_source` changed it or died
    while it did so. Raises Retry where a later run has the source.
    """
    if not graph.rows(MOVING, id=source.id):
        return
    for query in AUDIENCES.values():
        while changed(graph.write(query, source=source.id, fence=fence, audience=source.audience)):
            continue
    check_fence(graph, source.id, fence)
    graph.write(MOVED, source=source.id, fence=fence)


def changed(rows: list[dict[str, Any]]) -> int:
    """How many nodes a write that returns `changed` has touched."""
    return int(rows[0]["changed"]) if rows else 0
