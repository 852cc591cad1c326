"""A handbook whose history is written and ingested in turns, and what can then be read of it in the graph."""

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.graph.dump import canonical_dump
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.graph.store import Query
from assistant.model.times import FOREVER
from assistant.settings import Settings
from connectors.git import GitRepository
from tests.fakes.git_history import Content, History
from tests.fakes.graphs import drop
from workers.ingest import IngestReport, ingest_git

VERSIONS = Query(
    "test_ingest.versions",
    "MATCH (s:Section) RETURN s.id AS id, s.lineage AS lineage, s.path AS path, s.heading AS heading, s.text AS text, "
    "s.valid_from AS valid_from, s.valid_to AS valid_to, s.change AS change, s.commit AS commit, "
    "s.position AS position, s.merge_request AS merge_request, s.page AS page "
    "ORDER BY s.valid_from, s.path, s.position",
)
CHANGED = Query(
    "test_ingest.changed",
    "MATCH (c:Commit)-[x:CHANGED]->(s:Section) RETURN c.sha AS sha, x.kind AS kind, s.id AS id ORDER BY c.at, s.id",
)
SUPERSEDES = Query(
    "test_ingest.supersedes", "MATCH (n:Section)-[e:SUPERSEDES]->(o:Section) RETURN n.id AS new, o.id AS old"
)
PAGES = Query(
    "test_ingest.pages",
    "MATCH (p:Page) RETURN p.id AS id, p.path AS path, p.title AS title, p.valid_to AS valid_to ORDER BY p.path",
)
OWNERS = Query(
    "test_ingest.owners",
    "MATCH (o:OwnersFile) RETURN o.path AS path, o.text AS text, o.kind AS kind, o.valid_from AS valid_from, "
    "o.valid_to AS valid_to ORDER BY o.valid_from, o.path",
)
PEOPLE = Query(
    "test_ingest.people",
    "MATCH (c:Commit)-[e:AUTHORED_BY]->(p:Person) "
    "RETURN c.subject AS subject, p.id AS id, p.name AS name ORDER BY c.at",
)
REQUESTS = Query(
    "test_ingest.requests",
    "MATCH (m:MergeRequest)-[e:MERGED_AS]->(c:Commit) RETURN m.number AS number, c.sha AS sha ORDER BY c.at",
)


class Handbook:
    """A history that is ingested as it grows."""

    def __init__(self, space: Space, folder: Path) -> None:
        self.space = space
        self.folder = folder
        self.history = History(folder / "repo.git")

    def commit(self, files: Mapping[str | bytes, Content], message: str = "Edit.", **more: Any) -> int:
        return self.history.commit(files, message, **more)

    def ingest(self, **options: Any) -> IngestReport:
        where = {name: options.pop(name) for name in ("ref", "subdir", "codeowners") if name in options}
        path = options.pop("path", None) or self.history.write()
        return ingest_git(self.space, GitRepository(path, cache=self.folder / "cache", **where), **options)

    def rows(self, query: Query) -> list[dict[str, Any]]:
        return self.space.reader.rows(query)

    def versions(self, heading: str) -> list[dict[str, Any]]:
        return [row for row in self.rows(VERSIONS) if row["heading"] == heading]

    def dump(self) -> list[str]:
        return list(canonical_dump(self.space.reader))

    def current(self) -> dict[str, str]:
        """The pages as they can be read now, put together from their sections."""
        pages: dict[str, str] = {}
        for row in sorted(self.rows(VERSIONS), key=lambda row: (row["path"], row["position"])):
            if row["valid_to"] == FOREVER:
                pages[row["path"]] = pages.get(row["path"], "") + row["text"]
        return pages


def page(*sections: str) -> str:
    """A page of sections written as `Heading: words`."""
    return "".join(f"# {name}\n\n{words}\n\n" for name, _, words in (section.partition(": ") for section in sections))


@contextmanager
def another_space(settings: Settings, servers: Servers) -> Iterator[Space]:
    """A Space beside the one of the test."""
    with open_space(settings, name=f"other-{next(numbers)}", servers=servers) as space:
        yield space
        drop(space.graph)


numbers = itertools.count(1)
