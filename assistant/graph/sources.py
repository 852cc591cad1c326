"""Sources: what feeds a Space, how far each has been read, and who may see it."""

from dataclasses import dataclass, replace
from typing import Any

from assistant.graph.store import Graph, Query, Reader
from assistant.model.audiences import PUBLIC


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


FIELDS = ("kind", "root", "path", "ref", "subdir", "web_url", "audience", "own_codeowners")
RETURNED = ", ".join(f"s.{name} AS {name}" for name in ("id", *FIELDS, "head", "cursor"))

ALL = Query("sources.all", f"MATCH (s:Source) RETURN {RETURNED} ORDER BY s.id")
HEADS = Query("sources.heads", "MATCH (s:Source) WHERE s.head >= 0 RETURN s.id AS id, s.head AS head ORDER BY s.id")
SAVE = Query(
    "sources.save",
    f"MERGE (s:Source {{id: $id}}) SET {', '.join(f's.{name} = ${name}' for name in FIELDS)}, s.fence = $fence",
)
REWIND = Query(
    "sources.rewind",
    "MATCH (s:Source {id: $id}) WHERE s.fence = $fence SET s.head = $head, s.cursor = $cursor, s.rewound = true",
)


def list_sources(reader: Reader) -> list[SourceRow]:
    """Every source of the Space, by id."""
    return [SourceRow(**row) for row in reader.rows(ALL)]


def heads(reader: Reader) -> dict[str, int]:
    """For each source that can be read the microsecond up to which it is complete."""
    return {row["id"]: row["head"] for row in reader.rows(HEADS)}


def save_source(graph: Graph, source: SourceRow, fence: int) -> None:
    """Writes what is known about the source; its head and cursor only move with its revisions."""
    graph.write(SAVE, id=source.id, fence=fence, **{name: getattr(source, name) for name in FIELDS})


def rewind(graph: Graph, source: SourceRow, fence: int, head: int | None, cursor: str | None) -> SourceRow:
    """Moves the head back to an earlier commit: readers see the graph as of then at once. `undo` cleans up after it."""
    graph.write(REWIND, id=source.id, fence=fence, head=head, cursor=cursor)
    return replace(source, head=head, cursor=cursor)


AUDIENCES: dict[str, Query] = {
    label: Query(
        f"sources.audience_{label}",
        f"MATCH (n:{label}) WHERE n.source = $source AND n.audience <> $audience WITH n LIMIT 500 "
        "SET n.audience = $audience RETURN count(n) AS changed",
        scans="" if label == "OwnersFile" else "rare, and all of a source has to be gone through",
    )
    for label in ("Section", "Page", "Commit", "MergeRequest", "OwnersFile", "Person")
}


def change_audience(graph: Graph, source: str, audience: str) -> None:
    """Gives everything that came from the source to another Audience; can be repeated after a crash."""
    for query in AUDIENCES.values():
        while changed(graph.write(query, source=source, audience=audience)):
            continue


def changed(rows: list[dict[str, Any]]) -> int:
    """How many nodes a write that returns `changed` has touched."""
    return int(rows[0]["changed"]) if rows else 0
