"""What people marked by hand: this message is a rule, this one is no decision.

A mark is an event with its author. It can be taken back, which is noted on it, and never changes otherwise; of several
on one message the newest that was not taken back counts. It hangs on the message, not on the utterance that the
message is at the moment: conversations are cut anew as talk goes on, and imported again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from assistant.graph.reading.decisions import DecisionRow, decisions_named, told_params
from assistant.graph.store import Graph, Query, Reader
from assistant.model.audiences import Scope
from assistant.model.times import micros


class FlagKind(StrEnum):
    """What a mark says of a message."""

    RULE = "rule"
    NO_DECISION = "no decision"


class Outcome(StrEnum):
    """What the owner of the nearest section said to the draft."""

    DONE = "done"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True, slots=True)
class Flag:
    """One mark."""

    id: str
    kind: FlagKind
    message: str
    """What it hangs on, see `message_key`."""
    utterance: str
    """Id of the utterance that the message was when it was marked."""
    said_at: int
    """When the message was written, microseconds since 1970."""
    statement: str
    """What holds, in the words of who marked it; '' for what is no decision, and where words had to be forgotten."""
    decider: str | None
    """Id of the Person who settled it, where known."""
    decider_name: str
    section: str | None
    """Lineage of the section where it belongs."""
    by: str
    """The chat's user id of who marked it."""
    by_name: str
    at: int
    """Microseconds since 1970."""
    audience: str
    kept: bool = False
    """Whether the message's words are only kept because it was marked: nothing else of its channel is recorded."""
    vouched: bool = False
    """Whether the decider marked the message or wrote it."""
    undone_by: str | None = None
    undone_at: int | None = None


COLUMNS = tuple(field.name for field in fields(Flag))
GIVEN = COLUMNS[: COLUMNS.index("undone_by")]
RETURNED = ", ".join(f"f.{name} AS {name}" for name in COLUMNS)
STANDING = "f.undone_at IS NULL"

SAVE = Query(
    "flags.save",
    f"MERGE (f:Flag {{id: $id}}) ON CREATE SET f.due = 1, {', '.join(f'f.{name} = ${name}' for name in GIVEN)}",
)
UNDO = Query(
    "flags.undo",
    f"MATCH (f:Flag {{id: $id}}) WHERE {STANDING} SET f.undone_by = $by, f.undone_at = $at, f.due = 1",
)
TOLD = Query(
    "flags.told",
    "MATCH (f:Flag {id: $id}) WHERE NOT $key IN coalesce(f.told, []) SET f.told = coalesce(f.told, []) + [$key]",
)
UNTOLD = Query("flags.untold", "MATCH (f:Flag {id: $id}) SET f.told = []")
SETTLE = Query(
    "flags.settle",
    "MATCH (f:Flag {id: $id}) SET f.outcome = $outcome, f.settled_by = $by, f.settled_at = $at RETURN f.id AS id",
)
FIND = Query("flags.find", f"MATCH (f:Flag {{id: $id}}) RETURN {RETURNED}")
POSTS = Query("flags.posts", "MATCH (f:Flag {id: $id}) RETURN f.told AS told")
ALL = Query("flags.all", f"MATCH (f:Flag) WHERE f.at >= 0 AND {STANDING} RETURN {RETURNED} ORDER BY f.at, f.id")
BY_PERSON = Query(
    "flags.by_person",
    f"MATCH (f:Flag {{by: $by}}) WHERE {STANDING} AND f.audience IN $audiences RETURN {RETURNED} "
    "ORDER BY f.at DESC, f.id LIMIT $limit",
)
ON = Query(
    "flags.on",
    f"UNWIND $messages AS message MATCH (f:Flag {{message: message}}) RETURN {RETURNED} ORDER BY f.at, f.id",
)
EMPTY = Query(
    "flags.empty",
    "UNWIND $messages AS message MATCH (f:Flag {message: message}) SET f.statement = '', f.decider_name = ''",
)
DUE = Query(
    "flags.due",
    "MATCH (f:Flag) WHERE f.due = 1 RETURN f.id AS id, f.message AS message, f.said_at AS at ORDER BY id",
)
TOUCH = Query(
    "flags.touch",
    "UNWIND $rows AS r MATCH (c:Conversation {place: r[0]}) WHERE c.started_at <= r[1] AND c.ended_at >= r[1] "
    "WITH c, r MATCH (c)-[h:HAS_UTTERANCE]->(u) WHERE u.at = r[1] SET c.revision = $revision",
)
TOUCHED = Query("flags.touched", "UNWIND $ids AS id MATCH (f:Flag {id: id}) SET f.due = 0")
SAID = Query(
    "flags.said",
    "MATCH (c:Conversation {place: $place}) WHERE c.started_at <= $at AND c.ended_at >= $at WITH c "
    "MATCH (c)-[h:HAS_UTTERANCE]->(u) WHERE u.at = $at AND u.audience = c.audience "
    "RETURN u.id AS id, u.text AS text, u.speaker AS speaker, u.person AS person, u.url AS url, "
    "c.audience AS audience, c.place_name AS place_name ORDER BY id",
)
RESTING = Query(
    "flags.resting",
    "MATCH (u:Utterance {id: $utterance}) WITH u MATCH (u)<-[q:QUOTES]-(d) "
    "WHERE d.audience IN $audiences AND d.at <= $until RETURN d.id AS id, q.deciding AS deciding, d.at AS at "
    "ORDER BY deciding DESC, at, id",
)


@dataclass(frozen=True, slots=True)
class SaidHere:
    """A message as the graph has it."""

    id: str
    """Of the utterance."""
    text: str
    speaker: str
    person: str | None
    url: str | None
    audience: str
    place_name: str


def message_key(place: str, utterance: str) -> str:
    """What a mark hangs on: the channel and the message's ts, or whatever else an utterance's id ends with."""
    return f"{place}/{utterance.rpartition('/')[2]}"


def save_flag(graph: Graph, flag: Flag) -> None:
    """Keeps a mark; one that is there already stays as it is."""
    graph.write(SAVE, **{name: getattr(flag, name) for name in GIVEN})


def undo_flag(graph: Graph, name: str, by: str, at: datetime) -> None:
    """Takes a mark back; the first to do so stays noted."""
    graph.write(UNDO, id=name, by=by, at=micros(at))


def settle_flag(graph: Graph, name: str, outcome: Outcome, by: str, at: datetime) -> None:
    """Notes what an owner said to the draft."""
    graph.write(SETTLE, id=name, outcome=outcome.value, by=by, at=micros(at))


def note_told(graph: Graph, name: str, key: str) -> None:
    """Remembers the key of a message of ours that speaks of the mark, so that its words can be taken back, too."""
    graph.write(TOLD, id=name, key=key)


def note_untold(graph: Graph, name: str) -> None:
    """Notes that no message of ours shows the mark's words any more."""
    graph.write(UNTOLD, id=name)


def find_flag(reader: Reader, name: str) -> Flag | None:
    """The mark with that id, also one that was taken back."""
    return next(iter(_flags(reader.rows(FIND, id=name))), None)


def told_about(reader: Reader, name: str) -> list[str]:
    """Keys of our messages that speak of a mark."""
    return [key for row in reader.rows(POSTS, id=name) for key in row["told"] or ()]


def standing_flags(reader: Reader) -> dict[str, Flag]:
    """By message the mark that counts. For making decisions of them: no Audience is asked, each carries its own."""
    return {flag.message: flag for flag in _flags(reader.rows(ALL))}


def flags_on(reader: Reader, messages: Sequence[str]) -> list[Flag]:
    """Every mark on these messages, oldest first, also those taken back: for forgetting their words."""
    return _flags(reader.rows(ON, messages=list(messages)))


def flags_by(reader: Reader, user: str, audiences: Sequence[str], limit: int) -> list[Flag]:
    """The marks that somebody made and that stand, of those they may still see, newest first."""
    return _flags(reader.rows(BY_PERSON, by=user, audiences=list(audiences), limit=limit))


def empty_flags(graph: Graph, messages: Sequence[str]) -> None:
    """Takes the words out of all marks on these messages; who marked them and when stays."""
    graph.write(EMPTY, messages=list(messages))


def call_in(graph: Graph, revision: int) -> None:
    """Has the conversations of all new marks, and of those taken back since, read for decisions again.

    For the one who writes: `revision` is the run's number, greater than those of all runs before it.
    """
    due = graph.rows(DUE)
    graph.write(TOUCH, rows=[[row["message"].rpartition("/")[0], row["at"]] for row in due], revision=revision)
    graph.write(TOUCHED, ids=[row["id"] for row in due])


def said_at(reader: Reader, place: str, at: int) -> SaidHere | None:
    """The message of that moment in a channel; None where it is not in the graph. Whoever asks checks the Audience."""
    rows = reader.rows(SAID, place=place, at=at)
    return SaidHere(**rows[0]) if rows else None


def decisions_resting_on(reader: Reader, scope: Scope, utterance: str) -> list[DecisionRow]:
    """The decisions that quote an utterance and may be seen: those that it settled first, then those it supports."""
    rows = reader.rows(RESTING, utterance=utterance, **told_params(scope))
    return decisions_named(reader, scope, [row["id"] for row in rows])


def _flags(rows: Iterable[dict[str, Any]]) -> list[Flag]:
    return [Flag(**{**row, "kind": FlagKind(row["kind"])}) for row in rows]
