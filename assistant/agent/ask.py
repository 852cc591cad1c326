"""A question to an answer: within what the asker may see, planned, looked up, checked, stored."""

import json
from datetime import UTC, datetime, tzinfo
from time import perf_counter
from uuid import uuid4

from assistant.access import audience_of, audiences_for, scope_for, unchecked
from assistant.agent.draft import Draft, Refusal, numbered, readable
from assistant.agent.evidence import Run, ToolContext
from assistant.agent.links import Links
from assistant.agent.offline.asking import Asking
from assistant.agent.offline.decided import told
from assistant.agent.offline.facets import Facet
from assistant.agent.offline.intent import understand
from assistant.agent.offline.planner import plan
from assistant.agent.tools import why_path
from assistant.agent.tools.why_path import PathOf
from assistant.agent.verify import verified
from assistant.embed import Embedder
from assistant.errors import UserFacing
from assistant.graph.answers import Given, find_answer, save_answer
from assistant.graph.reading.decisions import DecisionRow
from assistant.graph.sources import SourceRow, list_sources
from assistant.graph.space import Space
from assistant.model.answers import Answer, AskedQuestion, Claim, Status
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.ids import digest
from assistant.model.protocols import Members

READ = 2000
"""Characters of a question that are read for its intent and looked up: more than anybody asks."""
THREAD = 20
"""Earlier questions of a thread that a follow-up may lean on."""
NOTHING_YET = "nothing is known yet: fill the handbook with `brain ingest git REPO` first"
EXPLAIN = "Who decided it, and why: {statement}"
UNCHECKED = {
    PlaceKind.CHANNEL: "I could not check who is in here, so I used public sources only.",
    PlaceKind.DM: "I could not check which channels you are in, so I used public sources only.",
}
"""Under an answer, by where it is read."""
NOTHING_HOLDS = "I found something about this, but nothing that I can vouch for word by word."


def ask(
    question: AskedQuestion,
    viewer: Viewer,
    place: Place,
    space: Space,
    embedder: Embedder | None,
    members: Members,
    *,
    event: str | None = None,
    zone: tzinfo = UTC,
    clock: datetime | None = None,
) -> Answer:
    """Answers the question for a viewer in a place, and keeps question and answer.

    `event` is the surface's id of the event that asked: asked again with it, the answer given then comes back. Days
    begin and end in `zone`; “lately” and “in March” are reckoned from the day that the question is asked as of, else
    from `clock`, else from now. Without an embedder sections are found by words and headings only. Raises UserFacing
    when nothing can be asked yet.
    """
    started = perf_counter()
    if event is not None and (known := find_answer(space.reader, answer_id(event))):
        return known.model_copy(update={"id": question.id})
    if not question.text.strip():
        raise UserFacing("the question is empty: write what you want to know")
    sources = list_sources(space.reader)
    today = (question.as_of or clock or datetime.now(UTC)).astimezone(zone)
    asking = _asking(question, viewer, place, space, sources, embedder, members, today)
    found = plan(asking)
    name = answer_id(event or uuid4().hex)
    answer = _told(_answer(found, asking, question, name, started), viewer, place, members)
    save_answer(space.graph, _given(answer, asking.run, question, viewer, place))
    return answer


def explain(
    decision: DecisionRow, viewer: Viewer, place: Place, space: Space, members: Members, *, event: str, zone: tzinfo
) -> Answer:
    """The answer to who settled exactly this, and why; kept like any other. Raises UserFacing as `ask`."""
    started = perf_counter()
    if known := find_answer(space.reader, answer_id(event)):
        return known
    question = AskedQuestion(text=EXPLAIN.format(statement=decision.statement)[:READ])
    today = datetime.now(zone)
    asking = _asking(question, viewer, place, space, list_sources(space.reader), None, members, today)
    path = asking.run.call(why_path.TOOL, PathOf(decision=decision.id))
    found = (told(asking, path, Facet.WHY) if path else None) or Refusal(NOTHING_HOLDS)
    answer = _told(_answer(found, asking, question, answer_id(event), started), viewer, place, members)
    save_answer(space.graph, _given(answer, asking.run, question, viewer, place))
    return answer


def answer_id(event: str) -> str:
    """The id of the answer to what an event asked."""
    return digest("answer", event)


def _asking(
    question: AskedQuestion,
    viewer: Viewer,
    place: Place,
    space: Space,
    sources: list[SourceRow],
    embedder: Embedder | None,
    members: Members,
    today: datetime,
) -> Asking:
    if all(source.head is None for source in sources):
        raise UserFacing(NOTHING_YET)
    seen = audiences_for(viewer, place, members)
    heads = {source.id: source.head for source in sources if source.head is not None and source.audience in seen}
    scope = scope_for(viewer, place, members, heads, question.as_of)
    links = Links({source.id: source.web_url for source in sources if source.web_url})
    text, earlier = question.text[:READ], tuple(one[:READ] for one in question.earlier[-THREAD:])
    intent = understand(text, earlier, today)
    latest = None if question.as_of is None else scope_for(viewer, place, members, heads)
    run = Run(ToolContext(space.reader, scope, embedder, links, latest))
    return Asking(run, intent, text, today)


def _answer(found: Draft | Refusal, asking: Asking, question: AskedQuestion, name: str, started: float) -> Answer:
    """The answer as it is given: claims that hold with numbered citations, else a refusal."""
    if not isinstance(found, Refusal):
        found = verified(found, asking.run.evidence, asking.zone) or Refusal(NOTHING_HOLDS)
    common = {"id": question.id, "answer_id": name, "trace_id": name, "as_of": question.as_of}
    if isinstance(found, Refusal):
        status = Status.ESCALATED if found.owners else Status.REFUSED
        seconds = round(perf_counter() - started, 4)
        return Answer(**common, status=status, text=found.text, owners=found.owners, seconds=seconds)
    citations, claims = numbered(found)
    return Answer(
        **common,
        status=Status.ANSWERED,
        text=readable(found),
        claims=tuple(Claim(text=claim.text, holds=claim.holds, citations=ids) for claim, ids in claims),
        citations=tuple(citations.values()),
        chat_only=any(claim.chat_only for claim in found),
        conflict=next((claim.conflict for claim in found if claim.conflict), None),
        seconds=round(perf_counter() - started, 4),
    )


def _told(answer: Answer, viewer: Viewer, place: Place, members: Members) -> Answer:
    """The answer, and under it that only public sources were used where nobody could tell who reads it."""
    if not unchecked(viewer, place, members):
        return answer
    return answer.model_copy(update={"text": f"{answer.text}\n{UNCHECKED[place.kind]}"})


def _given(answer: Answer, run: Run, question: AskedQuestion, viewer: Viewer, place: Place) -> Given:
    trace = tuple(
        f"{call.tool} {json.dumps(call.arguments, ensure_ascii=False, sort_keys=True)} → {call.evidence}"
        for call in run.calls
    )
    audience = audience_of(place, viewer)
    return Given(answer, question.text, datetime.now(UTC), audience, viewer.user, trace, run.commit_sources)
