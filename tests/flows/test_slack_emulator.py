"""The product's processes against the local Slack emulator: mention, follow-up, direct message, /why, buttons, home."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import slack_emulator
from tests.fakes.slack_emulator import APP_TOKEN, TOKEN, Emulator
from tests.fakes.storm import Pipeline, free_port

QUESTION = "What is the trial threshold?"
Json = dict[str, Any]


@pytest.fixture(scope="module", params=["events", "socket"])
def emulator(request: pytest.FixtureRequest, filled_home: Path) -> Iterator[Emulator]:
    """The emulator with our processes connected to it, over HTTP and over socket mode."""
    port = free_port()
    socket_mode = request.param == "socket"
    folder = filled_home / request.param
    folder.mkdir()
    with slack_emulator.running(folder, port, socket_mode=socket_mode) as running:
        tokens = {"SLACK_BOT_TOKEN": TOKEN} | ({"SLACK_APP_TOKEN": APP_TOKEN} if socket_mode else {})
        pipeline = Pipeline(filled_home, 1, embed=False, api=f"{running.url}/api/", tokens=tokens, port=port)
        with pipeline.running():
            yield running


def eventually(found: Callable[[], Any], patience: float = 30.0) -> Any:
    """What it gives as soon as it gives something."""
    end = time.monotonic() + patience
    while not (value := found()):
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.1)
    return value


def answers(emulator: Emulator, channel: str, thread: str | None = None) -> list[Json]:
    """The bot's finished messages."""
    return [
        message
        for message in (emulator.messages(channel) if channel else [])
        if message["user"] == "U0BOT" and message.get("subtype") != "ephemeral"
        if thread is None or message.get("thread_ts") == thread
        if any(block["type"] == "context_actions" for block in message.get("blocks", ()))
    ]


def ask(emulator: Emulator, text: str, **more: str) -> str:
    """A message of Ana's in #rules; returns its ts."""
    return str(emulator.control("message", channel="C01RULES", user="U01ANA", text=text, **more)["message"]["ts"])


def test_a_mention_is_answered_once_in_its_thread_and_so_is_a_follow_up(emulator: Emulator) -> None:
    ts = ask(emulator, f"<@U0BOT> {QUESTION}")
    [answer] = eventually(lambda: answers(emulator, "C01RULES", ts))
    assert "31" in answer["blocks"][0]["text"]["text"]
    ask(emulator, "<@U0BOT> and what was it before?", thread_ts=ts)
    _, follow_up = eventually(lambda: len(found := answers(emulator, "C01RULES", ts)) == 2 and found)
    assert "25" in follow_up["blocks"][0]["text"]["text"]
    time.sleep(1.0)
    assert len(answers(emulator, "C01RULES", ts)) == 2, "mention and message were one question"


def test_a_direct_message_is_answered_and_its_edit_changes_the_answer(emulator: Emulator) -> None:
    emulator.control("command", channel="C01RULES", user="U01ANA", command="/why", text="how do we change a page?")
    channel = eventually(emulator.direct)
    eventually(lambda: answers(emulator, channel))
    before = len(answers(emulator, channel))
    sent = emulator.control("message", channel=channel, user="U01ANA", text="Who invented the wheel on Mars?")
    ts = sent["message"]["ts"]
    first = eventually(lambda: len(found := answers(emulator, channel)) > before and found)[-1]
    emulator.control("edit-message", channel=channel, ts=ts, user="U01ANA", text=QUESTION)
    changed = lambda: [m for m in answers(emulator, channel) if m["ts"] == first["ts"] and "31" in m["text"]]  # noqa: E731
    assert eventually(changed)
    assert len(answers(emulator, channel)) == before + 1


def test_why_is_private_and_can_be_shared_once(emulator: Emulator) -> None:
    before = len(answers(emulator, "C01RULES"))
    private = len(answers(emulator, emulator.direct()))
    emulator.control("command", channel="C01RULES", user="U01ANA", command="/why", text=QUESTION)
    hint = [m for m in emulator.messages("C01RULES") if m.get("ephemeral_to") == "U01ANA"]
    assert any("direct messages" in m["text"] for m in hint)
    found = eventually(lambda: len(found := answers(emulator, emulator.direct())) > private and found)
    assert len(answers(emulator, "C01RULES")) == before
    button = next(b for b in found[-1]["blocks"] if b["type"] == "actions")["elements"][0]
    for _ in range(2):
        emulator.control("interact", channel=emulator.direct(), messageTs=found[-1]["ts"], user="U01ANA", action=button)
    shared = eventually(lambda: len(found := answers(emulator, "C01RULES")) > before and found)[-1]
    assert shared["blocks"][0]["text"]["text"].startswith("<@U01ANA> asked in private")
    time.sleep(1.0)
    assert len(answers(emulator, "C01RULES")) == before + 1


def test_feedback_is_thanked_for_and_a_complaint_opens_the_form(emulator: Emulator) -> None:
    ts = ask(emulator, f"<@U0BOT> {QUESTION}")
    [answer] = eventually(lambda: answers(emulator, "C01RULES", ts))
    feedback = answer["blocks"][-1]["elements"][0]
    where = {"channel": "C01RULES", "messageTs": answer["ts"], "user": "U01ANA"}
    click = {"type": "feedback_buttons", "action_id": "feedback"}
    emulator.control("interact", **where, action={**click, "value": feedback["positive_button"]["value"]})
    thanked = lambda: [m for m in emulator.messages("C01RULES") if "Thank you" in m.get("text", "")]  # noqa: E731
    assert eventually(thanked)
    emulator.control("interact", **where, action={**click, "value": feedback["negative_button"]["value"]})
    assert eventually(lambda: [entry for entry in emulator.log() if "views.open" in str(entry)])


def test_the_home_is_drawn(emulator: Emulator) -> None:
    emulator.control("open-home", user="U01ANA")
    assert eventually(lambda: [entry for entry in emulator.log() if "views.publish" in str(entry)])
