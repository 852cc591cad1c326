"""What happened while nobody listened is made up for: said, answered, edited, deleted; and nothing else is touched."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import time

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.settings import Settings
from tests.fakes.slack_server import FakeSlack, running
from tests.fakes.slack_talk import NOON, Talk
from tests.flows.listening import hearing, known, record, settle
from tests.flows.test_live import imported, two_spaces
from workers.ear import Ear
from workers.history import LOOK_BACK, catch_missed, follow_choice

DAY = 86_400
AWAY = 3600
"""Seconds for which nobody listened."""


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack(page=7)) as fake:
        yield fake


@pytest.fixture
def ear(space: Space, tmp_path: Path, slack: FakeSlack) -> Iterator[Ear]:
    with hearing(space, tmp_path, slack) as opened:
        yield opened


class Scene:
    """A channel whose past was read, and what its people do while nobody listens."""

    def __init__(self, ear: Ear, slack: FakeSlack) -> None:
        self.ear, self.now = ear, int(time()) - NOON - 300
        self.talk = Talk(slack, clock=NOON + self.now - 5 * DAY)
        self.line: list[str] = []
        self.answers: list[str] = []
        for number in range(8):
            at = self.now - (number * 3 + 1) * DAY
            self.thread(at, number)
            self.line.append(self.talk.write(at + 60, "U2", f"line {number}"))
        for number in range(8):
            self.talk.write(self.now - int(LOOK_BACK) - (number + 2) * DAY, "U2", f"old line {number}")
        self.old = self.thread(self.now - int(LOOK_BACK) - 20 * DAY, 97)
        self.talk.write(self.now - 9 * DAY, "U2", "Still so?", thread=self.old)
        record(ear, "C1")
        follow_choice(ear, "C1")
        settle(ear)
        self.talk.clock = NOON + self.now - 100

    def thread(self, at: int, number: int) -> str:
        """A question with answers; the ts of its first message."""
        root = self.talk.write(at, "U1", f"What about rule {number}?")
        self.line.append(root)
        for answer in range(2):
            text = f"Decided: rule {number} is {answer} days."
            self.answers.append(self.talk.write(at + 100 + answer, "U3", text, thread=root))
        return root

    def listen_again(self) -> None:
        """The web process starts."""
        catch_missed(self.ear, NOON + self.now - AWAY)
        settle(self.ear)


def is_said(scene: Scene) -> None:
    for number in range(9):
        scene.talk.write(scene.now - 200 + number, "U1", f"Decided: missed rule {number} is 9 days.")


def is_answered(scene: Scene) -> None:
    for number, root in enumerate((scene.line[0], scene.line[8], scene.old)):
        scene.talk.write(scene.now - 200 + number, "U1", f"Decided: missed rule {number} is 9 days.", thread=root)


def is_edited(scene: Scene) -> None:
    for ts in scene.line[1:4]:
        scene.talk.edit(ts, "Decided: changed rules hold for 9 days.")


def is_deleted(scene: Scene) -> None:
    for ts in (scene.line[1], scene.line[5], scene.line[2], scene.answers[0], scene.answers[9]):
        scene.talk.delete(ts)


def loses_its_threads(scene: Scene) -> None:
    for ts in (*scene.answers[:2], scene.line[0]):
        scene.talk.delete(ts)
    stones = [one for one in scene.talk.slack.messages["C1"] if one.get("subtype") == "tombstone"]
    for stone in stones:
        scene.talk.slack.messages["C1"].remove(stone)
    for ts in (scene.line[2], *scene.answers[2:4]):
        scene.talk.delete(ts)
    left = [one for one in scene.talk.slack.messages["C1"] if one.get("subtype") != "tombstone"]
    scene.talk.slack.messages["C1"] = left


def is_reacted_to(scene: Scene) -> None:
    for ts in scene.line[:3]:
        scene.talk.react(ts, "U2", "white_check_mark")


@pytest.mark.parametrize(
    "happens",
    [is_said, is_answered, is_edited, is_deleted, loses_its_threads, is_reacted_to],
    ids=lambda one: one.__name__,
)
def test_what_happened_while_nobody_listened_is_made_up_for(
    ear: Ear,
    slack: FakeSlack,
    happens: Callable[[Scene], None],
    shared_settings: Settings,
    servers: Servers,
    tmp_path: Path,
) -> None:
    scene = Scene(ear, slack)
    before = known(ear.space)
    happens(scene)
    scene.listen_again()
    assert known(ear.space) != before
    with two_spaces(shared_settings, servers) as (_, other):
        assert known(ear.space) == imported(other, scene.talk, tmp_path / "export")


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happened_while_nobody_listened_is_made_up_for(
    ear: Ear, slack: FakeSlack, seed: int, shared_settings: Settings, servers: Servers, tmp_path: Path
) -> None:
    scene, dice = Scene(ear, slack), Random(seed)
    for number in range(25):
        ts = dice.choice(scene.line)
        match dice.randrange(4):
            case 0:
                scene.talk.delete(dice.choice((ts, dice.choice(scene.answers[:16]))))
            case 1:
                scene.talk.edit(ts, f"Decided: rule {number} is 7 days.")
            case 2 if scene.talk.find(ts):
                scene.talk.write(scene.now - 200 + number, "U2", f"answer {number}", thread=ts)
            case _:
                scene.talk.write(scene.now - 200 + number, "U2", f"Decided: so be it {number}.")
    scene.listen_again()
    with two_spaces(shared_settings, servers) as (_, other):
        assert known(ear.space) == imported(other, scene.talk, tmp_path / "export")


def test_what_a_page_leaves_out_is_not_erased_while_it_stands(ear: Ear, slack: FakeSlack) -> None:
    scene = Scene(ear, slack)
    before = known(ear.space)
    slack.unlisted |= set(scene.line[:5])
    scene.listen_again()
    assert known(ear.space) == before
    assert not ear.store.waiting()


def test_where_nothing_happened_no_thread_is_read_again_and_nothing_older(ear: Ear, slack: FakeSlack) -> None:
    scene = Scene(ear, slack)
    before, threads = known(ear.space), len(slack.made("conversations.replies"))
    slack.messages["C1"] = [one for one in slack.messages["C1"] if one["ts"] not in scene.line[-1:]]
    scene.listen_again()
    assert known(ear.space) == before, "what was said before that is kept, as Slack may no longer show it"
    assert len(slack.made("conversations.replies")) == threads + 1, "the old thread that was answered lately"
