"""What jobs hear with: the recorded messages of our workspace, Slack to ask, and what is known of people and rooms."""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import redis

from assistant.errors import Fatal
from assistant.graph.consent import Mode, choices, mode_of
from assistant.graph.recorded import Recorded
from assistant.graph.space import Space
from assistant.settings import Settings
from connectors.slack import history
from connectors.slack.client import Client, Identity, sync_client
from connectors.slack.members import reading
from connectors.slack.surface import SlackSurface
from workers.cache import RedisCache
from workers.equipment import equipment
from workers.pace import Pace
from workers.queue import INGEST, Work, connect, enqueue

LONGEST_CUT = 600
"""Seconds that bringing the graph up may take, where a language model reads what was said."""

APART = 2.0
"""Seconds between looks at channels: at most half of what Slack allows calls of its slower methods."""

WATCHED = "brain:watched"
"""Stands while a look at all channels is not to be asked for again."""

FRESH = 86_400
"""Seconds after which the list of everybody is read again when a history is."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ear:
    """Connections of one job."""

    space: Space
    server: redis.Redis
    """The queue's."""
    client: Client
    us: Identity
    settings: Settings

    @property
    def store(self) -> Recorded:
        """The recorded messages of our workspace."""
        return Recorded(self.space.graph, self.us.team)

    @property
    def surface(self) -> SlackSurface:
        """Our own posts, which may quote what is taken back."""
        return SlackSurface(self.client, self.us.bot, Pace(self.server))

    def records(self, channel: str) -> bool:
        """Whether a channel's people chose that it is recorded."""
        return mode_of(self.space.reader, channel) is Mode.RECORD

    def room(self, channel: str) -> Json:
        """What a channel is called and whether it is private; asked of Slack the first time. Raises Retry, Fatal."""
        known = self.store.notes("channels", [channel])
        if channel not in known:
            self.store.note("channels", {channel: history.room(self.client, channel)})
            known = self.store.notes("channels", [channel])
        return dict(known[channel])

    def people(self, users: Iterable[str]) -> dict[str, Json]:
        """What these users are called; those not known are asked of Slack. Raises Retry."""
        wanted = set(users)
        known = self.store.notes("users", wanted)
        for user in sorted(wanted - known.keys()):
            try:
                told = history.person(self.client, user)
            except Fatal:
                told = {}
            known[user] = {**told, "id": user}
            self.store.note("users", {user: known[user]})
        return known

    def meet_everybody(self) -> None:
        """Reads who is in the workspace, once a day, rather than one by one. Raises Retry, Fatal."""
        known = self.store.notes("pauses", ["everybody"]).get("everybody") or {"read": 0.0, "cursor": ""}
        while time.time() - known["read"] > FRESH:
            found, cursor = history.everybody(self.client, known["cursor"])
            self.store.note("users", found)
            known = {"read": known["read"] if cursor else time.time(), "cursor": cursor}
            self.store.note("pauses", {"everybody": known})

    def ask_to_cut(self) -> None:
        """Has what is marked brought into the graph; asked often before it begins, it is done once."""
        turn = self.store.turn("cut")
        about = f"cut/{self.space.name}/{turn}"
        enqueue(self.server, Work(INGEST, "workers.hear.cut", about, {"turn": turn}, LONGEST_CUT))

    def ask_to_watch(self, every: int = 0) -> None:
        """Has all channels that record looked at again, one after another: outsiders may read along by now.

        Not where that was asked for with `every` less than so many seconds ago.
        """
        if every and not self.server.set(f"{WATCHED}:{self.space.name}", "asked", nx=True, ex=every):
            return
        RedisCache(self.server).drop(("insiders", reading("users.list", {}), "outsiders:*"))
        newest = {one.channel: one.mode for one in choices(self.space.reader)}
        at = f"{time.time():.6f}"
        for number, channel in enumerate(sorted(one for one, mode in newest.items() if mode is Mode.RECORD)):
            about, payload = f"consent/watched/{channel}/{at}", {"channel": channel, "at": at}
            enqueue(self.server, Work(INGEST, "workers.consent.watched", about, payload), number * APART)

    def ask_to_fill(self, after: float = 0.0) -> None:
        """Has histories read on, in so many seconds."""
        turn = self.store.turn("fill")
        about = f"fill/{self.space.name}/{turn}"
        enqueue(self.server, Work(INGEST, "workers.history.fill", about, {"turn": turn}), after)


@contextmanager
def listening() -> Iterator[Ear]:
    """Fresh connections for one job."""
    ready = equipment()
    with ready.space() as space, closing(connect(ready.servers.queue_url)) as server:
        yield Ear(space, server, sync_client(ready.settings), ready.us, ready.settings)
