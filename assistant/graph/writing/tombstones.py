"""Tombstones: ids of forgotten messages, so that no late event, filled history or other import brings them back.

A Slack message has one whatever conversation it is cut into, by channel and ts; anything else by its utterance's id.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assistant.graph.store import Graph, Query, Reader
from assistant.model.conversations import Conversation

ROWS = 500
"""Rows of one query."""

LAY = Query(
    "tombstones.lay",
    "UNWIND $rows AS r MERGE (t:Tombstone {id: r[0]}) ON CREATE SET t.conversation = r[1], t.shown = r[2], t.at = $at",
)
ANY = Query("tombstones.any", "MATCH (t:Tombstone) RETURN count(t) AS total")
AMONG = Query("tombstones.among", "UNWIND $keys AS key MATCH (t:Tombstone {id: key}) RETURN t.id AS id")
LIFT = tuple(
    Query(
        f"tombstones.lift_by_{name}",
        f"MATCH (t:Tombstone {{{name}: $name}}) WITH t, t.id AS id DELETE t RETURN id",
    )
    for name in ("conversation", "shown")
)

MESSAGE = re.compile(r"(slack:[^/]+/[^/]+)/[^/]+/([^/]+)")


def tombstone_id(utterance: str) -> str:
    """What a forgotten utterance is remembered by."""
    found = MESSAGE.fullmatch(utterance)
    return f"{found[1]}/{found[2]}" if found else utterance


@dataclass(frozen=True, slots=True)
class Grave:
    """What is to be forgotten, and the conversation that it stood in, which may be gone when somebody asks for it."""

    utterance: str
    conversation: str
    shown: str
    """As the command line prints the conversation."""


def lay_tombstones(graph: Graph, graves: Iterable[Grave], at: int) -> None:
    """Keeps utterances from ever being written again; `at` in microseconds."""
    rows = [[tombstone_id(one.utterance), one.conversation, one.shown] for one in graves]
    for part in parts(rows):
        graph.write(LAY, rows=part, at=at)


def buried(reader: Reader, utterances: Sequence[str]) -> list[str]:
    """Those of the utterances that have a tombstone."""
    by_key = {tombstone_id(name): name for name in utterances}
    return [by_key[row["id"]] for part in parts(list(by_key)) for row in reader.rows(AMONG, keys=part)]


def lift_tombstones(graph: Graph, conversation: str) -> list[str]:
    """Lets what was forgotten of a conversation, by its id or as the command line prints it, be read in again.

    Gives the ids of what was lifted.
    """
    return [row["id"] for query in LIFT for row in graph.write(query, name=conversation)]


def without_forgotten(reader: Reader, found: Sequence[Conversation]) -> list[Conversation]:
    """The conversations without what was forgotten; one of which all was forgotten is left out."""
    if reader.rows(ANY)[0]["total"] == 0:
        return list(found)
    gone = set(buried(reader, [said.id for one in found for said in one.utterances]))
    return [kept for one in found if (kept := _without(one, gone))]


def _without(one: Conversation, gone: set[str]) -> Conversation | None:
    lost = [said for said in one.utterances if said.id in gone]
    if not lost:
        return one
    words = {said.text for said in lost}
    left = tuple(said for said in one.utterances if said not in lost)
    conclusion = tuple(line for line in one.conclusion if line not in words)
    return replace(one, utterances=left, conclusion=conclusion) if left else None


def parts(rows: Sequence[object]) -> Iterable[list[object]]:
    """Rows in parts of ROWS."""
    for start in range(0, len(rows), ROWS):
        yield list(rows[start : start + ROWS])
