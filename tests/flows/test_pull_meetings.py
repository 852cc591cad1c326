"""Google Meet and Teams, from their polls and `brain pull` into the graph."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import Retry, UserFacing
from assistant.graph.people import GraphMembers
from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import open_space
from assistant.settings import Settings, environment_name
from tests.fakes import github as at_github
from tests.fakes import graph as at_microsoft
from tests.fakes import meet as at_google
from tests.fakes import zoom as at_zoom
from tests.fakes.github import FakeGitHub
from tests.fakes.graph import FakeGraph
from tests.fakes.meet import FakeMeet
from tests.fakes.zoom import FakeZoom
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers.cache import RedisCache
from workers.cli import pull
from workers.pull import meetings, rounds, turns

TALK = (("ada", "The trial starts at 25 seats."), ("grace", "Agreed."))


def hours_ago(hours: float) -> str:
    return (datetime.now(UTC) - timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def google() -> Iterator[FakeMeet]:
    with at_google.running(FakeMeet()) as made:
        yield made


@pytest.fixture
def microsoft() -> Iterator[FakeGraph]:
    with at_microsoft.running(FakeGraph()) as made:
        yield made


@pytest.fixture
def desk(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, google: FakeMeet, microsoft: FakeGraph
) -> Iterator[Desk]:
    with pulling.desk(servers, tmp_path, monkeypatch, **google.settings(), **microsoft.settings()) as made:
        yield made


def test_rounds_take_meetings_in_once_for_those_who_took_part(
    desk: Desk, google: FakeMeet, microsoft: FakeGraph
) -> None:
    google.met("c1", hours_ago(3), TALK)
    microsoft.met("m1", hours_ago(3))
    assert rounds.sources(desk.settings) == ["meet", "teams"]
    rounds.begin(desk.queue, desk.settings)
    desk.work()
    assert desk.said("meet:c1") == ["The trial starts at 25 seats.", "Agreed."]
    [name] = [one for one in desk.talks() if one.startswith("teams:")]
    assert desk.said(name) == ["The trial starts at 25 seats.", "Agreed."]
    members = GraphMembers(desk.space.reader)
    assert {name, "meet:c1"} <= members.channels_of("grace@acme.example")
    assert not members.channels_of("eve@acme.example")
    read = len([call for call in [*google.calls, *microsoft.calls] if "entries" in call or "content" in call])
    for one in ("meet", "teams"):
        meetings.poll(one)
    assert len([call for call in [*google.calls, *microsoft.calls] if "entries" in call or "content" in call]) == read
    assert desk.failed() == []


def test_a_transcript_that_comes_late_is_taken_in_one_that_never_comes_is_left(desk: Desk, google: FakeMeet) -> None:
    late = google.met("late", hours_ago(3), TALK, state="STARTED")
    google.met("never", hours_ago(30), None)
    meetings.poll("meet")
    assert desk.talks() == {}
    google.transcripts[late][0]["state"] = "FILE_GENERATED"
    google.calls.clear()
    assert 0 < desk.queue.ttl(f"brain:pull:meet:{late}") <= meetings.AGAIN
    desk.queue.delete(f"brain:pull:meet:{late}")
    meetings.poll("meet")
    assert list(desk.talks()) == ["meet:late"]
    assert not [call for call in google.calls if "never/transcripts" in call]


def test_meetings_without_words_keep_no_other_from_being_taken_in(desk: Desk, google: FakeMeet) -> None:
    for n in range(turns.AT_ONCE + 2):
        google.met(f"silent{n}", hours_ago(20 - n / 10), None)
    google.met("spoken", hours_ago(1), TALK)
    rounds.round_of({"source": "meet"})
    desk.work()
    assert list(desk.talks()) == ["meet:spoken"]


@pytest.mark.parametrize("status", [403, 404, 500])
def test_many_that_fail_keep_none_behind_them_from_being_taken_in(
    desk: Desk, google: FakeMeet, microsoft: FakeGraph, status: int
) -> None:
    for n in range(turns.AT_ONCE + 2):
        google.met(f"bad{n:02d}", hours_ago(20 - n / 10), TALK)
        google.broken[f"conferenceRecords/bad{n:02d}"] = status
        microsoft.met(f"bad{n:02d}", hours_ago(20 - n / 10))
        microsoft.broken[f"MSMjMCMj_bad{n:02d}"] = status
    google.met("good", hours_ago(1), TALK)
    microsoft.met("good", hours_ago(1))
    for source in ("meet", "teams"):
        rounds.round_of({"source": source})
    desk.work()
    assert sorted(one.partition(":")[0] for one in desk.talks()) == ["meet", "teams"]
    assert desk.failed() == []


def test_what_comes_after_is_owed_until_it_went_well(desk: Desk) -> None:
    done: list[str] = []

    def do(one: str) -> bool:
        if one == "kill":
            raise KeyboardInterrupt
        return one == "new"

    def busy() -> None:
        raise Retry("somebody else writes")

    def turn(*names: str, after: Callable[[], None] = lambda: done.append("judged")) -> bool:
        return turns.one_by_one(desk.queue, "any", dict(zip(names, names, strict=True)), do, after)

    assert not turn("old")
    assert done == [], "nothing was done"
    with pytest.raises(KeyboardInterrupt):
        turn("new", "kill", after=lambda: None)
    with pytest.raises(Retry):
        turn("new", after=busy)
    assert not turn("old")
    assert not turn()
    assert done == ["judged"], "once, by the next turn"


def test_a_fill_that_is_broken_off_goes_on_where_it_was(
    desk: Desk, google: FakeMeet, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(turns.AT_ONCE + 3):
        google.met(f"c{n}", f"2026-03-{n + 1:02d}T10:00:00Z", TALK)
    cloud = meetings.CLOUDS["meet"](desk.settings, RedisCache(desk.queue))

    def killed(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meetings.fill(desk.space, cloud, desk.queue, killed)  # type: ignore[arg-type]
    assert len(desk.talks()) == turns.AT_ONCE
    google.calls.clear()
    assert meetings.fill(desk.space, cloud, desk.queue, print) == 3  # type: ignore[arg-type]
    assert len(desk.talks()) == turns.AT_ONCE + 3
    assert len([call for call in google.calls if "/entries" in call]) == 3


def brain(home: Path, given: dict[str, Any], *words: str) -> subprocess.CompletedProcess[str]:
    told = {environment_name(name): " ".join(v) if isinstance(v, tuple) else str(v) for name, v in given.items()}
    command = [sys.executable, "-m", "workers.cli", *words, "--home", str(home)]
    environment = {**os.environ, **told, "BRAIN_CACHE": str(home / "cache")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def test_the_command_reads_months_of_zoom_on_from_where_it_stopped(tmp_path: Path) -> None:
    home = tmp_path / "home"
    settings = Settings(home=home, cache=home / "cache")
    servers = embedded.ensure(settings)
    try:
        with at_zoom.running(FakeZoom()) as zoom:
            for n in range(7):
                zoom.records(f"m{n}==", f"2026-0{n + 1}-03T10:00:00Z")
            first = brain(home, zoom.settings(), "pull", "zoom", "--since", "2026-03-01")
            assert (first.returncode, first.stderr.splitlines()[-1]) == (0, "Meetings read: 5."), first.stderr
            zoom.records("new==", "2026-08-03T10:00:00Z")
            again = brain(home, zoom.settings(), "pull", "zoom", "--since", "2026-03-01")
            assert again.stderr.splitlines()[-1] == "Meetings read: 1."
        with open_space(settings, servers=servers) as space:
            assert len(space.reader.rows(pulling.ALL)) == 6
    finally:
        embedded.stop(servers)


@pytest.mark.parametrize(
    ("name", "missing"), [("zoom", "ZOOM_ACCOUNT_ID"), ("meet", "GOOGLE_CLIENT_ID"), ("teams", "MICROSOFT_TENANT_ID")]
)
def test_the_command_says_which_keys_are_missing(desk: Desk, name: str, missing: str) -> None:
    with pytest.raises(UserFacing, match=missing):
        pull.meetings(desk.space, desk.queue, Settings(home=desk.settings.home), name, None)


@pytest.mark.parametrize(("name", "missing"), [("github", "GITHUB_REPOSITORIES"), ("gitlab", "GITLAB_PROJECTS")])
def test_the_command_says_that_nothing_is_followed(desk: Desk, name: str, missing: str) -> None:
    with pytest.raises(UserFacing, match=missing):
        pull.discussions(desk.space, desk.queue, desk.settings, name)


def test_the_command_reads_all_discussions_in_turns(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        at_github.running(FakeGitHub()) as github,
        pulling.desk(servers, tmp_path, monkeypatch, **github.settings()) as desk,
    ):
        for n in range(45):
            github.opens(f"Trial {n}", f"Is it {n}?")
        assert pull.discussions(desk.space, desk.queue, desk.settings, "github") == 45
        assert pull.discussions(desk.space, desk.queue, desk.settings, "github") == 0
