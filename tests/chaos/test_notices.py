"""Telling under fire: workers die with kill -9, replies of Slack are lost, commits come fast; each is told once."""

import json
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from assistant.graph.bundles import is_anything_due
from assistant.graph.servers import embedded
from assistant.graph.space import open_space
from assistant.settings import Settings
from tests.fakes.handbook import Handbook, page
from tests.fakes.slack_server import TEAM, TOKEN, FakeSlack, running
from tests.fakes.storm import Pipeline
from tests.flows.office import mention
from workers.queue import ANSWER, Work, connect, enqueue
from workers.tell import ask_to_tell

OWNERS, PATIENCE = 24, 240.0
ROOM = "C01RULES"


def rule(number: int, hours: int) -> dict[str | bytes, str | bytes | None]:
    """A page of an owner's."""
    return {f"p{number}.md": page(f"Kettle {number}: Kettle{number} is cleaned every {hours} hours.")}


def workspace() -> FakeSlack:
    """One who asks, and an owner for each page."""
    slack = FakeSlack(drop=0.1)
    users = {f"U{number:02d}OWNER": f"owner{number}@acme.example" for number in range(OWNERS)}
    slack.users |= {user: {"team_id": TEAM, "profile": {"email": email}} for user, email in users.items()}
    slack.users["U01ANA"] = {"team_id": TEAM}
    slack.channels[ROOM] = {"name": "rules", "members": ["U01ANA", *users]}
    return slack


def keys(slack: FakeSlack, channel: str) -> Counter[str]:
    """How often each message of ours stands in a channel."""
    return Counter(one["metadata"]["event_payload"]["key"] for one in slack.by_us(channel))


@pytest.mark.chaos
def test_no_notice_is_lost_or_doubled(tmp_path: Path) -> None:
    dice = random.Random(7)
    with running(workspace()) as slack:
        settings = Settings(home=tmp_path, cache=tmp_path / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url)
        space = open_space(settings)
        book = Handbook(space, tmp_path)
        lines = "".join(f"/p{number}.md owner{number}@acme.example\n" for number in range(OWNERS))
        pages = {name: text for number in range(OWNERS) for name, text in rule(number, 10).items()}
        book.commit({**pages, "CODEOWNERS": lines})
        book.ingest()
        server = connect(space.servers.queue_url)
        pipeline = Pipeline(tmp_path, 3, embed=False, api=slack.url)
        with pipeline.running():
            for number in range(OWNERS):
                text = f"How often is kettle{number} cleaned?"
                ts = slack.said(ROOM, "U01ANA", f"<@U0BOT> {text}")
                asked = mention(text, ts, channel=ROOM)
                enqueue(server, Work(ANSWER, "workers.answer.answer", asked.key, asked.model_dump(mode="json")))
            until = time.monotonic() + PATIENCE
            while (
                time.monotonic() < until and sum("every 10 hours" in one["text"] for one in slack.by_us(ROOM)) < OWNERS
            ):
                time.sleep(0.5)
            for number in range(OWNERS):
                book.commit(rule(number, 20), f"Change it (#{number})")
                book.ingest()
                ask_to_tell(space, settings)
                if number % 4 == 3:
                    pipeline.kill_a_worker(dice)
                time.sleep(0.3)
            while time.monotonic() < until and (is_anything_due(space.reader) or len(slack.by_us(ROOM)) < 2 * OWNERS):
                ask_to_tell(space, settings)
                time.sleep(2.0)
                if dice.random() < 0.3:
                    pipeline.kill_a_worker(dice)
            time.sleep(3.0)
        assert not is_anything_due(space.reader)
        for number in range(OWNERS):
            [told] = slack.by_us(f"DU{number:02d}OWNER")
            assert f"kettle{number} cleaned" in json.dumps(told) and "~10~" in json.dumps(told)
        assert len(slack.by_us(ROOM)) == 2 * OWNERS and set(keys(slack, ROOM).values()) == {1}
        assert json.dumps([one["blocks"][0] for one in slack.by_us(ROOM)]).count("Out of date") == OWNERS
        assert pipeline.kills >= 6
        servers = space.servers
        space.close()
        embedded.stop(servers)
