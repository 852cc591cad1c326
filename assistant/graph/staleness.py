"""Answers and the commits that touched what they cite: found by one walk from the commit, whatever the graph's size."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field

from assistant.graph.notices import KEEP, NewNotice
from assistant.graph.sources import FENCED
from assistant.graph.store import Graph, Query, Reader
from assistant.model.ids import digest
from assistant.model.sections import ChangeKind

COMMIT = "c.id AS commit_id, c.sha AS sha, c.at AS at, c.author_name AS author, c.merge_request AS merge_request"
CITED = (
    "a.id AS answer, a.text AS shown, x.claim AS claim, x.quote AS quote, o.id AS version, o.path AS old_path, "
    "o.source AS source, o.audience AS audience, o.text AS before, [(a)-[:INVALIDATED_BY]->(e) | e.id] AS broken_by, "
    "[(a)-[v:REVALIDATED_BY]->(k) WHERE v.by IS NOT NULL | k.id] AS vouched, "
    "[(a)<-[:TELLS_OF]-(m) WHERE m.outcome = 'refreshed' | m.id] AS anew"
)
NOW = "x.holds = 'now'"
"""Claims about a day or an event of the past stay true whatever changes."""

SUPERSEDED = Query(
    "staleness.superseded",
    "UNWIND $commits AS id MATCH (c:Commit {id: id}) WITH c MATCH (c)-[d:CHANGED]->(n) WHERE d.kind <> 'removed' "
    "WITH c, d, n MATCH (n)-[u:SUPERSEDES]->(o) WITH c, d, n, o MATCH (o)<-[x:CITES]-(a) "
    f"WHERE {NOW} RETURN {COMMIT}, {CITED}, d.kind AS kind, n.id AS successor, n.path AS path, n.text AS after "
    "ORDER BY answer, version, claim, quote",
)
REMOVED = Query(
    "staleness.removed",
    "UNWIND $commits AS id MATCH (c:Commit {id: id}) WITH c MATCH (c)-[d:CHANGED]->(o) WHERE d.kind = 'removed' "
    f"WITH c, d, o MATCH (o)<-[x:CITES]-(a) WHERE {NOW} "
    f"RETURN {COMMIT}, {CITED}, d.kind AS kind, NULL AS successor, o.path AS path, NULL AS after "
    "ORDER BY answer, version, claim, quote",
)
REPLACED = Query(
    "staleness.replaced",
    "UNWIND $commits AS id MATCH (c:Commit {id: id}) WITH c MATCH (c)-[d:REWROTE]->(o) WITH c, d, o "
    "MATCH (n:Section {id: d.successor}) WITH c, n, o MATCH (o)<-[x:CITES]-(a) "
    f"WHERE {NOW} RETURN {COMMIT}, {CITED}, 'modified' AS kind, n.id AS successor, n.path AS path, n.text AS after "
    "ORDER BY answer, version, claim, quote",
)
LOST = Query(
    "staleness.lost",
    "UNWIND $commits AS id MATCH (c:Commit {id: id}) WITH c MATCH (c)-[d:REWROTE]->(o) WHERE d.successor = '' "
    f"WITH c, o MATCH (o)<-[x:CITES]-(a) WHERE {NOW} "
    f"RETURN {COMMIT}, {CITED}, 'removed' AS kind, NULL AS successor, o.path AS path, NULL AS after "
    "ORDER BY answer, version, claim, quote",
)
WRITTEN = Query(
    "staleness.written",
    "UNWIND $commits AS id MATCH (c:Commit {id: id}) WITH c MATCH (c)-[d:CHANGED]->(n) WHERE d.kind <> 'removed' "
    "RETURN n.id AS id, n.text AS text ORDER BY n.path, n.position LIMIT 500",
)
INVALIDATE = Query(
    "staleness.invalidate",
    "UNWIND $rows AS r MATCH (a:Answer {id: r.answer}) WHERE a.status <> 'withdrawn' WITH a, r "
    f"MATCH (c:Commit {{id: r.commit}}) {KEEP}"
    "MERGE (a)-[i:INVALIDATED_BY]->(c) SET i.old_quote = r.old_quote, i.new_quote = r.new_quote, i.path = r.path",
)
DOUBT = Query(
    "staleness.doubt",
    "UNWIND $rows AS r MATCH (a:Answer {id: r.answer}) WHERE a.status <> 'withdrawn' WITH a, r "
    f"MATCH (c:Commit {{id: r.commit}}) {KEEP}"
    "MERGE (a)-[d:DOUBTED_BY]->(c) SET d.old_quote = r.old_quote, d.new_quote = r.new_quote, d.path = r.path",
)
REVALIDATE = Query(
    "staleness.revalidate",
    "UNWIND $rows AS r MATCH (a:Answer {id: r.answer}) MATCH (c:Commit {id: r.commit}) "
    "MERGE (a)-[v:REVALIDATED_BY]->(c)",
)
FOLLOW = Query(
    "staleness.follow",
    "UNWIND $rows AS r MATCH (a:Answer {id: r.answer}) MATCH (s:Section {id: r.successor}) "
    "MERGE (a)-[x:CITES {claim: r.claim, quote: r.quote, holds: 'now'}]->(s)",
)
REFRESH = Query(
    "staleness.refresh",
    "MATCH (n:Answer {id: $new}) MATCH (o:Answer {id: $old}) MERGE (n)-[r:REFRESHES]->(o)",
)
ANEW = Query(
    "staleness.anew",
    "UNWIND $ids AS id MATCH (o:Answer {id: id}) WITH o MATCH (o)<-[r:REFRESHES*1..50]-(n) "
    "RETURN DISTINCT n.id AS id ORDER BY id",
)
STANDING = Query(
    "staleness.standing",
    "MATCH (a:Answer) WHERE a.status = 'answered' WITH a ORDER BY a.at "
    "RETURN a.id AS answer, a.question AS question, a.audience AS audience, "
    "[(a)-[i:INVALIDATED_BY]->(c) | [c.at, c.sha]] AS broken, "
    "[(a)-[d:DOUBTED_BY]->(e) | [e.at, e.sha]] AS doubted, [(a)<-[:REFRESHES]-(b) | [b.at, b.id]] AS refreshed, "
    "[(a)-[x:CITES]->(s) WHERE s.path IS NOT NULL | s.path] AS paths",
    scans="lists every answer by design",
)
ASKED = Query(
    "staleness.asked",
    "MATCH (a:Answer {id: $answer}) RETURN a.question AS question, a.viewer AS viewer, a.audience AS audience",
)

NEXT = Query(
    "staleness.next",
    "MATCH (o:Section) WHERE o.valid_to > $after AND o.valid_to <= $head AND o.source = $source WITH o "
    f"MATCH (o)<-[x:CITES]-(a) WHERE {NOW} WITH min(o.valid_to) AS at "
    "MATCH (c:Commit) WHERE c.at = at AND c.source = $source RETURN c.sha AS sha, at AS at",
)
"""The range index on valid_to leads to what ended in between, so the cost follows the commits read, not the answers."""
JUDGED = Query("staleness.judged", "MATCH (s:Source {id: $source}) RETURN s.judged AS at")
NOTE_JUDGED = Query("staleness.note_judged", f"{FENCED}SET f.judged = $at")


TOUCHED = (SUPERSEDED, REMOVED, REPLACED, LOST)


@dataclass(frozen=True, slots=True)
class Touched:
    """Words that an answer about now cites, in a version that a commit superseded, removed or, after another history
    had been taken back, stands in for.
    """

    answer: str
    shown: str
    """What the answer said."""
    claim: str
    quote: str
    version: str
    source: str
    audience: str
    before: str
    """Its text."""
    kind: ChangeKind
    path: str
    """Where the page is after the commit; for a removed section where it was."""
    successor: str | None
    """The version that followed; None where the section was removed."""
    after: str | None
    """The text of that one."""
    commit_id: str
    sha: str
    at: int
    author: str
    merge_request: str | None


@dataclass(frozen=True, slots=True)
class Broken:
    """An answer that a commit made stale, or doubtful: the cited words, and those in their place or beside them now."""

    answer: str
    commit: str
    """The commit's id in the graph."""
    path: str
    old_quote: str
    new_quote: str | None
    notice: NewNotice
    """What the page's owners are told of it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer whose cited words a commit touched and left."""

    answer: str
    commit: str
    """The commit's id in the graph."""


@dataclass(frozen=True, slots=True)
class Follow:
    """Cited words that still stand in another version, which the answer cites from now on."""

    answer: str
    claim: str
    quote: str
    successor: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A given answer and what became of it."""

    answer: str
    question: str
    audience: str
    invalidated_by: str | None
    """Sha of the commit that broke it."""
    doubted_by: str | None
    """Sha of the first commit after which only a person can tell whether it holds."""
    refreshed_by: str | None
    """Id of the latest answer given in its place."""
    paths: tuple[str, ...]
    """Of the pages it cites."""


@dataclass(frozen=True, slots=True)
class AskedRow:
    """To what, whom and for whose eyes an answer was given."""

    question: str
    viewer: str | None
    audience: str


def commit_ids(sources: Iterable[str], sha: str) -> list[str]:
    """Ids that a commit may have in the graph, one a source."""
    return [digest("commit", source, sha) for source in sources]


def touched(reader: Reader, commits: Collection[str]) -> list[Touched]:
    """What a commit, given by its possible ids, touched of answers that no other commit has broken before, and for
    which nobody has vouched since. One that an owner had asked again is settled: the new one is judged.
    """
    names = [name for name in Touched.__slots__ if name != "kind"]
    rows = [row for query in TOUCHED for row in reader.rows(query, commits=list(commits))]
    return [
        Touched(kind=ChangeKind(row["kind"]), **{name: row[name] for name in names})
        for row in rows
        if set(row["broken_by"]) <= set(commits) and row["commit_id"] not in row["vouched"]
        if not row["anew"]
    ]


def written(reader: Reader, commit: str) -> dict[str, str]:
    """Texts of the versions that a commit wrote, by version, at most 500."""
    return {row["id"]: row["text"] for row in reader.rows(WRITTEN, commits=[commit])}


@dataclass(slots=True)
class Judged:
    """What was judged about a commit."""

    broken: list[Broken] = field(default_factory=list)
    doubtful: list[Broken] = field(default_factory=list)
    standing: list[Kept] = field(default_factory=list)
    follow: list[Follow] = field(default_factory=list)
    """Where words are now that still stand."""


def record(graph: Graph, judged: Judged) -> None:
    """Keeps what was judged about a commit."""
    for query, rows in (
        (INVALIDATE, judged.broken),
        (DOUBT, judged.doubtful),
        (REVALIDATE, judged.standing),
        (FOLLOW, judged.follow),
    ):
        if rows:
            graph.write(query, rows=[asdict(row) for row in rows])


def next_commit(reader: Reader, source: str, after: int, head: int) -> tuple[str, int] | None:
    """The first commit after a moment, up to the head, that ended what an answer about now cites: sha and moment."""
    rows = reader.rows(NEXT, source=source, after=after, head=head)
    return (rows[0]["sha"], rows[0]["at"]) if rows else None


def judged_up_to(reader: Reader, source: str) -> int:
    """The moment up to which answers were judged by the source's commits; -1 before the first time."""
    [row] = reader.rows(JUDGED, source=source)
    return -1 if row["at"] is None else int(row["at"])


def note_judged(graph: Graph, source: str, fence: int, at: int) -> None:
    """Keeps that answers are judged by every commit up to a moment."""
    graph.write(NOTE_JUDGED, source=source, fence=fence, at=at)


def record_refresh(graph: Graph, new: str, old: str) -> None:
    """Keeps that an answer was given in another one's place."""
    graph.write(REFRESH, new=new, old=old)


def answered_anew(reader: Reader, answers: Sequence[str]) -> list[str]:
    """Ids of the answers that were given in the place of these, to the same questions; and in the place of those."""
    return [row["id"] for row in reader.rows(ANEW, ids=list(answers))]


def standing(reader: Reader) -> list[StandingRow]:
    """Every answer that was given (refusals aside), oldest first."""
    return [
        StandingRow(
            row["answer"],
            row["question"],
            row["audience"],
            min(row["broken"])[1] if row["broken"] else None,
            min(row["doubted"])[1] if row["doubted"] else None,
            max(row["refreshed"])[1] if row["refreshed"] else None,
            tuple(dict.fromkeys(row["paths"])),
        )
        for row in reader.rows(STANDING)
    ]


def asked(reader: Reader, answer: str) -> AskedRow | None:
    """What an answer was given to; None where there is none."""
    rows = reader.rows(ASKED, answer=answer)
    return AskedRow(**rows[0]) if rows else None
