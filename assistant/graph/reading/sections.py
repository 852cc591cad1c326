"""Reads of sections: those of a page in reading order, those under a heading, the versions of a lineage."""

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.graph.store import VISIBLE, VISIBLE_SCAN, Query, Reader, scan_params, scope_params
from assistant.model.audiences import Scope
from assistant.model.sections import ChangeKind, SectionVersion
from assistant.model.times import FOREVER

FIELDS = (
    "s.id AS id, s.lineage AS lineage, s.source AS source, s.page AS page, s.path AS path, s.title AS title, "
    "s.heading AS heading, s.heading_path AS heading_path, s.level AS level, s.anchor AS anchor, "
    "s.position AS position, s.text AS text, s.valid_from AS valid_from, s.valid_to AS valid_to, "
    "s.commit AS commit, s.merge_request AS merge_request, s.change AS change, s.audience AS audience"
)
"""What a RETURN needs for `section_of`, of a node named `s`; never the whole node, which carries its vector."""

KNOWN = "s.audience IN $audiences AND s.valid_from <= $days[s.source]"
"""As VISIBLE, but also what no longer holds on the day: everything that had come up by then."""

ON_PAGE = Query(
    "sections.on_page",
    f"MATCH (s:Section) WHERE s.path = $path AND {VISIBLE} RETURN {FIELDS} ORDER BY s.position",
)
ONCE_ON_PAGE = Query(
    "sections.once_on_page",
    f"MATCH (s:Section) WHERE s.path = $path AND {KNOWN} RETURN {FIELDS} ORDER BY s.valid_from DESC LIMIT 400",
)
UNDER_HEADING = Query(
    "sections.under_heading",
    f"MATCH (s:Section) WHERE toLower(s.heading) = $heading AND {VISIBLE_SCAN} "
    f"RETURN {FIELDS} ORDER BY s.path, s.position LIMIT 50",
)
ONCE_UNDER_HEADING = Query(
    "sections.once_under_heading",
    f"MATCH (s:Section) WHERE toLower(s.heading) = $heading AND {KNOWN} "
    f"RETURN {FIELDS} ORDER BY s.valid_from DESC LIMIT 100",
    scans="asked only for a heading that no current section has, and no index folds case",
)
OF_LINEAGE = Query(
    "sections.of_lineage",
    f"MATCH (s:Section {{lineage: $lineage}}) WHERE {VISIBLE} RETURN {FIELDS} ORDER BY s.path, s.position",
)
PATHS = Query(
    "sections.paths",
    f"MATCH (s:Section) WHERE {VISIBLE_SCAN} RETURN DISTINCT s.path AS path, s.title AS title ORDER BY path",
)


def sections_on_page(reader: Reader, scope: Scope, path: str) -> list[SectionVersion]:
    """The page's sections on the day, in reading order; empty where there is no such page."""
    return _read(reader, ON_PAGE, scope, path=path)


def sections_once_on_page(reader: Reader, scope: Scope, path: str) -> list[SectionVersion]:
    """Every version that stood at that path up to the day, latest first."""
    return _read(reader, ONCE_ON_PAGE, scope, path=path)


def sections_under(reader: Reader, scope: Scope, heading: str) -> list[SectionVersion]:
    """The sections with that heading (in any case) on the day, on any page; a scan, some 10 ms."""
    rows = reader.rows(UNDER_HEADING, **scan_params(scope), heading=heading.lower())
    return sections_of(rows, scope)


def sections_once_under(reader: Reader, scope: Scope, heading: str) -> list[SectionVersion]:
    """Every version that had that heading (in any case) up to the day, latest first; a scan."""
    return _read(reader, ONCE_UNDER_HEADING, scope, heading=heading.lower())


def section_of_lineage(reader: Reader, scope: Scope, lineage: str) -> SectionVersion | None:
    """The version of a lineage on the day; None where it did not hold, or may not be seen."""
    return next(iter(_read(reader, OF_LINEAGE, scope, lineage=lineage)), None)


def pages(reader: Reader, scope: Scope) -> dict[str, str]:
    """The title of every page there is on the day, by path."""
    rows = reader.rows(PATHS, **scan_params(scope))
    return {row["path"]: row["title"] for row in rows}


def section_of(row: Mapping[str, Any], scope: Scope) -> SectionVersion:
    """The version in a row that returned FIELDS, as it looked on the scope's day: what ended later still holds."""
    ended = row["valid_to"] <= scope.days.get(row["source"], FOREVER)
    return SectionVersion(
        **{name: row[name] for name in PLAIN_FIELDS},
        heading_path=tuple(row["heading_path"]),
        change=ChangeKind(row["change"]),
        valid_to=row["valid_to"] if ended else FOREVER,
    )


PLAIN_FIELDS = (
    *("id", "lineage", "source", "page", "path", "title", "heading", "level", "anchor", "position", "text"),
    *("valid_from", "commit", "merge_request", "audience"),
)


def sections_of(rows: Iterable[Mapping[str, Any]], scope: Scope) -> list[SectionVersion]:
    """The versions in rows that returned FIELDS."""
    return [section_of(row, scope) for row in rows]


def _read(reader: Reader, query: Query, scope: Scope, **params: object) -> list[SectionVersion]:
    rows = reader.rows(query, **scope_params(scope), **params)
    return sections_of(rows, scope)
