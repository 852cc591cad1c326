"""Forgetting what people said, everywhere: graph, answers and our own posts of them, jobs, vectors, files on the disk.

Each step can be done again, and an order stays due until all are done, so a kill anywhere is healed by whoever comes
next: another forgetting, the next try of the job, or the daily look.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import redis
import structlog

from assistant.chat import texts
from assistant.chat.render.slack import words
from assistant.embed import Embedder
from assistant.errors import Fatal, Retry
from assistant.graph import bundles, posts
from assistant.graph.answers import withdraw
from assistant.graph.flags import empty_flags, flags_on, message_key, told_about
from assistant.graph.recorded import UTTERANCE, Recorded, erase_utterances
from assistant.graph.servers.rewrite import rewrite_logs
from assistant.graph.space import Space
from assistant.graph.staleness import answered_anew
from assistant.graph.writing import forget as forgetting
from assistant.graph.writing.forget import Order
from assistant.graph.writing.repeating import LONG_ENOUGH, follow_ups
from assistant.graph.writing.tombstones import lift_tombstones
from assistant.graph.writing.writer import sole_writer
from assistant.model.surfaces import Message, Posted, Surface, Where
from assistant.model.times import micros
from assistant.settings import Settings, load_settings
from connectors.slack.client import sync_client
from connectors.slack.surface import SlackSurface
from workers.pace import Pace
from workers.queue import INGEST, Work, connect, enqueue
from workers.queue.purge import Traces, purge
from workers.reconcile import reconcile_as_set
from workers.tell import ask_to_tell

PART = 500
"""Messages of one order; the words of that many are read at a time."""

SHARED = "share/"
"""How the key of a message begins that repeats somebody's question for a channel."""

FLAG = "flag/"
"""How the key of a message begins that tells of a mark."""

log = structlog.get_logger()


class Writing(Protocol):
    """Whatever has a surface to write on: a Desk."""

    @property
    def surface(self) -> Surface:
        """The chat."""
        ...


@dataclass(frozen=True, slots=True)
class Chat:
    """A surface without the rest of a desk, for the command line."""

    surface: Surface

    @classmethod
    def of(cls, settings: Settings, space: Space) -> "Chat":
        """The Slack of the settings. Raises UserFacing without a bot token."""
        return cls(SlackSurface(sync_client(settings), "", Pace(connect(space.servers.queue_url))))


def forget(
    space: Space,
    desk: Writing | None,
    utterances: Sequence[str],
    *,
    answers: Sequence[str] = (),
    marks: Sequence[str] = (),
    reasons: Sequence[str] = (),
    by: str = "",
    about: str = "a deleted message",
    settings: Settings | None = None,
) -> None:
    """Forgets utterances, answers to questions, marks and reasons for judging answers; `about` is for the trail.

    Without a desk our posts that quote them wait for a worker that has one. Raises Retry where a server, the writer's
    lock or Slack makes it wait: what was ordered is kept, and done by the next call.
    """
    order(space, utterances, answers, by, about, marks, reasons)
    carry_out(space, desk, settings or load_settings())


def order(
    space: Space,
    utterances: Sequence[str],
    answers: Sequence[str],
    by: str,
    about: str,
    marks: Sequence[str] = (),
    reasons: Sequence[str] = (),
    *,
    repeats: bool = True,
) -> None:
    """Keeps the order in parts; from then on nobody sees these words."""
    now = datetime.now(UTC)
    for start in range(0, max(map(len, (utterances, answers, marks, reasons))), PART):
        said, asked, marked, typed = (some[start : start + PART] for some in (utterances, answers, marks, reasons))
        forgetting.order_forgetting(space.graph, said, asked, by, about, now, marked, typed, repeats=repeats)


def carry_out(space: Space, desk: Writing | None, settings: Settings) -> None:
    """Carries out every order that is due, whoever gave it, then clears our posts. Raises Retry as `forget`."""
    while orders := take_out_due(space, settings):
        rewrite_logs(space.servers)
        reconcile_as_set(space, settings)
        forgetting.close_orders(space.graph, orders, datetime.now(UTC))
    if desk is not None:
        clear_posts(space, desk.surface)
        ask_to_tell(space, settings)


def take_out_due(space: Space, settings: Settings) -> list[Order]:
    """Takes the words of all due orders out of everything but the files; gives these orders.

    Raises Retry while a job is under way that holds such words, and would put them back at its end.
    """
    orders, running = forgetting.due_orders(space.reader), 0
    with closing(connect(space.servers.queue_url)) as server:
        for one in (each for each in orders if not each.taken):
            held = _take_out(space, server, one, settings)
            if not held:
                forgetting.note_taken(space.graph, one)
            running += held
        _have_cut(space, server, orders)
    if running:
        raise Retry("a job that holds forgotten words is still under way", after=2.0)
    return orders


def _take_out(space: Space, server: redis.Redis, one: Order, settings: Settings) -> int:
    """One order's words, out of all but the files; how many jobs are under way that hold them."""
    reader, now = space.reader, datetime.now(UTC)
    forgetting.hide(space.graph, one.utterances, now)
    said = forgetting.words_of(reader, one.utterances)
    for mark in one.marks:
        posts.call_in(space.graph, told_about(reader, mark))
    marked = forgetting.take_back(space.graph, one.marks, now)
    resting = forgetting.decisions_on(reader, [*one.utterances, *(mark.utterance for mark in marked)])
    decisions = [decision.id for decision in resting]
    forgetting.hide_decisions(space.graph, decisions)
    holding = forgetting.answers_citing(reader, one.utterances, decisions)
    if one.repeats:
        holding = sorted({*holding, *follow_ups(reader, one.answers)})
    anew = answered_anew(reader, one.answers)
    holding = sorted({*holding, *anew})
    asked = forgetting.questions_of(reader, [*holding, *one.answers])
    own, quoting = (posts.posts_showing(reader, list(some)) for some in (one.answers, holding))
    Embedder(settings.embedding_model, settings.cache).forget(
        [*said, *asked, *(text for decision in resting for text in decision.texts)]
    )
    repeated = own if one.repeats else [key for key in own if key.startswith((SHARED, bundles.OF_POST))]
    posts.call_in(space.graph, [*quoting, *repeated])  # most answers repeat what was asked, refusals always do
    erase_utterances(space.graph, one.utterances, micros(now))
    messages = _take_out_flags(space, one.utterances)
    typed = forgetting.reasons_of(reader, one.reasons)
    long = [text for text in (*said, *typed) if len(text) >= LONG_ENOUGH]
    traces = Traces(messages, long, {*own, *quoting}, {(mark.room, mark.ts, mark.by) for mark in marked})
    if running := purge(server, traces):
        return running  # the words are still needed, to find them in those jobs
    forgetting.unmark(space.graph, one.marks)
    forgetting.unreason(space.graph, one.reasons)
    withdraw(space.graph, [*holding, *one.answers])
    with sole_writer(space.graph) as revision:
        forgetting.empty(space.graph, one.utterances, decisions, revision)
    return len({*answered_anew(reader, one.answers)}.difference(anew))  # such a question was just asked again


def _have_cut(space: Space, server: redis.Redis, orders: Sequence[Order]) -> None:
    """What stood round recorded messages is cut anew: without them it may be other conversations."""
    for team in {found[1] for one in orders for name in one.utterances if (found := UTTERANCE.fullmatch(name))}:
        store = Recorded(space.graph, team)
        if store.waiting():
            turn = store.turn("cut")
            enqueue(server, Work(INGEST, "workers.hear.cut", f"cut/{space.name}/{turn}", {"turn": turn}))


def _take_out_flags(space: Space, utterances: Sequence[str]) -> list[tuple[str, str]]:
    """Words of marks on the messages, and of our posts about those; gives each message as its room and ts."""
    rooms = forgetting.messages_of(space.reader, utterances)
    rooms |= {name: found[2] for name in utterances if (found := UTTERANCE.fullmatch(name))}
    marked = [message_key(room, utterance) for utterance, room in rooms.items()]
    for flag in flags_on(space.reader, marked):
        posts.call_in(space.graph, told_about(space.reader, flag.id))
    empty_flags(space.graph, marked)
    return [(room, utterance.rpartition("/")[2]) for utterance, room in rooms.items()]


def clear_posts(space: Space, surface: Surface) -> None:
    """Takes the words out of our posts that showed them; what the chat refuses is kept for doctor. Raises Retry."""
    for due in posts.due_posts(space.reader):
        said = words(texts.FLAG_WITHDRAWN if due.key.startswith(FLAG) else texts.WITHDRAWN)
        try:
            standing = _standing(surface, due)
        except Fatal as error:
            refused = [str(error)]
        else:
            refused = [reason for posted in standing if (reason := _cleared(surface, posted, said)) is not None]
        if refused:
            log.warning("a post of ours still shows forgotten words", key=due.key, reason=refused[0])
        posts.settle_post(space.graph, due.key, refused[0] if refused else None)
        bundles.call_in(space.graph, [due.key])  # what such a message tells of other answers is told again


def _standing(surface: Surface, due: posts.DuePost) -> Sequence[Posted]:
    """Where a post stands that may have been written by somebody who was killed before saying so."""
    return (due.posted,) if due.posted.ts else surface.find(Where(due.posted.channel), due.key, due.since or "0")


def _cleared(surface: Surface, posted: Posted, said: Message) -> str | None:
    """Has a post of ours say that instead, or go; why neither can be, if so."""
    try:
        surface.update(posted, said)
    except Fatal:
        try:
            surface.delete(posted)
        except Fatal as error:
            return str(error)
    return None


def lift(space: Space, conversation: str) -> int:
    """Lets a forgotten conversation, by its id or as the command line prints it, be read in again; how many messages.

    What was recorded of it comes back when its channel's history is read anew, or with another import.
    """
    lifted = lift_tombstones(space.graph, conversation)
    for name in lifted:
        if found := UTTERANCE.fullmatch(name):
            Recorded(space.graph, found[1]).unbar(found[2], found[3])
    return len(lifted)
