"""Where messages of ours stand, for good: which answer each shows, so that its words can be taken back years later."""

from dataclasses import dataclass

from assistant.graph.store import Graph, Query, Reader
from assistant.model.surfaces import Posted

EXPECT = Query(
    "posts.expect",
    "MERGE (p:Post {id: $key}) ON CREATE SET p.channel = $channel, p.ts = '', p.since = $since, p.due = 0",
)
KEEP = Query(
    "posts.keep",
    "MERGE (p:Post {id: $key}) SET p.due = CASE WHEN p.ts = '' AND p.due = 1 THEN 1 ELSE 0 END "
    "SET p.channel = $channel, p.ts = $ts, p.refused = NULL",
)
UNTIE = Query("posts.untie", "MATCH (p:Post {id: $key}) WITH p MATCH (p)-[e:SHOWS]->(o) DELETE e")
TIE = Query(
    "posts.tie",
    "MATCH (p:Post {id: $key}) MATCH (a:Answer {id: $answer}) MERGE (p)-[e:SHOWS]->(a) RETURN a.status AS s",
)
FIND = Query("posts.find", "MATCH (p:Post {id: $key}) WHERE p.ts <> '' RETURN p.channel AS channel, p.ts AS ts")
KEYS = Query(
    "posts.keys",
    "UNWIND $answers AS id MATCH (a:Answer {id: id}) WITH a MATCH (a)<-[e:SHOWS]-(p) RETURN DISTINCT p.id AS key",
)
SHOWN = Query("posts.shown", "MATCH (p:Post {id: $key}) WITH p MATCH (p)-[e:SHOWS]->(a) RETURN a.id AS id")
CALL_IN = Query("posts.call_in", "UNWIND $keys AS key MATCH (p:Post {id: key}) SET p.due = 1, p.refused = NULL")
DUE = Query(
    "posts.due",
    "MATCH (p:Post) WHERE p.due = 1 RETURN p.id AS key, p.channel AS channel, p.ts AS ts, p.since AS since",
)
SETTLE = Query("posts.settle", "MATCH (p:Post {id: $key}) SET p.due = 0, p.refused = $refused")
REFUSED = Query(
    "posts.refused",
    "MATCH (p:Post) WHERE p.due = 0 AND p.refused IS NOT NULL "
    "RETURN p.id AS key, p.channel AS channel, p.ts AS ts, p.refused AS refused ORDER BY key",
)
WITHDRAWN = "withdrawn"
"""Status of an answer whose words were taken back."""


@dataclass(frozen=True, slots=True)
class DuePost:
    """A message of ours whose words have to go, or could not be made to."""

    key: str
    posted: Posted
    refused: str = ""
    """Why the chat would not change it."""
    since: str | None = None
    """Where it is not known to stand, by its ts '': from when on it may, should it have been written at all."""


def expect_post(graph: Graph, key: str, channel: str, since: str) -> None:
    """Keeps that a message with this key is about to be written on a channel's main line, no sooner than a ts.

    Whoever writes it may be killed before it is known where it stands.
    """
    graph.write(EXPECT, key=key, channel=channel, since=since)


def keep_post(graph: Graph, key: str, posted: Posted, answer: str | None = None) -> bool:
    """Keeps where the message with this key stands and which answer it shows; False where that was withdrawn."""
    graph.write(KEEP, key=key, channel=posted.channel, ts=posted.ts)
    graph.write(UNTIE, key=key)
    if answer is None:
        return True
    return all(row["s"] != WITHDRAWN for row in graph.write(TIE, key=key, answer=answer))


def find_post(reader: Reader, key: str) -> Posted | None:
    """Where the message with this key stands; None where none is known."""
    rows = reader.rows(FIND, key=key)
    return Posted(rows[0]["channel"], rows[0]["ts"]) if rows else None


def posts_showing(reader: Reader, answers: list[str]) -> list[str]:
    """Keys of the messages that show any of these answers."""
    return [row["key"] for row in reader.rows(KEYS, answers=answers)]


def shown_by(reader: Reader, key: str) -> list[str]:
    """Ids of the answers that the message with this key shows."""
    return [row["id"] for row in reader.rows(SHOWN, key=key)]


def call_in(graph: Graph, keys: list[str]) -> None:
    """Marks messages whose words have to go."""
    graph.write(CALL_IN, keys=keys)


def due_posts(reader: Reader) -> list[DuePost]:
    """Messages whose words have to go."""
    return [DuePost(row["key"], Posted(row["channel"], row["ts"]), since=row["since"]) for row in reader.rows(DUE)]


def settle_post(graph: Graph, key: str, refused: str | None = None) -> None:
    """Notes that a message shows nothing more, or why the chat would not change it."""
    graph.write(SETTLE, key=key, refused=refused)


def refused_posts(reader: Reader) -> list[DuePost]:
    """Messages that the chat would not change: somebody has to delete them by hand."""
    return [DuePost(row["key"], Posted(row["channel"], row["ts"]), row["refused"]) for row in reader.rows(REFUSED)]
