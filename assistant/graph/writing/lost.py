"""Versions that answers cite and a rewritten history no longer has: which commit stands in for each, and with what."""

from assistant.graph.sources import FENCED
from assistant.graph.store import Graph, Query, Reader
from assistant.model.ids import digest
from assistant.model.times import FOREVER

ADRIFT = Query(
    "lost.adrift",
    "MATCH (o:Lost) WHERE o.source = $source AND o.text IS NOT NULL AND NOT (o)<-[:REWROTE]-() "
    "RETURN DISTINCT o.id AS id, o.lineage AS lineage, o.path AS path, o.heading_path AS heading_path ORDER BY id",
)
SAME_PLACE = Query(
    "lost.same_place",
    "UNWIND $rows AS r MATCH (s:Section {path: r.path}) "
    f"WHERE s.valid_to = {FOREVER} AND s.source = $source AND s.heading_path = r.heading_path "
    "RETURN r.id AS id, s.id AS successor ORDER BY s.position DESC",
)
SAME_LINEAGE = Query(
    "lost.same_lineage",
    "UNWIND $rows AS r MATCH (s:Section {lineage: r.lineage}) "
    f"WHERE s.valid_to = {FOREVER} AND s.source = $source RETURN r.id AS id, s.id AS successor",
)
REPLACE = Query(
    "lost.replace",
    f"{FENCED}UNWIND $rows AS r MATCH (o:Lost {{id: r.id}}) WHERE NOT (o)<-[:REWROTE]-() WITH o, r "
    "MATCH (c:Commit {id: $commit}) MERGE (c)-[d:REWROTE]->(o) SET d.successor = r.successor",
)
REPLACED_BY = Query(
    "lost.replaced_by",
    "MATCH (o:Lost) WHERE o.source = $source WITH o MATCH (o)<-[d:REWROTE]-(c) "
    "WITH DISTINCT c.sha AS sha, c.at AS at RETURN sha ORDER BY at",
)


def replace_lost(graph: Graph, source: str, fence: int, head: str) -> None:
    """Lets the commit at the head stand in for what was lost of the source, with the section that is now what each
    version was of, else the one that stands now where it stood ('' where there is none).
    """
    rows = graph.rows(ADRIFT, source=source)
    if not rows:
        return
    now = {
        row["id"]: row["successor"]
        for query in (SAME_PLACE, SAME_LINEAGE)
        for row in graph.rows(query, source=source, rows=rows)
    }
    successors = [{"id": row["id"], "successor": now.get(row["id"], "")} for row in rows]
    graph.write(REPLACE, source=source, fence=fence, commit=digest("commit", source, head), rows=successors)


def replacing(reader: Reader, source: str) -> list[str]:
    """Shas of the commits that stand in for something lost, oldest first."""
    return [row["sha"] for row in reader.rows(REPLACED_BY, source=source)]
