"""How much a reader may see of each source, for people who wonder what we know."""

from dataclasses import dataclass

from assistant.graph.store import VISIBLE_SCAN, Query, Reader, scan_params
from assistant.model.audiences import Scope

EXTENT = Query(
    "known.extent",
    f"MATCH (s:Section) WHERE {VISIBLE_SCAN} "
    "RETURN s.source AS source, count(DISTINCT s.page) AS pages, count(s) AS sections ORDER BY source",
)

BLANK = Query(
    "known.blank",
    "MATCH (s:Section) WHERE s.id IS NULL OR s.text IS NULL OR s.tokens IS NULL RETURN count(s) AS total",
    scans="asked by doctor only: no index knows what a section lacks",
)


@dataclass(frozen=True, slots=True)
class Extent:
    """Pages and sections of one source that hold on the day of the scope."""

    pages: int
    sections: int


def extents(reader: Reader, scope: Scope) -> dict[str, Extent]:
    """By source id; a source of which the reader sees nothing is not in it."""
    rows = reader.rows(EXTENT, **scan_params(scope))
    return {row["source"]: Extent(row["pages"], row["sections"]) for row in rows}


def blank_sections(reader: Reader) -> int:
    """Versions of sections that lack what every one is written with: the server lost it in its memory."""
    return int(reader.rows(BLANK)[0]["total"])
