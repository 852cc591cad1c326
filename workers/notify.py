"""Tells the owners of a page what a commit did to answers: each once, in one message for all that comes within a while.

Each step is found in the graph and can be done again: who is told (a hold of theirs on the notice), what their message
says (drawn until it is up to date), the mark at the answer. So a kill anywhere is made good by the next run.
"""

import time
from collections import defaultdict
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog

from assistant.chat.deliver import Delivery
from assistant.chat.render.notices import notice_message
from assistant.errors import BrainError
from assistant.graph import bundles, notices
from assistant.graph.notices import TO_TELL, UNREACHED, Notice, Outcome
from assistant.graph.posts import expect_post, find_post
from assistant.model.times import micros, moment
from workers.again import mark
from workers.equipment import equipment
from workers.marking import slack_user
from workers.noticing import Telling, cards_of, each, is_quiet, telling
from workers.queue import connect
from workers.tell import go_on, is_told

WINDOW = timedelta(minutes=15)
"""How long a message takes in what comes after it."""
BEFORE = timedelta(hours=1)
"""How long before it a message of ours is looked for, as clocks differ."""
TOLD = 3
"""Owners that are told at most."""
DRAWINGS = 5
"""Times that a message is drawn in one go while it keeps changing."""

log = structlog.get_logger()


def notify(payload: dict[str, Any]) -> None:
    """The job: tell whoever is to be told, and mark the answers; with `all` also what nobody could be told before."""
    if is_told(equipment().settings):
        with telling() as job:
            carry_out(job, everything=bool(payload.get("all")))


def look(payload: dict[str, Any]) -> None:
    """The job: queues the next look, then does the same."""
    with closing(connect(equipment().servers.queue_url)) as server:
        go_on(server)
    notify(payload)


def carry_out(job: Telling, *, everything: bool = False) -> None:
    """Whatever is due. Raises at the end where some of it has to wait, Retry, or breaks down, Fatal."""
    reader = job.space.reader
    notices.wake(job.space.graph, micros(datetime.now(UTC)))
    due = notices.due_notices(reader, TO_TELL) + (notices.due_notices(reader, UNREACHED) if everything else [])

    def assigned() -> None:
        assign(job, due)

    def drawn() -> None:
        each(bundles.due_bundles(reader), lambda name: draw(job, name))

    def marked() -> None:
        each(notices.unmarked(reader), lambda name: mark(job, name))

    late: BrainError | None = None
    for step in (assigned, drawn, marked, drawn):
        try:
            step()
        except BrainError as error:
            late = late or error
    if late is not None:
        raise late


def assign(job: Telling, due: list[str]) -> None:
    """Has the messages of those who are to be told hold the notices; in somebody's quiet hours theirs wait."""
    waiting: dict[str, list[str]] = defaultdict(list)
    reached: list[tuple[Notice, bool]] = []
    now = datetime.now(UTC)
    quiet: dict[str, bool] = {}
    for notice in notices.notices(job.space.reader, due):
        told = to_be_told(job, notice)
        for user in told:
            if user not in quiet:
                hours = job.ready.settings.quiet_hours
                quiet[user] = hours is not None and is_quiet(hours, now.astimezone(job.zone(user)))
            waiting[user].append(notice.id)
        if not any(quiet[user] for user in told):
            reached.append((notice, bool(told)))
    for user, ids in waiting.items():
        if not quiet[user]:
            hand(job, user, ids)
    for notice, anybody in reached:
        notices.note_told(job.space.graph, notice, reached=anybody)


def to_be_told(job: Telling, notice: Notice) -> list[str]:
    """The first owners who can be reached and have not said that it is not theirs."""
    passed = {one.user for one in notices.holders(job.space.reader, notice.id) if one.outcome == Outcome.NOT_MINE}
    users = dict.fromkeys(user for name in notice.owners if (user := slack_user(job, name)))
    return [user for user in users if user not in passed and job.desk.directory.member(user)][:TOLD]


def hand(job: Telling, user: str, ids: list[str]) -> None:
    """What the person does not hold yet goes into the message that is open, or into a new one."""
    reader = job.space.reader
    with job.desk.ledger.hold(f"notices/{user}"):
        held = {name for name in ids if any(one.user == user and one.stands for one in notices.holders(reader, name))}
        if new := [name for name in ids if name not in held]:
            now = micros(datetime.now(UTC))
            opened = bundles.latest_bundle(reader, user, now - WINDOW // timedelta(microseconds=1))
            bundles.put(job.space.graph, opened or f"{bundles.OF_POST}{user}/{now}", user, now, new)


def draw(job: Telling, name: str) -> None:
    """Brings a message up to date, posted now unless it stands already. Raises Retry, Fatal."""
    with job.desk.ledger.hold(name) as held:
        for _ in range(DRAWINGS):
            bundle = bundles.find_bundle(job.space.reader, name)
            if bundle is None:
                return
            shown, answers = cards_of(job, bundle)
            message = notice_message(shown, job.desk.zone)
            posted = find_post(job.space.reader, name)
            if posted is not None:
                bundles.will_show(job.space.graph, name, answers)
                job.desk.surface.update(posted, message)
            else:
                where = job.desk.surface.open_dm(bundle.user)
                since = f"{(moment(bundle.opened) - BEFORE).timestamp():.6f}"
                expect_post(job.space.graph, name, where.channel, since)
                bundles.will_show(job.space.graph, name, answers)
                delivery = Delivery(job.desk.surface, job.desk.ledger, where, name, since, held)
                posted = delivery.finish([message])[name]
            bundles.note_drawn(job.space.graph, bundle, posted, answers)
            if name not in bundles.due_bundles(job.space.reader):
                return
        log.warning("a message keeps changing", key=name, at=time.time())
