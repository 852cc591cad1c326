"""Notices: what the owners of a page are told of an answer that a commit broke or put in doubt.

A notice is written in the very query that writes INVALIDATED_BY or DOUBTED_BY, so nothing is lost between judging and
telling. What became of it (still right, refreshed, not mine, later: by whom, when) are events on it. Who was told
holds it by an edge of the bundle that is their message (graph/bundles).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from assistant.graph.store import Graph, Query, Reader

TO_TELL, UNREACHED = 1, 2
"""Values of a notice's `due`: owners are to be told; nobody who owns the page can be reached."""


class Outcome(StrEnum):
    """What became of a notice."""

    RIGHT = "still right"
    REFRESHED = "refreshed"
    NOT_MINE = "not mine"
    """Of one person; others are told instead."""
    LATER = "later"
    """Of one person, until some moment."""
    WITHDRAWN = "withdrawn"
    """The answer was taken back, with all its words."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What is kept of an answer that a commit broke or put in doubt."""

    id: str
    answer: str
    commit: str
    """The commit's id in the graph."""
    sha: str
    reason: str
    sure: bool
    """Whether the words hold no more; else a person is asked."""
    old_quote: str
    new_quote: str | None
    path: str
    source: str
    audience: str
    """Of the section."""
    owners: tuple[str, ...]
    """Of the page as of the commit."""
    author: str
    at: int
    """When the commit was made."""
    merge_request: str | None
    claim: str
    """Of the answer, the one that leans on these words."""
    noted: int
    """When it was found."""


@dataclass(frozen=True, slots=True)
class NewNotice(Noted):
    """A notice as it is written first; the lists name every touched claim for whose words others stand now."""

    claims: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """What stands in their place."""
    versions: tuple[str, ...] = ()
    """Where."""


@dataclass(frozen=True, slots=True)
class Notice(Noted):
    """A notice, and what it is about."""

    outcome: str | None
    settled_by: str | None
    anew: str | None
    """Id of the answer that was given in its place and stands under it."""
    unmarked: int
    """How often the mark at the answer has to be brought up to date; 0 where it is."""
    question: str
    viewer: str | None
    """Who asked."""
    place: str
    """The answer's Audience: where it was given."""
    calls: int
    """How often somebody was to be told after all, once it had been told."""


KEEP = (
    "MERGE (n:Notice {id: r.notice.id}) ON CREATE SET n += r.notice, n.due = 1, n.unmarked = 1 "
    "MERGE (n)-[t:TELLS_OF]->(a) "
)
"""For the queries that judge: `r.notice` is a NewNotice, `a` the answer."""

_OF_NOTICE = ", ".join(f"n.{name} AS {name}" for name in (field.name for field in fields(Noted)))
_RETURNED = (
    f"{_OF_NOTICE}, n.outcome AS outcome, n.settled_by AS settled_by, n.anew AS anew, n.unmarked AS unmarked, "
    "a.question AS question, a.viewer AS viewer, a.audience AS place, coalesce(n.calls, 0) AS calls"
)
STIRRED = "SET b.due = 1, b.changes = coalesce(b.changes, 0) + 1"
"""For a bundle `b` that has to say something else."""
CALLED = "n.calls = coalesce(n.calls, 0) + 1"
"""For a notice `n` of which somebody is to be told who was not, or put it off."""

FIND = Query(
    "notices.find",
    f"UNWIND $ids AS id MATCH (n:Notice {{id: id}}) WITH n MATCH (n)-[t:TELLS_OF]->(a) RETURN {_RETURNED} "
    "ORDER BY noted, id",
)
OF_ANSWER = Query(
    "notices.of_answer",
    "MATCH (a:Answer {id: $answer}) WITH a MATCH (a)<-[t:TELLS_OF]-(n) RETURN n.id AS id, n.noted AS noted "
    "ORDER BY noted, id",
)
DUE = Query("notices.due", "MATCH (n:Notice) WHERE n.due = $due RETURN n.id AS id, n.noted AS noted ORDER BY noted, id")
UNMARKED = Query(
    "notices.unmarked", "MATCH (n:Notice) WHERE n.unmarked > 0 RETURN n.id AS id, n.noted AS noted ORDER BY noted, id"
)
MARKED = Query("notices.marked", "MATCH (n:Notice {id: $id}) WHERE n.unmarked = $seen SET n.unmarked = 0")
TOLD = Query(
    "notices.told",
    "MATCH (n:Notice {id: $id}) WHERE n.due > 0 AND coalesce(n.calls, 0) = $seen SET n.due = $due",
)
ANEW = Query("notices.anew", "MATCH (n:Notice {id: $id}) SET n.anew = $answer")
HOLDERS = Query(
    "notices.holders",
    "MATCH (n:Notice {id: $id}) WITH n MATCH (n)<-[h:HOLDS]-(b) "
    "RETURN b.id AS bundle, b.user AS user, h.outcome AS outcome, h.until AS until ORDER BY bundle",
)
STIR = Query("notices.stir", f"UNWIND $ids AS id MATCH (n:Notice {{id: id}}) WITH n MATCH (n)<-[h:HOLDS]-(b) {STIRRED}")
SETTLE = Query(
    "notices.settle",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) WHERE n.outcome IS NULL "
    "SET n.outcome = $outcome, n.settled_by = $by, n.settled_at = $at, n.due = 0, n.unmarked = n.unmarked + 1",
)
SETTLED = Query(
    "notices.settled",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) "
    "WHERE n.outcome = $outcome AND n.settled_by = $by AND n.settled_at = $at RETURN n.id AS id ORDER BY id",
)
EVENT = Query(
    "notices.event",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) WHERE NOT $event IN coalesce(n.events, []) "
    "SET n.events = coalesce(n.events, []) + [$event]",
)
EVENTS = Query("notices.events", "MATCH (n:Notice {id: $id}) RETURN n.events AS events")
REVALIDATE = Query(
    "notices.revalidate",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) WITH n MATCH (n)-[t:TELLS_OF]->(a) WITH n, a "
    "MATCH (c:Commit {id: n.commit}) MERGE (a)-[v:REVALIDATED_BY]->(c) SET v.by = $by, v.at = $at",
)
STANDS = Query(
    "notices.stands",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) WITH n MATCH (n)-[t:TELLS_OF]->(a) WITH n, a "
    "MATCH (a)-[i:INVALIDATED_BY|DOUBTED_BY]->(c) WHERE c.id = n.commit DELETE i",
)
FOLLOWED = Query(
    "notices.followed",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) "
    "RETURN n.answer AS answer, n.claims AS claims, n.words AS words, n.versions AS versions",
)
FOLLOW = Query(
    "notices.follow",
    "UNWIND $rows AS r MATCH (a:Answer {id: r[0]}) MATCH (s:Section {id: r[3]}) "
    "MERGE (a)-[x:CITES {claim: r[1], quote: r[2], holds: 'now'}]->(s)",
)
SET_ASIDE = Query(
    "notices.set_aside",
    "UNWIND $ids AS id MATCH (n:Notice {id: id}) WHERE n.outcome IS NULL WITH n MATCH (n)<-[h:HOLDS]-(b) "
    "WHERE b.user = $user AND h.outcome IS NULL SET h.outcome = $outcome, h.until = $until, "
    f"n.wake = CASE WHEN n.wake IS NULL OR n.wake > $until THEN $until ELSE n.wake END {STIRRED}",
)
AGAIN = Query(
    "notices.again", f"UNWIND $ids AS id MATCH (n:Notice {{id: id}}) WHERE n.outcome IS NULL SET n.due = 1, {CALLED}"
)
WAKING = Query("notices.waking", "MATCH (n:Notice) WHERE n.wake <= $now RETURN n.id AS id ORDER BY id")
WAKE = Query(
    "notices.wake",
    "MATCH (n:Notice {id: $id}) WITH n MATCH (n)<-[h:HOLDS]-(b) WHERE h.outcome = 'later' AND h.until <= $now "
    "SET h.outcome = 'over'",
)
WOKEN = Query(
    "notices.woken",
    f"MATCH (n:Notice {{id: $id}}) SET n.wake = $wake, n.due = CASE WHEN n.outcome IS NULL THEN 1 ELSE 0 END, {CALLED}",
)
HELD_BY = Query(
    "notices.held_by",
    "MATCH (b:Bundle {user: $user}) WITH b MATCH (b)-[h:HOLDS]->(n) WHERE n.outcome IS NULL "
    "AND h.outcome IS NULL RETURN DISTINCT n.id AS id, n.noted AS noted ORDER BY noted, id",
)
UNNOTE = Query(
    "notices.unnote",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) WITH a MATCH (a)<-[t:TELLS_OF]-(n) "
    "SET n.old_quote = '', n.new_quote = '', n.claim = '', n.claims = [], n.words = [], n.versions = [], n.due = 0, "
    "n.unmarked = 0, n.wake = NULL, n.outcome = 'withdrawn'",
)
UNTELL = Query(
    "notices.untell",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) WITH a MATCH (a)<-[t:TELLS_OF]-(n) WITH n MATCH (n)<-[h:HOLDS]-(b) "
    f"{STIRRED}",
)


@dataclass(frozen=True, slots=True)
class Holder:
    """One person's hold on a notice."""

    bundle: str
    user: str
    outcome: str | None
    until: int | None

    @property
    def stands(self) -> bool:
        """Whether the person was told and need not be told again."""
        return self.outcome != "over"


def notices(reader: Reader, ids: Sequence[str]) -> list[Notice]:
    """The notices with these ids, the oldest first."""
    rows = reader.rows(FIND, ids=list(ids))
    return [Notice(**{**row, "owners": tuple(row["owners"] or ())}) for row in rows]


def notices_of(reader: Reader, answer: str) -> list[Notice]:
    """All notices about an answer, the oldest first."""
    return notices(reader, _ids(reader.rows(OF_ANSWER, answer=answer)))


def due_notices(reader: Reader, due: int = TO_TELL) -> list[str]:
    """Ids of notices of which owners are to be told, or cannot be; the oldest first."""
    return _ids(reader.rows(DUE, due=due))


def unmarked(reader: Reader) -> list[str]:
    """Ids of notices whose answers do not show what became of them yet."""
    return _ids(reader.rows(UNMARKED))


def note_marked(graph: Graph, notice: Notice) -> None:
    """Notes that the answer shows what became of the notice, unless more has become of it meanwhile."""
    graph.write(MARKED, id=notice.id, seen=notice.unmarked)


def note_told(graph: Graph, notice: Notice, *, reached: bool) -> None:
    """Notes that whoever is to be told holds the notice, or that there is nobody; not if it is due anew meanwhile."""
    graph.write(TOLD, id=notice.id, due=0 if reached else UNREACHED, seen=notice.calls)


def note_anew(graph: Graph, notice: str, answer: str) -> None:
    """Notes the answer that now stands under the one that the notice is about."""
    graph.write(ANEW, id=notice, answer=answer)


def holders(reader: Reader, notice: str) -> list[Holder]:
    """Who was told of a notice, and what they said to it."""
    return [Holder(**row) for row in reader.rows(HOLDERS, id=notice)]


def settle(graph: Graph, ids: Sequence[str], outcome: Outcome, by: str, at: int) -> list[str]:
    """Settles notices for everybody; gives those that were open. Done again it gives the same."""
    params: dict[str, Any] = {"ids": list(ids), "outcome": outcome.value, "by": by, "at": at}
    graph.write(SETTLE, **params)
    settled = _ids(graph.rows(SETTLED, **params))
    _happened(graph, settled, outcome, by, at)
    graph.write(STIR, ids=settled)
    return settled


def still_right(graph: Graph, ids: Sequence[str], by: str, at: int) -> None:
    """A person vouches for answers that commits broke or put in doubt: they hold again, and lean on today's words.

    Done before the notices are settled, so that a kill in between is made good by the next try.
    """
    graph.write(REVALIDATE, ids=list(ids), by=by, at=at)
    rows = [
        [row["answer"], claim, words, version]
        for row in graph.rows(FOLLOWED, ids=list(ids))
        for claim, words, version in zip(row["claims"] or (), row["words"] or (), row["versions"] or (), strict=True)
    ]
    graph.write(FOLLOW, rows=rows)
    graph.write(STANDS, ids=list(ids))


def set_aside(graph: Graph, ids: Sequence[str], outcome: Outcome, by: str, at: int, until: int | None = None) -> None:
    """One person will not see to notices, now or at all; of the latter others are told."""
    graph.write(SET_ASIDE, ids=list(ids), user=by, outcome=outcome.value, until=until)
    _happened(graph, ids, outcome, by, at)
    if outcome is Outcome.NOT_MINE:
        graph.write(AGAIN, ids=list(ids))


def wake(graph: Graph, now: int) -> None:
    """Has people told again of what they put off until now."""
    for name in _ids(graph.rows(WAKING, now=now)):
        graph.write(WAKE, id=name, now=now)
        later = [one.until for one in holders(graph, name) if one.outcome == Outcome.LATER and one.until is not None]
        graph.write(WOKEN, id=name, wake=min(later, default=None))


def held_by(reader: Reader, user: str) -> list[str]:
    """Ids of notices that somebody was told of and that are open, the oldest first."""
    return _ids(reader.rows(HELD_BY, user=user))


def events_of(reader: Reader, notice: str) -> list[tuple[str, str, int]]:
    """What happened to a notice, in order: outcome, by whom, when."""
    found = [event.rsplit(" ", 2) for row in reader.rows(EVENTS, id=notice) for event in row["events"] or ()]
    return [(outcome, by, int(at)) for outcome, by, at in found]


def withdraw_notices(graph: Graph, answers: Sequence[str]) -> None:
    """Takes the words of answers out of what is told of them; messages that show such words are due from then on."""
    params: dict[str, Any] = {"ids": list(answers)}
    graph.write(UNNOTE, **params)
    graph.write(UNTELL, **params)


def _happened(graph: Graph, ids: Sequence[str], outcome: Outcome, by: str, at: int) -> None:
    graph.write(EVENT, ids=list(ids), event=f"{outcome.value} {by} {at}")


def _ids(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]
