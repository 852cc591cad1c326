"""What a statement says of its numbers, and which of two texts supports it."""

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.staleness.bounds import Bound, Stated, stated
from assistant.staleness.support import NAMES, features, supports


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("More than 38 % of the cases", [(38, Bound.OVER)]),
        ("Fewer than 1,500 tests, no more than 12", [(1500, Bound.UNDER), (12, Bound.UP_TO)]),
        ("born before May 1975", [(1975, Bound.UNDER)]),
        ("at least twenty-two days", [(22, Bound.FROM)]),
        ("two hundred people or more", [(200, Bound.FROM)]),
        ("over US $ 1.5 million", [(1_500_000, Bound.OVER)]),
        ("about 10, and version 1.2.3", [(10, Bound.NEAR)]),
        ("höchstens 5 Tage", [(5, Bound.UP_TO)]),
        ("no later than 10 May", [(10, Bound.UP_TO)]),
        ("not before 10 May", [(10, Bound.FROM)]),
        ("must not be over 40 euros, nor in the past 30 days", [(40, Bound.UP_TO), (30, Bound.EXACT)]),
        ("nothing is under 40 euros", [(40, Bound.UNDER)]),
    ],
)
def test_bounds(text: str, told: list[tuple[float, Bound]]) -> None:
    assert [(one.value, one.bound) for one in stated(text)] == told


@pytest.mark.parametrize(
    ("bound", "held"),
    [
        (Bound.EXACT, {10}),
        (Bound.OVER, {11}),
        (Bound.FROM, {10, 11}),
        (Bound.UNDER, {9}),
        (Bound.UP_TO, {9, 10}),
        (Bound.NEAR, {9, 10, 11}),
    ],
)
def test_what_keeps_to_a_bound(bound: Bound, held: set[float]) -> None:
    assert {value for value in (9, 10, 11) if Stated(10, bound).holds(value)} == held


@pytest.mark.parametrize(
    ("statement", "supporting", "other"),
    [
        ("Trials last more than ten days.", "A trial lasts 14 days.", "A trial lasts 7 days."),
        ("Leave is 25 days.", "Annual leave is 25 days.", "Annual leave is 28 days."),
        ("Ana approves purchases.", "Purchases are approved by Ana.", "Purchases are approved by Ben."),
        ("The desk was opened before 2019.", "The desk opened in 2018.", "The desk opened in 2021."),
        ("Bugs go to Linear.", "Put bugs into Linear.", "Put bugs into Jira."),
    ],
)
def test_the_text_that_supports_a_statement_is_told(statement: str, supporting: str, other: str) -> None:
    assert supports(statement, supporting, other) > 0 > supports(statement, other, supporting)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_either_text_is_judged_alike_and_like_texts_are_even(statement: str, one: str, other: str) -> None:
    assert supports(statement, one, other) == pytest.approx(-supports(statement, other, one))
    assert supports(statement, one, one) == 0
    assert len(features(statement, one, other)) == len(NAMES)


def test_the_weights_fit_the_features() -> None:
    stored = json.loads((files("assistant.staleness") / "support.json").read_text(encoding="utf-8"))
    assert tuple(stored) == NAMES
    assert min(stored.values()) > 0
