"""A message of ours that nobody knows the place of, as its writer was killed, lets go of forgotten words, too."""

import json
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from slack_sdk import WebClient

from assistant.graph.flags import find_flag
from assistant.graph.posts import due_posts
from tests.fakes.slack_server import TEAM, FakeSlack
from tests.flows.marking import ANA, CLEO, RULES, carried_out, name_of, sent
from workers import flag
from workers.equipment import Equipment
from workers.forgetting import forget

Json = dict[str, Any]


def killed_after_posting(job: Json, which: int) -> None:
    """Marks in a process of its own that dies as soon as Slack has taken its message number `which`."""
    original, posted = WebClient.api_call, [0]

    def dying(self: WebClient, method: str, *args: Any, **more: Any) -> Any:
        reply = original(self, method, *args, **more)
        posted[0] += method == "chat.postMessage"
        if posted[0] == which:
            os.kill(os.getpid(), signal.SIGKILL)
        return reply

    child = os.fork()
    if child == 0:
        WebClient.api_call = dying  # type: ignore[method-assign]
        try:
            flag.mark(job)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def forgotten(ready: Equipment, job: Json) -> None:
    """Everybody's words of it."""
    with ready.space() as space:
        name = f"slack:{TEAM}/{RULES}/{job['picked']['ts']}"
        forget(space, ready.desk(), [name], marks=[name_of(job)], settings=ready.settings)


def taken_back(ready: Equipment, job: Json) -> None:
    """On the App Home: there is no button yet where it would be told."""
    assert ready
    flag.clicked({"flag": name_of(job), "user": ANA, "action": "flag_undo_home"})


@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize(("number", "end"), [(6, taken_back), (7, forgotten)])
def test_a_message_whose_writer_was_killed_is_found_and_cleared(
    ready: Equipment, slack: FakeSlack, which: int, number: int, end: Callable[[Equipment, Json], None]
) -> None:
    job = {**sent(number, f"Half days of annual leave end at {which}:00."), "view": f"Vfound{which}{end.__name__}"}
    if end is forgotten and which == 2:
        job["picked"] = sent(8)["picked"]
    killed_after_posting(job, which)
    posted = [one for user in (ANA, CLEO) for one in slack.by_us(f"D{user}")]
    assert len(posted) == which and job["statement"] in json.dumps(posted[-1])
    end(ready, job)
    flag.mark(job)  # the next try
    carried_out(ready)
    assert job["statement"] not in json.dumps([one for user in (ANA, CLEO) for one in slack.by_us(f"D{user}")])
    with ready.space() as space:
        assert due_posts(space.reader) == []
        mark = find_flag(space.reader, name_of(job))
        assert mark is not None and mark.undone_at is not None
