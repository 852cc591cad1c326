"""Undoing what lies beyond a source's head: what a run that died had written, and what a rewritten history took back.

What answers cite stays, under a label that no read asks for, so that old answers still open; `staleness` judges them
by what has come in its place. Every part can be
repeated, so an undo that dies itself is finished by the next run.
"""

from typing import TypedDict

from assistant.graph.sources import FENCED, SourceRow, changed, check_fence
from assistant.graph.store import Graph, Query
from assistant.graph.writing.current import all_pages
from assistant.graph.writing.revision import ROWS
from assistant.model.times import FOREVER

TIMES = {"Section": "valid_from", "Commit": "at", "Page": "valid_from", "OwnersFile": "valid_from"}
"""What tells a node's age."""

BEYOND = {
    label: Query(
        f"undo.beyond_{label}",
        f"MATCH (n:{label}) WHERE n.{time} > $head AND n.source = $source RETURN n.id AS id LIMIT {ROWS}",
    )
    for label, time in TIMES.items()
}
CITED = {
    label: Query(
        f"undo.cited_{label}",
        f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) WITH n "
        "MATCH (a:Answer)-[c:CITES]->(n) RETURN DISTINCT n.id AS id",
    )
    for label in ("Section", "Commit")
}
TIES = (
    "HAS_SECTION|CHANGED|SUPERSEDES|MERGED_AS|AUTHORED_BY|REWROTE|INVALIDATED_BY|DOUBTED_BY|REVALIDATED_BY|"
    "IMPLEMENTED_BY|ABOUT|"
    "CONFLICTS_WITH"
)
"""What a node had to do with the history that is gone; what it was judged by, too."""

UNTIE = {
    label: Query(
        f"undo.untie_{label}",
        f"{FENCED}UNWIND $ids AS id MATCH (n:{label} {{id: id}}) WITH n MATCH (n)-[e:{TIES}]-(o) DELETE e",
    )
    for label in ("Section", "Commit")
}
RELABEL = {
    label: Query(
        f"undo.relabel_{label}", f"{FENCED}UNWIND $ids AS id MATCH (n:{label} {{id: id}}) REMOVE n:{label} SET n:Lost"
    )
    for label in ("Section", "Commit")
}
DELETE = {
    label: Query(f"undo.delete_{label}", f"{FENCED}UNWIND $ids AS id MATCH (n:{label} {{id: id}}) DETACH DELETE n")
    for label in TIMES
}
REOPEN = {
    label: Query(
        f"undo.reopen_{label}",
        f"{FENCED}MATCH (n:{label}) WHERE n.valid_to > $head AND n.valid_to < {FOREVER} AND n.source = $source "
        f"WITH n LIMIT {ROWS} SET n.valid_to = {FOREVER} RETURN count(n) AS changed",
    )
    for label in ("Section", "Page", "OwnersFile")
}
RETURN = Query(
    "undo.return",
    f"{FENCED}MATCH (o:Lost) WHERE o.source = $source AND NOT (o)<-[:REWROTE]-() WITH o MATCH (o)<-[x:CITES]-(a) "
    "WHERE x.holds = 'now' WITH a, x MATCH (a)-[y:CITES]->(s) "
    f"WHERE hasLabels(s, ['Section']) AND s.valid_to = {FOREVER} AND y.claim = x.claim AND y.quote = x.quote DELETE x",
)
"""A citation that had followed its words into what is gone is back where it was before."""

LONE_REQUESTS = Query(
    "undo.lone_requests",
    f"{FENCED}MATCH (m:MergeRequest) WHERE m.source = $source AND NOT (m)-[:MERGED_AS]->() DELETE m",
    scans="only after something was undone",
)
LONE_PEOPLE = Query(
    "undo.lone_people",
    f"{FENCED}MATCH (p:Person) WHERE p.source = $source AND NOT (p)-[]-() DELETE p",
    scans="only after something was undone",
)
REWOUND = Query("undo.rewound", "MATCH (f:Source {id: $source}) WHERE f.rewound = true RETURN f.id AS id")
NAME_PAGES = Query(
    "undo.name_pages", f"{FENCED}UNWIND $rows AS r MATCH (p:Page {{id: r[0]}}) SET p.path = r[1], p.title = r[2]"
)
MENDED = Query("undo.mended", f"{FENCED}REMOVE f.rewound")


class Held(TypedDict):
    """A source, and the fence of the run that it was given to."""

    source: str
    fence: int


def undo_beyond(graph: Graph, source: SourceRow, fence: int) -> None:
    """Makes the source's part of the graph what it was when its head came to where it is (None: before all).

    Raises Retry where a later run has the source: from then on nothing is written.
    """
    held = Held(source=source.id, fence=fence)
    after = -1 if source.head is None else source.head
    deleted = sum(_delete(graph, label, after, held) for label in TIMES)
    for query in REOPEN.values():
        while changed(graph.write(query, **held, head=after)):
            continue
    graph.write(RETURN, **held)
    if deleted:
        graph.write(LONE_REQUESTS, **held)
        graph.write(LONE_PEOPLE, **held)
    if graph.rows(REWOUND, source=source.id):
        rows = [[page.id, page.path, page.title()] for page in all_pages(graph, source.id)]
        for start in range(0, len(rows), ROWS):
            graph.write(NAME_PAGES, **held, rows=rows[start : start + ROWS])
        graph.write(MENDED, **held)
    check_fence(graph, **held)


def _delete(graph: Graph, label: str, head: int, held: Held) -> int:
    """Takes out every node of a label beyond the head; how many there were."""
    count = 0
    while found := [row["id"] for row in graph.rows(BEYOND[label], source=held["source"], head=head)]:
        check_fence(graph, **held)
        count += len(found)
        if label in CITED and (cited := [row["id"] for row in graph.rows(CITED[label], ids=found)]):
            graph.write(UNTIE[label], **held, ids=cited)
            graph.write(RELABEL[label], **held, ids=cited)
        graph.write(DELETE[label], **held, ids=found)
    return count
