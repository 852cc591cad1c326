"""Runs that die: at every single write in turn, and by kill -9 at any moment; the next one ends in the same graph."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import Retry
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import list_sources, save_source
from assistant.graph.space import Space
from assistant.graph.store import Graph, Query
from assistant.settings import Settings
from tests.fakes.git_history import Content
from tests.fakes.handbook import Handbook, another_space, page
from workers import ingest

RULE = "Rule {n} of the handbook says that {k} of them are allowed, and that nobody may ask for more than that."

RUN = """
import sys
from pathlib import Path
from assistant.graph.space import open_space
from assistant.settings import Settings
from connectors.git import GitRepository
from workers import ingest
home, name, path, cache, long = sys.argv[1:]
ingest.WINDOW, ingest.LONG = 20, int(long)
with open_space(Settings(home=Path(home), cache=Path(cache)), name=name) as space:
    repo = GitRepository(Path(path), cache=Path(cache))
    print("started", flush=True)
    ingest.ingest_git(space, repo)
"""
HERE, APART = 1000, 1
"""From how many commits on a process of its own writes."""


@pytest.fixture
def handbook(space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Handbook:
    """A history in which pages are edited, moved, emptied, removed and brought back."""
    monkeypatch.setattr(ingest, "WINDOW", 20)
    handbook = Handbook(space, tmp_path)
    chance = random.Random(7)
    for n in range(60):
        files: dict[str | bytes, Content] = {}
        for path in chance.sample(["a.md", "b.md", "c/d.md", "c/e.md"], 2):
            words = page(*(f"S{k}: {RULE.format(n=k, k=chance.randrange(3))}" for k in range(chance.randrange(5))))
            files[path] = None if chance.random() < 0.1 else words
        if n % 7 == 0:
            files["CODEOWNERS"] = f"* @team{n}"
        handbook.commit(files, f"Edit (#{n // 2})", author=f"A{n % 3} <a{n % 3}@example.com>")
    handbook.history.write()
    return handbook


@pytest.fixture
def undisturbed(handbook: Handbook, shared_settings: Settings, servers: Servers) -> list[str]:
    """The dump of a run that nothing happened to."""
    with another_space(shared_settings, servers) as space:
        other = Handbook(space, handbook.folder / "undisturbed")
        other.ingest(path=handbook.history.folder)
        return other.dump()


class Killed(BaseException):
    """What a run dies of here: nothing catches it."""


def ingest_dying(handbook: Handbook, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> int:
    """Runs again and again, each run dying one write later than the one before; how many it took to live."""
    write, writes, deaths = Graph.write, 0, 0

    def dying(self: Graph, query: Query, **params: Any) -> list[dict[str, Any]]:
        nonlocal writes
        writes += 1
        if writes == deaths and not after:
            raise Killed
        rows = write(self, query, **params)
        if writes == deaths:
            raise Killed
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(Graph, "write", dying)
        while True:
            deaths, writes = deaths + 1, 0
            try:
                handbook.ingest()
                return deaths
            except Killed:
                continue


@pytest.mark.parametrize("after", [False, True], ids=["before the write", "after the write"])
def test_dying_at_every_write_in_turn(
    handbook: Handbook, undisturbed: list[str], monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    assert ingest_dying(handbook, monkeypatch, after=after) > 20
    assert handbook.dump() == undisturbed


@pytest.mark.parametrize("after", [False, True], ids=["before the write", "after the write"])
def test_dying_while_a_rewritten_history_is_taken_back(
    handbook: Handbook,
    shared_settings: Settings,
    servers: Servers,
    monkeypatch: pytest.MonkeyPatch,
    after: bool,
) -> None:
    handbook.ingest()
    handbook.commit({"a.md": page("New: The history goes on from here.")}, "Rewritten (#99)", parent=20)
    handbook.history.write()
    assert ingest_dying(handbook, monkeypatch, after=after) > 10
    with another_space(shared_settings, servers) as space:
        fresh = Handbook(space, handbook.folder / "fresh")
        fresh.ingest(path=handbook.history.folder)
        assert handbook.dump() == fresh.dump()


@pytest.mark.parametrize("long", [HERE, APART], ids=["writing here", "writing apart"])
@pytest.mark.parametrize("seed", range(4))
def test_kill_9_at_any_moment(
    handbook: Handbook, undisturbed: list[str], shared_settings: Settings, tmp_path: Path, seed: int, long: int
) -> None:
    chance = random.Random(seed)
    name = handbook.space.name
    words = [str(shared_settings.home), name, str(handbook.history.folder), str(tmp_path / "cache"), str(long)]
    for _ in range(2):
        run = subprocess.Popen(
            [sys.executable, "-c", RUN, *words], stdout=subprocess.PIPE, cwd=Path(ingest.__file__).parents[1]
        )
        assert run.stdout
        with run.stdout:
            assert run.stdout.readline() == b"started\n"
            try:
                run.wait(chance.uniform(0, 0.4 if long == HERE else 1.2))
            except subprocess.TimeoutExpired:
                os.kill(run.pid, signal.SIGKILL)
                run.wait()
    handbook.ingest()
    assert handbook.dump() == undisturbed


def test_a_process_apart_writes_the_same(
    handbook: Handbook, undisturbed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "LONG", APART)
    handbook.ingest()
    assert handbook.dump() == undisturbed


def test_a_writing_process_that_dies_ends_the_run_and_the_next_one_heals_it(
    handbook: Handbook, undisturbed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "LONG", APART)

    def kill(done: int, _: int) -> None:
        if done > 20:
            for child in multiprocessing.active_children():
                child.kill()

    with pytest.raises(Retry, match="died"):
        handbook.ingest(progress=kill)
    handbook.ingest()
    assert handbook.dump() == undisturbed


def test_what_goes_wrong_over_there_is_raised_here(handbook: Handbook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "LONG", APART)

    def fence(done: int, _: int) -> None:
        if done > 20:
            [source] = list_sources(handbook.space.reader)
            save_source(handbook.space.graph, source, 10**6)

    with pytest.raises(Retry, match="gives way"):
        handbook.ingest(progress=fence)
    assert multiprocessing.active_children() == []
