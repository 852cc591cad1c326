"""Has the graph follow marks: decisions are read again; a message that only a mark keeps is kept, or let go of."""

from datetime import UTC, datetime
from typing import Any

from assistant.graph.flags import Flag, FlagKind, find_flag, standing_flags
from assistant.graph.recorded import Version
from assistant.model.times import micros
from connectors.slack.changes import reactions_of, users_in, written
from connectors.slack.history import message
from workers.catch_up import show_room, when_free
from workers.ear import Ear, listening
from workers.reconcile import reconcile_as_set


def follow(payload: dict[str, Any]) -> None:
    """The job: after a mark was made or taken back; `thread` is the first message of the marked one's thread."""
    with listening() as ear:
        flag = find_flag(ear.space.reader, payload["flag"])
        if flag is None:
            return
        if flag.kept and flag.undone_at is None:
            keep(ear, flag, payload["thread"])
        elif flag.kept:
            let_go(ear, flag)
        when_free(lambda: reconcile_as_set(ear.space, ear.settings))


def keep(ear: Ear, flag: Flag, thread: str | None) -> None:
    """Keeps the one message that was marked, as it stands now, although nothing else of its channel is recorded."""
    channel, _, ts = flag.message.rpartition("/")
    if ear.store.has(channel, ts):
        return
    found = message(ear.client, channel, ts, thread)
    change = written(channel, found, micros(datetime.now(UTC)), ear.us.bot) if found else None
    if found is None or change is None:
        return
    ear.people(users_in(change.body))
    version = Version(change.ts, change.root, change.edited, change.seen, change.body, reactions_of(found))
    ear.store.keep(channel, [version])
    show_room(ear, channel)
    ear.ask_to_cut()


def let_go(ear: Ear, flag: Flag) -> None:
    """Forgets a message that only this mark kept."""
    channel, _, ts = flag.message.rpartition("/")
    other = standing_flags(ear.space.reader).get(flag.message)
    if ear.records(channel) or (other is not None and other.kind is FlagKind.RULE):
        return
    ear.store.erase(channel, ts, None, micros(datetime.now(UTC)))
    ear.ask_to_cut()
