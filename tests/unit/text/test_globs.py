"""Owner patterns: their wildcards against a reading by hand, and what the worst of them cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text import globs
from tests.fakes.cost import in_proportion

PATTERNS = st.lists(st.sampled_from(["a", "b", "*", "**", "?", "/", "/**/", "[ab]"]), min_size=1, max_size=8)
PATHS = st.text("ab/", min_size=1, max_size=9)


@given(PATTERNS.map(lambda parts: "/" + "".join(parts) + "b"), PATHS.map(lambda path: "/" + path))
def test_wildcards_mean_what_they_say(pattern: str, path: str) -> None:
    assert bool(globs.gitlab(pattern).fullmatch(path)) is stands_for(pattern, path)


def stands_for(pattern: str, path: str, *, first: bool = True) -> bool:
    """GitLab's reading of a pattern, trying every length for every wildcard."""
    if not pattern:
        return not path
    if first and pattern.startswith("**/"):
        ends = [at + 1 for at, mark in enumerate(path) if mark == "/"]
        return any(stands_for(pattern[3:], path[end:]) for end in [0, *ends])
    if pattern.startswith("*"):
        name = path.partition("/")[0]
        return any(stands_for(pattern[1:], path[end:], first=False) for end in range(len(name) + 1))
    wanted, rest = ("ab", pattern[4:]) if pattern.startswith("[ab]") else (pattern[0], pattern[1:])
    fits = path[:1] not in ("", "/") if wanted == "?" else path[:1] != "" and path[0] in wanted
    return fits and stands_for(rest, path[1:], first=pattern[0] == "/")


@pytest.mark.parametrize("part", ["**/", "*", "a*", "**/a/", "**/a*", "*a/**/", "?*", "[ab]*", "a**/"])
@pytest.mark.parametrize("read", [globs.github, globs.gitlab, globs.codenotify])
def test_no_pattern_costs_more_than_its_length_for_each_character(part: str, read: object) -> None:
    assert callable(read)
    pattern = read(part * 60 + "z")
    for piece in ("a/", "a", "ab", "ab/"):
        assert pattern.fullmatch(piece * 500 + "b") is None
        assert in_proportion(pattern.fullmatch, piece)
