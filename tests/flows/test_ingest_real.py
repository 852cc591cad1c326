"""A real handbook's history, held against git itself: texts verbatim, no gap and no overlap, everything current."""

import itertools
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.store import Query
from assistant.model.times import FOREVER
from assistant.settings import Settings
from assistant.text.markdown import decode
from connectors.git.program import command, environment
from tests.fakes.handbook import SUPERSEDES, VERSIONS, Handbook, another_space

SLICE = Path(__file__).parents[3] / "shared/data/repos/sourcegraph-slice.bundle"
pytestmark = pytest.mark.skipif(not SLICE.exists(), reason="needs the shared handbooks beside the checkout")

TOKENS = Query("test_real.tokens", "MATCH (s:Section) RETURN s.tokens AS tokens, s.text AS text")
COMMITS = Query("test_real.commits", "MATCH (c:Commit) RETURN c.sha AS sha, c.at AS at ORDER BY c.at")


@pytest.fixture(scope="module")
def handbook(
    tmp_path_factory: pytest.TempPathFactory, shared_settings: Settings, servers: Servers
) -> Iterator[Handbook]:
    """The slice, ingested once."""
    with another_space(shared_settings, servers) as space:
        handbook = Handbook(space, tmp_path_factory.mktemp("slice"))
        report = handbook.ingest(path=SLICE, subdir="content")
        assert report.commits == 294
        yield handbook


@pytest.fixture(scope="module")
def clone(handbook: Handbook) -> Path:
    [clone] = (handbook.folder / "cache").glob("*/*.git")
    return clone


def show(clone: Path, commit: str, path: str) -> str:
    done = subprocess.run(
        command(["show", f"{commit}:{path}"], clone), env=environment(), capture_output=True, check=True
    )
    return decode(done.stdout) or ""


def test_every_version_is_verbatim_in_its_commits_file(handbook: Handbook, clone: Path) -> None:
    rows = handbook.rows(VERSIONS)
    assert len(rows) > 700
    for row in rows[::7]:
        assert row["text"] in show(clone, row["commit"], row["path"])


def test_what_is_current_is_the_tip_of_the_repository(handbook: Handbook, clone: Path) -> None:
    listed = subprocess.run(
        command(["ls-tree", "-r", "-z", "--name-only", "HEAD"], clone),
        env=environment(),
        capture_output=True,
        check=True,
    )
    paths = [
        path for path in listed.stdout.decode().split("\0") if path.startswith("content/") and path.endswith(".md")
    ]
    assert handbook.current() == {path: text for path in paths if (text := show(clone, "HEAD", path))}


@pytest.mark.parametrize("back", [40, 150, 250])
def test_any_day_of_the_past_can_be_put_together(handbook: Handbook, clone: Path, back: int) -> None:
    commit = handbook.rows(COMMITS)[-back]
    pages: dict[str, str] = defaultdict(str)
    for row in sorted(handbook.rows(VERSIONS), key=lambda row: (row["path"], row["position"])):
        if row["valid_from"] <= commit["at"] < row["valid_to"]:
            pages[row["path"]] += row["text"]
    assert len(pages) > 3
    for path, text in pages.items():
        assert text == show(clone, commit["sha"], path)


def test_versions_of_a_lineage_follow_each_other_without_gap_or_overlap(handbook: Handbook) -> None:
    lineages: dict[str, list[dict[str, object]]] = defaultdict(list)
    for row in handbook.rows(VERSIONS):
        lineages[row["lineage"]].append(row)
    supersedes = {(row["new"], row["old"]) for row in handbook.rows(SUPERSEDES)}
    chained = 0
    for rows in lineages.values():
        assert rows[0]["change"] == "added"
        for old, new in itertools.pairwise(rows):
            assert old["valid_to"] == new["valid_from"]
            assert (new["id"], old["id"]) in supersedes
            chained += 1
    assert len(supersedes) == chained > 300


def test_times_rise_strictly_along_the_mainline(handbook: Handbook) -> None:
    times = [row["at"] for row in handbook.rows(COMMITS)]
    assert all(before < after < FOREVER for before, after in itertools.pairwise(times))


def test_the_whole_thing_again_in_parts_and_twice(
    handbook: Handbook, clone: Path, shared_settings: Settings, servers: Servers
) -> None:
    shas = [row["sha"] for row in handbook.rows(COMMITS)]
    with another_space(shared_settings, servers) as space:
        parts = Handbook(space, handbook.folder)
        for sha in (shas[0], shas[10], shas[11], shas[200], shas[-1]):
            parts.ingest(path=SLICE, subdir="content", until=sha)
        assert parts.dump() == handbook.dump()
        assert parts.ingest(path=SLICE, subdir="content").commits == 0
        assert parts.dump() == handbook.dump()


def test_every_version_can_be_searched(handbook: Handbook) -> None:
    rows = handbook.rows(TOKENS)
    assert sum(1 for row in rows if row["tokens"]) > 0.9 * len(rows)
    assert not any("  " in row["tokens"] for row in rows)
