"""Whose word on a notice counts: that of who owns the page and may read it when they say so."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.graph.servers.embedded import Servers
from tests.fakes.handbook import page
from tests.fakes.slack_server import FakeSlack, running
from tests.flows.noticing import CLEO, PAY, Scene, company, workspace


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(workspace()) as made:
        yield made


@pytest.fixture
def scene(tmp_path: Path, servers: Servers, slack: FakeSlack) -> Iterator[Scene]:
    with company(tmp_path, servers, slack) as made:
        yield made


def guest(scene: Scene) -> None:
    scene.slack.users[CLEO]["is_restricted"] = True


def moved_on(scene: Scene) -> None:
    scene.book.commit({"CODEOWNERS": "* dan@acme.example\n"}, "Hand over (#8)")
    scene.book.ingest()


def not_mine(scene: Scene) -> None:
    scene.click("not_mine")


@pytest.mark.parametrize("since", [guest, moved_on, not_mine])
@pytest.mark.parametrize("action", ["right", "refresh"])
def test_who_no_longer_answers_for_the_page_settles_nothing(
    scene: Scene, since: Callable[[Scene], None], action: str
) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    [value] = scene.values()
    since(scene)
    scene.ready.desk().directory.cache.drop(("*",))
    scene.click(action, value=value, at=1_800_000_000_000_001)
    assert scene.standing()[0].invalidated_by is not None
    scene.tell(all=True)
    assert "Still right, says <@U03CLEO>" not in "".join(scene.posts())


def test_the_owner_of_today_settles_it(scene: Scene) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    scene.book.commit({"other.md": page("Lunch: Lunch is free.")}, "Lunch (#8)")
    scene.book.ingest()
    scene.click("right")
    assert scene.standing()[0].invalidated_by is None
