"""Whom a notice reaches and when: the next owner, the admins, later, not by night; and what the owner makes of it."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from importlib import import_module
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.errors import Fatal
from assistant.graph.notices import UNREACHED, Outcome, due_notices, set_aside, wake
from assistant.graph.servers.embedded import Servers
from assistant.model.times import day, micros
from connectors.slack.members import stale_by_person, stale_by_room
from tests.fakes.slack_server import FakeSlack, running
from tests.flows.noticing import ANA, BEN, CLEO, DAN, LEADS, PAY, QUESTION, Scene, company, workspace
from workers import act, notify, rooms
from workers.cache import RedisCache
from workers.doctor import State
from workers.doctor import notices as notices_check
from workers.listen import set_going
from workers.noticing import Telling, is_quiet
from workers.queue import ACT, connect, open_queue
from workers.tell import ask_to_tell


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(workspace()) as server:
        yield server


@pytest.fixture
def scene(tmp_path: Path, servers: Servers, slack: FakeSlack) -> Iterator[Scene]:
    with company(tmp_path, servers, slack) as made:
        yield made


def test_not_mine_asks_the_next_owner_and_then_the_admins(
    tmp_path: Path, servers: Servers, slack: FakeSlack, monkeypatch: pytest.MonkeyPatch
) -> None:
    with company(tmp_path, servers, slack, admins=("ben@acme.example",)) as scene:
        scene.change("Tea: Tea is served at 16 hours.", "both/tea.md")
        scene.ask(text="When is tea served?")
        scene.change("Tea: Tea is served at 17 hours.", "both/tea.md")
        monkeypatch.setattr("workers.notify.TOLD", 1)
        scene.tell()
        assert len(scene.told(CLEO)) == 1 and scene.told(DAN) == []
        scene.click("not_mine")
        assert len(scene.told(DAN)) == 1 and "Not yours" in scene.says(CLEO)
        name = scene.values(DAN)[0]
        scene.click("not_mine", user=DAN)
        assert due_notices(scene.space.reader, UNREACHED) == [name]
        assert "served at" in home(scene, BEN) and "notice_right" in home(scene, BEN)
        assert "notice_right" not in home(scene, DAN)
        scene.click("right", user=BEN, value=name)
        assert due_notices(scene.space.reader, UNREACHED) == [] and "notice_right" not in home(scene, BEN)


def home(scene: Scene, user: str) -> str:
    """Somebody's App Home."""
    act.home({"user": user})
    return json.dumps(scene.slack.made("views.publish")[-1]["view"], ensure_ascii=False)


def test_later_is_out_of_the_way_until_the_morning(scene: Scene, slack: FakeSlack) -> None:
    slack.users[CLEO]["tz"] = "America/New_York"
    scene.ask()
    scene.change(f"{PAY.format(350)} This does not apply to interns.")
    scene.tell()
    now = datetime.now(UTC)
    scene.click("later", at=micros(now))
    zone = ZoneInfo("America/New_York")
    morning = datetime.combine(now.astimezone(zone).date() + timedelta(days=1), time(9), tzinfo=zone)
    assert f"Put off until {day(morning, zone)}, 09:00" in scene.says() and scene.values() == []
    assert "notice_right" not in home(scene, CLEO)
    scene.tell()
    assert len(scene.told()) == 1
    wake(scene.space.graph, micros(morning) - 1)
    scene.tell()
    assert len(scene.told()) == 1
    wake(scene.space.graph, micros(morning))
    scene.tell()
    assert len(scene.values()) == 1
    scene.click("right")
    assert scene.values() == [] and scene.standing()[0].doubted_by is None


def test_nobody_but_who_was_told_settles_anything(scene: Scene) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    before = scene.says()
    scene.click("right", user=BEN, value=scene.values()[0])
    scene.click("right", user=BEN, value="nothing")
    assert scene.standing()[0].invalidated_by is not None and scene.says() == before


def test_where_no_owner_can_be_reached_it_stays_due(tmp_path: Path, servers: Servers, slack: FakeSlack) -> None:
    with company(tmp_path, servers, slack, admins=("ben@acme.example",)) as scene:
        scene.change("Tea: Tea is served at 16 hours.", "lost/tea.md")
        scene.ask(text="When is tea served?")
        scene.change("Tea: Tea is served at 17 hours.", "lost/tea.md")
        scene.tell()
        assert [scene.told(user) for user in (ANA, BEN, CLEO, DAN)] == [[]] * 4
        assert len(due_notices(scene.space.reader, UNREACHED)) == 1
        assert "@acme/nobody" in home(scene, BEN) and "@acme/nobody" not in home(scene, CLEO)
        found = notices_check(scene.ready.settings, scene.ready.servers)
        assert found.state is State.FAULT and "of 1 stale answers" in found.says


def test_quiet_hours_are_kept_in_the_owners_zone(tmp_path: Path, servers: Servers, slack: FakeSlack) -> None:
    slack.users[CLEO]["tz"] = "Asia/Tokyo"
    hour = datetime.now(ZoneInfo("Asia/Tokyo")).hour
    with company(tmp_path, servers, slack, quiet_hours=f"{hour}-{(hour + 2) % 24}") as scene:
        scene.ask()
        scene.change(PAY.format(400))
        scene.tell()
        assert scene.told() == [] and len(due_notices(scene.space.reader)) == 1
        assert "Out of date" in scene.posts()[0]
        slack.users[CLEO]["tz"] = "Pacific/Honolulu"
        connect(scene.ready.servers.queue_url).flushall()
        scene.tell()
        assert len(scene.told()) == 1 and due_notices(scene.space.reader) == []


@pytest.mark.parametrize("mark", ["is_restricted", "is_ultra_restricted", "deleted"])
def test_who_is_no_full_member_any_more_keeps_no_words(scene: Scene, mark: str) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    assert QUESTION in scene.says() and "350" in scene.says()
    scene.slack.users[CLEO][mark] = True
    RedisCache(connect(scene.ready.servers.queue_url)).drop(stale_by_person(CLEO))
    rooms.person({"user": CLEO})
    carried_out(scene)
    for word in (QUESTION, ANA, "350", "400", "pay.md"):
        assert word not in scene.says() and word not in home(scene, CLEO)


def test_who_is_put_out_of_a_private_channel_keeps_nothing_that_was_asked_there(scene: Scene) -> None:
    scene.slack.channels[LEADS]["members"].append(CLEO)
    scene.ask(DAN, LEADS)
    scene.change(PAY.format(400))
    scene.tell()
    assert QUESTION in scene.says() and LEADS in scene.says()
    scene.slack.channels[LEADS]["members"].remove(CLEO)
    RedisCache(connect(scene.ready.servers.queue_url)).drop(stale_by_room(LEADS, CLEO))
    rooms.room({"channel": LEADS, "left": CLEO})
    carried_out(scene)
    for word in (QUESTION, DAN, LEADS):
        assert word not in scene.says()
    assert "Asked by 1 person in private" in scene.says()


def carried_out(scene: Scene) -> None:
    """The telling that was queued."""
    [job] = [one for one in open_queue(connect(scene.ready.servers.queue_url), ACT).jobs if "notify" in one.func_name]
    notify.notify(*job.args)


def pass_on(scene: Scene, name: str) -> None:
    set_aside(scene.space.graph, [name], Outcome.NOT_MINE, CLEO, 1_800_000_000_000_000)


def put_off(scene: Scene, name: str) -> None:
    set_aside(scene.space.graph, [name], Outcome.LATER, CLEO, 1_800_000_000_000_000, until=1)
    wake(scene.space.graph, 2)


@pytest.mark.parametrize("said", [pass_on, put_off])
def test_what_an_owner_says_while_others_are_told_is_not_lost(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, said: Callable[[Scene, str], None]
) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    original = notify.hand

    def slow(job: Telling, user: str, ids: list[str]) -> None:
        original(job, user, ids)
        said(scene, ids[0])

    monkeypatch.setattr(notify, "hand", slow)
    scene.tell()
    monkeypatch.undo()
    [name] = due_notices(scene.space.reader)
    scene.tell()
    assert due_notices(scene.space.reader) == []
    assert due_notices(scene.space.reader, UNREACHED) == ([name] if said is pass_on else [])


@pytest.mark.parametrize(
    ("hours", "hour", "quiet"),
    [
        ("22-7", 23, True),
        ("22-7", 6, True),
        ("22-7", 7, False),
        ("9-17", 12, True),
        ("9-17", 17, False),
        (None, 3, False),
    ],
)
def test_hours_that_go_over_midnight(hours: str | None, hour: int, quiet: bool) -> None:
    assert is_quiet(hours, datetime(2026, 3, 1, hour, tzinfo=UTC)) is quiet


def test_switched_off_nobody_is_told(tmp_path: Path, servers: Servers, slack: FakeSlack) -> None:
    with company(tmp_path, servers, slack, notices=False) as scene:
        scene.ask()
        scene.change(PAY.format(400))
        ask_to_tell(scene.space, scene.ready.settings)
        assert open_queue(connect(scene.ready.servers.queue_url), ACT).jobs == []
        scene.tell()
        assert scene.told() == [] and "Out of date" not in scene.posts()[0]


def test_one_notice_that_breaks_down_keeps_no_other_waiting(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.change("Tea: Tea is served at 16 hours.", "both/tea.md")
    scene.ask(text="When is tea served?")
    scene.change("Tea: Tea is served at 17 hours.", "both/tea.md")
    original = notify.draw

    def broken(job: Telling, name: str) -> None:
        if CLEO in name:
            raise ZeroDivisionError(QUESTION)
        original(job, name)

    monkeypatch.setattr(notify, "draw", broken)
    with pytest.raises(Fatal, match=r"^ZeroDivisionError$"):
        scene.tell()
    assert scene.told(CLEO) == [] and len(scene.told(DAN)) == 1 and len(scene.posts()) == 2
    monkeypatch.undo()


def test_after_a_commit_is_read_the_telling_is_queued_and_a_click_comes_in_as_a_job(scene: Scene) -> None:
    queue = open_queue(connect(scene.ready.servers.queue_url), ACT)
    ask_to_tell(scene.space, scene.ready.settings)
    assert queue.jobs == []
    scene.ask()
    scene.change(PAY.format(400))
    ask_to_tell(scene.space, scene.ready.settings)
    assert [job.func_name for job in queue.jobs] == ["workers.notify.notify"]
    set_going(scene.ready)
    set_going(scene.ready)
    assert [job.func_name for job in queue.jobs] == ["workers.notify.notify", "workers.notify.look"]
    for job in queue.jobs:
        module, _, function = job.func_name.rpartition(".")
        getattr(import_module(module), function)(*job.args)
    assert len(scene.told()) == 1
