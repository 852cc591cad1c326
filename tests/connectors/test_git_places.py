"""Where a repository may lie, what is said when it cannot be read, and that reading it never runs anything of it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assistant.errors import UserFacing
from connectors.git import GitRepository
from connectors.git.program import command, environment
from tests.fakes.git_history import History, git


@pytest.fixture
def history(tmp_path: Path) -> History:
    history = History(tmp_path / "repo.git")
    history.commit({"a.md": "one"})
    history.commit({"a.md": "two"})
    history.write()
    return history


def texts(path: Path, tmp_path: Path, ref: str | None = None) -> list[str | None]:
    repo = GitRepository(path, cache=tmp_path / "cache", ref=ref)
    return [page.text for revision in repo.revisions() for page in revision.pages]


def test_clone_worktree_bare_and_bundle_read_the_same(history: History, tmp_path: Path) -> None:
    git("clone", "--quiet", str(history.folder), str(tmp_path / "clone"))
    git("-C", str(tmp_path / "clone"), "worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    bundle = history.bundle(tmp_path / "x.bundle")
    for path in (history.folder, tmp_path / "clone", tmp_path / "tree", bundle):
        assert texts(path, tmp_path) == ["one", "two"]


def test_a_bundle_is_cloned_once_and_again_when_it_changed(history: History, tmp_path: Path) -> None:
    bundle = history.bundle(tmp_path / "x.bundle")
    assert texts(bundle, tmp_path) == ["one", "two"]
    [clone] = (tmp_path / "cache").glob("*/*.git")
    inode = clone.stat().st_ino
    assert texts(bundle, tmp_path) == ["one", "two"]
    assert clone.stat().st_ino == inode
    history.commit({"a.md": "three"})
    history.write()
    history.bundle(bundle)
    assert texts(bundle, tmp_path) == ["one", "two", "three"]
    assert len(list((tmp_path / "cache").glob("*/*"))) == 1


def test_a_bundle_without_head_and_with_one_branch(history: History, tmp_path: Path) -> None:
    assert texts(history.bundle(tmp_path / "x.bundle", "main"), tmp_path) == ["one", "two"]


def test_refs(history: History, tmp_path: Path) -> None:
    git(f"--git-dir={history.folder}", "tag", "v1", "main~1")
    assert texts(history.folder, tmp_path, "v1") == ["one"]
    assert texts(history.folder, tmp_path, "refs/heads/main") == ["one", "two"]
    git("clone", "--quiet", str(history.folder), str(tmp_path / "clone"))
    git("-C", str(tmp_path / "clone"), "checkout", "--quiet", "-b", "mine", "HEAD~1")
    assert GitRepository(tmp_path / "clone", cache=tmp_path, ref="origin/main").branch == "main"
    assert texts(tmp_path / "clone", tmp_path) == ["one"]


def test_messages_say_what_is_wrong(history: History, tmp_path: Path) -> None:
    (tmp_path / "file.bundle").write_text("no bundle")
    (tmp_path / "folder").mkdir()
    History(tmp_path / "empty.git")
    git("clone", "--quiet", "--depth=1", f"file://{history.folder}", str(tmp_path / "shallow"))
    cut = history.bundle(tmp_path / "cut.bundle", "main~1..main")
    for path, words in {
        tmp_path / "missing": "there is no .*missing: name a clone, a bare repository or a .bundle",
        tmp_path / "file.bundle": "is no git bundle",
        tmp_path / "folder": "is no git repository",
        tmp_path / "empty.git": "holds no commits yet",
        tmp_path / "shallow": "shallow clone.*git fetch --unshallow",
        cut: "cannot be cloned: .*a bundle must hold the whole history",
    }.items():
        with pytest.raises(UserFacing, match=words):
            GitRepository(path, cache=tmp_path / "cache")
    with pytest.raises(UserFacing, match="has no ref nope: it has main"):
        GitRepository(history.folder, cache=tmp_path, ref="nope")
    with pytest.raises(UserFacing, match="has no ref --help"):
        GitRepository(history.folder, cache=tmp_path, ref="--help")
    with pytest.raises(UserFacing, match="cannot read the owner file"):
        GitRepository(history.folder, cache=tmp_path, codeowners=tmp_path / "none")
    assert list((tmp_path / "cache").rglob("new-*")) == []


def test_an_unborn_head_among_several_branches_asks_for_one(history: History, tmp_path: Path) -> None:
    history.commit({"b.md": "x"}, branch="other", parent=1)
    history.write()
    git(f"--git-dir={history.folder}", "symbolic-ref", "HEAD", "refs/heads/gone")
    with pytest.raises(UserFacing, match=r"--ref \(main, other\)"):
        GitRepository(history.folder, cache=tmp_path)


def test_a_folder_inside_a_repository_is_not_taken_for_it(history: History, tmp_path: Path) -> None:
    git("clone", "--quiet", str(history.folder), str(tmp_path / "clone"))
    (tmp_path / "clone" / "sub").mkdir()
    with pytest.raises(UserFacing, match="is no git repository"):
        GitRepository(tmp_path / "clone" / "sub", cache=tmp_path)


def test_a_damaged_repository_ends_in_words_not_in_a_hang(history: History, tmp_path: Path) -> None:
    shutil.copytree(history.folder, tmp_path / "broken.git")
    for file in (tmp_path / "broken.git/objects").rglob("*"):
        if file.is_file():
            file.unlink()
    with pytest.raises(UserFacing):
        texts(tmp_path / "broken.git", tmp_path)


def test_a_missing_object_is_named(history: History, tmp_path: Path) -> None:
    loose = tmp_path / "loose.git"
    git("init", "--quiet", "--bare", "--initial-branch=main", str(loose))
    for pack in (history.folder / "objects/pack").glob("*.pack"):
        unpack = command(["unpack-objects", "-q"], loose)
        subprocess.run(unpack, stdin=pack.open("rb"), env=environment(), check=True)
    for file in (history.folder / "objects").glob("??/*"):
        (loose / "objects" / file.parent.name).mkdir(exist_ok=True)
        shutil.copy(file, loose / "objects" / file.parent.name / file.name)
    git(f"--git-dir={loose}", "update-ref", "refs/heads/main", history.sha(2))
    assert texts(loose, tmp_path) == ["one", "two"]
    blob = git(f"--git-dir={loose}", "rev-parse", "main:a.md").strip()
    (loose / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UserFacing, match=f"lacks the object {blob}"):
        texts(loose, tmp_path)


def test_nothing_of_a_hostile_repository_runs(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone, trap = tmp_path / "clone", tmp_path / "sprung"
    git("clone", "--quiet", str(history.folder), str(clone))
    spring = f"touch {trap}; :"
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "core.alternateRefsCommand"):
        git("-C", str(clone), "config", key, spring)
    for key in ("diff.md.textconv", "diff.md.command", "filter.md.smudge", "uploadpack.packObjectsHook"):
        git("-C", str(clone), "config", key, spring)
    git("-C", str(clone), "config", "alias.rev-list", f"!{spring}")
    git("-C", str(clone), "config", "core.hooksPath", str(clone / ".git/hooks"))
    git("-C", str(clone), "config", "protocol.ext.allow", "always")
    git("-C", str(clone), "config", "remote.origin.promisor", "true")
    git("-C", str(clone), "config", "remote.origin.url", f"ext::sh -c '{spring}'")
    (clone / ".git/info/attributes").write_text("*.md diff=md filter=md\n")
    for hook in ("post-checkout", "reference-transaction", "fsmonitor-watchman", "post-index-change"):
        path = clone / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{spring}\n")
        path.chmod(0o755)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", spring)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert texts(clone, tmp_path) == ["one", "two"]
    assert GitRepository(clone, cache=tmp_path).landing("main") == history.sha(2)
    with pytest.raises(UserFacing):
        GitRepository(clone, cache=tmp_path).landing("f" * 40)
    assert not trap.exists()


def test_a_repository_of_another_user_can_be_read(history: History, tmp_path: Path) -> None:
    if os.getuid():
        pytest.skip("only root can give files away")
    for root, folders, files in os.walk(history.folder):
        for name in (*folders, *files):
            os.chown(Path(root) / name, 12345, 12345)
    os.chown(history.folder, 12345, 12345)
    assert texts(history.folder, tmp_path) == ["one", "two"]


def test_replacements_and_grafts_do_not_bend_history(history: History, tmp_path: Path) -> None:
    git(f"--git-dir={history.folder}", "replace", "--graft", history.sha(2))
    assert len(GitRepository(history.folder, cache=tmp_path).mainline) == 2


def test_no_process_is_left_behind(history: History, tmp_path: Path) -> None:
    revisions = GitRepository(history.folder, cache=tmp_path).revisions()
    next(revisions)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("needs Linux' list of children")
    running = set(children.read_text().split())
    revisions.close()  # type: ignore[attr-defined]
    assert len(running - set(children.read_text().split())) == 2
