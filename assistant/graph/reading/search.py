"""Reads for search: which sections hold which words, how many do, and which lie nearest to a vector.

The day and the Audience are conditions inside every query. FalkorDB's own full-text scores are not used at all: they
weigh words by how many nodes of the whole graph hold them, and so would let what a viewer may not see, or what had not
yet been written on the asked day, sway what is found. How rare a word is gets counted here, among visible sections.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.graph.reading.sections import FIELDS, KNOWN, section_of
from assistant.graph.store import VISIBLE, VISIBLE_SCAN, Query, Reader, scan_params, scope_params
from assistant.model.audiences import Scope
from assistant.model.sections import SectionVersion

ENDED = f"{KNOWN} AND s.valid_to <= $days[s.source]"
"""What had come up by the day and no longer held on it."""

TOTAL = Query("search.total", f"MATCH (s:Section) WHERE {VISIBLE_SCAN} RETURN count(s) AS total")
HOLDING = Query(
    "search.holding",
    "UNWIND $asked AS term CALL db.idx.fulltext.queryNodes('Section', term) YIELD node AS s WITH term, s "
    f"WHERE {VISIBLE} WITH s, collect(term) AS terms RETURN terms, collect(id(s)) AS nodes",
)
HELD_ONCE = Query(
    "search.held_once",
    "UNWIND $asked AS term CALL db.idx.fulltext.queryNodes('Section', term) YIELD node AS s WITH term, s "
    f"WHERE {ENDED} WITH s, collect(term) AS terms RETURN terms, collect(id(s)) AS nodes",
)
NEAREST = Query(
    "search.nearest",
    f"MATCH (s:Section) WHERE {VISIBLE_SCAN} AND s.embedded_by = $model "
    "WITH s, vec.cosineDistance(s.embedding, vecf32($vector)) AS distance ORDER BY distance, s.id LIMIT $limit "
    "RETURN id(s) AS node, 1 - distance AS likeness",
)
VISIBLE_NODES = Query(
    "search.visible_nodes",
    f"UNWIND $nodes AS node MATCH (s) WHERE id(s) = node AND {VISIBLE} RETURN node, s.tokens AS tokens, {FIELDS}",
)
ENDED_NODES = Query(
    "search.ended_nodes",
    f"UNWIND $nodes AS node MATCH (s) WHERE id(s) = node AND {ENDED} RETURN node, s.tokens AS tokens, {FIELDS}",
)


@dataclass(frozen=True, slots=True)
class Holding:
    """Sections, by the graph's own numbers, that hold exactly these of the asked words, in text or in titles."""

    words: frozenset[str]
    title_words: frozenset[str]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that one of the lists put forward."""

    node: int
    """The graph's own number of it."""
    section: SectionVersion
    tokens: tuple[str, ...]
    """Search tokens of its heading and text, as they were written."""


def visible_total(reader: Reader, scope: Scope) -> int:
    """How many sections the scope lets one see."""
    [row] = reader.rows(TOTAL, **scan_params(scope))
    return int(row["total"])


def holding(reader: Reader, scope: Scope, words: Sequence[str], *, ended: bool = False) -> list[Holding]:
    """The visible sections (or with `ended` those that no longer held on the day) with any of the search tokens."""
    asked = [f"@{field}:{word}" for field in ("tokens", "title_tokens") for word in words]
    if not asked:
        return []
    rows = reader.rows(HELD_ONCE if ended else HOLDING, asked=asked, **scope_params(scope))
    return [
        Holding(_words(row["terms"], "tokens"), _words(row["terms"], "title_tokens"), tuple(sorted(row["nodes"])))
        for row in rows
    ]


def nearest(reader: Reader, scope: Scope, vector: Sequence[float], model: str, limit: int) -> dict[int, float]:
    """The visible sections whose vectors of that model lie nearest, compared one by one, by cosine; nearest first."""
    rounded = [round(float(value), 6) for value in vector]
    rows = reader.rows(NEAREST, vector=rounded, model=model, limit=limit, **scan_params(scope))
    return {row["node"]: row["likeness"] for row in rows}


def candidates(reader: Reader, scope: Scope, nodes: Sequence[int], *, ended: bool = False) -> list[Candidate]:
    """The versions behind the graph's own numbers, as far as they may be seen, by id."""
    rows = reader.rows(ENDED_NODES if ended else VISIBLE_NODES, nodes=list(nodes), **scope_params(scope))
    found = [Candidate(row["node"], section_of(row, scope), tuple(row["tokens"].split())) for row in rows]
    return sorted(found, key=lambda candidate: candidate.section.id)


def _words(terms: Sequence[str], field: str) -> frozenset[str]:
    start = f"@{field}:"
    return frozenset(term.removeprefix(start) for term in terms if term.startswith(start))
