"""Bundles: one direct message each, with the notices that a person got within a while.

Whatever changes what a bundle says makes it due; only who drew exactly that state takes the mark away.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.graph.notices import STIRRED, due_notices, unmarked
from assistant.graph.store import Graph, Query, Reader
from assistant.model.surfaces import Posted

OF_POST = "notice/"
"""How the key of a bundle's message begins."""

LATEST = Query(
    "bundles.latest",
    "MATCH (b:Bundle {user: $user}) WHERE b.opened > $since RETURN b.id AS id, b.opened AS opened "
    "ORDER BY opened DESC LIMIT 1",
)
PUT = Query(
    "bundles.put",
    f"MERGE (b:Bundle {{id: $bundle}}) ON CREATE SET b.user = $user, b.opened = $opened {STIRRED} "
    "WITH b UNWIND $ids AS id MATCH (n:Notice {id: id}) MERGE (b)-[h:HOLDS]->(n) SET h.outcome = NULL",
)
BUNDLE = Query(
    "bundles.bundle",
    "MATCH (b:Bundle {id: $id}) RETURN b.user AS user, b.opened AS opened, b.changes AS changes, "
    "[(b)-[h:HOLDS]->(n) | [n.id, h.outcome, h.until]] AS held",
)
DUE_BUNDLES = Query("bundles.due_bundles", "MATCH (b:Bundle) WHERE b.due = 1 RETURN b.id AS id ORDER BY id")
DRAWN = Query("bundles.drawn", "MATCH (b:Bundle {id: $id}) WHERE b.changes = $seen SET b.due = 0")
STANDS_AT = Query("bundles.stands_at", "MATCH (p:Post {id: $key}) SET p.channel = $channel, p.ts = $ts")
SHOWN = Query(
    "bundles.shown",
    "MATCH (p:Post {id: $key}) WITH p UNWIND $answers AS id MATCH (a:Answer {id: id}) MERGE (p)-[e:SHOWS]->(a)",
)
CALL_IN_PLACE = Query(
    "bundles.call_in_place",
    "MATCH (b:Bundle) WITH b MATCH (b)-[h:HOLDS]->(n) WITH b, n MATCH (n)-[t:TELLS_OF]->(a) "
    f"WHERE a.audience = $audience {STIRRED}",
    scans="messages to owners are few, and seldom a channel is closed",
)
CALL_IN_LEFT = Query(
    "bundles.call_in_left",
    "MATCH (b:Bundle {user: $user}) WITH b MATCH (b)-[h:HOLDS]->(n) WITH b, n MATCH (n)-[t:TELLS_OF]->(a) "
    f"WHERE a.audience = $audience OR n.audience = $audience {STIRRED}",
)
CALL_IN_PERSON = Query("bundles.call_in_person", f"MATCH (b:Bundle {{user: $user}}) {STIRRED}")
CALL_IN = Query("bundles.call_in", f"UNWIND $keys AS key MATCH (b:Bundle {{id: key}}) {STIRRED}")


@dataclass(frozen=True, slots=True)
class Bundle:
    """One direct message about notices."""

    id: str
    user: str
    opened: int
    changes: int
    held: dict[str, tuple[str | None, int | None]]
    """By notice what this person said to it alone, and until when."""


def latest_bundle(reader: Reader, user: str, since: int) -> str | None:
    """The message to a person that was opened last, after some moment."""
    return next((row["id"] for row in reader.rows(LATEST, user=user, since=since)), None)


def put(graph: Graph, bundle: str, user: str, at: int, ids: Sequence[str]) -> None:
    """Has a message, new or not, tell of these notices; it is due from then on."""
    graph.write(PUT, bundle=bundle, user=user, opened=at, ids=list(ids))


def find_bundle(reader: Reader, name: str) -> Bundle | None:
    """The message with that key."""
    for row in reader.rows(BUNDLE, id=name):
        held = {one[0]: (one[1], one[2]) for one in row["held"]}
        return Bundle(name, row["user"], row["opened"], row["changes"], held)
    return None


def due_bundles(reader: Reader) -> list[str]:
    """Keys of messages that do not say what they should."""
    return [row["id"] for row in reader.rows(DUE_BUNDLES)]


def note_drawn(graph: Graph, bundle: Bundle, posted: Posted, answers: Sequence[str]) -> None:
    """Notes where a message stands and which answers it shows; it stays due where anything changed meanwhile."""
    graph.write(STANDS_AT, key=bundle.id, channel=posted.channel, ts=posted.ts)
    graph.write(SHOWN, key=bundle.id, answers=list(answers))
    graph.write(DRAWN, id=bundle.id, seen=bundle.changes)


def will_show(graph: Graph, key: str, answers: Sequence[str]) -> None:
    """Notes which answers a message shows that is about to be written, so that they can be taken out of it."""
    graph.write(SHOWN, key=key, answers=list(answers))


def call_in_place(graph: Graph, audience: str) -> None:
    """Has messages drawn anew that tell of answers given in a place, of which fewer may know now."""
    graph.write(CALL_IN_PLACE, audience=audience)


def call_in_left(graph: Graph, user: str, audience: str) -> None:
    """Has messages to somebody drawn anew that tell of a place which they are in no longer."""
    graph.write(CALL_IN_LEFT, user=user, audience=audience)


def call_in_person(graph: Graph, user: str) -> None:
    """Has all messages to somebody drawn anew who is no full member any more."""
    graph.write(CALL_IN_PERSON, user=user)


def call_in(graph: Graph, keys: Sequence[str]) -> None:
    """Has messages drawn anew."""
    graph.write(CALL_IN, keys=list(keys))


def is_anything_due(reader: Reader) -> bool:
    """Whether anybody is to be told of anything, or any mark to be set."""
    return bool(due_notices(reader) or due_bundles(reader) or unmarked(reader))
