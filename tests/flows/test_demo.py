"""`brain demo`: the whole story by the command itself, and what a person sees of it."""

import re
from pathlib import Path

import pytest

from tests.flows.brain import Brain


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("demo")
    (folder / "tmp").mkdir()
    brain = Brain(folder / "unused", folder / "cache")
    said = brain.without_home("demo", COLUMNS="60", BRAIN_HOME=str(folder / "mine"), TMPDIR=str(folder / "tmp"))
    assert said.status == 0, said.err
    assert not (folder / "mine").exists(), "the demonstration must leave a person's own home alone"
    assert not list((folder / "tmp").glob("tidewater-*"))
    return said.out


def test_it_fits_a_narrow_terminal_and_needs_no_colour(told: str) -> None:
    assert "\x1b" not in told
    assert max(map(len, told.splitlines())) <= 60


def test_the_old_answer_is_told_stale_and_the_new_one_holds(told: str) -> None:
    asked, _, rest = flat(told).partition("stale")
    broken, _, anew = rest.partition("The same question again")
    assert "score of 25" in asked
    assert "31" not in asked
    assert "12 January 2026" in asked
    assert "@mara.voss, @tidewater/growth" in broken
    assert "request 104" in broken
    assert "score of 31" in anew
    assert "12 January 2026 to 21 July 2026" in anew
    assert "21 July 2026 to now" in anew
    assert "104" in anew


def test_a_drop_is_laid_to_a_change_with_care(told: str) -> None:
    last = flat(told).partition("Why did trial MQLs drop")[2]
    assert "may explain" in last
    assert "caused" not in last
    assert "31" in last


def test_without_git_it_says_so(tmp_path: Path) -> None:
    brain = Brain(tmp_path / "unused", tmp_path / "cache")
    said = brain.without_home("demo", PATH=str(tmp_path), TMPDIR=str(tmp_path))
    assert (said.status, said.err.count("\n"), "install git" in said.err) == (1, 1, True), said.err


def test_it_asks_nothing_where_nobody_can_answer(told: str) -> None:
    assert "Your turn" not in told


def flat(text: str) -> str:
    """Without frames and line breaks."""
    return re.sub(r"[\s─│╭╮╰╯]+", " ", text)
