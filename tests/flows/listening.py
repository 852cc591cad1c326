"""An ear at a fake Slack, with a real Space and queue, and a dump that tells whether two graphs are the same."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from assistant.graph.consent import Mode, set_mode
from assistant.graph.dump import VOLATILE, canonical_dump
from assistant.graph.space import Space
from assistant.settings import Settings
from connectors.slack.changes import change_of, unpacked
from connectors.slack.client import Identity, sync_client
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack
from workers.catch_up import catch_up
from workers.ear import Ear
from workers.hear import take
from workers.history import read_on
from workers.queue import connect

OURS = frozenset(
    {"ConsentChoice", "Forgetting", "Tombstone", "Progress", "Origin", "Migration", "Post", "Withdrawal"},
)
"""Labels of what was done, not of what is known."""


@contextmanager
def hearing(space: Space, folder: Path, slack: FakeSlack) -> Iterator[Ear]:
    """An ear of a worker."""
    server = connect(space.servers.queue_url)
    settings = Settings(home=folder, cache=folder / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url)
    yield Ear(space, server, sync_client(settings), Identity(BOT, TEAM), settings)
    server.flushall()
    server.close()


def record(ear: Ear, channel: str, mode: Mode = Mode.RECORD) -> None:
    """The channel's people chose."""
    set_mode(ear.space.graph, channel, mode, "U1", datetime.now(UTC))


def hear(ear: Ear, events: Iterable[dict[str, Any]]) -> None:
    """Events come in, by the way they take through the queue."""
    for event in events:
        change = change_of(json.loads(json.dumps(event)), BOT)
        if change is not None:
            take(ear, unpacked(json.loads(json.dumps(asdict(change)))))


def settle(ear: Ear) -> None:
    """Everything that waits is done."""
    while (pause := read_on(ear, monotonic() + 5)) is not None:
        assert pause < 5
    while catch_up(ear):
        pass


def known(space: Space) -> list[str]:
    """Lines of the graph that say what is known, whichever way it was learned."""
    lines = canonical_dump(space.reader, VOLATILE | {"revision", "valid_from"})
    return [line for line in lines if not OURS & set(_labels(json.loads(line)))]


def _labels(parts: list[Any]) -> list[str]:
    return [*parts[0]] if isinstance(parts[0], list) else [*parts[1], *parts[3]]
