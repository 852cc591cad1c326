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


def test_the_answer_leads_from_the_rule_to_the_words_that_decided_it(told: str) -> None:
    why = flat(told).partition("who decided it? ")[2].partition("And a question about a number")[0]
    assert "Mara Voss decided it on 15 July 2026 in the meeting “Growth weekly”" in why
    assert "the trial threshold goes from 25 to 31" in why
    assert "no more often than leads without a trial" in why
    assert "#104 by Mara Voss carried it out on 21 July 2026" in why
    assert (
        "request 104 → in force since 21 July 2026 → decided by Mara Voss, 15 July 2026, 09:01 → Growth weekly" in why
    )


def test_what_was_only_said_is_told_so_first(told: str) -> None:
    last = flat(told).partition("How often may a team go for a team dinner? ")[2]
    assert last.startswith("I found this only in chat, not in the handbook. Lena Brandt decided it")
    assert "one team dinner a quarter" in last


def test_it_asks_nothing_where_nobody_can_answer(told: str) -> None:
    assert "Your turn" not in told


def flat(text: str) -> str:
    """Without frames and line breaks."""
    return re.sub(r"[\s─│╭╮╰╯]+", " ", text)
