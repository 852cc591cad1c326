"""What holds now in a source, read back from the graph: where a run takes up the chain of versions."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from assistant.graph.store import Query, Reader
from assistant.graph.writing.chain import Live, LivePage
from assistant.model.times import FOREVER

FIELDS = (
    "s.page AS page, s.path AS path, s.id AS id, s.lineage AS lineage, s.position AS position, s.text AS text "
    "ORDER BY path, position"
)
PAGES_AT = Query(
    "current.pages_at",
    "UNWIND $paths AS path MATCH (s:Section {path: path}) "
    f"WHERE s.valid_to = {FOREVER} AND s.source = $source RETURN {FIELDS}",
)
ALL_PAGES = Query(
    "current.all_pages", f"MATCH (s:Section) WHERE s.valid_to = {FOREVER} AND s.source = $source RETURN {FIELDS}"
)
EMPTY_PAGES_AT = Query(
    "current.empty_pages_at",
    "UNWIND $paths AS path MATCH (p:Page {path: path}) "
    f"WHERE p.valid_to = {FOREVER} AND p.source = $source RETURN p.id AS page, p.path AS path ORDER BY path",
)
OWNER_FILES = Query(
    "current.owner_files",
    f"MATCH (o:OwnersFile) WHERE o.valid_to = {FOREVER} AND o.source = $source RETURN o.path AS path, o.id AS id",
)
COMMITS = Query(
    "current.commits",
    "MATCH (c:Commit) WHERE c.at >= 0 AND c.source = $source RETURN c.sha AS sha, c.at AS at ORDER BY at",
)

PATHS = 500
"""Paths asked for in one read."""


def pages_at(reader: Reader, source: str, paths: Sequence[str]) -> list[LivePage]:
    """The current pages at some paths. A page without any section (an empty file) is one, too."""
    found: dict[str, LivePage] = {}
    for start in range(0, len(paths), PATHS):
        part = list(paths[start : start + PATHS])
        for row in reader.rows(EMPTY_PAGES_AT, source=source, paths=part):
            found[row["path"]] = LivePage(row["page"], row["path"], "")
        found.update({page.path: page for page in _pages(reader.rows(PAGES_AT, source=source, paths=part))})
    return list(found.values())


def all_pages(reader: Reader, source: str) -> list[LivePage]:
    """Every current page that has any text."""
    return _pages(reader.rows(ALL_PAGES, source=source))


def owner_files(reader: Reader, source: str) -> dict[str, str]:
    """The current version of each owner file, by path."""
    return {row["path"]: row["id"] for row in reader.rows(OWNER_FILES, source=source)}


def commits(reader: Reader, source: str) -> list[tuple[str, int]]:
    """Sha and time of every commit read so far, oldest first."""
    return [(row["sha"], row["at"]) for row in reader.rows(COMMITS, source=source)]


def _pages(rows: Iterable[dict[str, Any]]) -> list[LivePage]:
    pages = []
    for path, group in groupby(rows, lambda row: row["path"]):
        sections = list(group)
        live = [Live(row["id"], row["lineage"], row["position"]) for row in sections]
        pages.append(LivePage(sections[0]["page"], path, "".join(row["text"] for row in sections), live))
    return pages
