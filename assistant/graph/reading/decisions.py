"""Decisions as a reader may see them: what was settled, where, by whom, what carried it out, what speaks against it.

What became of a decision is told from what this reader may see, never stored: one that only a private decision
replaced is not replaced for who may not see that one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.graph.reading.commits import COMMIT, SEEN, CommitRow, commit_of
from assistant.graph.store import VISIBLE, Query, Reader, scope_params
from assistant.model.audiences import Scope
from assistant.model.decisions import DecisionStatus, Evidence
from assistant.model.times import FOREVER
from assistant.text.words import search_tokens


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A commit that carried a decision out, and what of it its change to one section shows."""

    commit: CommitRow
    evidence: Evidence
    valid_to: int
    """When a commit took it back, microseconds; FOREVER where none did by the reader's day."""
    ended_by: str | None
    """Sha of that commit."""


@dataclass(frozen=True, slots=True)
class SectionRef:
    """A section that a decision is about: its version after the commit that carried it out, or the one against it."""

    id: str
    lineage: str
    path: str
    heading_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """What the handbook says, on the reader's day, against a decision."""

    section: SectionRef
    quote: str
    """Verbatim words of that version."""
    commit: str
    """Sha of the commit that wrote it."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision and what became of it, as far as the reader may see."""

    id: str
    statement: str
    quote: str
    """Verbatim words of the deciding utterance."""
    quote_speaker: str
    utterance: str
    url: str | None
    """Opens the message, or the second of the recording."""
    decided_by: str | None
    decider: str | None
    at: int
    """When it was decided, microseconds."""
    conversation: str
    """Id of the conversation in the graph."""
    shown_id: str
    """The conversation as the command line prints it."""
    kind: str
    """Of the conversation: a value of ConversationKind."""
    place_name: str
    title: str
    audience: str
    old_value: str | None
    new_value: str | None
    topic: str
    origin: str
    """`flagged by NAME` where a person marked the message as a rule, else ''."""
    reasons: tuple[str, ...]
    alternatives: tuple[str, ...]
    supporting: tuple[str, ...]
    """Ids of utterances."""
    status: DecisionStatus
    links: tuple[LinkRow, ...]
    """The commits that carried it out, first the one that did so first and in full, the others by time. Without those
    that were taken back by the reader's day, unless a later decision has taken its place."""
    taken_back: tuple[LinkRow, ...]
    """Those that were taken back by then."""
    sections: tuple[SectionRef, ...]
    conflict: ConflictRow | None
    supersedes: tuple[str, ...]
    """Ids of earlier decisions that it replaces."""
    superseded_by: tuple[str, ...]
    """Ids of later decisions that replace it, the first one first."""


OWN = (
    *("id", "statement", "quote", "quote_speaker", "utterance", "url", "decided_by", "decider", "at", "conversation"),
    *("shown_id", "kind", "place_name", "title", "audience", "old_value", "new_value", "topic", "origin"),
)
LISTS = ("reasons", "alternatives", "supporting")

TOLD = "d.audience IN $audiences AND d.at <= $until"
"""Which decisions a reader may know of, of a node named `d`; bind it with `told_params(scope)`."""

ALL = Query(
    "decisions.all",
    f"MATCH (d:Decision) WHERE {TOLD} RETURN d.id AS id ORDER BY d.at, d.id",
)
OF_COMMIT = Query(
    "decisions.of_commit",
    "MATCH (c:Commit) WHERE c.sha = $sha WITH c MATCH (c)<-[i:IMPLEMENTED_BY]-(d) "
    f"WHERE {TOLD} RETURN DISTINCT d.id AS id, d.at AS at ORDER BY at, id",
)
OF_LINEAGE = Query(
    "decisions.of_lineage",
    "MATCH (s:Section {lineage: $lineage}) WITH s MATCH (s)<-[a:ABOUT]-(d) "
    f"WHERE {TOLD} RETURN DISTINCT d.id AS id, d.at AS at ORDER BY at, id",
)
IN_CONVERSATION = Query(
    "decisions.in_conversation",
    f"MATCH (d:Decision {{conversation: $conversation}}) WHERE {TOLD} RETURN d.id AS id ORDER BY d.at, d.id",
)
BETWEEN = Query(
    "decisions.between",
    f"MATCH (d:Decision) WHERE {TOLD} AND d.at >= $start AND d.at < $end "
    "RETURN d.id AS id, d.decided_by AS name ORDER BY d.at DESC, d.id",
)
HOLDING = Query(
    "decisions.holding",
    "UNWIND $words AS word CALL db.idx.fulltext.queryNodes('Decision', word) YIELD node AS d WITH word, d "
    f"WHERE {TOLD} RETURN d.id AS id, d.at AS at, collect(word) AS words",
)
DETAILS = Query(
    "decisions.details",
    f"UNWIND $ids AS id MATCH (d:Decision {{id: id}}) WHERE {TOLD} RETURN d.waits_until AS waits_until, "
    + ", ".join(f"d.{name} AS {name}" for name in (*OWN, *LISTS)),
)
LINKS = Query(
    "decisions.links",
    f"UNWIND $ids AS id MATCH (d:Decision {{id: id}}) WITH d MATCH (d)-[i:IMPLEMENTED_BY]->(c) WHERE {SEEN} "
    "AND i.valid_from <= $days[c.source] RETURN d.id AS id, i.added AS added, i.removed AS removed, "
    "i.reference AS reference, i.section AS section, i.author_spoke AS author_spoke, i.score AS score, "
    "i.valid_to AS valid_to, i.ended_by AS ended_by, "
    f"i.valid_to > $days[c.source] AS holds, {COMMIT} ORDER BY i.first DESC, c.at, i.score DESC, i.valid_from, id",
)
SECTION_REF = "s.id AS section, s.lineage AS lineage, s.path AS path, s.heading_path AS heading_path"
KNOWN = "s.audience IN $audiences AND s.valid_from <= $days[s.source]"
ABOUT = Query(
    "decisions.about",
    f"UNWIND $ids AS id MATCH (d:Decision {{id: id}}) WITH d MATCH (d)-[a:ABOUT]->(s) WHERE {KNOWN} "
    f"RETURN d.id AS id, {SECTION_REF} ORDER BY s.path, s.position",
)
AGAINST = Query(
    "decisions.against",
    "UNWIND $ids AS id MATCH (d:Decision {id: id}) WITH d MATCH (d)-[x:CONFLICTS_WITH]->(o) WITH d, x, o "
    f"MATCH (s:Section {{lineage: o.lineage}}) WHERE {VISIBLE} AND s.text CONTAINS x.quote "
    f"RETURN d.id AS id, x.quote AS quote, s.commit AS commit, {SECTION_REF} ORDER BY s.path, s.position",
)
REPLACED = Query(
    "decisions.replaced",
    "UNWIND $ids AS id MATCH (o:Decision {id: id}) WITH o MATCH (o)<-[r:SUPERSEDES]-(d:Decision) "
    f"WHERE {TOLD} RETURN o.id AS id, d.id AS other, d.at AS at ORDER BY at, other",
)
REPLACES = Query(
    "decisions.replaces",
    "UNWIND $ids AS id MATCH (o:Decision {id: id}) WITH o MATCH (o)-[r:SUPERSEDES]->(d:Decision) "
    f"WHERE {TOLD} RETURN o.id AS id, d.id AS other, d.at AS at ORDER BY at, other",
)
GIT_SOURCES = Query("decisions.git_sources", "MATCH (s:Source {kind: 'git'}) RETURN s.id AS id, s.read_at AS read_at")


AUDIENCES = Query("decisions.audiences", "MATCH (d:Decision) WHERE d.at >= 0 RETURN DISTINCT d.audience AS audience")


def audiences(reader: Reader) -> list[str]:
    """Every Audience that a decision has, for who administers the install."""
    return sorted(row["audience"] for row in reader.rows(AUDIENCES) if row["audience"])


def told_params(scope: Scope) -> dict[str, Any]:
    """What TOLD asks for."""
    return {"audiences": list(scope.audiences), "until": FOREVER if scope.as_of is None else scope.as_of}


def all_decisions(reader: Reader, scope: Scope) -> list[DecisionRow]:
    """Every decision the scope lets one see, oldest first."""
    return _found(reader, scope, ALL)


def decisions_of_commit(reader: Reader, scope: Scope, sha: str) -> list[DecisionRow]:
    """The decisions that a commit carried out, oldest first."""
    return _found(reader, scope, OF_COMMIT, sha=sha)


def decisions_of_section(reader: Reader, scope: Scope, lineage: str) -> list[DecisionRow]:
    """The decisions that were carried out in a section, in any of its versions, or that speak against it."""
    return _found(reader, scope, OF_LINEAGE, lineage=lineage)


def decisions_by(
    reader: Reader, scope: Scope, name: str, start: int | None, end: int | None, limit: int
) -> list[DecisionRow]:
    """The latest decisions of who has all these words in their name ('': of anybody), in a stretch of microseconds."""
    wanted, within = frozenset(search_tokens(name)), {"start": start or 0, "end": FOREVER if end is None else end}
    rows = reader.rows(BETWEEN, **within, **told_params(scope))
    fitting = [row["id"] for row in rows if wanted <= frozenset(search_tokens(row["name"] or ""))]
    return decisions_named(reader, scope, fitting[:limit])


def decisions_in(reader: Reader, scope: Scope, conversation: str) -> list[DecisionRow]:
    """The decisions of one conversation, by its id in the graph."""
    return _found(reader, scope, IN_CONVERSATION, conversation=conversation)


Held = tuple[DecisionRow, frozenset[str]]


def decisions_about(reader: Reader, scope: Scope, text: str, limit: int = 8) -> list[Held]:
    """The decisions that hold most of the text's search tokens, rare ones first, with the tokens that each holds."""
    words = list(dict.fromkeys(search_tokens(text)))
    if not words:
        return []
    rows = reader.rows(HOLDING, words=words, **told_params(scope))
    spread: dict[str, int] = defaultdict(int)
    for row in rows:
        for word in row["words"]:
            spread[word] += 1

    def worth(row: dict[str, Any]) -> tuple[float, int, str]:
        return -sum(1 / spread[word] for word in set(row["words"])), -row["at"], row["id"]

    best = sorted(rows, key=worth)[:limit]
    held = {row["id"]: frozenset(row["words"]) for row in best}
    return [(row, held[row.id]) for row in decisions_named(reader, scope, list(held))]


def _found(reader: Reader, scope: Scope, query: Query, **params: Any) -> list[DecisionRow]:
    rows = reader.rows(query, **params, **told_params(scope))
    return decisions_named(reader, scope, [row["id"] for row in rows])


def decisions_named(reader: Reader, scope: Scope, ids: Sequence[str]) -> list[DecisionRow]:
    """The decisions with all that hangs on them, in the order of `ids`."""
    if not ids:
        return []
    told, seen = told_params(scope), scope_params(scope)
    details = {row["id"]: row for row in reader.rows(DETAILS, ids=list(ids), **told)}
    links = _grouped(reader.rows(LINKS, ids=list(ids), **seen))
    about = _grouped(reader.rows(ABOUT, ids=list(ids), **seen))
    against = _grouped(reader.rows(AGAINST, ids=list(ids), **seen))
    replaced = _grouped(reader.rows(REPLACED, ids=list(ids), **told))
    replaces = _grouped(reader.rows(REPLACES, ids=list(ids), **told))
    now = handbook_known(reader, scope)
    return [
        _decision(details[name], links[name], about[name], against[name], replaced[name], replaces[name], now)
        for name in dict.fromkeys(ids)
        if name in details
    ]


def handbook_known(reader: Reader, scope: Scope) -> int:
    """Up to when it is known what commits did, microseconds: when a handbook that is read was last read to its end, its
    last commit where it was not, the reader's day if that is earlier; 0 without one.
    """
    day = FOREVER if scope.as_of is None else scope.as_of
    read = {row["id"]: min(row["read_at"] or 0, day) for row in reader.rows(GIT_SOURCES)}
    return max((max(scope.days[source], at) for source, at in read.items() if source in scope.days), default=0)


def _grouped(rows: Iterable[dict[str, Any]]) -> defaultdict[str, list[dict[str, Any]]]:
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["id"]].append(row)
    return groups


Rows = Collection[dict[str, Any]]


def _decision(
    own: dict[str, Any], links: Rows, about: Rows, against: Rows, replaced: Rows, replaces: Rows, now: int
) -> DecisionRow:
    conflicts = [ConflictRow(_section(row), row["quote"], row["commit"]) for row in against]
    carried = tuple(_link(row) for row in links if row["holds"])
    standing = {link.commit.sha for link in carried}
    taken_back = tuple(_link(row) for row in links if not row["holds"] and row["c_sha"] not in standing)
    if replaced and not carried:
        carried = taken_back
    lists: dict[str, Any] = {name: tuple(own[name] or ()) for name in LISTS}
    return DecisionRow(
        **{name: own[name] for name in OWN},
        **lists,
        status=status(bool(carried), bool(replaced), bool(against), now >= (own["waits_until"] or FOREVER)),
        links=carried,
        taken_back=taken_back,
        sections=tuple(_section(row) for row in about),
        conflict=conflicts[0] if conflicts and not carried and not replaced else None,
        supersedes=tuple(row["other"] for row in replaces),
        superseded_by=tuple(row["other"] for row in replaced),
    )


def status(carried_out: bool, replaced: bool, opposed: bool, waited: bool) -> DecisionStatus:
    """What became of a decision."""
    if carried_out:
        return DecisionStatus.IMPLEMENTED
    if replaced:
        return DecisionStatus.SUPERSEDED
    if not waited:
        return DecisionStatus.PENDING
    return DecisionStatus.CONFLICT if opposed else DecisionStatus.CHAT_ONLY


def _link(row: dict[str, Any]) -> LinkRow:
    until = FOREVER if row["holds"] else row["valid_to"]
    return LinkRow(commit_of(row), _evidence(row), until, None if row["holds"] else row["ended_by"])


def _section(row: dict[str, Any]) -> SectionRef:
    return SectionRef(row["section"], row["lineage"], row["path"], tuple(row["heading_path"]))


def _evidence(row: dict[str, Any]) -> Evidence:
    return Evidence(
        added=tuple(row["added"]),
        removed=tuple(row["removed"]),
        reference=row["reference"],
        author_spoke=row["author_spoke"],
        section=row["section"],
        score=row["score"],
    )
