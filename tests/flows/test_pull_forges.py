"""GitHub and GitLab, from their webhooks and polls into the graph."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from assistant.errors import Retry
from assistant.graph.servers.embedded import Servers
from tests.fakes import github as at_github
from tests.fakes import gitlab as at_gitlab
from tests.fakes.github import REPOSITORY, FakeGitHub
from tests.fakes.gitlab import PROJECT, FakeGitLab
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers.pull import forges, rounds
from workers.queue import INGEST, Work, enqueue


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with at_github.running(FakeGitHub()) as made:
        yield made


@pytest.fixture
def gitlab() -> Iterator[FakeGitLab]:
    with at_gitlab.running(FakeGitLab()) as made:
        yield made


@pytest.fixture
def desk(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, github: FakeGitHub, gitlab: FakeGitLab
) -> Iterator[Desk]:
    given = {**github.settings(), **gitlab.settings()}
    with pulling.desk(servers, tmp_path, monkeypatch, **given) as made:
        yield made


def told(number: int, kind: str = "issues", **more: object) -> dict[str, object]:
    return {"forge": "github", "repository": REPOSITORY, "kind": kind, "number": number, **more}


def test_what_an_event_names_is_read_as_a_whole_and_kept_up_to_date(desk: Desk, github: FakeGitHub) -> None:
    number = github.opens("Trial", "Is it 10 or 25 seats?", pull=True)
    first = github.comments_on(number, "25 it is.")
    github.reviews_of(number, "Agreed.")
    for _ in range(2):
        forges.discussed(told(number, "pulls"))
        name = f"github:{REPOSITORY}#{number}"
        assert desk.said(name) == ["Is it 10 or 25 seats?", "25 it is.", "Agreed."]
    first |= {"body": "30 it is.", "updated_at": github.tick()}
    forges.discussed(told(number, "pulls"))
    assert desk.said(name) == ["Is it 10 or 25 seats?", "30 it is.", "Agreed."]


def test_a_deleted_comment_takes_its_words_with_it_and_a_deleted_issue_all(desk: Desk, github: FakeGitHub) -> None:
    number = github.opens("Trial", "Is it 10 or 25 seats?")
    github.comments_on(number, "xylophone seats")
    name = f"github:{REPOSITORY}#{number}"
    forges.discussed(told(number))
    assert desk.said(name)[1:] == ["xylophone seats"]
    github.comments[number] = []
    forges.discussed(told(number))
    assert desk.said(name) == ["Is it 10 or 25 seats?"]
    del github.issues[number]
    forges.discussed(told(number))
    assert desk.said(name), "that it cannot be read does not say that it was deleted"
    forges.discussed(told(number, gone=True))
    assert desk.said(name) == []


def test_what_a_list_left_out_is_not_taken_for_deleted(desk: Desk, github: FakeGitHub) -> None:
    number = github.opens("Trial", "Is it 10 or 25 seats?")
    kept = github.comments_on(number, "25 it is.")
    name = f"github:{REPOSITORY}#{number}"
    forges.discussed(told(number))
    github.comments[number] = []
    github.comments[0] = [kept]  # a copy of GitHub's that lags behind lists it not, though it stands
    forges.discussed(told(number))
    assert desk.said(name) == ["Is it 10 or 25 seats?", "25 it is."]
    github.comments[number] = github.comments.pop(0)
    forges.discussed(told(number))
    assert desk.said(name) == ["Is it 10 or 25 seats?", "25 it is."]


def test_one_at_a_time_reads_a_repository(desk: Desk, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    number = github.opens("Trial", "Is it 10?")
    monkeypatch.setattr("workers.ledger.PATIENCE", 0.2)
    with forges.alone(desk.queue, "github", REPOSITORY.upper()):
        with pytest.raises(Retry, match="another worker"):
            forges.discussed(told(number))
        with pytest.raises(Retry, match="another worker"):
            forges.poll("github", REPOSITORY)
    assert desk.talks() == {}
    forges.discussed(told(number))
    assert len(desk.talks()) == 1


@pytest.mark.parametrize("way", ["poll", "event"])
def test_a_past_that_takes_long_to_read_is_read_and_kept_from_others(
    desk: Desk, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr("workers.ledger.HELD", 1)
    for n in range(4):
        github.opens(f"Trial {n}", f"Is it {n}?")
    github.page, github.latency = 1, 0.6
    seen: list[object] = []
    late = Timer(2.0, lambda: seen.append(desk.queue.exists(f"brain:hold:read/github:{REPOSITORY}")))
    late.start()
    for n in range(3):
        github.comments_on(1, f"No, {n}.")
    forges.poll("github", REPOSITORY) if way == "poll" else forges.discussed(told(1))
    late.join()
    assert seen == [1], "whoever comes meanwhile waits"
    assert desk.said(f"github:{REPOSITORY}#1") == ["Is it 0?", "No, 0.", "No, 1.", "No, 2."]
    assert not desk.queue.exists(f"brain:hold:read/github:{REPOSITORY}")


@pytest.mark.parametrize("way", ["poll", "event"])
def test_what_was_read_while_somebody_else_came_in_is_not_written(desk: Desk, github: FakeGitHub, way: str) -> None:
    github.opens("Trial", "Is it 10?")
    github.latency = 0.3
    name = f"brain:hold:read/github:{REPOSITORY}"
    frozen = Timer(0.2, lambda: desk.queue.set(name, "elsewhere 1 x", ex=60))
    frozen.start()
    with pytest.raises(Retry, match="another worker"):
        forges.poll("github", REPOSITORY) if way == "poll" else forges.discussed(told(1))
    frozen.join()
    assert desk.talks() == {}
    assert desk.queue.get(name) == b"elsewhere 1 x", "theirs is left alone"


def test_a_poll_finds_what_no_event_told_of_and_asks_for_news_only(desk: Desk, github: FakeGitHub) -> None:
    numbers = [github.opens(f"Trial {n}", f"Is it {n}?") for n in range(45)]
    rounds.round_of({"source": f"github {REPOSITORY}"})
    assert len(desk.talks()) == forges.AT_ONCE, "others may have the worker in between"
    desk.work()
    assert len(desk.talks()) == 45
    forges.poll("github", REPOSITORY)
    github.calls.clear()
    forges.poll("github", REPOSITORY)
    forges.poll("github", REPOSITORY)
    assert github.unchanged >= 3
    wholes = [call for call in github.calls if f"/issues/{numbers[0]}" in call]
    assert wholes == []
    github.comments_on(numbers[3], "Yes, 3.")
    number = github.discusses("Which?", "Ten?", ("25.",))
    forges.poll("github", REPOSITORY)
    assert desk.said(f"github:{REPOSITORY}#{numbers[3]}") == ["Is it 3?", "Yes, 3."]
    assert desk.said(f"github:{REPOSITORY}#{number}") == ["Ten?", "25.", "Re: 25."]


def test_a_poll_that_is_broken_off_goes_on_where_it_was(desk: Desk, gitlab: FakeGitLab) -> None:
    """Its process is killed when a part is kept, and that it is has not been noted; what it held lets others in."""
    for n in range(2 * forges.AT_ONCE + 5):
        gitlab.opens("issues", f"Trial {n}", f"Is it {n}?")
    assert forges.poll("gitlab", PROJECT)
    child = os.fork()
    if child == 0:
        kept = forges.keep_whole

        def killed(*given: Any) -> None:
            kept(*given)
            os.kill(os.getpid(), signal.SIGKILL)

        forges.keep_whole = killed
        try:
            forges.poll("gitlab", PROJECT)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert len(desk.talks()) == 2 * forges.AT_ONCE
    gitlab.calls.clear()
    while forges.poll("gitlab", PROJECT):
        continue
    assert len(desk.talks()) == 2 * forges.AT_ONCE + 5
    assert len([call for call in gitlab.calls if "/notes" in call]) == forges.AT_ONCE + 5


def test_a_round_queues_the_next_before_it_begins_and_a_limit_is_for_the_next(desk: Desk, github: FakeGitHub) -> None:
    github.opens("Trial", "Is it 10?")
    rounds.begin(desk.queue, desk.settings)
    rounds.begin(desk.queue, desk.settings)
    github.limited = 1
    desk.work()
    assert desk.failed() == []
    assert desk.talks() == {}
    waiting = [name.rpartition("/")[0] for name in desk.put_off()]
    assert sorted(waiting) == [f"poll/github {REPOSITORY}", f"poll/gitlab {PROJECT}"]
    desk.come_due()
    desk.work()
    assert desk.said(f"github:{REPOSITORY}#1") == ["Is it 10?"]


def test_a_job_waits_as_long_as_the_source_says(desk: Desk, github: FakeGitHub) -> None:
    github.opens("Trial", "Is it 10?")
    github.limited = 2
    enqueue(desk.queue, Work(INGEST, "workers.pull.forges.discussed", "said/github/1", told(1)))
    desk.work()
    assert desk.put_off() == ["said/github/1 again 1"]
    desk.come_due()
    desk.work()
    assert desk.put_off() == ["said/github/1 again 2"]
    desk.come_due()
    desk.work()
    assert desk.put_off() == desk.failed() == []
    assert desk.said(f"github:{REPOSITORY}#1") == ["Is it 10?"]


def test_a_wrong_token_fails_once_and_says_what_to_do(
    servers: Servers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    github: FakeGitHub,
    capfd: pytest.CaptureFixture[str],
) -> None:
    given = {**github.settings(), "github_token": "other"}
    with pulling.desk(servers, tmp_path, monkeypatch, **given) as desk:
        enqueue(desk.queue, Work(INGEST, "workers.pull.forges.discussed", "said/github/1", told(1)))
        desk.work()
        assert len(desk.failed()) == 1
        assert desk.put_off() == []
    assert "GITHUB_TOKEN" in capfd.readouterr().out
