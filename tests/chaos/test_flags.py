"""Marking under fire: workers die with kill -9, replies of Slack are lost, forms come twice; each mark is kept once."""

import random
import time
import urllib.request
from collections import Counter
from pathlib import Path

import pytest

from assistant.graph.space import open_space
from connectors.slack.shortcuts import Picked
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import FakeSlack, running
from tests.fakes.storm import Pipeline
from tests.flows import marking
from tests.flows.marking import ANA, BEN, CLEO, LIVE

MARKS = 40
FORM = "application/x-www-form-urlencoded"


def send(pipeline: Pipeline, body: bytes) -> int:
    """A signed form; the status."""
    request = urllib.request.Request(f"{pipeline.url}/slack/interactivity", body, made.signed(body, kind=FORM))
    with urllib.request.urlopen(request, timeout=10) as response:
        return int(response.status)


def told(slack: FakeSlack, user: str) -> Counter[str]:
    """How often each mark's message stands in somebody's direct conversation with us."""
    found: Counter[str] = Counter()
    for message in slack.by_us(f"D{user}"):
        found[message["metadata"]["event_payload"]["key"]] += 1
    return found


@pytest.mark.chaos
def test_no_mark_is_lost_or_doubled(tmp_path: Path) -> None:
    dice = random.Random(5)
    with marking.filled(tmp_path) as home, running(marking.workspace()) as slack:
        slack.drop = 0.1
        pipeline = Pipeline(home, 3, embed=False, api=slack.url)
        with pipeline.running():
            forms = []
            for number in range(MARKS):
                text = f"Apprentices of year {number} take {number} days of sick leave."
                ts = slack.said(LIVE, BEN, text, ts=f"{1_720_000_000 + 20_000 * number}.000100")
                picked = Picked(**marking.picked(0, channel=LIVE, ts=ts))
                values = {
                    "statement": {"statement": {"value": text}},
                    "decider": {"decider": {"selected_user": CLEO}},
                }
                view = {
                    "id": f"V{number}",
                    "type": "modal",
                    "callback_id": "flag_rule",
                    "private_metadata": picked.packed(),
                }
                forms.append(made.submission(view, values, user=ANA))
            for number, form in enumerate(forms):
                assert send(pipeline, form) == 200
                if dice.random() < 0.2:
                    assert send(pipeline, form) == 200
                if number % 5 == 4:
                    pipeline.kill_a_worker(dice)
                time.sleep(0.5)
            until = time.monotonic() + 240
            while time.monotonic() < until and (len(told(slack, ANA)) < MARKS or len(decided(home)) < MARKS):
                time.sleep(2.0)
                if dice.random() < 0.2:
                    pipeline.kill_a_worker(dice)
            time.sleep(3.0)
        assert len(decided(home)) == MARKS
        for user in (ANA, CLEO):
            assert len(told(slack, user)) == MARKS, (user, len(told(slack, user)))
            assert set(told(slack, user).values()) == {1}, user
        assert pipeline.kills >= 8


def decided(home: Path) -> set[str]:
    """The statements of the channel's decisions."""
    with open_space(marking.settings_of(home)) as space:
        return {row.statement for row in marking.decisions(space, LIVE).values()}
