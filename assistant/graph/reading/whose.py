"""Whose words stand where: by who said, asked or marked them, by where they stand, by how old they are.

For forgetting them: no Audience is asked, and no words are given, only ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from assistant.graph.store import Query, Reader
from assistant.model.times import micros

OLDER_SAID = Query(
    "whose.older_said", "MATCH (u:Utterance) WHERE u.at < $before AND u.text <> '' RETURN u.id AS id LIMIT $limit"
)
OLDER_ASKED = Query(
    "whose.older_asked", "MATCH (a:Answer) WHERE a.at < $before AND a.question <> '' RETURN a.id AS id LIMIT $limit"
)
SAID_BY = Query(
    "whose.said_by",
    "MATCH (p:Person {id: $person}) WITH p MATCH (p)<-[s:SPOKEN_BY]-(u) WHERE u.text <> '' WITH u "
    "MATCH (c:Conversation {id: u.conversation}) "
    "RETURN u.id AS id, c.place AS room, c.audience AS audience, c.place_name AS place ORDER BY u.at, id",
)
ASKED_BY = Query(
    "whose.asked_by",
    "UNWIND $people AS id MATCH (p:Person {id: id}) WITH p MATCH (p)<-[b:ASKED_BY]-(q) WITH q "
    "MATCH (q)<-[n:ANSWERS]-(a) WHERE a.question <> '' RETURN a.id AS id ORDER BY id",
)
MARKED_BY = Query(
    "whose.marked_by",
    "UNWIND $users AS user MATCH (f:Flag {by: user}) WHERE f.statement <> '' RETURN f.id AS id ORDER BY id",
)
JUDGED_BY = Query(
    "whose.judged_by",
    "MATCH (f:Feedback) WHERE f.user IN $users AND f.reason <> '' RETURN f.id AS id ORDER BY id",
    scans="judgements are few, and somebody's words are seldom forgotten",
)
NAMED = Query("whose.named", "MATCH (c:Conversation) WHERE c.shown_id = $name RETURN c.id AS id ORDER BY id")
CONVERSATION_OF = Query(
    "whose.conversation_of",
    "MATCH (u:Utterance {id: $utterance}) WITH u MATCH (u)<-[h:HAS_UTTERANCE]-(c) RETURN c.id AS id",
)
SAID_IN = Query(
    "whose.said_in",
    "UNWIND $conversations AS id MATCH (c:Conversation {id: id}) WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) "
    "RETURN u.id AS id ORDER BY id",
)
SAID_AT = Query(
    "whose.said_at",
    "MATCH (c:Conversation {place: $place}) WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) RETURN u.id AS id ORDER BY id",
)


@dataclass(frozen=True, slots=True)
class OwnWords:
    """One thing that somebody said, and where."""

    id: str
    room: str
    """Id of the place."""
    audience: str
    place: str
    """As people call it."""


def older(reader: Reader, before: datetime, limit: int) -> tuple[list[str], list[str]]:
    """Some utterances said, and some answers to what was asked, before a moment; none left when both are empty."""
    params = {"before": micros(before), "limit": limit}
    return [r["id"] for r in reader.rows(OLDER_SAID, **params)], [r["id"] for r in reader.rows(OLDER_ASKED, **params)]


def said_by(reader: Reader, person: str) -> list[OwnWords]:
    """Everything that a person said and that is still there, wherever."""
    return [
        OwnWords(row["id"], row["room"], row["audience"], row["place"]) for row in reader.rows(SAID_BY, person=person)
    ]


def asked_by(reader: Reader, people: Sequence[str]) -> list[str]:
    """Ids of the answers to what somebody, by the ids they asked under, asked."""
    return [row["id"] for row in reader.rows(ASKED_BY, people=list(people))]


def marked_by(reader: Reader, users: Sequence[str]) -> list[str]:
    """Ids of the marks that somebody, by the chat's user ids, put into words."""
    return [row["id"] for row in reader.rows(MARKED_BY, users=list(users))]


def judged_by(reader: Reader, users: Sequence[str]) -> list[str]:
    """Ids of the judgements of answers for which somebody, by the chat's user ids, typed a reason."""
    return [row["id"] for row in reader.rows(JUDGED_BY, users=list(users))]


def conversations_named(reader: Reader, name: str) -> list[str]:
    """Ids of the conversations that the command line prints so, or that have this id."""
    return [row["id"] for row in reader.rows(NAMED, name=name)] or [name]


def conversation_of(reader: Reader, utterance: str) -> str | None:
    """Id of the conversation that an utterance stands in."""
    return next((row["id"] for row in reader.rows(CONVERSATION_OF, utterance=utterance)), None)


def said_in(reader: Reader, conversations: Sequence[str]) -> list[str]:
    """Ids of the utterances of conversations."""
    return [row["id"] for row in reader.rows(SAID_IN, conversations=list(conversations))]


def said_at(reader: Reader, place: str) -> list[str]:
    """Ids of the utterances of a whole room."""
    return [row["id"] for row in reader.rows(SAID_AT, place=place)]
