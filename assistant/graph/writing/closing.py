"""Rooms that become private, or open: what was told elsewhere is taken back, and what is left is their members' own.

What was said while a room was private stays its members' own when it is opened.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assistant.graph import bundles, posts
from assistant.graph.people import ROOM_OPEN
from assistant.graph.store import Graph, Query, Reader
from assistant.graph.writing.edited import take_back
from assistant.model.audiences import PUBLIC, channel_audience
from assistant.model.conversations import Conversation, ConversationKind

SAID = "MATCH (c:Conversation {place: $place}) WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) WITH u MATCH (u)<-[e:CITES]-(a) "
DECIDED = (
    "MATCH (c:Conversation {place: $place}) WITH c MATCH (d:Decision {conversation: c.id}) WITH d "
    "MATCH (d)<-[e:CITES]-(a) "
)
CITING = tuple(
    Query(
        f"closing.answers_by_{name}",
        f"{path}WHERE a.audience <> $audience RETURN DISTINCT a.id AS id, a.audience AS audience",
    )
    for name, path in (("utterance", SAID), ("decision", DECIDED))
)
NARROW = Query(
    "closing.narrow_answers",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) SET a.audience = $audience WITH a MATCH (a)-[n:ANSWERS]->(q) "
    "SET q.audience = $audience",
)
ELSEWHERE = Query(
    "closing.posts_elsewhere",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) WITH a MATCH (a)<-[e:SHOWS]-(p) WHERE p.channel <> $place "
    "RETURN DISTINCT p.id AS key",
)
MARKED = Query(
    "closing.marks",
    "MATCH (f:Flag) WHERE f.message STARTS WITH $place AND f.audience <> $audience "
    "RETURN f.id AS id, f.by AS by, f.told AS told",
    scans="marks are few, and a room is closed seldom",
)
NARROW_MARKS = Query("closing.narrow_marks", "UNWIND $ids AS id MATCH (f:Flag {id: id}) SET f.audience = $audience")

OPENED = Query(
    "closing.opened",
    "UNWIND $ids AS id MATCH (c:Channel {id: id}) WHERE c.private = true AND NOT coalesce(c.unsure, false) "
    "SET c.closed_until = $at",
)
UNTIL = Query(
    "closing.until",
    "UNWIND $ids AS id MATCH (c:Channel {id: id}) WHERE c.closed_until > 0 RETURN c.id AS id, c.closed_until AS until",
)
BEGUN = Query(
    "closing.begun",
    "UNWIND $ids AS id MATCH (c:Channel {id: id}) WHERE NOT coalesce(c.private, false) SET c.closing = true",
)
CLOSING = Query("closing.closing", "UNWIND $ids AS id MATCH (c:Channel {id: id}) WHERE c.closing RETURN c.id AS id")
CLOSED = Query("closing.closed", "MATCH (c:Channel {id: $place}) SET c.closing = NULL")
UNSURE = Query(
    "closing.unsure", "MATCH (c:Channel {id: $channel}) SET c.unsure = CASE WHEN $unsure THEN true ELSE NULL END"
)

IN_CHANNELS = (ConversationKind.THREAD, ConversationKind.MAIN_LINE)


def note_opened(graph: Graph, channels: Iterable[str], at: int) -> None:
    """Keeps of rooms that are open now until when they were private, if they were; `at` in microseconds."""
    graph.write(OPENED, ids=sorted(channels), at=at)


def note_closing(graph: Graph, channels: Iterable[str]) -> None:
    """Keeps of rooms that are open, and are to be written as private now, that what was told of them is to go.

    Whoever writes so may be killed before it went: who looks next finds it in `closing`.
    """
    graph.write(BEGUN, ids=sorted(channels))


def closing(reader: Reader, channels: Iterable[str]) -> list[str]:
    """Those of the rooms that were closed, and of which not all that was told is taken back."""
    return [row["id"] for row in reader.rows(CLOSING, ids=sorted(channels))]


def closed_until(reader: Reader, channels: Iterable[str]) -> dict[str, int]:
    """Of rooms that were private and are open: until when, in microseconds."""
    return {row["id"]: row["until"] for row in reader.rows(UNTIL, ids=sorted(channels))}


def as_closed(reader: Reader, found: Sequence[Conversation]) -> list[Conversation]:
    """The conversations, of which those that began while their channel was private are its members' own.

    Whom a meeting is open to is told for the whole of it.
    """
    until = closed_until(reader, {one.place for one in found if one.kind in IN_CHANNELS})
    return [
        replace(one, audience=channel_audience(one.place)) if one.started_at <= until.get(one.place, -1) else one
        for one in found
    ]


def is_private(reader: Reader, channel: str) -> bool | None:
    """Whether the graph holds a room to be private; None where it knows of none."""
    rows = reader.rows(ROOM_OPEN, id=channel)
    return bool(rows[0]["private"]) if rows else None


def close_room(graph: Graph, channel: str) -> None:
    """What rests on a room that is private now is its members' own; can be repeated.

    An answer given in the room stays, and so does one that was anybody's, for the members; others, given to a person
    or in another room, are taken back. So are our messages elsewhere, and those that told owners of a mark;
    what told owners that an answer given in the room is out of date is drawn anew.
    """
    audience = channel_audience(channel)
    found = {
        row["id"]: row["audience"] for query in CITING for row in graph.rows(query, place=channel, audience=audience)
    }
    anybodys = sorted(name for name, seen_by in found.items() if seen_by == PUBLIC)
    posts.call_in(graph, [row["key"] for row in graph.rows(ELSEWHERE, ids=anybodys, place=channel)])
    graph.write(NARROW, ids=anybodys, audience=audience)
    take_back(graph, sorted(found.keys() - set(anybodys)), "what was told of a closed channel")
    marks = graph.rows(MARKED, place=f"{channel}/", audience=audience)
    told = [key for row in marks for key in row["told"] or () if key != f"flag/{row['id']}"]
    posts.call_in(graph, told)
    bundles.call_in_place(graph, audience)
    graph.write(NARROW_MARKS, ids=[row["id"] for row in marks], audience=audience)
    graph.write(CLOSED, place=channel)
