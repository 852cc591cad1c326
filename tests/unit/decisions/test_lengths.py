"""Lengths of time are the same in whatever units and words, and a day is moved by as much as was said."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.decisions.lengths import dated, lengths, moved, moves


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("half an hour", "[30 min] call"),
        ("three quarters of an hour", "45-minute interviews"),
        ("an hour and a half", "90 minutes"),
        ("A month", "blocks of 1-month increments"),
        ("one month", "Rotations are 4 weeks"),
        ("a month", "within 30 days"),
        ("a fortnight", "two weeks"),
        ("72 hours", "3 days"),
        ("a quarter", "every three months"),
        ("a year", "12 months"),
        ("5 days", "5 business days"),
        ("5 working days", "5 business days"),
        ("two weeks", "14 calendar days"),
    ],
)
def test_one_length_in_two_ways(said: str, written: str) -> None:
    assert lengths(said) & lengths(written)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("a week", "a month"),
        ("30 minutes", "30 days"),
        ("two weeks", "2-4"),
        ("48 weeks", "12 months"),
        ("5 working days", "5 calendar days"),
    ],
)
def test_other_lengths_are_others(said: str, written: str) -> None:
    assert not lengths(said) & lengths(written)


def test_what_comes_a_week_later_moves_a_day_by_seven() -> None:
    assert moves("we start a week later than planned") == {7} and moves("it takes a week") == frozenset()
    assert moved(frozenset({"=2021-08-01"}), frozenset({"=2021-08-08", "start"})) == 7
    assert moved(frozenset({"=2021-08-01"}), frozenset({"=2021-08-08", "=2021-08-09"})) is None


@given(st.from_regex(r"=\d{4}-\d\d-\d\d", fullmatch=True))
def test_a_mark_is_a_day_or_none(mark: str) -> None:
    day = dated(mark)
    assert day is None or f"={day.isoformat()}" == mark


@given(st.dates())
def test_every_day_is_read(day: date) -> None:
    assert dated(f"={day.isoformat()}") == day


@given(st.text(max_size=60))
def test_any_text_has_lengths_or_none(text: str) -> None:
    assert all(minutes >= 0 for minutes in lengths(text))
