"""The two bars of Slack under fire, in a size for an afternoon; the whole size is the command in slack.py."""

from pathlib import Path

import pytest

from assistant.graph.servers import embedded
from assistant.settings import Settings
from tests.chaos.slack import fill, load
from tests.fakes.storm import Pipeline, storm


@pytest.mark.chaos
def test_nothing_is_lost_and_nothing_answered_twice(tmp_path: Path) -> None:
    servers = fill(Settings(home=tmp_path, cache=tmp_path / "cache"))
    with Pipeline(tmp_path, 4, embed=False, drop=0.05).running() as pipeline:
        outcome = storm(pipeline, events=500, rate=7, duplicates=0.05, kill_every=5, patience=900)
    embedded.stop(servers)
    assert (outcome.lost, outcome.double, outcome.refused) == (0, 0, 0), outcome.line()
    assert outcome.recovery_p95 <= 30, outcome.line()


@pytest.mark.chaos
def test_acknowledging_stays_quick(tmp_path: Path) -> None:
    servers = fill(Settings(home=tmp_path, cache=tmp_path / "cache"))
    with Pipeline(tmp_path, 0, embed=False).running() as pipeline:
        measured = load(pipeline, rate=50, seconds=20)
    embedded.stop(servers)
    assert measured.bad == 0, measured.line()
    assert measured.p99 <= 100, measured.line()
