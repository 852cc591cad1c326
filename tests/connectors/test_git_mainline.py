"""The mainline of a repository, and where a commit landed on it."""

from pathlib import Path

import pytest

from assistant.errors import UserFacing
from connectors.git import GitRepository
from tests.fakes.git_history import History

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo.git")


def opened(history: History, tmp_path: Path, **options: str) -> GitRepository:
    return GitRepository(history.write(), cache=tmp_path / "cache", ref=options.get("ref"))


def test_first_parents_oldest_first_and_the_landing_of_a_side_commit(history: History, tmp_path: Path) -> None:
    one = history.commit({"a.md": "a"})
    side = history.commit({"b.md": "b"}, branch="side", parent=one)
    two = history.commit({"a.md": "aa"})
    merge = history.commit({}, "Merge pull request #3 from x", merge=side)
    three = history.commit({"c.md": "c"})
    repo = opened(history, tmp_path)
    assert repo.mainline == tuple(history.sha(n) for n in (one, two, merge, three))
    assert repo.landing(history.sha(side)) == history.sha(merge)
    assert repo.landing(history.sha(two)[:10]) == history.sha(two)
    assert repo.landing("main~1") == history.sha(merge)


@pytest.mark.parametrize("unknown", ["0" * 40, "nonsense", "--all", "HEAD^{tree}", "a\0b", "a\nb", ""])
def test_landing_of_what_is_no_commit_here(history: History, tmp_path: Path, unknown: str) -> None:
    history.commit({"a.md": "a"})
    with pytest.raises(UserFacing, match="no commit in the history of main"):
        opened(history, tmp_path).landing(unknown)


def test_a_commit_off_the_branch_does_not_land(history: History, tmp_path: Path) -> None:
    history.commit({"a.md": "a"})
    off = history.commit({"b.md": "b"}, branch="off", parent=1)
    repo = opened(history, tmp_path)
    with pytest.raises(UserFacing):
        repo.landing(history.sha(off))


def test_a_merge_of_unrelated_histories_goes_on_along_the_larger_one(history: History, tmp_path: Path) -> None:
    small = history.commit({"new.md": "n"})
    big = history.commit({"a.md": "a", "b.md": "b", "c.md": "c"}, branch="old", orphan=True)
    bigger = history.commit({"d.md": "d"}, branch="old")
    merge = history.commit({}, "Merge old", parent=small, merge=bigger)
    repo = opened(history, tmp_path)
    assert repo.mainline == tuple(history.sha(n) for n in (big, bigger, merge))
    assert repo.landing(history.sha(small)) == history.sha(merge)
    first, *_ = repo.revisions()
    assert [page.new_path for page in first.pages] == ["a.md", "b.md", "c.md"]


def test_a_smaller_unrelated_history_is_not_followed(history: History, tmp_path: Path) -> None:
    one = history.commit({"a.md": "a", "b.md": "b"})
    stray = history.commit({"x.md": "x"}, branch="stray", orphan=True)
    merge = history.commit({"x.md": "x"}, parent=one, merge=stray)
    assert opened(history, tmp_path).mainline == (history.sha(one), history.sha(merge))


def test_a_related_side_branch_is_never_the_mainline_however_large(history: History, tmp_path: Path) -> None:
    one = history.commit({"a.md": "a"})
    history.commit({"z.md": "z"}, branch="other-root", orphan=True)
    side = history.commit({f"{n}.md": "x" for n in range(9)}, branch="side", parent=one)
    merge = history.commit({}, parent=one, merge=side)
    tip = history.commit({}, parent=merge, merge=2)
    assert opened(history, tmp_path).mainline == tuple(history.sha(n) for n in (one, merge, tip))


def test_mainline_of_a_real_handbook_whose_histories_were_joined(tmp_path: Path) -> None:
    bundle = SHARED / "data/repos/sourcegraph-handbook-md.bundle"
    if not bundle.exists():
        pytest.skip("needs the shared handbooks beside the checkout")
    repo = GitRepository(bundle, cache=tmp_path / "cache")
    assert len(repo.mainline) == 10_761
    assert repo.mainline[-1] == repo.tip
    assert len(set(repo.mainline)) == 10_761
