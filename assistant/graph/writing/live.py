"""What live talk asks of the graph beyond writing it: who may see a room now, tidying up behind messages that went."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from assistant.graph.store import Graph, Query, Reader
from assistant.graph.writing.closing import UNSURE, close_room, closed_until, is_private, note_closing, note_opened
from assistant.graph.writing.edited import lost_words, take_back_shown
from assistant.graph.writing.talk import FORGET, LEAVE, NOW, WRITE_CHANNELS, parts
from assistant.model.audiences import PUBLIC, channel_audience
from assistant.model.times import FOREVER, micros

AROUND = Query(
    "live.around",
    "MATCH (c:Conversation {place: $place}) WHERE c.started_at <= $end AND (c.ended_at >= $start OR c.hash IS NULL) "
    "RETURN c.id AS id ORDER BY id",
)
KNOWN = Query("live.known", "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WHERE u.text <> '' RETURN u.id AS id")
SWEEP = (
    Query(
        "live.sweep_conversations",
        "UNWIND $ids AS id MATCH (c:Conversation {id: id}) WITH c, size([(c)-[h:HAS_UTTERANCE]->(u) | u.id]) AS said, "
        "size([(d)-[i:DECIDED_IN]->(c) | d.id]) AS decided WHERE said = 0 AND decided = 0 DELETE c",
    ),
    Query(
        "live.sweep_utterances",
        "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WITH u, size([(a)-[e:CITES|QUOTES]->(u) | a.id]) AS held "
        "WHERE u.text = '' AND held = 0 DELETE u",
    ),
)
SEEN_BY = (
    Query(
        "live.said_seen_by",
        "MATCH (c:Conversation {place: $place}) WHERE c.started_at > $since WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) "
        "WHERE u.audience IS NOT NULL SET u.audience = $audience, c.audience = $audience",
    ),
    Query(
        "live.decided_seen_by",
        "MATCH (c:Conversation {place: $place}) WHERE c.started_at > $since WITH c "
        "MATCH (d:Decision {conversation: c.id}) WHERE d.audience IS NOT NULL SET d.audience = $audience",
    ),
)
LEAVE_ALL = Query(
    "live.leave_all",
    "MATCH (p:Person {id: $person}) WITH p MATCH (p)-[m:MEMBER_OF]->(c) WHERE m.valid_to = $forever "
    "AND c.private = true SET m.valid_to = $at",
)


def conversations_around(reader: Reader, place: str, start: int, end: int) -> list[str]:
    """Ids of a room's conversations that touch a stretch of time, in microseconds, or that have to be written again."""
    return [row["id"] for row in reader.rows(AROUND, place=place, start=start, end=end)]


def known_utterances(reader: Reader, utterances: Sequence[str]) -> list[str]:
    """Those of the utterances whose words the graph has."""
    return [row["id"] for row in reader.rows(KNOWN, ids=list(utterances))]


def take_words(graph: Graph, utterances: Sequence[str], revision: int) -> None:
    """Takes the words of messages that say nothing any more, and the answers that show them."""
    take_back_shown(graph, lost_words(graph, dict.fromkeys(utterances, "")))
    for part in parts(utterances):
        graph.write(FORGET, rows=part, revision=revision)


def sweep(graph: Graph, conversations: Iterable[str], utterances: Iterable[str]) -> None:
    """Takes away conversations in which nothing is said any more, and wordless utterances that nothing cites."""
    for query, names in zip(SWEEP, (conversations, utterances), strict=True):
        for part in parts(sorted(set(names))):
            graph.write(query, ids=part)


def write_room(graph: Graph, channel: str, name: str, *, private: bool, unsure: bool = False) -> None:
    """Writes a room, and who may see what was said and decided there; what was told of it elsewhere is taken back.

    Of one that is `unsure`, and so counts as private, nothing was said in private. Needs no lock: it may come at any
    moment, also while a conversation is being written.
    """
    audience = channel_audience(channel) if private else PUBLIC
    known = is_private(graph, channel)
    if private:
        note_closing(graph, [channel])
    else:
        note_opened(graph, [channel], micros(datetime.now(UTC)))
    graph.write(WRITE_CHANNELS, rows=[[channel, name, private, audience]])
    if not (unsure and known):  # one that was surely private is that still
        graph.write(UNSURE, channel=channel, unsure=unsure)
    since = -1 if private else closed_until(graph, [channel]).get(channel, -1)
    for query in SEEN_BY:
        graph.write(query, place=channel, audience=audience, since=since)
    if private:
        close_room(graph, channel)


def take_members(graph: Graph, channel: str, person: str | None, at: int) -> None:
    """A person is in a room no longer, or nobody is; `at` in microseconds."""
    here = [row["person"] for row in graph.rows(NOW, channel=channel, forever=FOREVER)]
    left = here if person is None else [person]
    graph.write(LEAVE, channel=channel, rows=left, at=at, forever=FOREVER)


def take_everywhere(graph: Graph, person: str, at: int) -> None:
    """A person is in no private room any more; `at` in microseconds."""
    graph.write(LEAVE_ALL, person=person, at=at, forever=FOREVER)
