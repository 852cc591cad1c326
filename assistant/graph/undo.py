"""Undoing what lies beyond a source's head: what a run that died had written, and what a rewritten history took back.

What answers cite stays, under a label that no read asks for, so that old answers still open. Every part can be
repeated, so an undo that dies itself is finished by the next run.
"""

from assistant.graph.current import all_pages
from assistant.graph.revision import ROWS
from assistant.graph.store import Graph, Query
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
UNTIE = {
    label: Query(
        f"undo.untie_{label}",
        f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) WITH n "
        "MATCH (n)-[e:HAS_SECTION|CHANGED|SUPERSEDES|MERGED_AS|AUTHORED_BY|IMPLEMENTED_BY|ABOUT|CONFLICTS_WITH]-(o) "
        "DELETE e",
    )
    for label in ("Section", "Commit")
}
RELABEL = {
    label: Query(f"undo.relabel_{label}", f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) REMOVE n:{label} SET n:Lost")
    for label in ("Section", "Commit")
}
DELETE = {
    label: Query(f"undo.delete_{label}", f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) DETACH DELETE n")
    for label in TIMES
}
REOPEN = {
    label: Query(
        f"undo.reopen_{label}",
        f"MATCH (n:{label}) WHERE n.valid_to > $head AND n.valid_to < {FOREVER} AND n.source = $source "
        f"WITH n LIMIT {ROWS} SET n.valid_to = {FOREVER} RETURN count(n) AS changed",
    )
    for label in ("Section", "Page", "OwnersFile")
}
LONE_REQUESTS = Query(
    "undo.lone_requests",
    "MATCH (m:MergeRequest) WHERE m.source = $source AND NOT (m)-[:MERGED_AS]->() DELETE m",
    scans="only after something was undone",
)
LONE_PEOPLE = Query(
    "undo.lone_people",
    "MATCH (p:Person) WHERE p.source = $source AND NOT (p)-[]-() DELETE p",
    scans="only after something was undone",
)
REWOUND = Query("undo.rewound", "MATCH (f:Source {id: $source}) WHERE f.rewound = true RETURN f.id AS id")
NAME_PAGES = Query("undo.name_pages", "UNWIND $rows AS r MATCH (p:Page {id: r[0]}) SET p.path = r[1], p.title = r[2]")
MENDED = Query("undo.mended", "MATCH (f:Source {id: $source}) REMOVE f.rewound")


def undo_beyond(graph: Graph, source: str, head: int | None) -> None:
    """Makes the source's part of the graph what it was when its head came to `head` (None: before all)."""
    after = -1 if head is None else head
    deleted = sum(_delete(graph, label, source, after) for label in TIMES)
    for query in REOPEN.values():
        while graph.write(query, source=source, head=after)[0]["changed"]:
            continue
    if deleted:
        graph.write(LONE_REQUESTS, source=source)
        graph.write(LONE_PEOPLE, source=source)
    if graph.rows(REWOUND, source=source):
        rows = [[page.id, page.path, page.title()] for page in all_pages(graph, source)]
        for start in range(0, len(rows), ROWS):
            graph.write(NAME_PAGES, rows=rows[start : start + ROWS])
        graph.write(MENDED, source=source)


def _delete(graph: Graph, label: str, source: str, head: int) -> int:
    """Takes out every node of a label beyond the head; how many there were."""
    count = 0
    while found := [row["id"] for row in graph.rows(BEYOND[label], source=source, head=head)]:
        count += len(found)
        if label in CITED and (cited := [row["id"] for row in graph.rows(CITED[label], ids=found)]):
            graph.write(UNTIE[label], ids=cited)
            graph.write(RELABEL[label], ids=cited)
        graph.write(DELETE[label], ids=found)
    return count
