"""One writer at a time: the lock, what ends it, and the fence that stops a run which slept through its end."""

import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import Retry
from assistant.graph.sources import list_sources, rewind, save_source
from assistant.graph.space import Space
from assistant.graph.writing import writer
from assistant.graph.writing.owner_override import override_owner_files
from assistant.graph.writing.undo import undo_beyond
from assistant.graph.writing.writer import sole_writer
from connectors.git import GitRepository
from tests.fakes.handbook import Handbook
from workers import ingest


def holder(space: Space) -> str | None:
    """Who has the lock."""
    found: str | None = space.graph.command("GET", f"{space.graph.name}:writer")
    return found


def test_the_lock_is_given_back_also_after_an_error(space: Space) -> None:
    with pytest.raises(ZeroDivisionError), sole_writer(space.graph):
        assert holder(space)
        raise ZeroDivisionError
    assert holder(space) is None


def test_each_run_has_a_higher_fence(space: Space) -> None:
    with sole_writer(space.graph) as first:
        pass
    with sole_writer(space.graph) as second:
        assert second > first


def test_the_lock_of_a_dead_process_of_this_machine_is_taken_over(space: Space) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with sole_writer(space.graph):
        mine = holder(space)
    assert mine
    host = mine.split()[0]
    space.graph.command("SET", f"{space.graph.name}:writer", f"{host} {gone.pid} x", "PX", 30_000)
    with sole_writer(space.graph):
        assert holder(space) != f"{host} {gone.pid} x"


def test_the_lock_of_another_machine_holds_until_it_ends(space: Space) -> None:
    space.graph.command("SET", f"{space.graph.name}:writer", "elsewhere 1 x", "PX", 30_000)
    with pytest.raises(Retry, match="process 1 on elsewhere is filling"), sole_writer(space.graph):
        pass
    space.graph.command("PEXPIREAT", f"{space.graph.name}:writer", 1)
    with sole_writer(space.graph):
        assert holder(space)


def test_a_lock_is_renewed_while_its_run_lasts(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LIFE", 0.3)
    with sole_writer(space.graph):
        mine = holder(space)
        subprocess.run([sys.executable, "-c", "import time; time.sleep(0.8)"], check=True)
        assert holder(space) == mine


def test_a_run_that_slept_through_the_end_of_its_lock_writes_nothing_more(
    space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handbook = Handbook(space, tmp_path)
    for n in range(6):
        handbook.commit({"a.md": f"# A\n\nNumber {n} of the texts that stand here.\n"}, f"Edit (#{n})")
    handbook.history.write()
    monkeypatch.setattr(ingest, "WINDOW", 2)
    revisions = GitRepository.revisions

    def overtaken(self: GitRepository, after: str | None = None, until: str | None = None):  # type: ignore[no-untyped-def]
        for n, revision in enumerate(revisions(self, after, until)):
            if n == 3:
                monkeypatch.setattr(GitRepository, "revisions", revisions)
                space.graph.command("DEL", f"{space.graph.name}:writer")
                assert handbook.ingest().cursor == handbook.history.sha(6)
                self.dump = handbook.dump()  # type: ignore[attr-defined]
            yield revision

    monkeypatch.setattr(GitRepository, "revisions", overtaken)
    repo = GitRepository(handbook.history.folder, cache=tmp_path / "cache")
    with pytest.raises(Retry, match="another process has begun to fill this source"):
        ingest.ingest_git(space, repo)
    assert handbook.dump() == repo.dump  # type: ignore[attr-defined]


def test_such_a_run_neither_undoes_nor_renames_nor_hides_anything_either(space: Space, tmp_path: Path) -> None:
    handbook = Handbook(space, tmp_path)
    for n in range(3):
        handbook.commit({"a.md": f"# A\n\nNumber {n} of the texts that stand here.\n"})
    handbook.ingest()
    [later] = list_sources(space.reader)
    slept = replace(later, head=None, cursor=None, audience="channel:C9")
    fence = space.graph.command("GET", f"{space.graph.name}:fence")
    handbook.ingest()
    before = handbook.dump()
    writes = (
        lambda: save_source(space.graph, slept, int(fence)),
        lambda: undo_beyond(space.graph, slept, int(fence)),
        lambda: override_owner_files(space.graph, slept, int(fence), "* @nobody"),
        lambda: rewind(space.graph, slept, int(fence), None, None),
    )
    for write in writes:
        with suppress(Retry):
            write()
        assert handbook.dump() == before
