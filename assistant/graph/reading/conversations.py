"""What people said, in the graph: whole conversations as one reader may see them, and search over utterances.

A conversation is seen with what was said up to the reader's moment, by who is in its Audience.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from assistant.graph.store import Query, Reader, Rows
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation, ConversationKind, Reaction, Speaker, Utterance
from assistant.model.times import FOREVER
from assistant.text.words import search_tokens

TOLD = "u.audience IN $audiences AND u.at <= $until"
"""Which utterances a reader may see, of a node named `u`; a deleted message has no Audience, so nobody sees it."""

CONVERSATION = ("id", "shown_id", "kind", "place", "place_name", "title", "audience", "started_at", "url", "conclusion")
UTTERANCE = ("id", "at", "text", "reply_to", "edited", "bot", "url")

OF_CONVERSATION = ", ".join(f"c.{name} AS c_{name}" for name in CONVERSATION)
OF_UTTERANCE = (
    ", ".join(f"u.{name} AS {name}" for name in UTTERANCE)
    + ", u.speaker AS speaker, u.person AS person, u.reactions AS reactions, u.files AS files"
)

SAID = Query(
    "conversations.said",
    "UNWIND $ids AS id MATCH (c:Conversation {id: id}) WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) "
    f"WHERE {TOLD} RETURN {OF_CONVERSATION}, {OF_UTTERANCE}, u.number AS number ORDER BY c_started_at, c_id, number",
)
SHOWN = Query("conversations.shown", "MATCH (c:Conversation) WHERE c.shown_id = $shown RETURN c.id AS id ORDER BY id")
ONE_SAID = Query(
    "conversations.one_said",
    f"UNWIND $ids AS id MATCH (u:Utterance {{id: id}}) WHERE {TOLD} "
    f"RETURN u.conversation AS conversation, {OF_UTTERANCE}",
)
HOLDING = Query(
    "conversations.holding",
    "UNWIND $words AS word CALL db.idx.fulltext.queryNodes('Utterance', word) YIELD node AS u WITH word, u "
    f"WHERE {TOLD} RETURN u.id AS id, u.at AS at, u.conversation AS conversation, collect(word) AS words",
)
SINCE = Query(
    "conversations.since",
    "MATCH (c:Conversation) WHERE c.revision > $cursor "
    "RETURN c.id AS id, c.revision AS revision, c.started_at AS at ORDER BY revision, at, id",
)
WHOLE = Query(
    "conversations.whole",
    "UNWIND $ids AS id MATCH (c:Conversation {id: id}) WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) "
    f"RETURN {OF_CONVERSATION}, {OF_UTTERANCE}, u.number AS number ORDER BY c_started_at, c_id, number",
)
DECIDED = Query(
    "conversations.decided", "UNWIND $ids AS id MATCH (d:Decision {conversation: id}) RETURN count(d) AS total"
)
VISIBLE_COUNT = Query(
    "conversations.visible_count",
    "MATCH (c:Conversation) WHERE c.audience IN $audiences AND c.started_at <= $until RETURN count(c) AS total",
    scans="all that may be seen are counted",
)
COUNT = Query("conversations.count", "MATCH (c:Conversation) RETURN count(c) AS total")

PART = 200
"""Conversations of one read."""


@dataclass(frozen=True, slots=True)
class SaidRow:
    """An utterance with the conversation that it stands in."""

    conversation: str
    utterance: Utterance


@dataclass(frozen=True, slots=True)
class Holding:
    """An utterance that holds some of the asked search tokens."""

    id: str
    at: int
    conversation: str
    words: frozenset[str]


def conversation(reader: Reader, scope: Scope, id: str) -> Conversation | None:  # noqa: A002 it is one
    """The conversation as the scope lets one see it, by its id or the id shown; None where nothing may be seen."""
    ids = [row["id"] for row in reader.rows(SHOWN, shown=id)] or [id]
    return next(conversations(reader, scope, ids), None)


def conversations(reader: Reader, scope: Scope, ids: Sequence[str]) -> Iterator[Conversation]:
    """Those of the conversations that may be seen, by when they began."""
    return _made(reader.rows(SAID, ids=list(ids), **told_params(scope)))


def utterances(reader: Reader, scope: Scope, ids: Sequence[str]) -> list[SaidRow]:
    """The utterances with these ids that may be seen, in their order."""
    rows = {row["id"]: row for row in reader.rows(ONE_SAID, ids=list(ids), **told_params(scope))}
    return [SaidRow(rows[id]["conversation"], _utterance(rows[id])) for id in ids if id in rows]  # noqa: A001


def holding(reader: Reader, scope: Scope, text: str) -> list[Holding]:
    """The visible utterances that hold any of the text's search tokens, each with those it holds, by time."""
    words = list(dict.fromkeys(search_tokens(text)))
    rows = reader.rows(HOLDING, words=words, **told_params(scope)) if words else []
    found = [Holding(row["id"], row["at"], row["conversation"], frozenset(row["words"])) for row in rows]
    return sorted(found, key=lambda one: (one.at, one.id))


def conversations_since(reader: Reader, cursor: int) -> Iterator[tuple[int, list[Conversation]]]:
    """All that is new or changed since the cursor (0: from the start), in parts, each with the cursor behind it.

    For making decisions of them: no Audience is asked, every conversation carries its own. One of which all was
    deleted comes without utterances.
    """
    rows = reader.rows(SINCE, cursor=cursor)
    for start in range(0, len(rows), PART):
        part = rows[start : start + PART]
        found = {one.id: one for one in _made(reader.rows(WHOLE, ids=[row["id"] for row in part]))}
        behind = part[-1]["revision"] - (start + PART < len(rows))
        yield behind, [found.get(row["id"]) or _empty(row) for row in part]


def conversation_count(reader: Reader) -> int:
    """How many conversations the Space has."""
    return int(reader.rows(COUNT)[0]["total"])


def visible_count(reader: Reader, scope: Scope) -> int:
    """How many conversations the scope lets one see."""
    return int(reader.rows(VISIBLE_COUNT, **told_params(scope))[0]["total"])


def decision_count(reader: Reader, ids: Sequence[str]) -> int:
    """How many decisions were found in these conversations, whoever may see them."""
    return int(reader.rows(DECIDED, ids=list(ids))[0]["total"])


def told_params(scope: Scope) -> dict[str, Any]:
    """What TOLD asks for."""
    return {"audiences": list(scope.audiences), "until": FOREVER if scope.as_of is None else scope.as_of}


def reactions_text(reactions: Sequence[Reaction]) -> str | None:
    """Reactions as one property; None where there are none."""
    if not reactions:
        return None
    return json.dumps([[one.name, [[by.name, by.person] for by in one.by]] for one in reactions], ensure_ascii=False)


def _made(rows: Rows) -> Iterator[Conversation]:
    for _, group in groupby(rows, key=lambda row: row["c_id"]):
        part = list(group)
        own = {name: part[0][f"c_{name}"] for name in CONVERSATION}
        kind, conclusion = ConversationKind(own.pop("kind")), tuple(own.pop("conclusion") or ())
        yield Conversation(**own, kind=kind, conclusion=conclusion, utterances=tuple(map(_utterance, part)))


def _utterance(row: dict[str, Any]) -> Utterance:
    reactions = json.loads(row["reactions"]) if row["reactions"] else ()
    return Utterance(
        **{name: row[name] for name in UTTERANCE},
        speaker=Speaker(row["speaker"], row["person"]),
        reactions=tuple(Reaction(name, tuple(Speaker(*who) for who in by)) for name, by in reactions),
        files=tuple(row["files"] or ()),
    )


def _empty(row: dict[str, Any]) -> Conversation:
    """A conversation of which all was deleted."""
    return Conversation(row["id"], row["id"], ConversationKind.THREAD, "", "", "", "", row["at"], ())
