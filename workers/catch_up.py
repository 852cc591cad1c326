"""Bringing the graph up to what was recorded: only what changed is cut again, by the code that cuts exports."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from assistant.errors import Fatal, Retry
from assistant.graph.people import load_people
from assistant.graph.recorded import Mark, micros_of
from assistant.graph.writing import live
from assistant.graph.writing.writer import sole_writer
from assistant.model.conversations import Conversation, Heard
from assistant.text.people import People
from connectors.slack.changes import users_in
from connectors.slack.cutting import SILENCE, ChannelReader, room_name
from connectors.slack.export import identity
from connectors.slack.spoken import ChannelDay, Names, said, sorted_by_time
from workers.ear import Ear
from workers.forgetting import carry_out, forget
from workers.reconcile import reconcile_as_set
from workers.talk import keep

AT_ONCE = 200
"""Changed messages of a channel that are brought into the graph in one go."""

ENOUGH = 1000
"""Messages of all channels, likewise."""

BY_MODEL = 60
"""The same where a language model reads each conversation."""

PATIENCE = 8.0
"""Seconds to wait for another writer before the job is put back."""

Json = dict[str, Any]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Brought:
    """What was brought into the graph of one channel."""

    channel: str
    marks: tuple[Mark, ...]
    conversations: tuple[str, ...]
    """Those that may have come to nothing."""
    utterances: tuple[str, ...]
    """Messages that say nothing any more."""


def catch_up(ear: Ear) -> bool:
    """Brings what is marked into the graph, and its decisions up to date; whether more is left. Raises Retry."""
    done: list[Brought] = []
    enough = BY_MODEL if ear.settings.llm_model else ENOUGH
    for channel in ear.store.waiting():
        left = enough - sum(len(one.marks) for one in done)
        if left > 0 and (one := bring(ear, channel, min(left, AT_ONCE))):
            done.append(one)
    if not done:
        return False
    when_free(lambda: reconcile_as_set(ear.space, ear.settings))
    when_free(lambda: carry_out(ear.space, ear, ear.settings))
    for one in done:
        live.sweep(ear.space.graph, one.conversations, one.utterances)
        ear.store.clean(one.channel, one.marks)
    full = sum(len(one.marks) for one in done) >= enough
    return full or any(len(one.marks) >= AT_ONCE for one in done)


def bring(ear: Ear, channel: str, limit: int = AT_ONCE) -> Brought | None:
    """Brings what is marked of a channel into the graph; None where nothing is, or threads are still being read."""
    unread = ear.store.wanted(channel)
    marks = tuple(one for one in ear.store.marks(channel) if one.root not in unread)[:limit]
    if not marks:
        return None
    names = {one: f"{room_name(ear.us.team, channel)}/{one.ts}" for one in marks}
    stones = ear.store.gone(channel, [one.ts for one in marks])
    if gone := [name for one, name in names.items() if one.ts in stones]:
        when_free(lambda: forget(ear.space, ear, gone, settings=ear.settings))
    messages = recorded_around(ear, channel, marks)
    room = seen_room(ear, channel)
    people, found = conversations_of(ear, room, messages)
    here = {utterance.id for talk in found for utterance in talk.utterances}
    lost = [name for name in names.values() if name not in here]
    when_free(lambda: _write(ear, people, found, lost))
    if bool(seen_room(ear, channel).get("is_private")) != bool(room.get("is_private")):
        show_room(ear, channel)  # it was closed while we wrote
    moments = [micros_of(one["ts"]) for one in messages] + [micros_of(one.root) for one in marks]
    around = live.conversations_around(ear.space.reader, channel, min(moments), max(moments))
    return Brought(channel, marks, tuple(around), tuple(lost))


def recorded_around(ear: Ear, channel: str, marks: Iterable[Mark]) -> list[Json]:
    """The threads of what changed, and the main line from the last silence before to the next after, with reactions."""
    roots = sorted({one.root for one in marks})
    line = ear.store.main_line(channel, roots, SILENCE)
    return ear.store.with_reactions(channel, [*ear.store.threads(channel, roots), *line])


def conversations_of(ear: Ear, room: Json, messages: Sequence[Json]) -> tuple[People, list[Conversation]]:
    """Messages of a channel as conversations, and who is who in them."""
    reactors = (user for one in messages for put in one.get("reactions", ()) for user in put["users"])
    users = ear.people({*reactors, *(user for one in messages for user in users_in(one))})
    who = {user: identity(known) for user, known in users.items()}
    people = load_people(ear.space.reader)
    people.learn(who.values())
    spoken_of = {name for one in messages for name in re.findall(r"<#(\w+)", str(one.get("text") or ""))}
    rooms = ear.store.notes("channels", spoken_of)
    public = {name: one["name"] for name, one in rooms.items() if one.get("name") and not one.get("is_private")}
    names = Names({user: one.name for user, one in who.items()}, public)
    speakers = {user: people.speaker(one) for user, one in who.items()}
    told = sorted_by_time(said([ChannelDay("", list(messages))], names, speakers))
    channel = {"id": room["id"], "name": room["name"], "private": bool(room.get("is_private"))}
    return people, ChannelReader(channel, ear.us.team, ear.us.url, told).conversations()


def seen_room(ear: Ear, channel: str) -> Json:
    """A channel's name and whether it is private; what cannot be found out counts as private. Raises Retry."""
    try:
        room = ear.room(channel)
    except Fatal as error:
        log.warning("cannot tell what a channel is", channel=channel, reason=str(error))
        room = {"is_private": True, "unsure": True}
    return {**room, "id": channel, "name": room.get("name") or channel}


def show_room(ear: Ear, channel: str) -> None:
    """Writes a channel, and who may see what was said there, as it is known now."""
    room = seen_room(ear, channel)
    private, unsure = bool(room.get("is_private")), bool(room.get("unsure"))
    live.write_room(ear.space.graph, channel, room["name"], private=private, unsure=unsure)


def _write(ear: Ear, people: People, found: Sequence[Conversation], lost: Sequence[str]) -> None:
    with sole_writer(ear.space.graph) as revision:
        live.take_words(ear.space.graph, live.known_utterances(ear.space.reader, lost), revision)
    keep(ear.space, "slack", people, [Heard(tuple(found))], None, None)


def when_free(work: Callable[[], object]) -> None:
    """Does it, after whoever else writes; raises Retry where that takes too long."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            work()
        except Retry:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return
