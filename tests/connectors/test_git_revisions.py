"""What a commit changed, of every shape that repositories have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.model.revisions import FileChange, Revision
from connectors.git import GitRepository
from connectors.git.commits import LATEST, parse
from tests.fakes.git_history import Content, History, Odd

TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Reading:
    """A history that is read as soon as it is written."""

    def __init__(self, folder: Path) -> None:
        self.history = History(folder / "repo.git")
        self.cache = folder / "cache"
        self.repo: GitRepository | None = None

    def revisions(self, *commits: dict[str | bytes, Content], subdir: str = "") -> list[Revision]:
        for files in commits:
            self.history.commit(files)
        self.repo = GitRepository(self.history.write(), cache=self.cache, subdir=subdir)
        return list(self.repo.revisions())


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Reading]:
    yield Reading(tmp_path)


def pages(revision: Revision) -> list[tuple[str | None, str | None, str | None]]:
    return [(page.old_path, page.new_path, page.text) for page in revision.pages]


LONG = "\n".join(f"Line {n} of a page that is long enough to be known again." for n in range(20))


def test_added_edited_renamed_removed(reading: Reading) -> None:
    found = reading.revisions(
        {"a.md": LONG},
        {"a.md": LONG + "\nmore"},
        {"a.md": None, "b.md": LONG + "\nmore and more"},
        {"b.md": None},
        {"b.md": LONG},
    )
    assert [pages(revision) for revision in found] == [
        [(None, "a.md", LONG)],
        [("a.md", "a.md", LONG + "\nmore")],
        [("a.md", "b.md", LONG + "\nmore and more")],
        [("b.md", None, None)],
        [(None, "b.md", LONG)],
    ]


@pytest.mark.parametrize(
    "name", ["a.md", "a.markdown", "A.MD", "a.mdx", "index.html.md", "index.html.md.erb", "a.Rmd", ".md", "a b/c d.md"]
)
def test_markdown_by_its_name(reading: Reading, name: str) -> None:
    assert [
        page.new_path for page in reading.revisions({name: "x", "a.txt": "x", "md": "x", "a.md.bak": "x"})[0].pages
    ] == [name]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"with space.md", "with space.md"),
        (b'quo"te.md', 'quo"te.md'),
        (b"back\\slash.md", "back\\slash.md"),
        (b"new\nline.md", "new\nline.md"),
        (b"tab\there.md", "tab\there.md"),
        ("größe/日本語.md".encode(), "größe/日本語.md"),
        (b"latin\xe9.md", "latin\\xe9.md"),
        (b"-rf.md", "-rf.md"),
        (b":(glob)*.md", ":(glob)*.md"),
    ],
)
def test_odd_names(reading: Reading, raw: bytes, shown: str) -> None:
    [revision] = reading.revisions({raw: "words"})
    assert pages(revision) == [(None, shown, "words")]


def test_a_name_that_only_changes_its_case(reading: Reading) -> None:
    _, second = reading.revisions({"Readme.md": LONG}, {"Readme.md": None, "README.md": LONG})
    assert pages(second) == [("Readme.md", "README.md", LONG)]


def test_a_file_that_becomes_a_folder(reading: Reading) -> None:
    _, second = reading.revisions({"guide.md": "one"}, {"guide.md": None, "guide.md/part.md": "two"})
    assert pages(second) == [("guide.md", None, None), (None, "guide.md/part.md", "two")]


def test_what_is_no_text_is_counted_and_left_out(reading: Reading) -> None:
    [revision] = reading.revisions(
        {
            "binary.md": b"\x89PNG\0\0",
            "link.md": Odd("120000", "elsewhere.md"),
            "module.md": Odd("160000", "1" * 40),
            "pointer.md": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "runs.md": Odd("100755", "words"),
            "fine.md": b"\xff\xfew\0",
        }
    )
    assert {path: text for _, path, text in pages(revision)} == {
        "binary.md": None,
        "link.md": None,
        "module.md": None,
        "pointer.md": None,
        "runs.md": "words",
        "fine.md": "w",
    }
    assert reading.repo is not None
    assert reading.repo.skipped == {"binary": 1, "symbolic link": 1, "submodule": 1, "stored in LFS": 1}


def test_a_page_that_becomes_a_link_is_gone(reading: Reading) -> None:
    _, second = reading.revisions({"a.md": "words"}, {"a.md": Odd("120000", "b.md")})
    assert pages(second) == [("a.md", "a.md", None)]


def test_a_file_too_large_to_read_is_counted(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.git.objects.LARGEST", 1000)
    [revision] = reading.revisions({"a.md": "x" * 1001, "b.md": "y" * 1000, "c.md": "z"})
    assert [text and text[0] for _, _, text in pages(revision)] == [None, "y", "z"]
    assert reading.repo is not None
    assert sum(reading.repo.skipped.values()) == 1


def test_line_ends_marks_and_broken_bytes_come_as_they_are(reading: Reading) -> None:
    [revision] = reading.revisions({"a.md": b"\xef\xbb\xbfone\r\ntwo\rthree\n", "b.md": b"caf\xe9"})
    assert [text for _, _, text in pages(revision)] == ["\ufeffone\r\ntwo\rthree\n", "caf\ufffd"]


def test_only_the_folder_asked_for_and_owner_files_of_all(reading: Reading) -> None:
    [revision] = reading.revisions(
        {
            "content/a.md": "in",
            "Content/b.md": "other case",
            "contents/c.md": "longer name",
            "README.md": "out",
            ".github/CODEOWNERS": "* @a",
            "docs/CODEOWNERS": "* @b",
            "other/CODEOWNERS": "* @nobody looks here",
            "content/CODENOTIFY": "*.md @c",
        },
        subdir="./content/",
    )
    assert [page.new_path for page in revision.pages] == ["content/a.md"]
    assert [file.new_path for file in revision.owner_files] == [
        ".github/CODEOWNERS",
        "content/CODENOTIFY",
        "docs/CODEOWNERS",
    ]


def test_a_folder_whose_name_has_wildcards(reading: Reading) -> None:
    [revision] = reading.revisions({"a[b]*/x.md": "in", "ab/x.md": "out"}, subdir="a[b]*")
    assert [page.new_path for page in revision.pages] == ["a[b]*/x.md"]


def test_a_page_that_comes_into_the_folder_is_new_there(reading: Reading) -> None:
    _, second = reading.revisions({"old/a.md": LONG}, {"old/a.md": None, "content/a.md": LONG}, subdir="content")
    assert pages(second) == [(None, "content/a.md", LONG)]


def test_an_owner_file_that_moves_ends_and_begins(reading: Reading) -> None:
    _, second = reading.revisions({"CODEOWNERS": LONG}, {"CODEOWNERS": None, ".gitlab/CODEOWNERS": LONG})
    assert set(second.owner_files) == {
        FileChange("CODEOWNERS", None, None),
        FileChange(None, ".gitlab/CODEOWNERS", LONG),
    }


def test_many_commits_more_than_are_asked_for_at_a_time(reading: Reading) -> None:
    found = reading.revisions(*({"a.md": f"{n}", f"{n}.md": "x"} for n in range(300)))
    assert [revision.pages[-1].text for revision in found] == [str(n) for n in range(300)]


def test_one_commit_of_thousands_of_files(reading: Reading) -> None:
    [revision] = reading.revisions({f"{n:04}.md": f"page {n}" for n in range(3000)})
    assert [page.text for page in revision.pages] == [f"page {n}" for n in range(3000)]


def test_commits_are_read_whatever_stands_in_them(tmp_path: Path) -> None:
    history = History(tmp_path / "repo.git")
    history.commit({"a.md": "1"}, "Größe (#7)\n\nBody", author="Zoë Ünal <Zoe@Example.COM>", at=5)
    history.commit({"a.md": "2"}, "caf\xe9".encode("latin-1"), header=b"encoding ISO-8859-1\n", author="<x@y.z>")
    history.commit({"a.md": "3"}, "")
    history.commit({"a.md": "4"}, b"bad \xff bytes", at=4_000_000_000)
    infos = [r.commit for r in GitRepository(history.write(), cache=tmp_path).revisions()]
    assert (infos[0].author_name, infos[0].author_email, infos[0].committed_at) == (
        "Zoë Ünal",
        "Zoe@Example.COM",
        5_000_000,
    )
    assert (infos[0].subject, infos[0].body, infos[0].merge_request) == ("Größe (#7)", "Body", "7")
    assert (infos[1].subject, infos[1].author_name) == ("café", "x@y.z")
    assert infos[2].subject == ""
    assert infos[3].subject == "bad \ufffd bytes"


@pytest.mark.parametrize("seconds", ["9" * 5000, "9" * 11, "-" + "9" * 5000, "soon"])
def test_a_time_that_cannot_be_is_brought_to_one_that_can(seconds: str) -> None:
    raw = f"tree {TREE}\nauthor Ana <a@b> {seconds} +0000\ncommitter Ana <a@b> {seconds} +0000\n\nx".encode()
    assert parse("0" * 40, raw).committed_at in (0, LATEST * 1_000_000)
