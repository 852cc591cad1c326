"""Writing what people said: rooms and members first, then whole conversations in repeatable batches.

One write brings a batch of whole conversations, so that none is ever seen in part. What is as it was is not written
again; its hash, set last, says so.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.graph.reading.conversations import reactions_text
from assistant.graph.store import Graph, Query
from assistant.graph.writing.closing import as_closed, close_room, closing, note_closing, note_opened
from assistant.graph.writing.edited import hide_resting, lost_words, take_back_shown
from assistant.graph.writing.tombstones import without_forgotten
from assistant.model import ids
from assistant.model.conversations import Channel, Conversation
from assistant.model.times import FOREVER, moment
from assistant.text.words import search_tokens

ROWS = 500
"""Utterances of one write, more or less: a conversation is never cut."""

CONVERSATION = (
    *("id", "shown_id", "kind", "place", "place_name", "title", "audience", "started_at", "ended_at", "url"),
    "conclusion",
)
UTTERANCE = (
    *("id", "conversation", "number", "speaker", "person", "at", "text", "reply_to", "edited", "bot", "url"),
    *("files", "reactions", "audience", "tokens"),
)


def assignments(alias: str, row: str, columns: Sequence[str]) -> str:
    """SET's list for a node whose row holds its columns in order; the first is the id it was merged on."""
    return ", ".join(f"{alias}.{name} = {row}[{n}]" for n, name in enumerate(columns) if n)


HASHES = Query("talk.hashes", "UNWIND $ids AS id MATCH (c:Conversation {id: id}) RETURN c.id AS id, c.hash AS hash")
WRITE = Query(
    "talk.write",
    f"UNWIND $rows AS r MERGE (c:Conversation {{id: r[0]}}) SET {assignments('c', 'r', CONVERSATION)} "
    f"WITH c, r[11] AS said UNWIND said AS q MERGE (u:Utterance {{id: q[0]}}) SET {assignments('u', 'q', UTTERANCE)} "
    "MERGE (c)-[h:HAS_UTTERANCE]->(u)",
)
PLACE = Query(
    "talk.place",
    "UNWIND $rows AS r MATCH (c:Conversation {id: r[0]}) MATCH (p:Channel {id: r[1]}) MERGE (c)-[i:IN]->(p)",
)
SPOKEN = Query(
    "talk.spoken",
    "UNWIND $rows AS r MATCH (u:Utterance {id: r[0]}) MATCH (p:Person {id: r[1]}) MERGE (u)-[s:SPOKEN_BY]->(p)",
)
UNSPOKEN = Query(
    "talk.unspoken",
    "UNWIND $rows AS r MATCH (u:Utterance {id: r[0]}) WITH u MATCH (u)-[s:SPOKEN_BY]->(p) "
    "WHERE u.person IS NULL OR p.id <> u.person DELETE s",
)
MOVED = Query(
    "talk.moved",
    "UNWIND $rows AS r MATCH (u:Utterance {id: r[0]}) WITH u, r MATCH (c)-[h:HAS_UTTERANCE]->(u) WHERE c.id <> r[1] "
    "SET c.hash = NULL, c.revision = $revision DELETE h",
)
DONE = Query(
    "talk.done",
    "UNWIND $rows AS r MATCH (c:Conversation {id: r[0]}) SET c.hash = r[1], c.revision = $revision",
)
KNOWN = Query(
    "talk.known",
    "UNWIND $places AS place MATCH (c:Conversation {place: place}) WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) "
    "RETURN u.id AS id, u.at AS at, c.place AS place, c.id AS conversation",
)
FORGET = Query(
    "talk.forget",
    "UNWIND $rows AS r MATCH (u:Utterance {id: r}) WITH u MATCH (c)-[h:HAS_UTTERANCE]->(u) "
    "SET u.text = '', u.tokens = '', u.audience = NULL, u.reactions = NULL, u.files = NULL, c.hash = NULL, "
    "c.revision = $revision DELETE h",
)
WRITE_CHANNELS = Query(
    "talk.channels",
    "UNWIND $rows AS r MERGE (c:Channel {id: r[0]}) SET c.name = r[1], c.private = r[2], c.audience = r[3]",
)
REMEMBER = Query(
    "talk.origin",
    "MERGE (o:Origin {id: $id}) SET o.kind = $kind, o.path = $path, o.audience = $audience, o.until = $until",
)
NOW = Query(
    "talk.members",
    "MATCH (c:Channel {id: $channel}) WITH c MATCH (c)<-[m:MEMBER_OF]-(p) WHERE m.valid_to = $forever "
    "RETURN p.id AS person",
)
JOIN = Query(
    "talk.join",
    "MATCH (c:Channel {id: $channel}) WITH c UNWIND $rows AS r MATCH (p:Person {id: r[0]}) "
    "MERGE (p)-[m:MEMBER_OF {valid_to: $forever}]->(c) ON CREATE SET m.valid_from = $at SET m.keys = r[1]",
)
LEAVE = Query(
    "talk.leave",
    "MATCH (c:Channel {id: $channel}) WITH c MATCH (c)<-[m:MEMBER_OF]-(p) "
    "WHERE m.valid_to = $forever AND p.id IN $rows SET m.valid_to = $at",
)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Written:
    """What writing did."""

    conversations: int
    """New or changed."""
    utterances: int
    """In them."""
    forgotten: int
    """Utterances that had been deleted at the source, and so lost their text here."""


def remember_origin(graph: Graph, kind: str, path: Path, audience: str | None = None, until: int | None = None) -> None:
    """Keeps where something was read from, for whom, and up to which microsecond, so that an audit finds it again."""
    place = str(path.expanduser().absolute())
    key = ids.digest("origin", kind, place)
    graph.write(REMEMBER, id=key, kind=kind, path=place, audience=audience, until=until)


def write_channels(
    graph: Graph, channels: Iterable[Channel], members: Callable[[Channel], Mapping[str, list[str]]], at: int
) -> None:
    """Writes rooms and, of private ones, who is in them now: ids of persons, with what each may be called by.

    `at` is when, in microseconds. What was told of a room that was open until now is taken back.
    """
    rooms = list(channels)
    private = [one.id for one in rooms if one.private]
    rows = [[one.id, one.name, one.private, f"channel:{one.id}" if one.private else "public"] for one in rooms]
    note_opened(graph, (one.id for one in rooms if not one.private), at)
    note_closing(graph, private)
    for part in parts(rows):
        graph.write(WRITE_CHANNELS, rows=part)
    for channel in closing(graph, private):
        close_room(graph, channel)
    for one in (each for each in rooms if each.private):
        now = members(one)
        before = {row["person"] for row in graph.rows(NOW, channel=one.id, forever=FOREVER)}
        if now:
            graph.write(JOIN, channel=one.id, rows=[list(row) for row in now.items()], at=at, forever=FOREVER)
        if left := sorted(before - now.keys()):
            graph.write(LEAVE, channel=one.id, rows=left, at=at, forever=FOREVER)


def write_conversations(
    graph: Graph, found: Sequence[Conversation], revision: int, progress: Progress | None = None
) -> Written:
    """Writes what is new or changed, but for what was forgotten. Answers that show words as they were are taken back.

    `revision` is the run's number, greater than those of all runs before it.
    """
    found = as_closed(graph, without_forgotten(graph, found))
    rows = {one.id: conversation_row(one) for one in found}
    hashes = {name: written_hash(row) for name, row in rows.items()}
    known = {row["id"]: row["hash"] for part in parts(list(hashes)) for row in graph.rows(HASHES, ids=part)}
    changed = [one for one in found if known.get(one.id) != hashes[one.id]]
    lost = lost_words(graph, {utterance.id: utterance.text for one in changed for utterance in one.utterances})
    take_back_shown(graph, lost)
    for part in parts([[utterance.id, one.id] for one in changed for utterance in one.utterances]):
        graph.write(MOVED, rows=part, revision=revision)  # a message that is answered leaves the main line for a thread
    written = 0
    for batch in batches(changed):
        said = [(one.id, utterance) for one in batch for utterance in one.utterances]
        graph.write(WRITE, rows=[rows[one.id] for one in batch])
        graph.write(PLACE, rows=[[one.id, one.place] for one in batch])
        if again := [[utterance.id] for name, utterance in said if name in known]:
            graph.write(UNSPOKEN, rows=again)
        graph.write(SPOKEN, rows=[[one.id, one.speaker.person] for _, one in said if one.speaker.person])
        graph.write(DONE, rows=[[one.id, hashes[one.id]] for one in batch], revision=revision)
        written += len(batch)
        if progress:
            progress(written, len(changed))
    hide_resting(graph, lost)
    take_back_shown(graph, lost)  # those that were given while this was written
    return Written(len(changed), sum(len(one.utterances) for one in changed), 0)


def forget_deleted(
    graph: Graph, found: Sequence[Conversation], covered: frozenset[tuple[str, str]], until: int | None, revision: int
) -> int:
    """Takes the words of utterances that are gone at their source: of covered places and days, but not among `found`.

    Their nodes stay, as answers may cite them; gives their number. Nothing after `until` is touched.
    """
    here = {utterance.id for one in found for utterance in one.utterances}
    gone = []
    for row in graph.rows(KNOWN, places=sorted({place for place, _ in covered})):
        day = moment(row["at"]).date().isoformat()
        whole = (row["place"], "") in covered or (row["place"], day) in covered
        if whole and row["id"] not in here and (until is None or row["at"] <= until):
            gone.append(row["id"])
    take_back_shown(graph, lost_words(graph, dict.fromkeys(gone, "")))
    for part in parts(gone):
        graph.write(FORGET, rows=part, revision=revision)
    return len(gone)


def conversation_row(one: Conversation) -> list[Any]:
    """A conversation's values in the order of CONVERSATION, and then its utterances'."""
    return [
        *(one.id, one.shown_id, one.kind.value, one.place, one.place_name, one.title, one.audience, one.started_at),
        *(one.utterances[-1].at, one.url, list(one.conclusion)),
        [
            [
                *(u.id, one.id, number, u.speaker.name, u.speaker.person, u.at, u.text, u.reply_to, u.edited, u.bot),
                *(u.url, list(u.files), reactions_text(u.reactions), one.audience, " ".join(search_tokens(u.text))),
            ]
            for number, u in enumerate(one.utterances)
        ],
    ]


def written_hash(row: Sequence[Any]) -> str:
    """Differs where anything that is written of a conversation does; an audit makes it again from what is there."""
    return ids.digest("written", json.dumps(row))


def batches(found: Iterable[Conversation]) -> Iterator[list[Conversation]]:
    """Whole conversations, about ROWS utterances together."""
    batch: list[Conversation] = []
    size = 0
    for one in found:
        batch.append(one)
        size += len(one.utterances)
        if size >= ROWS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def parts(rows: Sequence[Any]) -> Iterator[list[Any]]:
    """Rows in parts of ROWS."""
    for start in range(0, len(rows), ROWS):
        yield list(rows[start : start + ROWS])
