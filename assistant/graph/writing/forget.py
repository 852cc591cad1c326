"""Forgetting what people said: orders that survive every kill, and taking the words out of the graph.

An order is kept first and names utterances and answers by id, never by their words. Until it is carried out to the end
it stays due, and whoever comes next carries it out. The words of utterances go last, so that each step before can
still find by them what else holds them; nobody sees them from the first step on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistant.graph.recorded import UTTERANCE, Recorded
from assistant.graph.store import Graph, Query, Reader
from assistant.graph.writing.deciding import drop
from assistant.graph.writing.tombstones import Grave, buried, lay_tombstones
from assistant.model.ids import digest
from assistant.model.times import micros

ORDER = Query(
    "forget.order",
    "MERGE (f:Forgetting {id: $id}) ON CREATE SET f.at = $at, f.by = $by, f.about = $about, f.count = $count, "
    "f.of = $of, f.due = 1, f.taken = false, f.utterances = $utterances, f.answers = $answers, "
    "f.marks = $marks, f.reasons = $reasons, f.repeats = $repeats",
)
DONE_BEFORE = Query(
    "forget.done_before",
    "MATCH (f:Forgetting) WHERE f.due = 0 AND f.of = $of RETURN count(f) AS total",
)
DUE = Query(
    "forget.due",
    "MATCH (f:Forgetting) WHERE f.due = 1 RETURN f.id AS id, f.utterances AS utterances, f.answers AS answers, "
    "f.marks AS marks, f.reasons AS reasons, f.repeats AS repeats, f.taken AS taken ORDER BY f.at, f.id",
)
TAKEN = Query("forget.taken", "MATCH (f:Forgetting {id: $id}) SET f.taken = true")
CLOSE = Query(
    "forget.close",
    "UNWIND $ids AS id MATCH (f:Forgetting {id: id}) SET f.due = 0, f.utterances = [], f.answers = [], "
    "f.marks = [], f.reasons = [], f.done_at = $at",
)
TRAIL = Query(
    "forget.trail",
    "MATCH (f:Forgetting) RETURN f.by AS by, f.about AS about, f.at AS at, f.count AS count, f.due AS due "
    "ORDER BY f.at, f.id",
    scans="the trail of all of them is wanted",
)
HOMES = Query(
    "forget.homes",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) RETURN u.id AS id, u.conversation AS conversation",
)
SHOWN = Query(
    "forget.shown", "UNWIND $ids AS id MATCH (c:Conversation {id: id}) RETURN c.id AS id, c.shown_id AS shown"
)
SPEAKING = Query(
    "forget.speaking", "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WHERE u.text <> '' RETURN u.id AS id"
)
HIDE = Query("forget.hide", "UNWIND $ids AS id MATCH (u:Utterance {id: id}) SET u.audience = NULL")
PLACES = Query(
    "forget.places",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WITH u MATCH (c:Conversation {id: u.conversation}) "
    "RETURN u.id AS id, c.place AS place",
)
TAKE_BACK = Query(
    "forget.take_back",
    "UNWIND $ids AS id MATCH (f:Flag {id: id}) SET f.due = 1, f.undone_by = coalesce(f.undone_by, f.by), "
    "f.undone_at = coalesce(f.undone_at, $at) RETURN f.utterance AS utterance, f.message AS message, f.by AS by",
)
REASONS = Query(
    "forget.reasons", "UNWIND $ids AS id MATCH (f:Feedback {id: id}) WHERE f.reason <> '' RETURN f.reason AS reason"
)
UNREASON = Query("forget.unreason", "UNWIND $ids AS id MATCH (f:Feedback {id: id}) SET f.reason = ''")
UNMARK = Query("forget.unmark", "UNWIND $ids AS id MATCH (f:Flag {id: id}) SET f.statement = '', f.decider_name = ''")
WORDS = Query(
    "forget.words",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WHERE u.text <> '' RETURN u.text AS text",
)
RESTING = Query(
    "forget.resting",
    "MATCH (d:Decision) WHERE d.utterance IN $ids OR any(name IN d.supporting WHERE name IN $ids) "
    "RETURN d.id AS id, d.statement AS statement, d.quote AS quote, d.topic AS topic, d.title AS title",
    scans="an edge to a changed utterance may be gone; decisions are few beside what was said",
)
HIDE_DECISIONS = Query("forget.hide_decisions", "UNWIND $ids AS id MATCH (d:Decision {id: id}) SET d.audience = NULL")
CITING = {
    label: Query(
        f"forget.citing_{label}",
        f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) WITH n MATCH (n)<-[c:CITES]-(a) RETURN DISTINCT a.id AS id",
    )
    for label in ("Utterance", "Decision")
}
ASKED = Query("forget.asked", "UNWIND $ids AS id MATCH (a:Answer {id: id}) RETURN a.question AS question")
UNCONCLUDE = Query(
    "forget.unconclude",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WITH u MATCH (u)<-[h:HAS_UTTERANCE]-(c) "
    "WHERE u.text IN c.conclusion SET c.conclusion = [line IN c.conclusion WHERE line <> u.text]",
)
EMPTY = Query(
    "forget.empty",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) SET u.text = '', u.tokens = '', u.audience = NULL, "
    "u.reactions = NULL, u.files = NULL, u.speaker = '', u.person = NULL "
    "WITH u MATCH (c:Conversation {id: u.conversation}) SET c.hash = NULL, c.revision = $revision",
)
UNTIE = Query(
    "forget.untie",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WITH u MATCH (u)-[e:HAS_UTTERANCE|SPOKEN_BY]-(n) DELETE e",
)
UNREAD = Query(
    "forget.unread",
    "UNWIND $conversations AS name MATCH (d:Decision {conversation: name}) SET d.context = '', d.content = ''",
)
UNTITLE = Query(
    "forget.untitle",
    "UNWIND $conversations AS id MATCH (c:Conversation {id: id}) WHERE NOT (c)-[:HAS_UTTERANCE]->() "
    "SET c.title = '', c.conclusion = []",
)


NAMING = ("utterances", "answers", "marks", "reasons")
"""What of an order names things; an order given before there were some of these has none of them."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be forgotten."""

    id: str
    utterances: tuple[str, ...]
    answers: tuple[str, ...]
    """Answers to questions that are themselves to be forgotten."""
    marks: tuple[str, ...] = ()
    """What somebody marked by hand, in words of their own."""
    reasons: tuple[str, ...] = ()
    """Judgements of answers for which somebody typed a reason."""
    repeats: bool = True
    """Whether to look for answers that repeat the words without citing them."""
    taken: bool = False
    """The words are out; the files on the disk may still hold them."""


@dataclass(frozen=True, slots=True)
class TrailRow:
    """That something was forgotten: by whom and what about, never the words."""

    by: str
    about: str
    at: int
    count: int
    """Messages, questions, marks and reasons."""
    due: bool
    """Not yet carried out to the end."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A decision that rests on forgotten words, with the texts of it that may have been embedded."""

    id: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What a mark hung on that is taken back: a message that may well stay, as somebody else said it."""

    utterance: str
    room: str
    ts: str
    by: str
    """The chat's user id of who marked it."""


def order_forgetting(
    graph: Graph,
    utterances: Sequence[str],
    answers: Sequence[str],
    by: str,
    about: str,
    at: datetime,
    marks: Sequence[str] = (),
    reasons: Sequence[str] = (),
    *,
    repeats: bool = True,
) -> None:
    """Keeps the order, then hides the utterances from everybody and lays their tombstones. Can be repeated.

    What was forgotten before and has not come back is left out. `about` says for the trail what was forgotten:
    `a deleted message`, `own words`, a conversation, an age.
    """
    known = set(buried(graph, utterances)) - {row["id"] for row in graph.rows(SPEAKING, ids=list(utterances))}
    said = [name for name in utterances if name not in known]
    if not said and not answers and not marks and not reasons:
        return
    of = digest("forget", *sorted(said), "", *sorted(answers), "", *sorted(marks), "", *sorted(reasons))
    before = graph.rows(DONE_BEFORE, of=of)[0]["total"]  # lifted and read in again, it can be forgotten again
    graph.write(
        ORDER,
        id=digest("order", of, str(before)),
        of=of,
        at=micros(at),
        by=by,
        about=about,
        utterances=said,
        answers=list(answers),
        marks=list(marks),
        reasons=list(reasons),
        repeats=repeats,
        count=len(said) + len(answers) + len(marks) + len(reasons),
    )
    hide(graph, said, at)


def hide(graph: Graph, utterances: Sequence[str], at: datetime) -> None:
    """Nobody sees them from now on, and nothing brings them back."""
    named = list(utterances)
    lay_tombstones(graph, _graves(graph, named), micros(at))
    graph.write(HIDE, ids=named)


def _graves(reader: Graph, utterances: Sequence[str]) -> list[Grave]:
    known = {row["id"]: row["conversation"] for row in reader.rows(HOMES, ids=list(utterances))}
    shown = {row["id"]: row["shown"] for row in reader.rows(SHOWN, ids=sorted(filter(None, set(known.values()))))}
    return [
        Grave(name, home, shown.get(home, home)) if (home := known.get(name)) else _uncut(reader, name)
        for name in utterances
    ]


def _uncut(graph: Graph, utterance: str) -> Grave:
    """A message that no conversation was cut of yet, as if its thread were one already."""
    found = UTTERANCE.fullmatch(utterance)
    if found is None:
        home = utterance.rpartition("/")[0]
        return Grave(utterance, home, home)
    team, channel, ts = found.groups()
    store = Recorded(graph, team)
    root = store.root_of(channel, ts)
    name = store.notes("channels", [channel]).get(channel, {}).get("name") or channel
    return Grave(utterance, f"slack:{team}/{channel}/{root}", f"slack:{name}/{root}")


def due_orders(reader: Reader) -> list[Order]:
    """Orders that are not carried out to the end, oldest first."""
    rows: list[dict[str, Any]] = reader.rows(DUE)
    return [Order(**{**row, **{name: tuple(row[name] or ()) for name in NAMING}}) for row in rows]


def note_taken(graph: Graph, order: Order) -> None:
    """Notes that an order's words are out of everything but the files on the disk."""
    graph.write(TAKEN, id=order.id)


def close_orders(graph: Graph, orders: Iterable[Order], at: datetime) -> None:
    """Notes that they were carried out; whom and what they named goes."""
    graph.write(CLOSE, ids=[one.id for one in orders], at=micros(at))


def trail(reader: Reader) -> list[TrailRow]:
    """Every forgetting there was, oldest first."""
    return [TrailRow(r["by"], r["about"], r["at"], r["count"], r["due"] == 1) for r in reader.rows(TRAIL)]


def words_of(reader: Reader, utterances: Sequence[str]) -> list[str]:
    """What of the utterances' texts is still there."""
    return [row["text"] for row in reader.rows(WORDS, ids=list(utterances))]


def decisions_on(reader: Reader, utterances: Sequence[str]) -> list[Resting]:
    """The decisions that rest on any of these utterances, also those that no read shows any more."""
    return [
        Resting(row["id"], tuple(filter(None, (row["statement"], row["quote"], f"{row['title']}: {row['topic']}"))))
        for row in reader.rows(RESTING, ids=list(utterances))
    ]


def messages_of(reader: Reader, utterances: Sequence[str]) -> dict[str, str]:
    """The room that each of the utterances stands in, by utterance."""
    return {row["id"]: row["place"] for row in reader.rows(PLACES, ids=list(utterances))}


def take_back(graph: Graph, marks: Sequence[str], at: datetime) -> list[TakenBack]:
    """Takes marks back, which keep their words until `unmark`; gives what they hung on."""
    rows = graph.write(TAKE_BACK, ids=list(marks), at=micros(at))
    return [
        TakenBack(r["utterance"], r["message"].rpartition("/")[0], r["message"].rpartition("/")[2], r["by"])
        for r in rows
    ]


def unmark(graph: Graph, marks: Sequence[str]) -> None:
    """Takes the words out of marks."""
    graph.write(UNMARK, ids=list(marks))


def reasons_of(reader: Reader, reasons: Sequence[str]) -> list[str]:
    """What was typed for judging answers, as far as it is still there."""
    return [row["reason"] for row in reader.rows(REASONS, ids=list(reasons))]


def unreason(graph: Graph, reasons: Sequence[str]) -> None:
    """Takes the reasons out of judgements of answers, which stay."""
    graph.write(UNREASON, ids=list(reasons))


def hide_decisions(graph: Graph, decisions: Sequence[str]) -> None:
    """Nobody sees them from now on."""
    graph.write(HIDE_DECISIONS, ids=list(decisions))


def answers_citing(reader: Reader, utterances: Sequence[str], decisions: Sequence[str]) -> list[str]:
    """Ids of answers that cite the utterances or the decisions."""
    found = [*reader.rows(CITING["Utterance"], ids=list(utterances))]
    found += reader.rows(CITING["Decision"], ids=list(decisions))
    return sorted({row["id"] for row in found})


def questions_of(reader: Reader, answers: Sequence[str]) -> list[str]:
    """What was asked, of answers that were not withdrawn yet."""
    return [row["question"] for row in reader.rows(ASKED, ids=list(answers)) if row["question"]]


def empty(graph: Graph, utterances: Sequence[str], decisions: Sequence[str], revision: int) -> None:
    """Takes decisions away, and words, speaker, reactions and files out of utterances, whose nodes stay as stubs.

    Their conversations are read for decisions again, as they now count as changed in this `revision`.
    """
    named = list(utterances)
    drop(graph, list(decisions))
    graph.write(UNCONCLUDE, ids=named)
    graph.write(UNTIE, ids=named)
    homes = sorted({row["conversation"] for row in graph.rows(HOMES, ids=named) if row["conversation"]})
    graph.write(UNTITLE, conversations=homes)
    graph.write(UNREAD, conversations=homes)  # other decisions there know the words that stood round them
    graph.write(EMPTY, ids=named, revision=revision)
