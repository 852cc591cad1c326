"""Has the graph follow marks: decisions are read again; a message that only a mark keeps is kept, or let go of."""

from datetime import UTC, datetime
from enum import Enum
from typing import Any

import structlog

from assistant.errors import Fatal
from assistant.graph.flags import Flag, FlagKind, find_flag, flags_on
from assistant.graph.recorded import Version
from assistant.model.times import micros
from connectors.slack.changes import reactions_of, users_in, written
from connectors.slack.history import message
from workers.catch_up import show_room, when_free
from workers.ear import Ear, listening
from workers.reconcile import reconcile_as_set

log = structlog.get_logger()


def follow(payload: dict[str, Any]) -> None:
    """The job: after a mark was made or taken back; `thread` is the first message of the marked one's thread."""
    with listening() as ear:
        flag = find_flag(ear.space.reader, payload["flag"])
        if flag is None:
            return
        if flag.undone_at is not None:
            let_go(ear, flag.message)
        elif flag.kept and keep(ear, flag.message, payload["thread"]) is Kept.GONE:
            lose(ear, flag.message)
        when_free(lambda: reconcile_as_set(ear.space, ear.settings))


class Kept(Enum):
    """What became of a message that was to be kept."""

    WHOLE = "whole"
    GONE = "gone"
    """Slack has it no more, or nothing in it that can be kept."""
    UNREAD = "unread"
    """We may not look: it may well stand."""


def keep(ear: Ear, key: str, thread: str | None) -> Kept:
    """Keeps the one message that was marked, as it stands now, although nothing else of its channel is recorded.

    Raises Retry.
    """
    channel, _, ts = key.rpartition("/")
    try:
        found = message(ear.client, channel, ts, thread)
    except Fatal as error:
        log.warning("cannot read a message that was marked", reason=str(error))
        return Kept.GONE if "thread_not_found" in str(error) else Kept.UNREAD
    change = written(channel, found, micros(datetime.now(UTC)), ear.us.bot) if found else None
    if found is None or change is None:
        return Kept.GONE
    ear.people(users_in(change.body))
    version = Version(change.ts, change.root, change.edited, change.seen, change.body, reactions_of(found))
    ear.store.keep(channel, [version])
    show_room(ear, channel)
    ear.ask_to_cut()
    return Kept.WHOLE


def keep_edited(ear: Ear, channel: str, ts: str, thread: str) -> bool:
    """Keeps a message that only a mark keeps as it was edited; False where none does, or it can't be read any more."""
    key = f"{channel}/{ts}"
    marked = any(map(is_kept_for, flags_on(ear.space.reader, [key])))
    return marked and keep(ear, key, thread) is Kept.WHOLE


def lose(ear: Ear, key: str) -> None:
    """A message that was marked is gone, or no mark needs it: it is forgotten, with the mark's words of it."""
    channel, _, ts = key.rpartition("/")
    ear.store.erase(channel, ts, None, micros(datetime.now(UTC)))
    ear.ask_to_cut()


def let_go(ear: Ear, key: str) -> None:
    """Forgets a message that only marks kept, when no mark makes a rule of it any more."""
    marks = flags_on(ear.space.reader, [key])
    if ear.records(key.rpartition("/")[0]) or any(map(is_kept_for, marks)) or not any(one.kept for one in marks):
        return
    lose(ear, key)


def is_kept_for(flag: Flag) -> bool:
    """Whether a mark makes a rule of its message, so that the words are needed."""
    return flag.kind is FlagKind.RULE and flag.undone_at is None
