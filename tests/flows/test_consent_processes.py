"""From the invitation to the last byte, through the real processes: chosen, recorded, answered, deleted, gone."""

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.chat import texts
from assistant.graph.servers import embedded
from assistant.settings import Settings
from tests.chaos.slack import fill
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import FakeSlack, running
from tests.fakes.storm import Pipeline
from tests.fakes.traces import gone_from, uncompressed

ROOM, ANA, BEN = "C7ROOM", "U01ANA", "U02BEN"
RULE = "Decided: a team may go for one quokkab\u00e0ll a quarter, as more eats the budget. That's the rule from July."


def wait_until(what: Callable[[], Any], patience: float = 60.0) -> None:
    """Returns when it is true."""
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def post(pipeline: Pipeline, path: str, body: bytes) -> None:
    """A signed form of Slack's."""
    headers = made.signed(body, kind="application/x-www-form-urlencoded")
    request = urllib.request.Request(f"{pipeline.url}/slack/{path}", body, headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        assert response.status == 200


def spoken(slack: FakeSlack, user: str, text: str) -> dict[str, Any]:
    """Somebody says something in the room; the event."""
    ts = slack.said(ROOM, user, text)
    return made.message(text, ts, ROOM, user)


def test_from_the_invitation_to_the_last_byte(tmp_path: Path) -> None:
    people = {ANA: {"real_name": "Ana Lindt"}, BEN: {"real_name": "Ben Ode"}}
    settings = Settings(home=tmp_path / "home", cache=tmp_path / "home/cache")
    settings.home.mkdir()
    servers = fill(settings)
    uncompressed(servers)
    with running(FakeSlack(users=people, channels={ROOM: {"members": [ANA, BEN]}})) as slack:
        pipeline = Pipeline(settings.home, 1, embed=False, api=slack.url)
        with pipeline.running():
            joined = {"type": "member_joined_channel", "user": "U0BOT", "channel": ROOM, "event_ts": "1.1"}
            pipeline.send(made.envelope(joined))
            wait_until(lambda: slack.by_us(ROOM))
            pipeline.send(made.envelope(spoken(slack, ANA, "Nobody keeps what I say about quokkas before.")))
            post(
                pipeline, "interactivity", made.click({"action_id": "consent_record", "value": ROOM}, ROOM, "1.1", BEN)
            )
            wait_until(lambda: "Recording since" in json.dumps(slack.by_us(ROOM)[0]))
            rule = spoken(slack, BEN, RULE)
            pipeline.send(made.envelope(rule))
            began = time.monotonic()
            wait_until(lambda: gone_from("quokkab", settings.home, patience=0.0))
            ask_until_answered(pipeline, slack)
            assert time.monotonic() - began < 30
            slack.messages[ROOM] = [one for one in slack.messages[ROOM] if one["ts"] != rule["ts"]]
            gone = {"subtype": "message_deleted", "deleted_ts": rule["ts"], "previous_message": rule, "text": ""}
            pipeline.send(made.envelope(made.message("", "1.2", ROOM, BEN) | gone))
            wait_until(lambda: slack.by_us(ROOM)[-1]["text"] == texts.WITHDRAWN)
            wait_until(lambda: not gone_from("quokkab", settings.home, patience=0.0))
            post(pipeline, "commands", made.command("forget", ROOM, ANA))
            wait_until(lambda: "c7room: " in json.dumps(list(slack.views.values())[-1]))
            [view] = slack.views.values()
            post(pipeline, "interactivity", made.submission({**view, "type": "modal"}, {}, ANA))
            wait_until(lambda: [one["text"] for one in slack.by_us(f"D{ANA}")] == [texts.FORGET_DONE])
            assert gone_from("quokka", settings.home) == []
            post(pipeline, "interactivity", made.click({"action_id": "consent_off", "value": ROOM}, ROOM, "1.1", BEN))
            wait_until(lambda: "Switched off" in json.dumps(slack.by_us(ROOM)[0]))
            pipeline.send(made.envelope(made.mention("is the quorvex merger on?", f"{int(time.time())}.1", ROOM, ANA)))
            wait_until(lambda: texts.OFF_HERE in [one["text"] for one in slack.messages[ROOM]])
            assert gone_from("quorvex", settings.home, patience=0.0) == []
    embedded.stop(servers)


def ask_until_answered(pipeline: Pipeline, slack: FakeSlack) -> None:
    """Ana asks about the rule until the answer quotes what was decided."""
    for number in range(20):
        asked = made.mention(
            "What was decided about the team's quarter?", f"{int(time.time())}.9{number:05}", ROOM, ANA
        )
        before = len(slack.by_us(ROOM))
        pipeline.send(made.envelope(asked))
        wait_until(lambda: len(slack.by_us(ROOM)) > before and slack.by_us(ROOM)[-1].get("updates"))  # noqa: B023
        if "quokkab" in json.dumps(slack.by_us(ROOM)[-1], ensure_ascii=False):
            return
    raise AssertionError(slack.by_us(ROOM)[-1]["text"])
