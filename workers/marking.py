"""What the jobs about marks share: who may mark which message, what it says, and who is who."""

import re
from dataclasses import dataclass
from typing import Protocol

import structlog

from assistant.access import scope_for
from assistant.chat import texts
from assistant.chat.journeys import Desk
from assistant.errors import Fatal, UserFacing
from assistant.graph.consent import Mode, mode_of
from assistant.graph.flags import decisions_resting_on, said_at
from assistant.graph.people import find_person, person_called
from assistant.graph.reading.decisions import DecisionRow
from assistant.graph.recorded import Recorded
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.model.audiences import PUBLIC, Place, PlaceKind, Scope, Viewer, channel_audience
from assistant.model.conversations import Speaker
from connectors.slack.client import sync_client
from connectors.slack.cutting import room_name
from connectors.slack.history import message, person, room
from connectors.slack.shortcuts import Picked
from connectors.slack.spoken import micros_of
from connectors.slack.words import plain_words
from workers.equipment import Equipment

EMAIL = re.compile(r"[^@\s]+@[^@\s]+")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Marking:
    """One job's connections, and the message it is about."""

    ready: Equipment
    desk: Desk
    space: Space
    picked: Picked


@dataclass(frozen=True, slots=True)
class Message:
    """A message that is marked, as the graph has it or as Slack does."""

    utterance: str
    """Its id in the graph, or the one that it will have there."""
    text: str
    audience: str
    known: bool
    """Whether it is in the graph."""


class Connected(Protocol):
    """Whatever has a desk and a Space."""

    @property
    def desk(self) -> Desk:
        """All that is needed to answer."""
        ...

    @property
    def space(self) -> Space:
        """The handbook's."""
        ...


def message_to_mark(job: Marking) -> Message:
    """The message, for who may mark it. Raises UserFacing that says why this person may not, or nobody can."""
    picked, directory = job.picked, job.desk.directory
    if picked.channel.startswith("D"):
        raise UserFacing(texts.FLAG_DIRECT)
    if not directory.member(picked.user):
        raise UserFacing(texts.FLAG_OUTSIDER)
    if picked.channel not in directory.channels_of(picked.user):
        raise UserFacing(texts.FLAG_OUTSIDE)
    if mode_of(job.space.reader, picked.channel) is Mode.OFF:
        raise UserFacing(texts.FLAG_OFF)
    said = said_at(job.space.reader, picked.channel, micros_of(picked.ts))
    return Message(said.id, said.text, said.audience, known=True) if said else _asked_of_slack(job)


def _asked_of_slack(job: Marking) -> Message:
    """A message that the graph has not, as Slack has it."""
    picked, us = job.picked, job.ready.us
    client = sync_client(job.ready.settings)
    raw = None
    if not Recorded(job.space.graph, us.team).is_gone(picked.channel, picked.ts):
        try:
            raw = message(client, picked.channel, picked.ts, picked.thread)
            private = bool(room(client, picked.channel).get("is_private"))
        except Fatal as error:
            log.warning("cannot read a message that somebody marked", reason=str(error))
    if raw is None:
        raise UserFacing(texts.FLAG_GONE)
    if raw.get("user") == us.bot:
        raise UserFacing(texts.FLAG_OURS)
    text = plain_words(str(raw.get("text") or ""), None)
    if not text:
        raise UserFacing(texts.FLAG_WORDLESS)
    audience = channel_audience(picked.channel) if private else PUBLIC
    return Message(f"{room_name(us.team, picked.channel)}/{picked.ts}", text, audience, known=False)


def own_scope(job: Connected, user: str) -> Scope:
    """What somebody may read, alone."""
    return scope_for(Viewer(user), Place(PlaceKind.DM), job.desk.directory, heads(job.space.reader))


def settled_by(job: Marking, utterance: str) -> list[DecisionRow]:
    """The decisions that the message settled, as far as the person may know."""
    rows = decisions_resting_on(job.space.reader, own_scope(job, job.picked.user), utterance)
    return [one for one in rows if one.utterance == utterance]


def speaker(job: Marking, user: str) -> Speaker:
    """Who a user id is: as the graph knows them, else as Slack calls them."""
    known = person_called(job.space.reader, user)
    if known and (one := find_person(job.space.reader, known)):
        return Speaker(one.name, known)
    try:
        told = person(sync_client(job.ready.settings), user)
    except Fatal:
        return Speaker(user, None)
    profile = told.get("profile") or {}
    return Speaker(told.get("real_name") or profile.get("real_name") or told.get("name") or user, None)


def slack_user(job: Connected, name: str) -> str | None:
    """The user id of somebody called so: an id, an e-mail or a handle; None where it is unsure who that is."""
    known = person_called(job.space.reader, name)
    one = find_person(job.space.reader, known) if known else None
    for handle in one.handles if one else ():
        if handle.startswith("slack:"):
            return handle.removeprefix("slack:")
    emails = [*(one.emails if one else ()), *([name] if EMAIL.fullmatch(name) else [])]
    return next((user for email in emails if (user := job.desk.directory.by_email(email))), None)
