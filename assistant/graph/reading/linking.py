"""Reads for linking: what commits changed in a stretch of time, with the texts before and after."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.graph.reading.commits import COMMIT, SEEN, CommitRow, commit_of
from assistant.graph.store import Query, Reader, scope_params
from assistant.model.audiences import Scope

SLOTS = 80
"""Words of one read. Each is a condition of its own: in 4.16 a predicate over a list does not see the node, and
DISTINCT over nodes and edges of many rows crashes the server."""

LIKELY = 140
"""Changes that are looked at closely."""

WINDOW = (
    f"MATCH (c:Commit) WHERE c.at > $after AND c.at <= $until AND {SEEN} WITH c MATCH (c)-[x:CHANGED]->(s) "
    "WHERE x.kind IN ['added', 'modified', 'removed'] WITH c, x, s, ' ' + s.title_tokens + ' ' + s.tokens + ' ' AS held"
)
SECTION = (
    "s.id AS section, s.lineage AS lineage, s.path AS path, s.title AS title, s.heading_path AS heading_path, "
    "s.text AS text, s.tokens AS tokens, c.author_email AS c_email, c.body AS c_body"
)
SPREAD = Query(
    "linking.spread",
    f"{WINDOW} RETURN count(held) AS total, "
    + ", ".join(f"sum(CASE WHEN held CONTAINS $word{n} THEN 1 ELSE 0 END) AS n{n}" for n in range(SLOTS)),
)
SCORED = Query(
    "linking.scored",
    f"{WINDOW} WITH c, x, s, "
    + " + ".join(f"CASE WHEN held CONTAINS $word{n} THEN $weight{n} ELSE 0.0 END" for n in range(SLOTS))
    + " AS score ORDER BY score DESC, c.at, s.id LIMIT $limit "
    f"RETURN x.kind AS kind, {SECTION}, [(s)-[u:SUPERSEDES]->(o) | o.text] AS before, {COMMIT} "
    "ORDER BY c_at, path, section",
)

REVERTS = Query(
    "linking.reverts",
    f"MATCH (c:Commit) WHERE c.at >= 0 AND size(c.reverts) > 0 AND {SEEN} RETURN c.reverts AS reverts, {COMMIT} "
    "ORDER BY c.at",
)


@dataclass(frozen=True, slots=True)
class Reverting:
    """A commit whose message says that it takes others back."""

    commit: CommitRow
    of: tuple[str, ...]
    """Their shas, as it writes them."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What a commit did to a section, as texts before and after ('' where there was or is none)."""

    commit: CommitRow
    email: str
    """Of the commit's author."""
    message: str
    """Subject and body."""
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


def spread(reader: Reader, scope: Scope, after: int, until: int, words: Sequence[str]) -> tuple[int, list[int]]:
    """How many sections were changed in a time, and how many of them hold each search token (SLOTS of them at most)."""
    slots = {f"word{n}": word for n, word in enumerate(filled(words))}
    [row] = reader.rows(SPREAD, after=after, until=until, **scope_params(scope), **slots)
    return int(row["total"]), [int(row[f"n{n}"] or 0) for n in range(len(words))]


def likely_changes(reader: Reader, scope: Scope, after: int, until: int, weights: Mapping[str, float]) -> list[Changed]:
    """The changes of a time whose sections hold most of some search tokens (SLOTS at most), by time."""
    words = list(weights)
    slots: dict[str, Any] = {f"word{n}": word for n, word in enumerate(filled(words))}
    slots |= {f"weight{n}": float(weights[words[n]]) if n < len(words) else 0.0 for n in range(SLOTS)}
    rows = reader.rows(SCORED, after=after, until=until, limit=LIKELY, **scope_params(scope), **slots)
    return [_changed(row) for row in rows]


def reverts(reader: Reader, scope: Scope) -> list[Reverting]:
    """The commits that say that they take others back, by time."""
    return [Reverting(commit_of(row), tuple(row["reverts"])) for row in reader.rows(REVERTS, **scope_params(scope))]


def filled(words: Sequence[str]) -> list[str]:
    """The words as they stand among search tokens, up to SLOTS of them; `=` before a number goes, `4.5` is `4_5`."""
    tokens = [f" {re.sub('[.:]', '_', word.removeprefix('='))} " for word in words]
    return (tokens + ["\n"] * SLOTS)[:SLOTS]


def _changed(row: dict[str, Any]) -> Changed:
    gone = row["kind"] == "removed"
    before = row["text"] if gone else row["before"][0] if row["before"] else ""
    return Changed(
        commit=commit_of(row),
        email=row["c_email"] or "",
        message=f"{row['c_subject']}\n{row['c_body'] or ''}",
        kind=row["kind"],
        section=row["section"],
        lineage=row["lineage"],
        path=row["path"],
        title=row["title"],
        heading_path=tuple(row["heading_path"]),
        before=before,
        after="" if gone else row["text"],
        tokens=frozenset(row["tokens"].split()),
    )
