"""What owners say to a notice: still right, ask again, not mine, later. Doing it again changes nothing."""

from datetime import UTC
from typing import Any

from assistant.access import scope_beside
from assistant.graph import notices
from assistant.graph.notices import Notice, Outcome
from assistant.graph.reading.owners import owners
from assistant.graph.sources import heads
from assistant.model.times import micros, moment
from workers.marking import own_scope, slack_user
from workers.noticing import Telling, change_of, may_open, may_read, next_morning, telling
from workers.notify import carry_out
from workers.queue import ACT, Work, enqueue

OUTCOMES = {
    "notice_refresh": Outcome.REFRESHED,
    "notice_right": Outcome.RIGHT,
    "notice_not_mine": Outcome.NOT_MINE,
    "notice_later": Outcome.LATER,
}
"""What the buttons mean."""


def clicked(payload: dict[str, Any]) -> None:
    """The job: a `user` clicked a button of a `notice`, `at` some moment (microseconds since 1970)."""
    user, outcome, at = payload["user"], OUTCOMES[payload["action"]], payload["at"]
    with telling() as job:
        for notice in notices.notices(job.space.reader, [payload["notice"]]):
            if is_theirs(job, notice, user) and may_say(job, notice, user, outcome):
                said(job, meant(job, notice, user), outcome, user, at)
        carry_out(job)
        about = f"home/{user}/notice/{payload['notice']}/{at}"
        enqueue(job.server, Work(ACT, "workers.act.home", about, {"user": user}))


def said(job: Telling, about: list[Notice], outcome: Outcome, user: str, at: int) -> None:
    """Keeps what somebody said to notices."""
    graph, ids = job.space.graph, [one.id for one in about]
    if outcome is Outcome.RIGHT:
        fresh = [one.id for one in about if one.outcome is None or (one.outcome, one.settled_by) == (outcome, user)]
        notices.still_right(graph, fresh, user, at)
    if outcome in (Outcome.RIGHT, Outcome.REFRESHED):
        notices.settle(graph, ids, outcome, user, at)
        return
    zone = job.zone(user)
    until = micros(next_morning(moment(at), zone).astimezone(UTC)) if outcome is Outcome.LATER else None
    notices.set_aside(graph, ids, outcome, user, at, until)


def is_theirs(job: Telling, notice: Notice, user: str) -> bool:
    """Whether somebody was told of a notice, or looks after what nobody was told of."""
    told = any(one.user == user for one in notices.holders(job.space.reader, notice.id))
    return told or job.is_admin(user)


def may_say(job: Telling, notice: Notice, user: str, outcome: Outcome) -> bool:
    """Whether somebody may still say so: a notice may be old. What settles it for all needs an owner of today."""
    if job.is_admin(user):
        return True
    if not job.desk.directory.member(user):
        return False
    if outcome not in (Outcome.RIGHT, Outcome.REFRESHED):
        return True
    passed = any(
        one.user == user and one.outcome == Outcome.NOT_MINE for one in notices.holders(job.space.reader, notice.id)
    )
    return not passed and user in owners_now(job, notice) and may_read(notice, own_scope(job, user))


def owners_now(job: Telling, notice: Notice) -> set[str]:
    """The user ids of those who own the page today."""
    now = heads(job.space.reader).get(notice.source, notice.at)
    ownership = owners(job.space.reader, scope_beside(notice.audience, notice.source, now), notice.path)
    return {user for name in (ownership.owners if ownership else ()) if (user := slack_user(job, name))}


def meant(job: Telling, notice: Notice, user: str) -> list[Notice]:
    """All notices that one card stands for: of the same answer, and of others that it hid as closed to the person."""
    reader, scope = job.space.reader, own_scope(job, user)
    answers = [notice.answer]
    if not may_open(job, notice, user, scope):
        beside = notices.notices(reader, notices.held_by(reader, user))
        answers += [
            one.answer for one in beside if change_of(one) == change_of(notice) and not may_open(job, one, user, scope)
        ]
    return [one for answer in dict.fromkeys(answers) for one in notices.notices_of(reader, answer)]
