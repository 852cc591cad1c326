"""Owner files by the rules of GitHub, GitLab and codenotify."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text import globs
from assistant.text.codeowners import Dialect, Ownership, owners_of, parse_owners


def github(text: str, path: str) -> Ownership:
    return owners_of([parse_owners(text, ".github/CODEOWNERS")], path)


def gitlab(text: str, path: str) -> Ownership:
    return owners_of([parse_owners(text, ".gitlab/CODEOWNERS")], path)


def test_github_takes_the_last_match() -> None:
    text = "* @all\n/docs/ @docs\n*.md @writers ann@example.com\n"
    assert github(text, "docs/a.txt").owners == ("@docs",)
    assert github(text, "docs/a.md").owners == ("@writers", "ann@example.com")
    assert github(text, "x").line == "* @all"


def test_github_a_line_without_owners_takes_them_away() -> None:
    assert github("* @all\n/free/\n", "free/a").owners == ()


def test_github_comments_and_unreadable_lines() -> None:
    text = "# note\n*.md @a # @b is away\n!x.md @c\n\\#y.md @d\n"
    assert github(text, "x.md").owners == ("@a",)
    assert github(text, "#y.md").owners == ("@a",)
    assert github(text, "x.md").lines == ("*.md @a # @b is away",)


def test_github_spaces_in_paths() -> None:
    assert github("/my\\ docs/ @a\n", "my docs/x").owners == ("@a",)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*", "a/b", True),
        ("/*", "a/b", False),
        ("docs", "x/docs/a/b", True),
        ("docs/", "docs", False),
        ("docs/*", "docs/a/b", False),
        ("docs/**", "docs/a/b", True),
        ("/docs", "x/docs", False),
        ("a/b", "x/a/b", False),
        ("**/b", "x/a/b/c", True),
        ("a/**/c", "a/c", True),
        ("*.js", "a/b.js", True),
        ("*.js", "a/b.jsx", False),
        ("a?c", "a/c", False),
        ("[a].md", "[a].md", True),
        ("[a].md", "a.md", False),
    ],
)
def test_github_patterns(pattern: str, path: str, matches: bool) -> None:
    assert bool(globs.github(pattern).fullmatch(path)) is matches


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*", "a/b", True),
        ("docs/", "x/docs/a/b", True),
        ("/docs/", "x/docs/a", False),
        ("/docs", "docs/a", False),
        ("/docs/*", "docs/a/b", False),
        ("/docs/**/*", "docs/a/b", True),
        ("/docs/**", "docs/a/b", False),
        ("README.md", "a/README.md", True),
        ("a/b.md", "x/a/b.md", True),
        ("*.rb", "a/.hidden.rb", True),
        ("/[ab].md", "a.md", True),
        ("/[!ab].md", "a.md", False),
        ("/a\\*.md", "a*.md", True),
        ("/a\\*.md", "ab.md", False),
        ("/[", "[", True),
    ],
)
def test_gitlab_patterns(pattern: str, path: str, matches: bool) -> None:
    assert bool(globs.gitlab(pattern).fullmatch("/" + path)) is matches


SECTIONS = """\
* @all

^[Handbook][2] @book @lead
/handbook/
/handbook/legal/ @law

[Docs]
*.md @docs
/handbook/legal/free.md

[handbook]
/handbook/late/ @late
"""


def test_gitlab_each_section_speaks() -> None:
    found = gitlab(SECTIONS, "handbook/a.md")
    assert found.owners == ("@all", "@book", "@lead", "@docs")
    assert found.lines == ("* @all", "/handbook/", "*.md @docs")
    assert [(rule.section, rule.optional) for rule in found.rules] == [("", False), ("Handbook", True), ("Docs", False)]


def test_gitlab_last_match_in_each_section_and_none_named() -> None:
    assert gitlab(SECTIONS, "handbook/legal/a.md").owners == ("@all", "@law", "@docs")
    assert gitlab(SECTIONS, "handbook/legal/free.md").owners == ("@all", "@law")
    assert gitlab(SECTIONS, "handbook/legal/a.md").line == "/handbook/legal/ @law"


def test_gitlab_sections_of_one_name_are_one() -> None:
    assert gitlab(SECTIONS, "handbook/late/a").owners == ("@all", "@late")


def test_gitlab_exclusions() -> None:
    text = "[A]\n*.rb @a\n!/config/\n/config/x.rb @b\n[B] @c\n*.rb\n"
    assert gitlab(text, "config/x.rb").owners == ("@c",)
    assert gitlab(text, "lib/x.rb").owners == ("@a", "@c")


def test_gitlab_escapes() -> None:
    text = "\\#notes.md @a\n/with\\ space/ @b\n"
    assert gitlab(text, "#notes.md").owners == ("@a",)
    assert gitlab(text, "with space/x").owners == ("@b",)


def test_gitlab_owners_named_twice_count_once_together() -> None:
    found = gitlab("[A]\n* @a @a\n[B]\n* @b @a\n", "x")
    assert found.owners == ("@a", "@b")
    assert found.rules[0].owners == ("@a", "@a")


def test_the_dialect_shows() -> None:
    assert parse_owners("* @a\n", "CODEOWNERS").dialect is Dialect.GITHUB
    assert parse_owners("[Docs]\n* @a\n", "CODEOWNERS").dialect is Dialect.GITLAB
    assert parse_owners("* @a\n", ".gitlab/CODEOWNERS").dialect is Dialect.GITLAB
    assert parse_owners("[x] @a\n", ".github/CODEOWNERS").dialect is Dialect.GITHUB
    assert parse_owners("* @a\n", "docs/CODENOTIFY").dialect is Dialect.CODENOTIFY
    assert parse_owners("* @a\n", "CODEOWNERS", Dialect.GITLAB).dialect is Dialect.GITLAB


def test_the_file_that_counts() -> None:
    files = [parse_owners(f"* @{name}\n", path) for name, path in (("docs", "docs/CODEOWNERS"), ("root", "CODEOWNERS"))]
    assert owners_of(files, "x").owners == ("@root",)
    assert owners_of([*files, parse_owners("* @hub\n", ".github/CODEOWNERS")], "x").owners == ("@hub",)


def test_codenotify_speaks_of_its_folder_where_codeowners_is_silent() -> None:
    deep = parse_owners("**/* @near\na.md @also\n", "content/dev/CODENOTIFY")
    high = parse_owners("# note\n* @top\n**/*.txt @texts\n", "content/CODENOTIFY")
    files = [high, deep]
    assert owners_of(files, "content/dev/a.md").owners == ("@near", "@also")
    assert owners_of(files, "content/dev/x/b.md").owners == ("@near",)
    assert owners_of(files, "content/a.md").owners == ("@top",)
    assert owners_of(files, "content/x/a.md").owners == ()
    assert owners_of(files, "content/x/a.txt").path == "content/CODENOTIFY"
    assert owners_of([*files, parse_owners("/content/dev/ @own\n", "CODEOWNERS")], "content/dev/a.md").owners == (
        "@own",
    )


@given(st.text(alphabet="*?/[]!\\#^ab .-@\n\r\t", max_size=60), st.text(alphabet="*?/[]!\\#ab .", max_size=20))
def test_any_file_can_be_read(text: str, path: str) -> None:
    for place in (".github/CODEOWNERS", ".gitlab/CODEOWNERS", "a/CODENOTIFY"):
        found = owners_of([parse_owners(text, place)], path)
        assert all(line in text for line in found.lines)
