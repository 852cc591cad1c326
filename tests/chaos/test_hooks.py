"""Webhooks under fire, in a size for an afternoon; the whole size is the command in hooks.py."""

from pathlib import Path

import pytest

from tests.chaos.hooks import storm
from workers.pull.rounds import EVERY


def test_a_lost_webhook_is_made_up_for_within_the_time_that_is_promised() -> None:
    assert EVERY * 2 <= 900


@pytest.mark.chaos
def test_lost_doubled_and_killed_nothing_is_missing_and_nothing_double(tmp_path: Path) -> None:
    outcome = storm(tmp_path, events=60, rate=4, lost=0.1, twice=0.05, kill_every=5, patience=2 * EVERY)
    assert (outcome.missing, outcome.double, outcome.refused) == (0, 0, 0), outcome.line()
    assert max(outcome.healed, default=0) <= 900, outcome.line()
