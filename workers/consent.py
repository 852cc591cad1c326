"""What channels choose: we say what we do when we are invited, keep each choice, and tell it where it was made."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog

from assistant.chat import texts
from assistant.chat.deliver import Delivery
from assistant.chat.journeys import Desk
from assistant.chat.render.consent import Standing, consent_message
from assistant.chat.render.slack import words
from assistant.errors import Closed
from assistant.graph.consent import OUTSIDERS, Choice, Mode, choices, mode_of, set_mode
from assistant.graph.posts import find_post, keep_post
from assistant.graph.reading.whose import said_at
from assistant.graph.space import Space
from assistant.model.surfaces import Message, Where
from assistant.model.times import micros, moment
from connectors.slack.events import SKEW
from workers.equipment import Equipment, equipment
from workers.forgetting import forget
from workers.queue import INGEST, Work, connect, enqueue
from workers.queue.recording import switch_off

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Room:
    """One job's connections, and the channel it is about."""

    ready: Equipment
    desk: Desk
    space: Space
    channel: str

    def message(self) -> Message:
        """What the channel is told about us now."""
        made = choices(self.space.reader, self.channel)
        kept = bool(said_at(self.space.reader, self.channel))
        days = self.ready.settings.retention_days
        return consent_message(Standing(self.channel, made, kept, days), self.desk.zone)

    def whisper(self, user: str, message: Message) -> None:
        """Shows something to one person there; where we cannot, in our direct conversation."""
        try:
            self.desk.surface.whisper(Where(self.channel), user, message)
        except Closed:
            self.desk.surface.post(self.desk.surface.open_dm(user), message, f"told/{self.channel}/{user}")

    def may_choose(self, user: str) -> bool:
        """Full members who are in the channel."""
        directory = self.desk.directory
        return directory.member(user) and self.channel in directory.channels_of(user)


def opened(channel: str) -> Room:
    """Fresh connections for a job; whoever opens it closes its Space."""
    ready = equipment()
    return Room(ready, ready.desk(), ready.space(), channel)


def invited(payload: dict[str, Any]) -> None:
    """The job: we came to a `channel`, `at` the ts of the event: say what we do there, below all that was said."""
    room = opened(payload["channel"])
    with room.space:
        try:
            tell(room, payload["at"], anew=True)
        except Closed as error:
            log.warning("cannot say in a channel what we do", channel=room.channel, reason=str(error))


def chosen(payload: dict[str, Any]) -> None:
    """The job: a `user` chose a `mode` for a `channel`, `at` so many microseconds."""
    room, user, mode = opened(payload["channel"]), payload["user"], Mode(payload["mode"])
    with room.space:
        if (reason := _refused(room, user, mode)) is not None:
            room.whisper(user, words(reason))
            return
        at = moment(payload["at"])
        with room.desk.ledger.hold(f"consent/{room.channel}"):
            set_mode(room.space.graph, room.channel, mode, user, at)
            follow(room, payload["at"])
            tell(room, f"{at.timestamp():.6f}")
        if payload["whispered"]:
            room.whisper(user, words(texts.CONSENT_DONE))


def watched(payload: dict[str, Any]) -> None:
    """The job: somebody came to a `channel`, `at` a ts; where outsiders read along now, recording stops by itself."""
    room = opened(payload["channel"])
    with room.space, room.desk.ledger.hold(f"consent/{room.channel}"):
        stopped = _stopped_for_outsiders(room)
        if stopped is not None:
            follow(room, micros(stopped.at))
            tell(room, payload["at"])


def _stopped_for_outsiders(room: Room) -> Choice | None:
    """The choice by which recording stopped, made now unless an earlier try has; None where there is none to make.

    Whoever tried before may have been killed before anybody heard of it.
    """
    made = choices(room.space.reader, room.channel)
    newest = made[-1] if made else None
    if newest is not None and newest.mode is Mode.RECORD and _has_outsiders(room):
        newest = Choice(room.channel, Mode.ANSWER, OUTSIDERS, datetime.now(UTC))
        set_mode(room.space.graph, room.channel, newest.mode, newest.by, newest.at)
    return newest if newest is not None and newest.by == OUTSIDERS else None


def changed(payload: dict[str, Any]) -> None:
    """The job: an admin chose for a `channel`, `at` a ts: tell it there."""
    room = opened(payload["channel"])
    with room.space, room.desk.ledger.hold(f"consent/{room.channel}"):
        tell(room, payload["at"])


def settings(payload: dict[str, Any]) -> None:
    """The job: a `user` wants to see what holds in a `channel`, and to choose."""
    room, user = opened(payload["channel"]), payload["user"]
    with room.space:
        if not room.may_choose(user):
            room.whisper(user, words(texts.CONSENT_NOT_YOURS))
            return
        try:
            room.desk.surface.whisper(Where(room.channel), user, room.message())
        except Closed:
            room.whisper(user, words(texts.SETTINGS_NOT_IN))


def forgotten(payload: dict[str, Any]) -> None:
    """The job: a `user` of a `channel` wants everything forgotten that was recorded there."""
    room, user = opened(payload["channel"]), payload["user"]
    with room.space:
        if not room.may_choose(user):
            room.whisper(user, words(texts.CONSENT_NOT_YOURS))
            return
        said = said_at(room.space.reader, room.channel)
        about = f"channel {room.channel}"
        forget(room.space, room.desk, said, by=user, about=about, settings=room.ready.settings)
        tell(room, payload["at"])
        told = words(texts.CONSENT_FORGOTTEN.format(user=user))
        place(room, f"consent/{room.channel}/forgotten/{payload['at']}", told, payload["at"])


def tell(room: Room, at: str, *, anew: bool = False) -> None:
    """Has the one message about us in the channel say what holds now; posts it (`anew`, or where it is gone)."""
    key = f"consent/{room.channel}"
    standing = None if anew else find_post(room.space.reader, key)
    if standing is None or not room.desk.surface.update(standing, room.message()):
        place(room, f"{key}/{at}", room.message(), at)


def place(room: Room, key: str, message: Message, at: str) -> None:
    """Posts a message once, however often it is tried; `at` is a ts that is no later than it, by our own clock."""
    since = f"{float(at) - SKEW:.6f}"
    with room.desk.ledger.hold(key) as held:
        delivery = Delivery(room.desk.surface, room.desk.ledger, Where(room.channel), key, since, held)
        posted = delivery.finish([message])[key]
    keep_post(room.space.graph, key.rpartition("/")[0], posted)


def follow(room: Room, at: int) -> None:
    """Has recording and the reading of the history follow the newest choice; questions are let in, or not, at once.

    What is tried again may be an older choice.
    """
    server = connect(room.ready.servers.queue_url)
    switch_off(server, room.channel, off=mode_of(room.space.reader, room.channel) is Mode.OFF)
    enqueue(server, Work(INGEST, "workers.history.follow", f"follow/{room.channel}/{at}", {"channel": room.channel}))
    server.close()


def _refused(room: Room, user: str, mode: Mode) -> str | None:
    """Why this person may not choose this; None where they may."""
    if not room.may_choose(user):
        return texts.CONSENT_NOT_YOURS
    return texts.CONSENT_OUTSIDERS if mode is Mode.RECORD and _has_outsiders(room) else None


def _has_outsiders(room: Room) -> bool:
    """Whether guests or another company read along, where no admin allowed that."""
    return room.channel not in room.desk.allowed_channels and room.desk.directory.room(room.channel).outsiders
