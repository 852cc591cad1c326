"""The mark over an answer that a commit broke or put in doubt, and the same question asked again under it, once."""

import re
from collections.abc import Iterator
from datetime import timedelta

import structlog

from assistant.chat import texts
from assistant.chat.deliver import Delivery
from assistant.chat.journeys import EARLIER
from assistant.chat.render.mrkdwn import escaped
from assistant.chat.render.notices import CHANNEL, again_lead, banner
from assistant.chat.render.slack import answer_messages, words
from assistant.errors import Fatal, UserFacing
from assistant.graph import bundles, notices
from assistant.graph.answers import find_answer
from assistant.graph.consent import Mode
from assistant.graph.notices import Notice, Outcome
from assistant.graph.posts import call_in, find_post
from assistant.model.answers import Answer
from assistant.model.surfaces import Message, Posted, Where
from assistant.model.times import moment
from assistant.staleness.refresh import refresh
from connectors.slack import history
from connectors.slack.client import sync_client
from workers.noticing import Telling, posts_of, source_of

AGAIN = "again/"
"""How the key of a new answer's message begins."""
SHARED = re.compile(r"share/")
ASKED = re.compile(r"ask/(\w+)/([\d.]+)")
"""The key of an answer to a message, with its channel and ts."""
BEFORE = timedelta(hours=1)

log = structlog.get_logger()


def mark(job: Telling, name: str) -> None:
    """Brings an answer's mark up to date with one notice; asks again where that is due. Raises Retry."""
    with job.desk.ledger.hold(f"mark/{name}"):
        for notice in notices.notices(job.space.reader, [name]):
            posts = posts_of(job, notice.answer)
            if notice.anew is None and is_asked_again(notice):
                ask_again(job, notice, posts)
            show(job, notice, posts)
            notices.note_marked(job.space.graph, notice)


def is_asked_again(notice: Notice) -> bool:
    """Whether the question is asked again: by itself where the words hold no more, else when an owner wants it."""
    return notice.outcome == Outcome.REFRESHED or (notice.sure and notice.outcome is None)


def ask_again(job: Telling, notice: Notice, posts: dict[str, Posted]) -> None:
    """The new answer, under the old one; nothing where the asker may no longer read that place, or it is gone."""
    key = f"{AGAIN}{notice.id}"
    places = list(first_messages(posts))
    if not places and notice.outcome is None:
        return  # nobody reads it: an owner may ask for it
    where = place_under(job, *places[0]) if places else None
    if places and (where is None or not may_still_read(job, notice)):
        return
    earlier = asked_before(job, places[0][0], where) if places and where else ()
    try:
        members, zone = job.desk.directory, job.desk.zone
        fresh = refresh(job.space, job.ready.embedder, members, notice.answer, zone, event=key, earlier=earlier)
    except UserFacing as error:
        log.warning("a question could not be asked again", reason=str(error))
        return
    if where is not None and find_post(job.space.reader, key) is None:
        post_under(job, notice, fresh, where, key)
    notices.note_anew(job.space.graph, notice.id, fresh.answer_id)
    bundles.call_in(job.space.graph, [one.bundle for one in notices.holders(job.space.reader, notice.id)])


def post_under(job: Telling, notice: Notice, fresh: Answer, where: Where, key: str) -> None:
    """Posts the new answer, once, and keeps where it stands."""
    desk = job.desk
    told = answer_messages(fresh, desk.zone, lead=lead_over(job, notice, where.channel))
    since = f"{(moment(notice.noted) - BEFORE).timestamp():.6f}"
    with desk.ledger.hold(key) as held:
        delivery = Delivery(desk.surface, desk.ledger, where, key, since, held)
        written = delivery.finish(told)
        if False in [desk.shown(fresh.answer_id, name, posted) for name, posted in written.items()]:
            delivery.finish([words(texts.WITHDRAWN)] * len(written))


def show(job: Telling, notice: Notice, posts: dict[str, Posted]) -> None:
    """The old answer with the mark that it needs now, or with none."""
    told = find_answer(job.space.reader, notice.answer)
    if told is None:
        return
    top = mark_of(job, notice.answer)
    for key, posted in first_messages(posts):
        first = answer_messages(told, job.desk.zone, lead=own_lead(job, notice, key))[0]
        try:
            job.desk.surface.update(posted, marked(first, top) if top else first)
        except Fatal as error:
            log.warning("cannot mark an answer", key=key, reason=str(error))
    if find_answer(job.space.reader, notice.answer) is None:  # taken back while we wrote
        call_in(job.space.graph, list(posts))
        for posted in posts.values():
            job.desk.surface.update(posted, words(texts.WITHDRAWN))


def mark_of(job: Telling, answer: str) -> dict[str, object] | None:
    """What stands over an answer: the first commit that broke it, else the first that put it in doubt."""
    live = [
        one
        for one in notices.notices_of(job.space.reader, answer)
        if one.outcome not in (Outcome.RIGHT, Outcome.WITHDRAWN)
    ]
    if not live:
        return None
    chosen = min(live, key=lambda one: (not one.sure, one.at))
    again = any(one.anew and find_post(job.space.reader, f"{AGAIN}{one.id}") for one in live)
    return dict(banner(source_of(job, chosen), job.desk.zone, sure=chosen.sure, again=again))


def marked(message: Message, top: dict[str, object]) -> Message:
    """The message with a mark over it."""
    plain = None if message.plain_blocks is None else (top, *message.plain_blocks)
    return Message(message.text, (top, *message.blocks), plain)


def first_messages(posts: dict[str, Posted]) -> Iterator[tuple[str, Posted]]:
    """Of answers that take several messages the first, by key."""
    for key, posted in posts.items():
        if not any(key.startswith(f"{other}/") for other in posts):
            yield key, posted


def place_under(job: Telling, key: str, posted: Posted) -> Where | None:
    """The thread in which the message stands, or begins one; of a direct conversation's main line, that.

    None where the message is gone, or can't be read any more.
    """
    try:
        found = history.message(sync_client(job.ready.settings), posted.channel, posted.ts, posted.ts)
    except Fatal as error:
        log.warning("cannot find an answer of ours again", key=key, reason=str(error))
        return None
    if found is None:
        return None
    thread = found.get("thread_ts")
    if thread is None and not posted.channel.startswith("D"):
        thread = posted.ts
    return Where(posted.channel, thread)


def may_still_read(job: Telling, notice: Notice) -> bool:
    """Whether the asker, and we, may still be in the place where the answer stands."""
    desk, asker = job.desk, notice.viewer
    if asker is None:
        return False
    channel = CHANNEL.fullmatch(notice.place)
    if channel is None:
        return desk.directory.member(asker)
    room = channel[1]
    if desk.mode(room) is Mode.OFF or room not in desk.directory.channels_of(asker):
        return False
    if room in desk.allowed_channels:
        return True
    return desk.directory.member(asker) and not desk.directory.room(room).outsiders


def asked_before(job: Telling, key: str, where: Where | None) -> tuple[str, ...]:
    """Earlier questions of the same thread or talk, as the question was read with them."""
    found = ASKED.fullmatch(key)
    if found is None or where is None or (where.thread == found[2] and not where.channel.startswith("D")):
        return ()
    said = job.desk.surface.earlier(where, found[2])
    return tuple(one.text for one in said if one.text and one.to_us)[-EARLIER:]


def lead_over(job: Telling, notice: Notice, channel: str) -> str:
    """What stands over the new answer."""
    source = source_of(job, notice)
    return again_lead(source, notice.viewer, notice.question if channel.startswith("D") else None)


def own_lead(job: Telling, notice: Notice, key: str) -> str:
    """What stood over the old answer when it was posted."""
    if SHARED.match(key):
        return f"<@{notice.viewer}> {texts.SHARED_BY}\n> {escaped(' '.join(notice.question.split()))}"
    if key.startswith(AGAIN):
        before = notices.notices(job.space.reader, [key.removeprefix(AGAIN)])
        channel = "D" if CHANNEL.fullmatch(notice.place) is None else notice.place
        return lead_over(job, before[0], channel) if before else ""
    return ""
