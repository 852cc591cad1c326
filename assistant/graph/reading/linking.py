"""Reads for linking: what commits changed in a stretch of time, with the texts before and after."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from typing import Any

from assistant.graph.reading.commits import COMMIT, SEEN, CommitRow, commit_of
from assistant.graph.store import Query, Reader, scope_params
from assistant.model.audiences import Scope

LIKELY = 140
"""Changes that are looked at closely."""

TYPICAL = 150
"""Different search tokens of a section, from which on it counts as long."""

SLICE = 20 * 86_400_000_000
"""Microseconds of history that are read at once."""

EDGE = "WHERE x.kind IN ['added', 'modified', 'removed']"
HELD = Query(
    "linking.held",
    f"MATCH (c:Commit) WHERE c.at >= $start AND c.at < $stop AND {SEEN} WITH c MATCH (c)-[x:CHANGED]->(s) {EDGE} "
    "AND s.id <> '' "
    "RETURN c.at AS at, s.id AS section, s.title_tokens AS title, s.tokens AS tokens ORDER BY at, section",
)
CLOSE = Query(
    "linking.close",
    "UNWIND $rows AS r MATCH (s:Section {id: r[0]}) WITH s, r MATCH (c)-[x:CHANGED]->(s) "
    f"{EDGE} AND c.at = r[1] AND {SEEN} RETURN x.kind AS kind, s.id AS section, s.lineage AS lineage, s.path AS path, "
    "s.title AS title, s.heading_path AS heading_path, s.text AS text, s.tokens AS tokens, c.author_email AS c_email, "
    f"c.body AS c_body, [(s)-[u:SUPERSEDES]->(o) | o.text] AS before, {COMMIT} ORDER BY c_at, path, section",
)
REVERTS = Query(
    "linking.reverts",
    f"MATCH (c:Commit) WHERE c.at >= 0 AND size(c.reverts) > 0 AND {SEEN} RETURN c.reverts AS reverts, {COMMIT} "
    "ORDER BY c.at",
)
AUDIENCES = Query("linking.audiences", "MATCH (c:Commit) WHERE c.at >= 0 RETURN DISTINCT c.audience AS audience")


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


@dataclass(frozen=True, slots=True)
class _Slice:
    """Changes of a short time, by time."""

    times: list[int]
    sections: list[str]
    sizes: list[int]
    """How many different words their sections have."""
    holding: dict[str, "array[int]"]
    """For each word that is asked for the numbers of the changes whose section holds it."""


class Past:
    """What commits changed, as far as a scope lets one know, for questions that come in the order of time.

    `words` are all that will be asked for: of a section's words no others are kept. Each stretch of history is read
    once, and forgotten when the questions are past it.
    """

    def __init__(self, reader: Reader, scope: Scope, words: Iterable[str]) -> None:
        self._reader = reader
        self._seen = scope_params(scope)
        self._words = frozenset(map(token, words))
        self._slices: dict[int, _Slice] = {}
        self._close: dict[tuple[int, str], Changed] = {}
        """What has been looked at closely, by time and section."""

    @cached_property
    def reverts(self) -> list[Reverting]:
        """The commits that say that they take others back, by time."""
        return [Reverting(commit_of(row), tuple(row["reverts"])) for row in self._reader.rows(REVERTS, **self._seen)]

    def spread(self, after: int, until: int, words: Sequence[str]) -> tuple[int, list[int]]:
        """How many sections were changed after one moment and up to another, and how many of them hold each word."""
        total, counts = 0, [0] * len(words)
        for part in self._between(after, until):
            inside = range(bisect_right(part.times, after), bisect_right(part.times, until))
            total += len(inside)
            for n, word in enumerate(words):
                counts[n] += sum(number in inside for number in part.holding.get(token(word), ()))
        return total, counts

    def likely(
        self, after: int, until: int, weights: Mapping[str, float], limit: int = LIKELY, *, dense: bool
    ) -> list[Changed]:
        """The changes whose sections hold the words that weigh most together, by time.

        `dense`: for their length, as a long section holds words of everything; not where rows of tables are asked for.
        """
        scored: list[tuple[float, int, str]] = []
        for part in self._between(after, until):
            scores = [0.0] * len(part.times)
            for word, weight in weights.items():
                for number in part.holding.get(token(word), ()):
                    scores[number] += weight
            inside = range(bisect_right(part.times, after), bisect_right(part.times, until))
            if dense:
                scores = [score / (1 + size / TYPICAL) for score, size in zip(scores, part.sizes, strict=True)]
            scored += [(-scores[n], part.times[n], part.sections[n]) for n in inside]
        wanted = [(at, section) for _, at, section in nsmallest(limit, scored)]
        missing = [[section, at] for at, section in wanted if (at, section) not in self._close]
        for row in self._reader.rows(CLOSE, rows=missing, **self._seen):
            self._close[row["c_at"], row["section"]] = _changed(row)
        found = (self._close[key] for key in wanted)
        return sorted(found, key=lambda one: (one.commit.at, one.path, one.section))

    def _between(self, after: int, until: int) -> Iterator[_Slice]:
        first, last = (after + 1) // SLICE, until // SLICE
        for number in [number for number in self._slices if number < first]:
            del self._slices[number]
            self._close = {key: one for key, one in self._close.items() if key[0] >= first * SLICE}
        for number in range(first, last + 1):
            if number not in self._slices:
                self._slices[number] = self._read(number)
            yield self._slices[number]

    def _read(self, number: int) -> _Slice:
        rows = self._reader.rows(HELD, start=number * SLICE, stop=(number + 1) * SLICE, **self._seen)
        holding: dict[str, array[int]] = {}
        sizes = []
        for n, row in enumerate(rows):
            held = set(f"{row['title']} {row['tokens']}".split(" "))
            sizes.append(len(held))
            for word in self._words & held:
                holding.setdefault(word, array("i")).append(n)
        return _Slice([row["at"] for row in rows], [row["section"] for row in rows], sizes, holding)


def commit_audiences(reader: Reader) -> frozenset[str]:
    """The Audiences that commits have: a scope that has more of them knows of no more changes."""
    return frozenset(row["audience"] for row in reader.rows(AUDIENCES) if row["audience"])


def token(mark: str) -> str:
    """A mark as it stands among search tokens: `=` before a number goes, `4.5` is `4_5`."""
    return re.sub("[.:]", "_", mark.removeprefix("="))


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
