"""Reads of commits: by sha, by request, and what they changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.graph.reading.sections import FIELDS, KNOWN, section_of
from assistant.graph.store import Query, Reader, scope_params
from assistant.model.audiences import Scope
from assistant.model.ids import digest
from assistant.model.sections import ChangeKind, SectionVersion


@dataclass(frozen=True, slots=True)
class CommitRow:
    """A commit of a source's mainline."""

    sha: str
    source: str
    author: str
    """Full name."""
    at: int
    """Microseconds, strictly increasing along the mainline."""
    subject: str
    merge_request: str | None


@dataclass(frozen=True, slots=True)
class SectionChanged:
    """What a commit did to one section: the version it made, or the one it ended for what it removed."""

    commit: CommitRow
    kind: ChangeKind
    section: SectionVersion


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes in a stretch of time, latest first."""

    found: tuple[SectionChanged, ...]
    after: int
    """The microsecond after which they are all: that which was asked for, or a later one where there are too many."""


COMMIT = (
    "c.sha AS c_sha, c.source AS c_source, c.author_name AS c_author, c.at AS c_at, c.subject AS c_subject, "
    "c.merge_request AS c_merge_request"
)
"""What a RETURN needs for `commit_of`, of a node named `c`."""

SEEN = "c.audience IN $audiences AND c.at <= $days[c.source]"
"""Which commits a reader may know of."""

CHANGES = f"MATCH (c)-[d:CHANGED]->(s:Section) WHERE {KNOWN} RETURN d.kind AS d_kind, {COMMIT}, {FIELDS}"

OF_LINEAGE = Query(
    "commits.of_lineage",
    f"MATCH (s:Section {{lineage: $lineage}}) WHERE {KNOWN} WITH s MATCH (c)-[d:CHANGED]->(s) WHERE {SEEN} "
    f"RETURN d.kind AS d_kind, {COMMIT}, {FIELDS} ORDER BY c.at",
)
BY_REQUEST = Query(
    "commits.by_request",
    f"MATCH (c:Commit) WHERE c.merge_request = $number AND {SEEN} RETURN {COMMIT} ORDER BY c.at DESC LIMIT 10",
)
BY_PREFIX = Query(
    "commits.by_prefix",
    f"MATCH (c:Commit) WHERE c.sha >= $low AND c.sha < $high AND {SEEN} RETURN {COMMIT} ORDER BY c.at DESC LIMIT 3",
)
CHANGED_BY = Query(
    "commits.changed_by",
    f"MATCH (c:Commit {{id: $id}}) WHERE {SEEN} WITH c {CHANGES} ORDER BY s.path, s.position, id LIMIT 200",
)
OLDEST_OF_LATEST = Query(
    "commits.oldest_of_latest",
    f"MATCH (c:Commit) WHERE c.at > $after AND c.at <= $until AND {SEEN} "
    "WITH c ORDER BY c.at DESC LIMIT $limit RETURN count(c) AS commits, min(c.at) AS oldest",
)
CHANGED_BETWEEN = Query(
    "commits.changed_between",
    f"MATCH (c:Commit) WHERE c.at >= $oldest AND c.at <= $until AND {SEEN} "
    f"WITH c {CHANGES} ORDER BY c.at DESC, s.path, s.position, id LIMIT $limit",
)
LATEST, ROWS = 600, 3000
"""Commits of a stretch of time that are looked into, and changes of theirs, which are read with all their text."""


def changes_of(reader: Reader, scope: Scope, lineage: str) -> list[SectionChanged]:
    """Every change of a section up to the day, oldest first; its removal comes after the version that it ended."""
    return _changes(reader.rows(OF_LINEAGE, **scope_params(scope), lineage=lineage), scope)


def commits_of_request(reader: Reader, scope: Scope, number: str) -> list[CommitRow]:
    """The commits that a merge or pull request landed as, latest first."""
    return [commit_of(row) for row in reader.rows(BY_REQUEST, **scope_params(scope), number=number)]


def commits_named(reader: Reader, scope: Scope, prefix: str) -> list[CommitRow]:
    """The commits whose sha begins so (hex digits, lower case), at most three."""
    rows = reader.rows(BY_PREFIX, **scope_params(scope), low=prefix, high=prefix + "g")
    return [commit_of(row) for row in rows]


def changed_by(reader: Reader, scope: Scope, commit: CommitRow) -> list[SectionChanged]:
    """What a commit did to sections, the first 200 of them in the order of pages and of reading."""
    node = digest("commit", commit.source, commit.sha)
    return _changes(reader.rows(CHANGED_BY, **scope_params(scope), id=node), scope)


def changed_between(reader: Reader, scope: Scope, after: int, until: int) -> Changes:
    """What the commits after one moment and up to another did, of too many (LATEST, ROWS) the latest."""
    seen = scope_params(scope)
    [row] = reader.rows(OLDEST_OF_LATEST, **seen, after=after, until=until, limit=LATEST)
    if not row["commits"]:
        return Changes((), after)
    found = tuple(_changes(reader.rows(CHANGED_BETWEEN, **seen, oldest=row["oldest"], until=until, limit=ROWS), scope))
    if row["commits"] == LATEST:
        after = row["oldest"] - 1
    return Changes(found, after if len(found) < ROWS else found[-1].commit.at)


def commit_of(row: Mapping[str, Any]) -> CommitRow:
    """The commit in a row that returned COMMIT."""
    return CommitRow(
        row["c_sha"], row["c_source"], row["c_author"], row["c_at"], row["c_subject"], row["c_merge_request"]
    )


def _changes(rows: list[dict[str, Any]], scope: Scope) -> list[SectionChanged]:
    return [SectionChanged(commit_of(row), ChangeKind(row["d_kind"]), section_of(row, scope)) for row in rows]
