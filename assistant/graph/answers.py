"""Questions and answers as nodes, with CITES edges to the exact versions they rest on; what people thought of them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from assistant.errors import Retry
from assistant.graph.notices import withdraw_notices
from assistant.graph.posts import WITHDRAWN
from assistant.graph.store import Graph, Query, Reader
from assistant.model.answers import (
    Answer,
    CommitCitation,
    DecisionCitation,
    SectionCitation,
    Status,
    UtteranceCitation,
)
from assistant.model.audiences import PUBLIC
from assistant.model.ids import digest
from assistant.model.times import micros, moment
from assistant.text.spans import is_verbatim

ALONE = "person:"
"""How the Audience of an answer begins that one person is given alone, of all that they may open."""

Cites = Sequence[Mapping[str, str]]
"""Rows of CITES edges: the id of what is cited, and its quote."""

SAVE = Query(
    "answers.save",
    "MERGE (q:Question {id: $question_id}) "
    "SET q.text = $question, q.at = $at, q.as_of = $as_of, q.audience = $audience, q.viewer = $viewer "
    "MERGE (a:Answer {id: $id}) "
    "SET a.status = $status, a.text = $text, a.question = $question, a.at = $at, a.as_of = $as_of, "
    "a.audience = $audience, a.viewer = $viewer, a.trace_id = $trace_id, a.trace = $trace, a.seconds = $seconds, "
    "a.body = $body "
    "MERGE (a)-[n:ANSWERS]->(q) "
    "WITH a, q CALL { WITH a UNWIND $sections AS r MATCH (s:Section {id: r.id}) "
    "MERGE (a)-[e:CITES {claim: r.claim, quote: r.quote, holds: r.holds}]->(s) } "
    "CALL { WITH a UNWIND $commits AS r MATCH (c:Commit {id: r.id}) "
    "MERGE (a)-[e:CITES {claim: r.claim, quote: r.quote, holds: r.holds}]->(c) } "
    "CALL { WITH a UNWIND $decisions AS r MATCH (d:Decision {id: r.id}) "
    "MERGE (a)-[e:CITES {claim: r.claim, quote: r.quote, holds: r.holds}]->(d) } "
    "CALL { WITH a UNWIND $utterances AS r MATCH (u:Utterance {id: r.id}) "
    "MERGE (a)-[e:CITES {claim: r.claim, quote: r.quote, holds: r.holds}]->(u) } "
    "CALL { WITH q UNWIND $people AS r MERGE (p:Person {id: r}) "
    "ON CREATE SET p.name = r, p.audience = $audience MERGE (q)-[b:ASKED_BY]->(p) } "
    "RETURN a.id AS id",
)
SAID = Query(
    "answers.standing_utterances",
    "UNWIND $utterances AS id MATCH (u:Utterance {id: id}) WHERE u.audience <> '' RETURN u.id AS id, u.text AS text, "
    "u.audience AS audience",
)
STANDING = Query(
    "answers.standing_decisions",
    "UNWIND $decisions AS id MATCH (d:Decision {id: id}) WHERE d.audience <> '' RETURN d.id AS id, d.quote AS quote, "
    "d.audience AS audience, [(d)-[q:QUOTES]->(u) | u.text] AS said",
)
FIND = Query("answers.find", "MATCH (a:Answer {id: $id}) WHERE a.body <> '' RETURN a.body AS body")
RECENT = Query(
    "answers.recent",
    "MATCH (p:Person {id: $viewer}) WITH p MATCH (p)<-[b:ASKED_BY]-(q) WITH q MATCH (q)<-[n:ANSWERS]-(a) "
    "WHERE q.text <> '' "
    "RETURN q.text AS text, q.at AS at, a.id AS answer_id, a.status AS status ORDER BY q.at DESC LIMIT $limit",
)
WITHDRAW = Query(
    "answers.withdraw",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) SET a.status = $withdrawn, a.text = '', a.body = '', "
    "a.question = '', a.trace = [] WITH a MATCH (a)-[n:ANSWERS]->(q) SET q.text = ''",
)
UNCITE = Query(
    "answers.uncite",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) WITH a "
    "MATCH (a)-[c:CITES|INVALIDATED_BY|DOUBTED_BY|REVALIDATED_BY]->(n) DELETE c",
)
UNREASON = Query(
    "answers.unreason",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) WITH a MATCH (a)<-[o:ON]-(f) SET f.reason = ''",
)
FEEDBACK = Query(
    "answers.feedback",
    "MATCH (a:Answer {id: $answer_id}) WITH a MERGE (f:Feedback {id: $id}) "
    "SET f.reason = CASE WHEN $reason = '' AND f.good = $good THEN f.reason ELSE $reason END "
    "SET f.good = $good, f.user = $user, f.at = $at, f.audience = a.audience "
    "MERGE (f)-[o:ON]->(a) RETURN f.id AS id",
)


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was given: to what, to whom, when, for whose eyes, and by which tool calls."""

    answer: Answer
    question: str
    at: datetime
    audience: str
    viewer: str | None
    trace: tuple[str, ...]
    """The tool calls, one line each."""
    sources: Mapping[str, str]
    """The source of each cited commit, by sha."""


@dataclass(frozen=True, slots=True)
class RecentQuestion:
    """A question that somebody asked before."""

    text: str
    at: datetime
    answer_id: str
    status: Status


def save_answer(graph: Graph, given: Given) -> None:
    """Writes question, answer and what it cites in one query; again with the same ids it changes nothing.

    Raises Retry, with nothing left of it, where words that it cites were forgotten while it was being made.
    """
    answer = given.answer
    decisions = list(cites_of(answer, given.sources, DecisionCitation))
    utterances = list(cites_of(answer, given.sources, UtteranceCitation))
    graph.write(
        SAVE,
        id=answer.answer_id,
        question_id=digest("question", answer.answer_id),
        question=given.question,
        at=micros(given.at),
        as_of=None if answer.as_of is None else micros(answer.as_of),
        audience=given.audience,
        viewer=given.viewer,
        status=answer.status.value,
        text=answer.text,
        trace_id=answer.trace_id,
        trace=list(given.trace),
        seconds=answer.seconds,
        body=packed(answer),
        sections=list(cites_of(answer, given.sources, SectionCitation)),
        commits=list(cites_of(answer, given.sources, CommitCitation)),
        decisions=decisions,
        utterances=utterances,
        people=[given.viewer] if given.viewer else [],
    )
    if _lost_ground(graph, decisions, utterances, given.audience):
        withdraw(graph, [answer.answer_id])
        raise Retry("what this answer rests on has just been deleted", after=1.0)


def _lost_ground(reader: Reader, decisions: Cites, utterances: Cites, audience: str) -> bool:
    """Whether anything cited is hidden, gone or worded anew by now, or not to be told to this Audience any more.

    Whoever forgets or narrows does that first, and looks for answers then.
    """
    said, settled = {one["id"] for one in utterances}, {one["id"] for one in decisions}
    rows = reader.rows(SAID, utterances=sorted(said)) if said else []
    rows += reader.rows(STANDING, decisions=sorted(settled)) if settled else []
    if not audience.startswith(ALONE) and not {row["audience"] for row in rows} <= {PUBLIC, audience}:
        return True
    words = {row["id"]: (row.get("text") or "", row.get("quote") or "", *row.get("said", ())) for row in rows}
    return not all(
        any(is_verbatim(one["quote"], text) for text in words.get(one["id"], ())) for one in (*decisions, *utterances)
    )


Cited = SectionCitation | CommitCitation | DecisionCitation | UtteranceCitation


def cites_of(answer: Answer, sources: Mapping[str, str], kind: type[Cited]) -> Iterable[dict[str, str]]:
    """The CITES edges of one kind: the cited node, the claim, its quote and what it holds for, each once."""
    by_id = {citation.id: citation for citation in answer.citations}
    seen: set[tuple[str, str, str]] = set()
    for claim in answer.claims:
        for cited in (by_id[name] for name in claim.citations):
            if not isinstance(cited, kind):
                continue
            node, quote = _node(cited, sources)
            if (node, claim.text, quote) not in seen:
                seen.add((node, claim.text, quote))
                yield {"id": node, "claim": claim.text, "quote": quote, "holds": claim.holds}


def _node(cited: Cited, sources: Mapping[str, str]) -> tuple[str, str]:
    """The id of what is cited, and the quoted words."""
    match cited:
        case SectionCitation():
            return cited.version, cited.quote
        case CommitCitation():
            return digest("commit", sources[cited.commit], cited.commit), cited.subject
        case DecisionCitation():
            return cited.decision, cited.quote
        case UtteranceCitation():
            return cited.utterance, cited.quote


def find_answer(reader: Reader, answer_id: str) -> Answer | None:
    """The answer with that id, as it was given; None where there is none."""
    rows = reader.rows(FIND, id=answer_id)
    return unpacked(rows[0]["body"]) if rows else None


def packed(answer: Answer) -> str:
    """The answer as JSON, with what its public form leaves out."""
    told: dict[str, Any] = answer.model_dump(mode="json")
    told["owners"] = list(answer.owners)
    for citation, dumped in zip(answer.citations, told["citations"], strict=True):
        match citation:
            case SectionCitation():
                dumped["version"] = citation.version
            case DecisionCitation():
                dumped |= {"decision": citation.decision, "place": citation.place}
                dumped |= {"marked_by": citation.marked_by, "statement": citation.statement}
            case UtteranceCitation():
                dumped |= {"utterance": citation.utterance, "place": citation.place}
            case _:
                pass
    return json.dumps(told, ensure_ascii=False)


def unpacked(body: str) -> Answer:
    """The answer that `packed` packed."""
    return Answer.model_validate_json(body)


def recent_questions(reader: Reader, viewer: str, limit: int) -> list[RecentQuestion]:
    """What somebody asked last, latest first."""
    rows = reader.rows(RECENT, viewer=viewer, limit=limit)
    return [RecentQuestion(r["text"], moment(r["at"]), r["answer_id"], Status(r["status"])) for r in rows]


def record_feedback(graph: Graph, answer_id: str, user: str, good: bool, reason: str) -> bool:
    """Keeps what somebody thinks of an answer, the last word of each person; False where there is no such answer.

    A click that says the same again, or arrives late, leaves the reason that a form has given meanwhile.
    """
    told = graph.write(
        FEEDBACK,
        id=digest("feedback", answer_id, user),
        answer_id=answer_id,
        user=user,
        good=good,
        reason=reason,
        at=micros(datetime.now(UTC)),
    )
    return bool(told)


def withdraw(graph: Graph, answers: Sequence[str]) -> None:
    """Takes question, text, claims, quotes, trace, feedback and notices out of answers; that they were given stays."""
    params: dict[str, Any] = {"ids": list(answers)}
    graph.write(UNCITE, **params)
    graph.write(UNREASON, **params)
    withdraw_notices(graph, answers)
    graph.write(WITHDRAW, **params, withdrawn=WITHDRAWN)
