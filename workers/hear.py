"""What is said in channels that record: kept as it comes, then cut into conversations and judged, in one go for many.

Keeping takes no lock and marks what changed; cutting takes marks away only when graph and decisions are up to date. So
it does not matter when and how often a worker is killed, nor in which order events come.
"""

from typing import Any

from assistant.graph.flags import flags_on
from assistant.graph.recorded import Page, Version
from assistant.graph.writing import live
from connectors.slack.changes import Deleted, Reacted, Written, unpacked, users_in
from connectors.slack.cutting import room_name
from workers.catch_up import catch_up
from workers.ear import Ear, listening
from workers.follow import keep_edited
from workers.history import follow_choice


def heard(payload: dict[str, Any]) -> None:
    """The job: one thing that happened in a channel."""
    with listening() as ear:
        if take(ear, unpacked(payload)):
            ear.ask_to_cut()


def take(ear: Ear, change: Written | Deleted | Reacted) -> bool:
    """Keeps what happened, where the channel records; whether the graph has to follow.

    Words that were recorded and are taken back or changed go, whatever the channel has chosen since.
    """
    store, channel = ear.store, change.channel
    records = ear.records(channel)
    match change:
        case Written() if change.body.get("user") == ear.us.bot:
            return False
        case Written() if records and not change.body:  # the web process did not know yet that the channel records
            store.keep(channel, (), Page(wanted=(change.root,)))
            follow_choice(ear, channel)
        case Written() if records:
            ear.people(users_in(change.body))
            version = Version(change.ts, change.root, change.edited, change.seen, change.body)
            wanted = _missing_root(ear, change)
            store.keep(channel, [version], Page(wanted=wanted))
            if wanted or channel not in store.histories():
                follow_choice(ear, channel)
        case Written() if store.has(channel, change.ts) or (change.edited and _in_graph(ear, change)):
            if not keep_edited(ear, channel, change.ts, change.root):
                store.erase(channel, change.ts, change.root, change.seen)
        case Deleted() if records or store.has(channel, change.ts) or _in_graph(ear, change) or _marked(ear, change):
            store.erase(channel, change.ts, change.root, change.at)
        case Reacted() if records:
            ear.people([change.user])
            store.react(channel, change.ts, change.name, change.user, change.at, on=change.on)
        case _:
            return False
    return True


def _missing_root(ear: Ear, change: Written) -> tuple[str, ...]:
    """The first message of its thread, where that is not here: somebody answered to what was said before we came."""
    here = change.root == change.ts or ear.store.has(change.channel, change.root)
    return () if here or ear.store.is_gone(change.channel, change.root) else (change.root,)


def _marked(ear: Ear, change: Deleted) -> bool:
    """Whether somebody put it into words by a mark."""
    return any(one.statement for one in flags_on(ear.space.reader, [f"{change.channel}/{change.ts}"]))


def _in_graph(ear: Ear, change: Written | Deleted) -> bool:
    name = f"{room_name(ear.us.team, change.channel)}/{change.ts}"
    return bool(live.known_utterances(ear.space.reader, [name]))


def cut(payload: dict[str, Any]) -> None:
    """The job: bring all that is marked into the graph."""
    with listening() as ear:
        ear.store.next_turn("cut", payload["turn"])  # whoever changes something from now on asks for another
        if catch_up(ear):
            ear.ask_to_cut()
