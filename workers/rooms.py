"""What becomes of channels and people: renamed, closed, shared, archived; joined, left, deactivated.

Who may see what follows at once; everything else is asked of Slack again, as events come late, twice or never.
"""

from datetime import UTC, datetime
from typing import Any

import structlog

from assistant.errors import Fatal
from assistant.graph.bundles import call_in_left, call_in_person, call_in_place
from assistant.graph.people import load_people
from assistant.graph.writing import live
from assistant.graph.writing.closing import closing, is_private
from assistant.model.audiences import channel_audience
from assistant.model.conversations import Channel, Heard
from assistant.model.times import micros
from connectors.slack import history
from connectors.slack.export import identity
from workers.catch_up import show_room, when_free
from workers.ear import Ear, listening
from workers.forgetting import carry_out
from workers.talk import keep
from workers.tell import ask_to_tell

log = structlog.get_logger()


def room(payload: dict[str, Any]) -> None:
    """The job: something happened to a `channel`; it may have been made `private`, or a `left` user have gone."""
    with listening() as ear:
        audience, left = channel_audience(payload["channel"]), payload.get("left")
        if payload.get("private"):
            call_in_place(ear.space.graph, audience)
        if left:
            call_in_left(ear.space.graph, left, audience)
        if payload.get("private") or left:
            ask_to_tell(ear.space, ear.settings)
        if is_ours(ear, payload["channel"]):
            turn(ear, payload["channel"], closed=bool(payload.get("private")), left=left)


def person(payload: dict[str, Any]) -> None:
    """The job: a `user` came, changed or was deactivated."""
    with listening() as ear:
        meet(ear, payload["user"])


def turn(ear: Ear, channel: str, *, closed: bool, left: str | None) -> None:
    """A channel changed: was made private if `closed`, or lost a user. What narrows is done before Slack is asked."""
    if closed:
        known = ear.store.notes("channels", [channel]).get(channel, {"id": channel})
        ear.store.note("channels", {channel: {**known, "is_private": True}})
        show_room(ear, channel)
    if left:
        take_member(ear, channel, left)
    refresh(ear, channel, closed=closed)
    if closed:
        ear.store.mark_all(channel)
        ear.ask_to_cut()
    when_free(lambda: carry_out(ear.space, ear, ear.settings))


def meet(ear: Ear, user: str) -> None:
    """Somebody came or changed; who was deactivated is in no private channel any more. Raises Retry, Fatal."""
    told = {**history.person(ear.client, user), "id": user}
    if told.get("deleted") and (known := person_of(ear, user)):
        live.take_everywhere(ear.space.graph, known, now())
    if user in ear.store.notes("users", [user]):
        ear.store.note("users", {user: told})
    guest = told.get("is_restricted") or told.get("is_ultra_restricted")
    outsider = guest or told.get("team_id", ear.us.team) != ear.us.team
    if told.get("deleted") or outsider:
        call_in_person(ear.space.graph, user)
        ask_to_tell(ear.space, ear.settings)
    if outsider and not told.get("deleted"):
        ear.ask_to_watch()


def is_ours(ear: Ear, channel: str) -> bool:
    """Whether anything of a channel is, or is to be, in the graph."""
    return is_private(ear.space.reader, channel) is not None or ear.records(channel)


def refresh(ear: Ear, channel: str, *, closed: bool = False) -> None:
    """Asks Slack what a channel is now and who is in it; one that was `closed` just now is private, whatever it says.

    Raises Retry.
    """
    before = ear.store.notes("channels", [channel]).get(channel)
    try:
        told = history.room(ear.client, channel)
    except Fatal as error:
        log.warning("cannot look into a channel any more", channel=channel, reason=str(error))
        return
    told |= {"is_private": True} if closed else {}
    ear.store.note("channels", {channel: told})
    private = bool(told.get("is_private"))
    reader = ear.space.reader
    if is_private(reader, channel) is not private or before != told or closing(reader, [channel]):
        show_room(ear, channel)
    if private:
        write_members(ear, channel, told.get("name") or channel)
    if before is not None and (before.get("name"), bool(before.get("is_private"))) != (told.get("name"), private):
        ear.store.mark_all(channel)
        ear.ask_to_cut()


def write_members(ear: Ear, channel: str, name: str) -> None:
    """Who is in a private channel now. Raises Retry."""
    users = ear.people(set(history.members(ear.client, channel)) - {ear.us.bot})
    who = tuple(identity(one) for one in users.values())
    people = load_people(ear.space.reader)
    people.learn(who)
    when_free(lambda: keep(ear.space, "slack", people, [Heard((), (Channel(channel, name, True, who),))], None, None))


def take_member(ear: Ear, channel: str, user: str) -> None:
    """Somebody is in a channel no longer; where it is we who left, nobody is known to be in it any more."""
    if user == ear.us.bot:
        live.take_members(ear.space.graph, channel, None, now())
    elif known := person_of(ear, user):
        live.take_members(ear.space.graph, channel, known, now())


def person_of(ear: Ear, user: str) -> str | None:
    """The person that a user is, as far as the graph knows."""
    known = ear.store.notes("users", [user]).get(user, {"id": user})
    return load_people(ear.space.reader).speaker(identity(known)).person


def now() -> int:
    """Microseconds since 1970."""
    return micros(datetime.now(UTC))
