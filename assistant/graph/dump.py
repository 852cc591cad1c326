"""A graph as sorted lines of text: the same graph gives the same lines, however it came about."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from assistant.graph.store import Query, Reader
from assistant.model.ids import text_hash

VOLATILE = frozenset({"embedding", "embedded_by", "fence", "read_at"})
"""Properties that say nothing about what is known: when vectors came, which run was the last to write, and when."""

CHUNK = 2_000
"""Nodes read at a time, by the server's own numbers."""

LONG = 100
"""Characters of a text that are shown; of a longer one the beginning and its hash."""

LAST = Query("dump.last", "MATCH (n) RETURN max(id(n)) AS last", scans="goes through everything by design")
NODES = Query(
    "dump.nodes",
    "MATCH (n) WHERE id(n) >= $start AND id(n) < $stop RETURN labels(n) AS labels, properties(n) AS properties",
)
EDGES = Query(
    "dump.edges",
    "MATCH (a) WHERE id(a) >= $start AND id(a) < $stop WITH a MATCH (a)-[e]->(b) RETURN labels(a) AS labels,"
    " a.id AS id, type(e) AS type, properties(e) AS properties, labels(b) AS other_labels, b.id AS other_id",
)


def canonical_dump(reader: Reader, volatile: Collection[str] = VOLATILE) -> Iterator[str]:
    """Every node, then every edge, one JSON line each, sorted; without the volatile properties and server numbers."""
    yield from sorted(node_line(row, volatile) for row in chunks(reader, NODES))
    yield from sorted(edge_line(row, volatile) for row in chunks(reader, EDGES))


def chunks(reader: Reader, query: Query) -> Iterator[Mapping[str, Any]]:
    """All rows of a template that reads the nodes of one stretch of server numbers."""
    [row] = reader.rows(LAST)
    for start in range(0, (-1 if row["last"] is None else row["last"]) + 1, CHUNK):
        yield from reader.rows(query, start=start, stop=start + CHUNK)


def node_line(row: Mapping[str, Any], volatile: Collection[str]) -> str:
    """A node as labels and properties."""
    return line([sorted(row["labels"]), kept(row["properties"], volatile)])


def edge_line(row: Mapping[str, Any], volatile: Collection[str]) -> str:
    """An edge as its type, what it joins, and its properties."""
    ends = [row["labels"], row["id"], row["other_labels"], row["other_id"]]
    return line([row["type"], *ends, kept(row["properties"], volatile)])


def kept(properties: Mapping[str, Any], volatile: Collection[str]) -> dict[str, Any]:
    """Properties that say something, long texts shortened to beginning and hash."""
    return {name: shortened(item) for name, item in properties.items() if name not in volatile}


def shortened(item: Any) -> Any:
    """A long text as its beginning and its hash; anything else as it is."""
    if isinstance(item, str) and len(item) > LONG:
        return f"{item[:LONG]}… {text_hash(item)}"
    return item


def line(parts: list[Any]) -> str:
    """JSON with its keys in order."""
    return json.dumps(parts, sort_keys=True, ensure_ascii=False)
