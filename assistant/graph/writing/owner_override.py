"""A CODEOWNERS file given by hand in place of the repository's own."""

from dataclasses import replace

from assistant.graph.sources import FENCED, SourceRow
from assistant.graph.store import Graph, Query
from assistant.graph.writing.chain import dialect
from assistant.model import ids
from assistant.model.times import FOREVER

PATH = "CODEOWNERS"
"""Where a given file counts as lying, wherever it was taken from."""

CURRENT = Query(
    "owner_override.current",
    f"MATCH (o:OwnersFile) WHERE o.source = $source AND o.valid_to = {FOREVER} AND o.given = true "
    "RETURN o.text AS text",
)
REPLACE = Query(
    "owner_override.replace",
    f"{FENCED}MATCH (o:OwnersFile) WHERE o.source = $source AND o.valid_to = {FOREVER} "
    "AND NOT o.path ENDS WITH 'CODENOTIFY' SET o.valid_to = $at",
)
GIVE = Query(
    "owner_override.give",
    f"{FENCED}MERGE (o:OwnersFile {{id: $id}}) SET o.source = $source, o.path = $path, o.kind = $kind, o.text = $text, "
    f"o.valid_from = $at, o.valid_to = {FOREVER}, o.audience = $audience, o.given = true",
)


def override_owner_files(graph: Graph, source: SourceRow, fence: int, text: str) -> SourceRow:
    """Lets the given file say who owns what: from the beginning in a new source, else from the head on.

    The same file given again changes nothing; the repository's own CODEOWNERS files no longer count.
    """
    source = replace(source, own_codeowners=False)
    if {"text": text} in graph.rows(CURRENT, source=source.id):
        return source
    at = source.head or 0
    graph.write(REPLACE, source=source.id, fence=fence, at=at)
    graph.write(
        GIVE,
        id=ids.digest("owners given", source.id, str(at), text),
        source=source.id,
        fence=fence,
        path=PATH,
        kind=dialect(PATH, text),
        text=text,
        at=at,
        audience=source.audience,
    )
    return source
