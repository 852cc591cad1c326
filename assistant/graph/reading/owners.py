"""Who owns a page as of a day: the owner files that were valid then, read by their rules."""

from functools import lru_cache

from assistant.graph.store import VISIBLE, Query, Reader, scope_params
from assistant.model.audiences import Scope
from assistant.text.codeowners import OwnersFile, Ownership, owners_of, parse_owners

FILES = Query(
    "owners.files",
    f"MATCH (s:OwnersFile) WHERE {VISIBLE} "
    "RETURN s.source AS source, s.path AS path, s.text AS text ORDER BY s.source, s.path",
)


def owners(reader: Reader, scope: Scope, path: str) -> Ownership | None:
    """Who owns the page at that path on the scope's day; None where no owner file names anybody."""
    by_source: dict[str, list[OwnersFile]] = {}
    for row in reader.rows(FILES, **scope_params(scope)):
        by_source.setdefault(row["source"], []).append(_parsed(row["text"], row["path"]))
    for files in by_source.values():
        ownership = owners_of(files, path)
        if ownership.owners:
            return ownership
    return None


@lru_cache(maxsize=64)
def _parsed(text: str, path: str) -> OwnersFile:
    return parse_owners(text, path)
