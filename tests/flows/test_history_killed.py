"""The reading of a past under kill -9, small: nothing lost, nothing doubled; the whole size is tests/chaos/fill.py."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from assistant.graph.consent import Mode, set_mode
from assistant.graph.recorded import Recorded
from assistant.graph.space import open_space
from assistant.settings import Settings
from tests.chaos.fill import Scene, is_read, past
from tests.fakes.slack_server import TEAM, FakeSlack, running
from tests.fakes.storm import Pipeline
from workers.queue import INGEST, Work, connect, enqueue

CHANNELS, MESSAGES, KILLS = 3, 240, 3
PATIENCE = 150.0
"""Seconds; on a machine that does nothing else it takes 15."""


@pytest.fixture
def scene(filled_home: Path) -> Iterator[Scene]:
    """A worker that reads, and a Slack that lets few calls through."""
    settings = Settings(home=filled_home, cache=filled_home / "cache")
    slack = FakeSlack(page=15, latency=0.05)
    slack.pace = dict.fromkeys(("conversations.history", "conversations.replies"), (6, 1.0))
    past(slack, CHANNELS, MESSAGES, Random(3))
    with running(slack), Pipeline(filled_home, 0, embed=False, api=slack.url).running() as pipeline:
        space = open_space(settings)
        opened = Scene(pipeline, slack, space, "C")
        opened.worker("ingest")
        yield opened
        space.close()


def test_a_past_is_read_whole_and_once_whatever_is_killed(scene: Scene) -> None:
    store, dice, end = Recorded(scene.space.graph, TEAM), Random(4), time.monotonic() + PATIENCE
    server = connect(scene.space.servers.queue_url)
    for number in range(CHANNELS):
        set_mode(scene.space.graph, f"C{number:05d}", Mode.RECORD, "U001", datetime.now(UTC))
        enqueue(server, Work(INGEST, "workers.history.follow", f"follow/{number}", {"channel": f"C{number:05d}"}))
    server.close()

    def progress() -> int:
        return sum(int(state["pages"]) for state in store.histories().values()) + len(scene.here())

    for _ in range(KILLS):
        before = progress()
        while progress() == before and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(dice.random())
        scene.kill()
    while not is_read(scene) and time.monotonic() < end:
        time.sleep(0.2)
    here = scene.here()
    assert is_read(scene)
    assert len(here) == len(set(here))
    assert set(here) == scene.wanted()
