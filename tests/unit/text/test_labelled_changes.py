"""Labelled edits of two real handbooks, where the data lie beside the checkout: which are cosmetic, which are not."""

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assistant.model.sections import ChangeKind, PlacedBlock
from assistant.text import globs
from assistant.text.changes import match_sections
from assistant.text.codeowners import owners_of, parse_owners
from assistant.text.markdown import decode, split_page
from assistant.text.wording import says_the_same

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="needs the labelled data in ../shared")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "eval" / f"{name}.dev.jsonl").read_text("utf-8").splitlines()]


def test_cosmetic_edits_are_cosmetic() -> None:
    found = [says_the_same(row["old_text"], row["new_text"]) for row in rows("sourcegraph/cosmetic")]
    assert sum(found) >= 0.95 * len(found)


@pytest.mark.parametrize("name", ["sourcegraph/value_changes", "gitlab2022/value_changes"])
def test_value_changes_are_modifications(name: str) -> None:
    assert not [row["id"] for row in rows(name) if says_the_same(row["old_sentence"], row["new_sentence"])]


def test_revisions_that_turn_a_claim_are_modifications() -> None:
    pairs = rows("vitaminc/pairs")[:1500]
    assert sum(says_the_same(row["old_text"], row["new_text"]) for row in pairs) <= 0.002 * len(pairs)


def bare_clone(folder: Path, name: str) -> Path:
    bare = folder / "bare.git"
    bundle = DATA / "repos" / f"{name}.bundle"
    subprocess.run(["git", "clone", "-q", "--bare", str(bundle), str(bare)], check=True, capture_output=True)
    return bare


def git(repo: Path, *args: str) -> bytes:
    return subprocess.run(["git", "-C", str(repo), *args], check=True, capture_output=True).stdout


def placed(repo: Path, commit: str, paths: list[str]) -> list[PlacedBlock]:
    found = []
    for path in paths:
        text = decode(git(repo, "show", f"{commit}:{path}")) or ""
        found += [PlacedBlock(path, index, block) for index, block in enumerate(split_page(text).blocks)]
    return found


def test_every_value_change_of_the_slice_is_found_in_its_section(tmp_path: Path) -> None:
    slice_repo = bare_clone(tmp_path, "sourcegraph-slice")
    named = {row["id"]: row for row in rows("sourcegraph/value_changes")}
    shas = dict(line.split() for line in (DATA / "repos/sourcegraph-slice.commit-map.txt").read_text().splitlines())
    found: Counter[ChangeKind | None] = Counter()
    for row in [row for row in named.values() if row["commit"] in shas][:20]:
        commit = shas[row["commit"]]
        status = git(slice_repo, "diff-tree", "-r", "--no-commit-id", "--name-status", "--no-renames", commit).decode()
        files = [line.split("\t") for line in status.splitlines() if line.endswith(".md")]
        before = placed(slice_repo, f"{commit}^", [path for kind, path in files if kind != "A"])
        after = placed(slice_repo, commit, [path for kind, path in files if kind != "D"])
        for change in match_sections(before, after):
            if change.after and change.after.path == row["path"] and row["new_sentence"] in change.after.block.source:
                found[change.kind] += 1
                break
        else:
            found[ChangeKind.REMOVED] += 1
    assert found[ChangeKind.MODIFIED] >= 0.95 * found.total() > 0


def test_github_patterns_as_others_read_them() -> None:
    cases = json.loads((DATA / "samples/codeowners/hmarr_patterns.json").read_text("utf-8"))
    wrong = [
        (case["pattern"], path)
        for case in cases
        for path, matches in case["paths"].items()
        if bool(globs.github(case["pattern"]).fullmatch(path)) is not matches
    ]
    assert cases
    assert not wrong


def test_real_owner_files_are_read() -> None:
    for path in (DATA / "samples/codeowners").glob("*.CODEOWNERS"):
        text = path.read_text("utf-8")
        file = parse_owners(text, ".github/CODEOWNERS" if "gitlab" not in path.name else ".gitlab/CODEOWNERS")
        assert file.rules
        assert all(rule.line in text for rule in file.rules)
        assert sum(bool(rule.owners) for rule in file.rules) >= 0.75 * len(file.rules), path.name
    folder = DATA / "samples/codeowners/sourcegraph-CODENOTIFY"
    text = (folder / "content_departments_engineering_dev_CODENOTIFY").read_text("utf-8")
    file = parse_owners(text, "content/departments/engineering/dev/CODENOTIFY")
    found = owners_of([file], "content/departments/engineering/dev/observability/a/b.md")
    assert found.owners == ("@sourcegraph/distribution", "@slimsag")


def test_gitlab_owners_as_of_each_commit(tmp_path: Path) -> None:
    repo = bare_clone(tmp_path, "gitlab-handbook-2022")
    shas = dict(line.split() for line in (DATA / "repos/gitlab-handbook-2022.commit-map.txt").read_text().splitlines())
    for row in rows("gitlab2022/value_changes"):
        text = git(repo, "show", f"{shas[row['commit']]}:.gitlab/CODEOWNERS").decode()
        rules = owners_of([parse_owners(text, ".gitlab/CODEOWNERS")], row["path"]).rules
        found = {rule.section: {"pattern": rule.pattern, "owners": list(rule.owners)} for rule in rules}
        assert found == row["codeowners_at_commit"], row["id"]
