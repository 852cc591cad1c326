"""Which sections ever stood on a page, light enough to read for a page of any age: no texts."""

from dataclasses import dataclass

from assistant.graph.reading.sections import KNOWN
from assistant.graph.store import Query, Reader, scope_params
from assistant.model.audiences import Scope

ON_PAGE = Query(
    "lineages.on_page",
    f"MATCH (s:Section) WHERE s.path = $path AND {KNOWN} RETURN s.lineage AS lineage, s.heading_path AS heading_path, "
    "s.position AS position, s.valid_to AS valid_to ORDER BY s.valid_from",
)


@dataclass(frozen=True, slots=True)
class Stood:
    """A version that stood on a page."""

    lineage: str
    heading_path: tuple[str, ...]
    position: str
    valid_to: int


def stood_on(reader: Reader, scope: Scope, path: str) -> list[Stood]:
    """Every version that stood at the path up to the day, oldest first; empty where there never was such a page."""
    rows = reader.rows(ON_PAGE, **scope_params(scope), path=path)
    return [Stood(row["lineage"], tuple(row["heading_path"]), row["position"], row["valid_to"]) for row in rows]
