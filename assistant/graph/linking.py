"""Reads for linking: what commits changed in a stretch of time, with the texts before and after."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.graph.commits import COMMIT, SEEN, CommitRow, commit_of
from assistant.graph.store import Query, Reader, scope_params
from assistant.model.audiences import Scope

SLOTS = 8
"""Words of one read. They are conditions of their own: in 4.16 a predicate over a list does not see the node, and
DISTINCT over nodes and edges of many rows crashes the server."""

WINDOW = f"MATCH (c:Commit) WHERE c.at > $after AND c.at <= $until AND {SEEN} WITH c MATCH (c)-[x:CHANGED]->(s)"
SECTION = (
    "s.id AS section, s.lineage AS lineage, s.path AS path, s.title AS title, s.heading_path AS heading_path, "
    "s.tokens AS tokens, c.author_email AS c_email, c.body AS c_body, c.reverts AS c_reverts"
)
OLD = "[(s)-[u:SUPERSEDES]->(o) | o.text]"


def holds(node: str) -> str:
    """The condition that a section holds one of the words."""
    return f"({' OR '.join(f'tokens CONTAINS $word{n}' for n in range(SLOTS))})".replace("tokens", f"{node}_tokens")


ADDED = Query(
    "linking.added",
    f"{WINDOW} WHERE x.kind IN ['added', 'modified'] WITH c, x, s, ' ' + s.tokens + ' ' AS s_tokens "
    f"WHERE {holds('s')} RETURN x.kind AS kind, {SECTION}, s.text AS after, {OLD} AS before, {COMMIT} "
    "ORDER BY c_at, path, section",
)
REMOVED = Query(
    "linking.removed",
    f"{WINDOW} WHERE x.kind = 'modified' WITH c, x, s MATCH (s)-[u:SUPERSEDES]->(o) "
    f"WITH c, x, s, o, ' ' + o.tokens + ' ' AS o_tokens WHERE {holds('o')} "
    f"RETURN x.kind AS kind, {SECTION}, s.text AS after, [o.text] AS before, {COMMIT} ORDER BY c_at, path, section",
)
GONE = Query(
    "linking.gone",
    f"{WINDOW} WHERE x.kind = 'removed' WITH c, x, s, ' ' + s.tokens + ' ' AS s_tokens WHERE {holds('s')} "
    f"RETURN x.kind AS kind, {SECTION}, '' AS after, [s.text] AS before, {COMMIT} ORDER BY c_at, path, section",
)


@dataclass(frozen=True, slots=True)
class Changed:
    """What a commit did to a section, as texts before and after ('' where there was or is none)."""

    commit: CommitRow
    email: str
    """Of the commit's author."""
    message: str
    """Subject and body."""
    reverts: tuple[str, ...]
    kind: str
    section: str
    lineage: str
    path: str
    title: str
    heading_path: tuple[str, ...]
    before: str
    after: str
    tokens: frozenset[str]
    """Search tokens of the version that it wrote, or of the one it took away."""


def changed_words(
    reader: Reader, scope: Scope, after: int, until: int, new: Collection[str], old: Collection[str]
) -> list[Changed]:
    """The changes of a time whose text afterwards holds one of `new`, or before one of `old`.

    Both are looked for in ` token token … `: with a space round it a search token, with one before it a beginning.
    """
    between = {"after": after, "until": until, **scope_params(scope)}
    reads = ((ADDED, new), (REMOVED, old), (GONE, {*new, *old}))
    rows = [row for query, words in reads for slots in filled(words) for row in reader.rows(query, **between, **slots)]
    found = {(row["c_sha"], row["section"]): _changed(row) for row in rows}
    return sorted(found.values(), key=lambda change: (change.commit.at, change.path, change.section))


def filled(words: Collection[str]) -> Iterator[dict[str, str]]:
    """Words in parts of SLOTS, as parameters; what is left over of the last part is the first one again."""
    wanted = sorted(words)
    for start in range(0, len(wanted), SLOTS):
        part = wanted[start : start + SLOTS]
        yield {f"word{n}": part[n] if n < len(part) else part[0] for n in range(SLOTS)}


def _changed(row: dict[str, Any]) -> Changed:
    return Changed(
        commit=commit_of(row),
        email=row["c_email"] or "",
        message=f"{row['c_subject']}\n{row['c_body'] or ''}",
        reverts=tuple(row["c_reverts"] or ()),
        kind=row["kind"],
        section=row["section"],
        lineage=row["lineage"],
        path=row["path"],
        title=row["title"],
        heading_path=tuple(row["heading_path"]),
        before=row["before"][0] if row["before"] else "",
        after=row["after"],
        tokens=frozenset(row["tokens"].split()),
    )
