"""Keeps what people mark by hand, tells them and the owner of the page, and takes marks back."""

from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from rq import get_current_job

from assistant.access import scope_beside
from assistant.chat import texts
from assistant.chat.deliver import Delivery
from assistant.chat.render.flags import Marked, marked_message, owner_message
from assistant.chat.render.forms import NO_SECTION
from assistant.chat.render.mrkdwn import escaped, link
from assistant.chat.render.slack import words
from assistant.decisions.drafting import draft
from assistant.decisions.flagged import decider_of
from assistant.errors import Fatal, UserFacing
from assistant.graph import posts
from assistant.graph.flags import (
    Flag,
    FlagKind,
    Outcome,
    find_flag,
    message_key,
    note_told,
    note_untold,
    save_flag,
    settle_flag,
    told_about,
    undo_flag,
)
from assistant.graph.reading.owners import owners
from assistant.graph.reading.sections import section_of_lineage, sections_on_page
from assistant.model import ids
from assistant.model.audiences import PUBLIC
from assistant.model.decisions import DecisionStatus
from assistant.model.sections import SectionVersion
from assistant.model.surfaces import Message as Said
from assistant.model.times import micros, moment
from assistant.search.hybrid import search
from connectors.slack.shortcuts import Picked
from connectors.slack.spoken import micros_of
from workers.equipment import equipment
from workers.forgetting import clear_posts
from workers.marking import Marking, Message, message_to_mark, own_scope, settled_by, slack_user, speaker
from workers.queue import ACT, INGEST, PAUSES, Work, connect, enqueue, tries_so_far

BEFORE = timedelta(hours=1)
"""How long before a mark our messages about it are looked for, as clocks differ and jobs are tried again."""
TOLD = 3
"""Owners that are told at most."""

log = structlog.get_logger()


def mark(payload: dict[str, Any]) -> None:
    """The job: keep a mark, have decisions follow it, and tell who made it and the page's owner; once.

    RQ tries again what raises; who made the mark hears of it when nothing has helped.
    """
    try:
        _mark(payload)
    except Exception:
        job = get_current_job()
        if job is not None and tries_so_far(job) >= len(PAUSES):
            _apologise(payload)
        raise


def _apologise(payload: dict[str, Any]) -> None:
    ready = equipment()
    picked = Picked(**payload["picked"])
    told = texts.FLAG_FAILED.format(message=link(picked.url, texts.THIS_MESSAGE))
    with ready.space() as space:
        job = Marking(ready, ready.desk(), space, picked)
        _say(job, picked.user, f"flag/{ids.digest('flag', payload['view'])}/failed", words(told), datetime.now(UTC))


def _mark(payload: dict[str, Any]) -> None:
    ready = equipment()
    with ready.space() as space:
        job = Marking(ready, ready.desk(), space, Picked(**payload["picked"]))
        name = ids.digest("flag", payload["view"])
        flag = find_flag(space.reader, name) or _kept(job, name, payload)
        if flag is None or flag.undone_at is not None:
            return
        about = {"flag": flag.id, "thread": job.picked.thread}
        enqueue(connect(ready.servers.queue_url), Work(INGEST, "workers.follow.follow", f"follow/{flag.id}", about))
        owner = _tell_owners(job, flag) if flag.kind is FlagKind.RULE else ""
        _tell(job, flag, job.picked.user, f"flag/{flag.id}", marked_message(marked(flag, job.picked.url), owner))


def _kept(job: Marking, name: str, payload: dict[str, Any]) -> Flag | None:
    """The mark, kept now; None where this person may not make it, which they are told."""
    try:
        flag = _made(job, name, payload, message_to_mark(job))
    except UserFacing as error:
        _say(job, job.picked.user, f"flag/{name}", words(escaped(str(error))), datetime.now(UTC))
        return None
    save_flag(job.space.graph, flag)
    return flag


def _made(job: Marking, name: str, payload: dict[str, Any], message: Message) -> Flag:
    rule = payload["form"] == "flag_rule"
    decider = speaker(job, payload["decider"]) if payload["decider"] else None
    return Flag(
        id=name,
        kind=FlagKind.RULE if rule else FlagKind.NO_DECISION,
        message=message_key(job.picked.channel, message.utterance),
        utterance=message.utterance,
        said_at=micros_of(job.picked.ts),
        statement=payload["statement"] if rule else "",
        decider=decider.person if decider else None,
        decider_name=decider.name if decider else "",
        section=_section(job, payload) if rule else None,
        by=job.picked.user,
        by_name=speaker(job, job.picked.user).name,
        at=micros(datetime.now(UTC)),
        audience=message.audience,
        kept=rule and not message.known,
        vouched=payload["decider"] in (job.picked.user, job.picked.speaker),
    )


def _section(job: Marking, payload: dict[str, Any]) -> str | None:
    """The chosen section; the nearest one where the form was sent before it could offer any."""
    if payload["section"] is not None:
        return None if payload["section"] == NO_SECTION else str(payload["section"])
    scope = own_scope(job, job.picked.user)
    nearest = search(job.space.reader, scope, payload["statement"], job.ready.embedder, limit=1)
    return nearest[0].section.lineage if nearest else None


def marked(flag: Flag, url: str | None) -> Marked:
    """The mark as it is told of."""
    return Marked(flag.id, flag.statement, moment(flag.at), decider_of(flag, vouched=flag.vouched), url)


def _tell_owners(job: Marking, flag: Flag) -> str:
    """Tells the owners of the section's page; what to say of that to who made the mark, '' where there is no page."""
    section = section_of_lineage(job.space.reader, own_scope(job, flag.by), flag.section) if flag.section else None
    if section is None:
        return ""
    if any(one.status is DecisionStatus.IMPLEMENTED for one in settled_by(job, flag.utterance)):
        return texts.FLAG_WRITTEN
    beside = scope_beside(section.audience, section.source, own_scope(job, flag.by).days[section.source])
    ownership = owners(job.space.reader, beside, section.path)
    named = ownership.owners if ownership else ()
    if not named:
        return texts.FLAG_NO_OWNER
    users = {name: user for name in named if (user := slack_user(job, name)) and job.desk.directory.member(user)}
    if not users:
        return texts.FLAG_OWNER_UNKNOWN.format(owners=", ".join(named))
    shown: list[str] = []
    blind: list[str] = []
    for name, user in list(users.items())[:TOLD]:
        open_to = _may_open(job, flag, section, user)
        (shown if open_to else blind).append(name)
        said = _draft(job, flag, section) if open_to else _blind(flag)
        _tell(job, flag, user, owner_key(flag.id, user), said)
    told = [texts.FLAG_OWNER_TOLD.format(owners=", ".join(shown))] if shown else []
    return " ".join([*told, *([texts.FLAG_OWNER_BLIND.format(owners=", ".join(blind))] if blind else [])])


def owner_key(flag: str, user: str) -> str:
    """The key of the message that tells an owner of a mark."""
    return f"flag/{flag}/owner/{user}"


def _may_open(job: Marking, flag: Flag, section: SectionVersion, user: str) -> bool:
    """Whether an owner may read the marked message, and the section."""
    return {flag.audience, section.audience} <= {PUBLIC, *own_scope(job, user).audiences}


def _blind(flag: Flag) -> Said:
    """What an owner is told who may not open the place: who marked something, and nothing of what or where."""
    return words(texts.OWNER_BLIND.format(by=escaped(flag.by_name)))


def _draft(job: Marking, flag: Flag, section: SectionVersion) -> Said:
    """The rule with a draft of the text for the section."""
    page = sections_on_page(job.space.reader, own_scope(job, flag.by), section.path)
    before = [one.text for one in page if one.source == section.source and one.position < section.position]
    line = 1 + sum(text.count("\n") for text in before)
    return owner_message(marked(flag, job.picked.url), flag.by_name, draft(flag.statement, section, line))


def _tell(job: Marking, flag: Flag, user: str, key: str, message: Said) -> None:
    """A direct message about a mark, once, that can be found again when the mark or the words are taken back."""
    note_told(job.space.graph, flag.id, key)
    if not _say(job, user, key, message, moment(flag.at)):
        return
    now = find_flag(job.space.reader, flag.id)
    if now is None or (now.statement, now.undone_at) != (flag.statement, flag.undone_at):  # forgotten meanwhile
        posts.call_in(job.space.graph, [key])
        clear_posts(job.space, job.desk.surface)


def _say(job: Marking, user: str, key: str, message: Said, at: datetime) -> bool:
    """A direct message, once; False where the person takes none. Raises Retry."""
    desk = job.desk
    since = f"{(at - BEFORE).timestamp():.6f}"
    try:
        where = desk.surface.open_dm(user)
        posts.expect_post(job.space.graph, key, where.channel, since)
        with desk.ledger.hold(key) as held:
            posted = Delivery(desk.surface, desk.ledger, where, key, since, held).place(message)
    except Fatal as error:
        log.warning("cannot tell somebody of a mark", key=key, reason=str(error))
        return False
    posts.keep_post(job.space.graph, key, posted)
    return True


def clicked(payload: dict[str, Any]) -> None:
    """The job: a button under what was told of a mark. Doing it again changes nothing."""
    ready = equipment()
    desk, user = ready.desk(), payload["user"]
    with ready.space() as space:
        flag = find_flag(space.reader, payload["flag"])
        if flag is None:
            return
        if payload["action"] in OUTCOMES:
            outcome = OUTCOMES[payload["action"]]
            settle_flag(space.graph, flag.id, outcome, user, datetime.now(UTC))
            told = {owner_key(flag.id, user): texts.OWNER_SETTLED[outcome.value].format(by=escaped(flag.by_name))}
        elif flag.by == user:
            undo_flag(space.graph, flag.id, user, datetime.now(UTC))
            told = {
                key: texts.OWNER_UNDONE.format(by=escaped(flag.by_name)) for key in told_about(space.reader, flag.id)
            }
            told[f"flag/{flag.id}"] = texts.FLAG_UNDONE_KEPT if flag.kept else texts.FLAG_UNDONE
        else:
            return
        for key, text in told.items():
            if posted := posts.find_post(space.reader, key):
                desk.surface.update(posted, words(text))
            else:
                posts.call_in(space.graph, [key])  # whoever wrote it was killed before it was known where it stands
        clear_posts(space, desk.surface)
        if payload["action"] not in OUTCOMES:
            note_untold(space.graph, flag.id)
    if payload["action"] not in OUTCOMES:
        server = connect(ready.servers.queue_url)
        enqueue(server, Work(INGEST, "workers.follow.follow", f"follow/{flag.id}/undone", {"flag": flag.id}))
        enqueue(server, Work(ACT, "workers.act.home", f"home/{user}/undone/{flag.id}", {"user": user}))


OUTCOMES = {"flag_done": Outcome.DONE, "flag_not_needed": Outcome.NOT_NEEDED}
"""What an owner's buttons mean."""
