"""Writing revisions: many small repeatable writes beyond the head, where nobody reads, then one that moves the head.

Every write names the fence that its run was given (see `writer`); once a later run has another, it writes nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from assistant.errors import Retry
from assistant.graph.sources import FENCED, TAKEN_OVER
from assistant.graph.store import Graph, Query
from assistant.graph.writing.chain import NewVersion, OwnerVersion, PageState, Step
from assistant.model import ids
from assistant.model.times import FOREVER
from assistant.text.words import search_tokens

ROWS = 500
"""Rows of one write at most: a longer one holds up the server's other clients."""

ROW_BY_ROW = f"{FENCED}UNWIND $rows AS r "


def assignments(alias: str, columns: Sequence[str]) -> str:
    """SET's list for a node whose row `r` holds its columns in order; the first is the id it was merged on."""
    return ", ".join(f"{alias}.{name} = r[{n}]" for n, name in enumerate(columns) if n)


SECTION = (
    *("id", "lineage", "source", "page", "path", "title", "heading", "heading_path", "level", "anchor", "position"),
    *("text", "valid_from", "valid_to", "commit", "merge_request", "change", "audience"),
    *("tokens", "title_tokens"),
)
COMMIT = (
    *("id", "source", "sha", "at", "committed_at", "author_name", "author_email", "subject", "body"),
    *("merge_request", "reverts", "audience"),
)
PAGE = ("id", "source", "path", "title", "valid_from", "valid_to", "audience")
OWNERS_FILE = ("id", "source", "path", "kind", "text", "valid_from", "valid_to", "audience")

WRITE_COMMITS = Query("revision.commits", f"{ROW_BY_ROW}MERGE (c:Commit {{id: r[0]}}) SET {assignments('c', COMMIT)}")
WRITE_PEOPLE = Query(
    "revision.people",
    f"{ROW_BY_ROW}MERGE (p:Person {{id: r[0]}}) WITH p, r WHERE p.source IS NULL "
    "SET p.name = r[1], p.source = $source, p.audience = r[2]",
)
"""Whoever asked before they wrote is a Person of no source yet."""

LINK_AUTHORS = Query(
    "revision.authors",
    f"{ROW_BY_ROW}MATCH (c:Commit {{id: r[0]}}) MATCH (p:Person {{id: r[1]}}) MERGE (c)-[e:AUTHORED_BY]->(p)",
)
WRITE_REQUESTS = Query(
    "revision.requests",
    f"{ROW_BY_ROW}MERGE (m:MergeRequest {{id: r[0]}}) SET m.number = r[1], m.source = $source, m.audience = r[2]",
)
LINK_REQUESTS = Query(
    "revision.merged",
    f"{ROW_BY_ROW}MATCH (c:Commit {{id: r[0]}}) MATCH (m:MergeRequest {{id: r[1]}}) MERGE (m)-[e:MERGED_AS]->(c)",
)
WRITE_PAGES = Query("revision.pages", f"{ROW_BY_ROW}MERGE (p:Page {{id: r[0]}}) SET {assignments('p', PAGE)}")
WRITE_SECTIONS = Query(
    "revision.sections", f"{ROW_BY_ROW}MERGE (s:Section {{id: r[0]}}) SET {assignments('s', SECTION)}"
)
LINK_SECTIONS = Query(
    "revision.links",
    f"{ROW_BY_ROW}MATCH (p:Page {{id: r[0]}}) MATCH (s:Section {{id: r[1]}}) MATCH (c:Commit {{id: r[2]}}) "
    "MERGE (p)-[h:HAS_SECTION]->(s) MERGE (c)-[x:CHANGED {kind: r[3]}]->(s)",
)
SUPERSEDE = Query(
    "revision.supersede",
    f"{ROW_BY_ROW}MATCH (n:Section {{id: r[0]}}) MATCH (o:Section {{id: r[1]}}) MERGE (n)-[e:SUPERSEDES]->(o)",
)
END_SECTIONS = Query("revision.end", f"{ROW_BY_ROW}MATCH (s:Section {{id: r[0]}}) SET s.valid_to = r[1]")
REMOVE = Query(
    "revision.remove",
    f"{ROW_BY_ROW}MATCH (c:Commit {{id: r[0]}}) MATCH (s:Section {{id: r[1]}}) "
    "MERGE (c)-[x:CHANGED {kind: 'removed'}]->(s)",
)
WRITE_OWNER_FILES = Query(
    "revision.owner_files", f"{ROW_BY_ROW}MERGE (o:OwnersFile {{id: r[0]}}) SET {assignments('o', OWNERS_FILE)}"
)
END_OWNER_FILES = Query(
    "revision.end_owner_files", f"{ROW_BY_ROW}MATCH (o:OwnersFile {{id: r[0]}}) SET o.valid_to = r[1]"
)
MOVE_HEAD = Query(
    "revision.head",
    f"{FENCED}SET f.head = $head, f.cursor = $cursor "
    "FOREACH (r IN $rows | MERGE (p:Page {id: r[0]}) SET p.path = r[1], p.title = r[2], p.valid_to = r[3]) "
    "RETURN count(f) AS changed",
)


@dataclass(slots=True)
class Window:
    """Some revisions in a row, to be seen all at once: what they add, and what they end of what was there before.

    What comes up and ends within the window is written with its end, so a long history is never written twice.
    """

    steps: list[Step] = field(default_factory=list)
    versions: dict[str, NewVersion] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    """Sections of earlier windows that end in this one, and when."""
    pages: dict[str, PageState] = field(default_factory=dict)
    owner_files: dict[str, OwnerVersion] = field(default_factory=dict)
    owner_files_ended: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How much there is to write, in versions; a hundred commits count as ten."""
        return len(self.versions) + len(self.steps) // 10

    def add(self, step: Step) -> None:
        """Takes in the next revision."""
        self.steps.append(step)
        for version in step.versions:
            self.versions[version.section.id] = version
            if version.supersedes:
                self._end(version.supersedes, step.at)
        for removed in step.removed:
            self._end(removed, step.at)
        for page in step.pages:
            known = self.pages.get(page.id)
            self.pages[page.id] = replace(page, valid_from=known.valid_from) if known else page
        self.owner_files.update({version.id: version for version in step.owner_files})
        self.owner_files_ended.update(dict.fromkeys(step.owner_files_ended, step.at))

    def _end(self, version: str, at: int) -> None:
        new = self.versions.get(version)
        if new:
            self.versions[version] = replace(new, section=replace(new.section, valid_to=at))
        else:
            self.ended[version] = at


@dataclass(frozen=True, slots=True)
class RevisionWriter:
    """Writes windows of one source."""

    graph: Graph
    source: str
    audience: str
    fence: int

    def write(self, window: Window) -> None:
        """Writes the window and moves the head to its last revision. Raises Retry where another run has taken over."""
        self._write_commits(window.steps)
        new_pages = [page for page in window.pages.values() if page.valid_from is not None]
        self._rows(WRITE_PAGES, (self._page(page) for page in new_pages))
        self._write_sections(window)
        self._write_owner_files(window)
        last = window.steps[-1]
        old_pages = [[p.id, p.path, p.title, p.valid_to] for p in window.pages.values() if p.valid_from is None]
        moved = self.graph.write(
            MOVE_HEAD,
            source=self.source,
            fence=self.fence,
            head=last.at,
            cursor=last.commit.sha,
            rows=old_pages,
        )
        if not moved or not moved[0]["changed"]:
            raise Retry(TAKEN_OVER, after=10.0)

    def _write_commits(self, steps: Sequence[Step]) -> None:
        """Commits, who wrote them (a person goes by the name first seen), and the requests that brought them."""
        nodes = [ids.digest("commit", self.source, step.commit.sha) for step in steps]
        self._rows(WRITE_COMMITS, (self._commit(node, step) for node, step in zip(nodes, steps, strict=True)))
        people: dict[str, str] = {}
        authors: list[list[str]] = []
        requests: dict[str, str] = {}
        merged: list[list[str]] = []
        for node, step in zip(nodes, steps, strict=True):
            person = step.commit.author_email.lower() or step.commit.author_name.lower()
            people.setdefault(person, step.commit.author_name)
            authors.append([node, person])
            if number := step.commit.merge_request:
                request = ids.digest("request", self.source, number)
                requests[request] = number
                merged.append([node, request])
        self._rows(WRITE_PEOPLE, ([*person, self.audience] for person in people.items()))
        self._rows(LINK_AUTHORS, authors)
        self._rows(WRITE_REQUESTS, ([*request, self.audience] for request in requests.items()))
        self._rows(LINK_REQUESTS, merged)

    def _commit(self, node: str, step: Step) -> list[Any]:
        info = step.commit
        return [
            *(node, self.source, info.sha, step.at, info.committed_at, info.author_name, info.author_email.lower()),
            *(info.subject, info.body, info.merge_request, info.reverts, self.audience),
        ]

    def _write_sections(self, window: Window) -> None:
        versions = window.versions.values()
        self._rows(WRITE_SECTIONS, (section_row(version) for version in versions))
        nodes = {step.commit.sha: ids.digest("commit", self.source, step.commit.sha) for step in window.steps}
        sections = [version.section for version in versions]
        self._rows(LINK_SECTIONS, ([s.page, s.id, nodes[s.commit], s.change.value] for s in sections))
        self._rows(SUPERSEDE, ([v.section.id, v.supersedes] for v in versions if v.supersedes))
        self._rows(REMOVE, ([nodes[step.commit.sha], gone] for step in window.steps for gone in step.removed))
        self._rows(END_SECTIONS, window.ended.items())

    def _write_owner_files(self, window: Window) -> None:
        ended = window.owner_files_ended
        self._rows(
            WRITE_OWNER_FILES,
            (
                [v.id, self.source, v.path, v.kind, v.text, v.valid_from, ended.get(v.id, FOREVER), self.audience]
                for v in window.owner_files.values()
            ),
        )
        self._rows(END_OWNER_FILES, (row for row in ended.items() if row[0] not in window.owner_files))

    def _page(self, page: PageState) -> list[Any]:
        return [page.id, self.source, page.path, page.title, page.valid_from, page.valid_to, self.audience]

    def _rows(self, query: Query, rows: Iterable[Sequence[Any]]) -> None:
        """Writes rows in parts of ROWS."""
        waiting = list(rows)
        for start in range(0, len(waiting), ROWS):
            self.graph.write(query, source=self.source, fence=self.fence, rows=waiting[start : start + ROWS])


def section_row(version: NewVersion) -> list[Any]:
    """A version's values in the order of SECTION."""
    s = version.section
    return [
        *(s.id, s.lineage, s.source, s.page, s.path, s.title, s.heading, s.heading_path, s.level, s.anchor, s.position),
        *(s.text, s.valid_from, s.valid_to, s.commit, s.merge_request, s.change.value, s.audience),
        joined_tokens((s.heading, *version.body.split("\n"))),
        joined_tokens((s.title, *s.heading_path)),
    ]


def joined_tokens(lines: Iterable[str]) -> str:
    """The search tokens of all lines, a space between."""
    return " ".join(filter(None, map(line_tokens, lines)))


@lru_cache(maxsize=1 << 16)
def line_tokens(line: str) -> str:
    """A line's search tokens, a space between; most lines of a version stood in the one before, too."""
    return " ".join(search_tokens(line))
