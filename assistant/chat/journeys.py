"""What a message or a click means, the same for every surface, and the way from there to an answer."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from assistant.chat import texts
from assistant.chat.deliver import Delivery
from assistant.chat.render.mrkdwn import escaped
from assistant.chat.render.slack import Share, answer_messages, words
from assistant.errors import Closed, UserFacing
from assistant.graph.consent import Mode
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.surfaces import Directory, Inquiry, Ledger, Message, Posted, Surface, Way, Where

EARLIER = 10
"""Earlier messages of a thread that a question is read with."""


@dataclass(frozen=True, slots=True)
class Desk:
    """All that is needed to answer.

    `ask` is given the question, its `id` the same at every try, who asks, where it is read, and the channels that the
    asker was seen to be in. `shown` keeps for good under which key an answer, by its id, stands where; it says False
    where its words were taken back meanwhile. `mode` tells what a channel's people chose.
    """

    surface: Surface
    ledger: Ledger
    directory: Directory
    ask: Callable[[AskedQuestion, Viewer, Place, frozenset[str]], Answer]
    zone: tzinfo
    allowed_channels: frozenset[str]
    shown: Callable[[str, str, Posted], bool] = lambda *_: True
    mode: Callable[[str], Mode] = lambda _: Mode.ANSWER


def answer(asked: Inquiry, desk: Desk) -> None:
    """Answer it in its place, once; run again after a crash it finishes what is missing.

    Raises what `ask` and the surface raise, except what a person is to be told: that is told.
    """
    _once(asked, desk, lambda delivery: _answer(asked, desk, delivery))


def apologise(asked: Inquiry, desk: Desk, error: BaseException) -> None:
    """Every attempt failed: say so where the answer would stand, in words a person understands. Raises as `answer`."""
    said = words(escaped(texts.apology(error)))
    _once(asked, desk, lambda delivery: delivery.finish([said]))


def _once(asked: Inquiry, desk: Desk, write: Callable[[Delivery], object]) -> None:
    """Has the answer's place written in, once, unless this person or this place gets none: that is told instead."""
    with desk.ledger.hold(asked.key) as held:
        if _is_answered(asked, desk):
            return
        try:
            if (reason := _refused(asked, desk)) is not None:
                _refuse(asked, desk, held, reason)
            else:
                write(_delivery(asked, desk, held))
        except Closed:
            _tell_elsewhere(asked, desk, held)
        desk.ledger.finish(asked.key, asked.revision)


def _is_answered(asked: Inquiry, desk: Desk) -> bool:
    done = desk.ledger.finished(asked.key)
    return done is not None and done >= asked.revision


def _answer(asked: Inquiry, desk: Desk, delivery: Delivery) -> None:
    if (reply := _reply(asked)) is not None:
        delivery.finish([words(reply)])
        return
    desk.surface.status(delivery.where, texts.WORKING)
    delivery.place(words(texts.LOOKING))
    try:
        found = _asked(asked, desk, delivery.where)
    except UserFacing as error:
        delivery.finish([words(escaped(str(error)))])
        return
    written = delivery.finish(_told(asked, desk, found))
    if False in [desk.shown(found.answer_id, key, posted) for key, posted in written.items()]:
        delivery.finish([words(texts.WITHDRAWN)] * len(written))


def _asked(asked: Inquiry, desk: Desk, where: Where) -> Answer:
    talking = asked.way is Way.DM or (asked.way is Way.MENTION and asked.thread is not None)
    said = desk.surface.earlier(where, asked.ts) if talking else ()
    earlier = tuple(one.text for one in said if one.text and one.to_us)  # nothing else is ours to keep or repeat
    question = AskedQuestion(text=asked.text, id=f"{asked.key}@{asked.revision}", earlier=earlier[-EARLIER:])
    seen_in = frozenset({asked.channel} if asked.way is Way.MENTION else ())
    return desk.ask(question, Viewer(asked.user), _place(asked), seen_in)


def _told(asked: Inquiry, desk: Desk, found: Answer) -> tuple[Message, ...]:
    if asked.way is Way.SHARE:
        lead = f"<@{asked.user}> {texts.SHARED_BY}\n> {escaped(' '.join(asked.text.split()))}"
        return answer_messages(found, desk.zone, lead=lead)
    share = Share(asked.channel, asked.text) if asked.way is Way.COMMAND else None
    return answer_messages(found, desk.zone, share)


def _place(asked: Inquiry) -> Place:
    """Who reads along: in private only the asker, else everybody in the channel."""
    if asked.way in (Way.DM, Way.COMMAND):
        return Place(PlaceKind.DM)
    return Place(PlaceKind.CHANNEL, asked.channel)


def _reply(asked: Inquiry) -> str | None:
    """What to say to something that is no question; None when it is one."""
    text = asked.text.strip()
    if not text:
        return texts.ONLY_FILES if asked.files else texts.EMPTY
    if text.casefold().rstrip("?!.") == "help":
        return texts.HELP
    return texts.TOO_LONG if len(text) > texts.LONGEST_QUESTION else None


def _refused(asked: Inquiry, desk: Desk) -> str | None:
    """Why this person or this place gets no answer; None when they do."""
    public = asked.way in (Way.MENTION, Way.SHARE)
    if public and desk.mode(asked.channel) is Mode.OFF:
        return texts.SHARE_OFF if asked.way is Way.SHARE else texts.OFF_HERE
    if public and asked.channel in desk.allowed_channels:
        return None
    if not desk.directory.member(asked.user):
        return texts.GUEST
    room = desk.directory.room(asked.channel) if public else None
    if room is None or not room.outsiders:
        return None
    return texts.SHARED_ROOM if room.told else texts.UNCHECKED_ROOM


def _refuse(asked: Inquiry, desk: Desk, held: Callable[[], bool], reason: str) -> None:
    """In a channel only the asker is told, and once; what is written with others reading along is nothing.

    That we are switched off may change any day, so it is told each time.
    """
    if asked.way is Way.MENTION:
        told = f"told:{asked.key}" if reason == texts.OFF_HERE else f"told:{asked.channel}:{asked.user}"
        if desk.ledger.finished(told) is None:  # noted afterwards: told twice after a crash is better than never
            desk.surface.whisper(Where(asked.channel, asked.thread), asked.user, words(reason))
            desk.ledger.finish(told, asked.revision)
        return
    where = Where(asked.channel, asked.thread) if asked.way is Way.DM else desk.surface.open_dm(asked.user)
    Delivery(desk.surface, desk.ledger, where, asked.key, asked.ts, held).finish([words(reason)])


def _delivery(asked: Inquiry, desk: Desk, held: Callable[[], bool]) -> Delivery:
    match asked.way:
        case Way.MENTION:
            where = Where(asked.channel, asked.thread or asked.ts)
        case Way.DM:
            where = Where(asked.channel, asked.thread)
        case Way.COMMAND:
            where = desk.surface.open_dm(asked.user)
        case Way.SHARE:
            where = Where(asked.channel)
    return Delivery(desk.surface, desk.ledger, where, asked.key, asked.ts, held)


def _tell_elsewhere(asked: Inquiry, desk: Desk, held: Callable[[], bool]) -> None:
    """The answer's place is closed to us, so the asker hears of it in private."""
    where = desk.surface.open_dm(asked.user)
    text = texts.SHARE_FAILED if asked.way is Way.SHARE else texts.NO_ROOM
    Delivery(desk.surface, desk.ledger, where, f"{asked.key}/closed", asked.ts, held).finish([words(text)])
