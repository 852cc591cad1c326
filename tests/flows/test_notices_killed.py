"""Notices are told once, whoever dies: the job's process is killed with -9 before and after each of its steps."""

import contextlib
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from slack_sdk import WebClient

from assistant.errors import Retry
from assistant.graph.bundles import due_bundles, is_anything_due
from assistant.graph.notices import notices_of
from assistant.graph.servers.embedded import Servers
from assistant.graph.store import Graph
from tests.fakes.slack_server import FakeSlack, running
from tests.flows.noticing import CLEO, PAY, RULES, Scene, company, workspace

STEPS = 24
"""Writes to the graph and calls of Slack's of one run, at most."""


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(workspace()) as server:
        yield server


@pytest.fixture
def scene(tmp_path: Path, servers: Servers, slack: FakeSlack) -> Iterator[Scene]:
    with company(tmp_path, servers, slack) as made:
        made.ask()
        made.change(PAY.format(400))
        yield made


def die_at(step: int, *, after: bool, patched: pytest.MonkeyPatch) -> Callable[[], int]:
    """From now on this process is killed at its nth step; how many there were, if it lives."""
    count = 0

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            nonlocal count
            count += 1
            mine = count == step
            if mine and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            reply = original(*args, **more)
            if mine:
                os.kill(os.getpid(), signal.SIGKILL)
            return reply

        return call

    for owner, name in ((WebClient, "api_call"), (Graph, "write")):
        patched.setattr(owner, name, counted(getattr(owner, name)))
    return lambda: count


def killed(work: Callable[[], object], step: int, *, after: bool) -> bool:
    """Does the work in a child that is killed at its nth step; whether it was, False where it had fewer."""
    child = os.fork()
    if child == 0:
        status = 3
        try:
            with pytest.MonkeyPatch.context() as patched:
                die_at(step, after=after, patched=patched)
                work()
            status = 0
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    assert os.WIFSIGNALED(ended) or os.WEXITSTATUS(ended) == 0
    return os.WIFSIGNALED(ended)


def is_all_told_once(scene: Scene) -> None:
    assert len(scene.told()) == len(scene.values()) == 1
    old, new = scene.posts()
    assert old.count("Out of date") == 1 and "asked again below" in old and "400" in new
    assert "It was asked again" in scene.says()
    assert not is_anything_due(scene.space.reader)
    assert len(scene.standing()) == 2


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", range(1, STEPS + 1, 2))
def test_killed_at_any_step_the_next_run_makes_it_good(scene: Scene, step: int, after: bool) -> None:
    killed(scene.tell, step + after, after=after)
    scene.tell()
    is_all_told_once(scene)


def test_the_steps_are_all_there_is(scene: Scene) -> None:
    assert killed(scene.tell, STEPS - 2, after=False) and not killed(scene.tell, STEPS + 40, after=False)


@pytest.mark.parametrize("step", range(1, 12))
def test_what_an_owner_said_is_kept_whoever_dies(scene: Scene, step: int) -> None:
    scene.tell()
    [name] = scene.values()
    killed(lambda: scene.click("right", value=name), step, after=False)
    scene.click("right", value=name)
    assert "Out of date" not in scene.posts()[0]
    assert scene.says().count("· Still right, says") == 1 and scene.values() == []
    first = scene.standing()[0]
    assert first.invalidated_by is None
    [notice] = notices_of(scene.space.reader, first.answer)
    assert (notice.outcome, notice.settled_by) == ("still right", CLEO)
    assert due_bundles(scene.space.reader) == []


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_lost_reply_doubles_nothing(scene: Scene, slack: FakeSlack, lost: int) -> None:
    slack.lost_replies = lost
    for _ in range(lost + 1):
        with contextlib.suppress(Retry):
            scene.tell()
    is_all_told_once(scene)


def test_two_notifiers_at_once_tell_once(scene: Scene, slack: FakeSlack) -> None:
    slack.latency = 0.02
    threads = [threading.Thread(target=scene.tell) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    scene.tell()
    is_all_told_once(scene)


def test_a_judging_run_that_dies_loses_no_notice(tmp_path: Path, servers: Servers, slack: FakeSlack) -> None:
    for step in range(1, 14):
        with company(tmp_path / str(step), servers, slack) as scene:
            slack.messages.clear()
            scene.ask()
            killed(lambda: scene.change(PAY.format(400)), step, after=step % 2 == 0)
            scene.book.commit({"other.md": "# Other\n\nNothing of it.\n"})
            scene.change(PAY.format(400))
            scene.tell()
            is_all_told_once(scene)


def test_what_waits_in_slack_under_a_rate_limit_comes_later(scene: Scene, slack: FakeSlack) -> None:
    slack.errors["chat.postMessage"] = "internal_error"
    with pytest.raises(Retry):
        scene.tell()
    assert scene.told() == [] and len(scene.slack.by_us(RULES)) == 1
    del slack.errors["chat.postMessage"]
    scene.tell()
    is_all_told_once(scene)
    assert json.dumps(scene.told()).count("notice_right") == 1
