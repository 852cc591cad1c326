"""Writing decisions: what a conversation settled, then what carried it out, opposed it, or took its place.

Each of these can be done again at any time: what is written takes the place of what was there.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from assistant.graph.store import Graph, Query, Reader
from assistant.model import ids
from assistant.model.conversations import Conversation
from assistant.model.decisions import Extracted, Link
from assistant.text.words import STOP_WORDS, search_tokens

SHAPE = 4
"""Changes with what is kept of a decision, so that all conversations are read again."""

ROWS = 500
"""Rows of one write."""

DECISION = (
    *("id", "conversation", "shown_id", "kind", "place_name", "title", "audience", "statement", "utterance", "quote"),
    *("quote_speaker", "url", "supporting", "decided_by", "decider", "at", "old_value", "new_value", "topic"),
    *("reasons", "alternatives", "replaces", "origin", "content", "tokens", "context"),
)

HERE = Query(
    "deciding.here",
    "UNWIND $conversations AS name MATCH (d:Decision {conversation: name}) RETURN d.id AS id, d.content AS content",
)
WRITE = Query(
    "deciding.write",
    "UNWIND $rows AS r MERGE (d:Decision {id: r[0]}) SET "
    + ", ".join(f"d.{name} = r[{n}]" for n, name in enumerate(DECISION) if n)
    + f", d.judged = '', d.seal = r[{len(DECISION)}]",
)
TIE = {
    "in": Query(
        "deciding.in",
        "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) MATCH (c:Conversation {id: r[1]}) "
        "MERGE (d)-[e:DECIDED_IN]->(c)",
    ),
    "by": Query(
        "deciding.by",
        "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) MATCH (p:Person {id: r[1]}) MERGE (d)-[e:DECIDED_BY]->(p)",
    ),
    "quotes": Query(
        "deciding.quotes",
        "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) MATCH (u:Utterance {id: r[1]}) "
        "MERGE (d)-[e:QUOTES {deciding: r[2]}]->(u)",
    ),
}
COUNT = Query("deciding.count", "UNWIND $rows AS r MATCH (c:Conversation {id: r[0]}) SET c.decided = r[1]")
UNTIE = Query("deciding.untie", "UNWIND $ids AS id MATCH (d:Decision {id: id}) WITH d MATCH (d)-[e]->(o) DELETE e")
UNTIE_LATER = Query(
    "deciding.untie_later",
    "UNWIND $ids AS id MATCH (d:Decision {id: id}) WITH d MATCH (d)<-[e:SUPERSEDES]-(o) DELETE e",
)
CITED = Query(
    "deciding.cited",
    "UNWIND $ids AS id MATCH (d:Decision {id: id}) WITH d MATCH (a)-[c:CITES]->(d) RETURN DISTINCT d.id AS id",
)
HIDE = Query(
    "deciding.hide", "UNWIND $ids AS id MATCH (d:Decision {id: id}) SET d.audience = NULL, d.conversation = NULL"
)
DELETE = Query("deciding.delete", "UNWIND $ids AS id MATCH (d:Decision {id: id}) DELETE d")

STORED = Query(
    "deciding.stored",
    "MATCH (d:Decision) WHERE d.at >= 0 AND d.audience <> '' RETURN d.judged AS judged, d.content AS content, "
    "[(d)-[a:ABOUT]->(s) | s.lineage] AS lineages, [(d)-[i:IMPLEMENTED_BY]->(c) | c.sha] AS commits, "
    "[(d)-[r:SUPERSEDES]->(o) | o.id] AS superseded, "
    + ", ".join(f"d.{name} AS {name}" for name in DECISION if name != "content")
    + " ORDER BY d.at, d.id",
)
UNLINK = Query(
    "deciding.unlink",
    "UNWIND $ids AS id MATCH (d:Decision {id: id}) WITH d "
    "MATCH (d)-[e:IMPLEMENTED_BY|ABOUT|CONFLICTS_WITH]->(o) DELETE e",
)
LINK = Query(
    "deciding.link",
    "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) MATCH (c:Commit {id: r[1]}) MATCH (s:Section {id: r[2]}) "
    "MERGE (d)-[i:IMPLEMENTED_BY {section: r[2], valid_from: r[3]}]->(c) SET i.valid_to = r[4], i.ended_by = r[5], "
    "i.first = r[6], i.added = r[7], i.removed = r[8], i.reference = r[9], i.author_spoke = r[10], i.score = r[11] "
    "MERGE (d)-[a:ABOUT]->(s)",
)
OPPOSE = Query(
    "deciding.oppose",
    "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) MATCH (s:Section {id: r[1]}) "
    "MERGE (d)-[x:CONFLICTS_WITH]->(s) SET x.quote = r[2] MERGE (d)-[a:ABOUT]->(s)",
)
JUDGED = Query(
    "deciding.judged",
    "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) SET d.judged = r[1], d.waits_until = r[2], d.carried = r[3], "
    "d.opposed = r[4]",
)
REPLACE = Query(
    "deciding.replace",
    "UNWIND $rows AS r MATCH (n:Decision {id: r[0]}) MATCH (o:Decision {id: r[1]}) MERGE (n)-[e:SUPERSEDES]->(o)",
)
REPLACING = Query(
    "deciding.replacing",
    "MATCH (d:Decision) WHERE d.at >= 0 AND d.audience <> '' RETURN d.id AS id, d.replacing AS replacing",
)
COUNT_REPLACED = Query(
    "deciding.count_replaced", "UNWIND $rows AS r MATCH (d:Decision {id: r[0]}) SET d.replacing = r[1]"
)
KEEP = Query(
    "deciding.keep",
    "UNWIND $rows AS r MATCH (n:Decision {id: r[0]}) WITH n, r "
    "MATCH (n)-[e:SUPERSEDES]->(o:Decision {id: r[1]}) DELETE e",
)
CURSOR = Query("deciding.cursor", "MATCH (p:Progress {id: 'decisions'}) RETURN p.cursor AS cursor, p.by AS by")
MOVE = Query("deciding.move", "MERGE (p:Progress {id: 'decisions'}) SET p.cursor = $cursor, p.by = $by")
COMPARED = Query("deciding.compared", "MATCH (p:Progress {id: 'decisions'}) RETURN p.compared AS compared")
COMPARE = Query("deciding.compare", "MERGE (p:Progress {id: 'decisions'}) SET p.compared = $compared")
COMMITS = Query(
    "deciding.commits",
    "MATCH (c:Commit) WHERE c.at >= 0 RETURN c.source AS source, c.at AS at, c.sha AS sha, c.reverts AS reverts "
    "ORDER BY c.at",
)
TOUCHED = Query(
    "deciding.touched",
    "UNWIND $lineages AS name MATCH (s:Section {lineage: name}) WITH name, s ORDER BY s.valid_from DESC "
    "WITH name, collect(s.commit) AS commits, max(s.valid_to) AS until "
    "RETURN name AS name, commits[0] AS last, until AS until",
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A decision as the graph has it, for judging it again."""

    id: str
    audience: str
    decision: Extracted
    title: str
    tokens: frozenset[str]
    """Search tokens of its own words."""
    context: frozenset[str]
    """Search tokens of the whole conversation."""
    judged: str
    """What it was judged by last: differs where anything has changed that may matter."""
    content: str
    lineages: frozenset[str]
    """Of the sections that it was carried out in."""
    commits: frozenset[str]
    superseded: frozenset[str]
    """Ids of earlier decisions that it is held to replace."""


def decision_ids(found: Sequence[Extracted]) -> list[str]:
    """An id for each decision of a conversation: by its utterance, counted where one utterance settles several."""
    seen: dict[str, int] = {}
    made = []
    for one in found:
        number = seen[one.utterance] = seen.get(one.utterance, -1) + 1
        made.append(ids.digest("decision", one.utterance, str(number)))
    return made


def write_decisions(graph: Graph, found: Mapping[str, tuple[Conversation, Sequence[Extracted]]]) -> int:
    """Writes the decisions of whole conversations, by conversation; what is there of them no longer goes.

    Gives how many were new or changed. What answers cite stays as a node that no read shows. Each conversation keeps
    the ids of its decisions, so that an audit sees when one is gone.
    """
    rows: list[list[Any]] = []
    for talk, decisions in found.values():
        rows += [decision_row(name, talk, one) for name, one in zip(decision_ids(decisions), decisions, strict=True)]
    here = {row["id"]: row["content"] for row in graph.rows(HERE, conversations=list(found))}
    content = DECISION.index("content")
    changed = [row for row in rows if here.get(row[0]) != row[content]]
    untie(graph, [row[0] for row in changed if row[0] in here])
    drop(graph, sorted(here.keys() - {row[0] for row in rows}))
    for part in parts(changed):
        graph.write(WRITE, rows=[[*row, sealed(row)] for row in part])
        graph.write(TIE["in"], rows=[[row[0], row[1]] for row in part])
        graph.write(TIE["by"], rows=[[row[0], by] for row in part if (by := row[DECISION.index("decider")])])
        graph.write(TIE["quotes"], rows=[quoted for row in part for quoted in quotes(row)])
    for part in parts([[name, decision_ids(decisions)] for name, (_, decisions) in found.items()]):
        graph.write(COUNT, rows=part)
    return len(changed)


def quotes(row: Sequence[Any]) -> list[list[Any]]:
    """A decision's edges to utterances: the deciding one, and those that carry its value or reason."""
    deciding = row[DECISION.index("utterance")]
    others = [name for name in row[DECISION.index("supporting")] if name != deciding]
    return [[row[0], deciding, True], *([row[0], name, False] for name in others)]


def decision_row(name: str, talk: Conversation, one: Extracted) -> list[Any]:
    """A decision's values in the order of DECISION."""
    said = {utterance.id: utterance for utterance in talk.utterances}
    own = said[one.utterance]
    support = [said[other].text for other in one.supporting if other in said]
    words = search_tokens("\n".join((one.statement, one.quote, one.topic, talk.title, *one.reasons, *support)))
    return [
        *(name, talk.id, talk.shown_id, talk.kind.value, talk.place_name, talk.title, talk.audience, one.statement),
        *(one.utterance, one.quote, own.speaker.name, own.url, list(one.supporting), one.decided_by, one.decider),
        *(one.decided_at, one.old_value, one.new_value, one.topic, list(one.reasons), list(one.alternatives)),
        *(one.supersedes_utterance, one.origin),
        ids.digest("content", str(SHAPE), repr(talk), repr(one)),
        " ".join(words),
        " ".join(sorted({token for said in talk.utterances for token in search_tokens(said.text)} - STOP_WORDS)),
    ]


def sealed(row: Sequence[Any]) -> str:
    """What tells that a row is as it was written: an audit makes it again from what is there."""
    return ids.digest("written", json.dumps(row))


def untie(graph: Graph, names: Sequence[str]) -> None:
    """Takes all edges off decisions but those of answers that cite them."""
    for part in parts(names):
        graph.write(UNTIE, ids=part)
        graph.write(UNTIE_LATER, ids=part)


def drop(graph: Graph, names: Sequence[str]) -> None:
    """Takes decisions away that their conversation no longer holds."""
    untie(graph, names)
    cited = {row["id"] for part in parts(names) for row in graph.rows(CITED, ids=part)}
    for part in parts([name for name in names if name not in cited]):
        graph.write(DELETE, ids=part)
    for part in parts(sorted(cited)):
        graph.write(HIDE, ids=part)


def stored_decisions(reader: Reader) -> list[Stored]:
    """Every decision of the Space, for judging: no Audience is asked, each carries its own. Oldest first."""
    return [stored(row) for row in reader.rows(STORED)]


def stored(row: Mapping[str, Any]) -> Stored:
    """The decision in a row of STORED."""
    return Stored(
        id=row["id"],
        audience=row["audience"],
        title=row["title"],
        tokens=frozenset(row["tokens"].split()),
        context=frozenset((row["context"] or "").split()),
        judged=row["judged"],
        content=row["content"],
        lineages=frozenset(row["lineages"]),
        commits=frozenset(row["commits"]),
        superseded=frozenset(row["superseded"]),
        decision=Extracted(
            conversation=row["conversation"],
            statement=row["statement"],
            utterance=row["utterance"],
            quote=row["quote"],
            supporting=tuple(row["supporting"]),
            decided_by=row["decided_by"],
            decider=row["decider"],
            decided_at=row["at"],
            old_value=row["old_value"],
            new_value=row["new_value"],
            topic=row["topic"],
            reasons=tuple(row["reasons"]),
            alternatives=tuple(row["alternatives"]),
            supersedes_utterance=row["replaces"],
            origin=row["origin"],
        ),
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is held of a decision: the commits that carried it out, or the words of the handbook against it."""

    decision: str
    links: tuple[Link, ...]
    against: tuple[tuple[str, str], ...]
    """Section versions and their verbatim words."""
    judged: str
    waits_until: int
    """Microseconds from which it counts as chat-only if nothing carried it out."""


def write_judgements(graph: Graph, found: Iterable[Judgement]) -> None:
    """Puts judgements in the place of those before."""
    for part in parts(list(found)):
        graph.write(UNLINK, ids=[one.decision for one in part])
        graph.write(LINK, rows=[link_row(link) for one in part for link in one.links])
        graph.write(OPPOSE, rows=[[one.decision, *words] for one in part for words in one.against])
        graph.write(JUDGED, rows=[judged_row(one) for one in part])


def judged_row(one: Judgement) -> list[Any]:
    """A judgement's values in the order of JUDGED; seals of what was found tell when an edge is gone or altered.

    The score is sealed to six places, as the server gives doubles back to some fifteen digits.
    """
    links = [link_row(link) for link in one.links]
    carried = sorted(sealed([*row[:-1], round(row[-1], 6)]) for row in links)
    opposed = sorted(sealed([one.decision, *words]) for words in one.against)
    return [one.decision, one.judged, one.waits_until, carried, opposed]


def link_row(link: Link) -> list[Any]:
    """A link's values in the order of LINK."""
    seen = link.evidence
    added, removed = list(seen.added), list(seen.removed)
    return [
        *(link.decision, link.commit, seen.section, link.valid_from, link.valid_to, link.ended_by, link.first),
        *(added, removed, seen.reference, seen.author_spoke, seen.score),
    ]


def write_replaced(graph: Graph, now: AbstractSet[tuple[str, str]], before: AbstractSet[tuple[str, str]]) -> None:
    """Writes which decision (first) replaces which, and takes away what holds no longer.

    Each keeps the ids of those that it replaces, so that an audit sees when one is gone.
    """
    for part in parts(sorted(before - now)):
        graph.write(KEEP, rows=[list(pair) for pair in part])
    for part in parts(sorted(now - before)):
        graph.write(REPLACE, rows=[list(pair) for pair in part])
    earlier: defaultdict[str, list[str]] = defaultdict(list)
    for later, replaced in sorted(now):
        earlier[later].append(replaced)
    kept = {row["id"]: row["replacing"] or [] for row in graph.rows(REPLACING)}
    for part in parts([[name, earlier[name]] for name, known in kept.items() if known != earlier[name]]):
        graph.write(COUNT_REPLACED, rows=part)


def read_cursor(reader: Reader, by: str) -> int:
    """Up to which revision of the conversations decisions were extracted by this extractor; 0 for none."""
    rows = reader.rows(CURSOR)
    return int(rows[0]["cursor"]) if rows and rows[0]["by"] == by else 0


def move_cursor(graph: Graph, cursor: int, by: str) -> None:
    """Remembers up to which revision conversations have been read, and by which extractor."""
    graph.write(MOVE, cursor=cursor, by=by)


def read_compared(reader: Reader) -> str:
    """What told of all decisions when they were compared last, as it was kept; '' for never."""
    rows = reader.rows(COMPARED)
    return str(rows[0]["compared"] or "") if rows else ""


def keep_compared(graph: Graph, compared: str) -> None:
    """Remembers what told of all decisions, once what came of comparing them is written."""
    graph.write(COMPARE, compared=compared)


@dataclass(frozen=True, slots=True)
class Mainline:
    """A source's commits, oldest first."""

    times: list[int]
    shas: list[str]
    reverts: list[tuple[str, tuple[str, ...]]]
    """Those that say that they take others back, with the shas of these as they write them."""


def mainlines(reader: Reader) -> dict[str, Mainline]:
    """Every source's commits."""
    lines: dict[str, Mainline] = {}
    for row in reader.rows(COMMITS):
        line = lines.setdefault(row["source"], Mainline([], [], []))
        line.times.append(row["at"])
        line.shas.append(row["sha"])
        if row["reverts"]:
            line.reverts.append((row["sha"], tuple(row["reverts"])))
    return lines


def touched(reader: Reader, lineages: Iterable[str]) -> dict[str, str]:
    """For each lineage what tells its last change: the commit of its last version, and when that ended."""
    found: dict[str, str] = {}
    for part in parts(sorted(set(lineages))):
        found |= {row["name"]: f"{row['last']} {row['until']}" for row in reader.rows(TOUCHED, lineages=part)}
    return found


def parts(rows: Sequence[Any]) -> Iterable[list[Any]]:
    """Rows in parts of ROWS."""
    for start in range(0, len(rows), ROWS):
        yield list(rows[start : start + ROWS])
