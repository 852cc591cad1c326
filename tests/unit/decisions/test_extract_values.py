"""Quantities and changes of value in deciding words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.decisions.extract.values import change, found, key


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("twenty five", "25"),
        ("five and a half thousand", "5500"),
        ("fifteen hundred", "1500"),
        ("$2,500", "2500"),
        ("two thousand five hundred", "2500"),
        ("seven fifty", "750"),
        ("nineteen thirty", "1930"),
        ("a hundred and sixty", "160"),
        ("4.5 hours", "4.5"),
        ("twenty second", "22"),
        ("5k", "5000"),
        ("noon", "noon"),
    ],
)
def test_every_spelling_of_a_number_is_the_same_value(words: str, same: str) -> None:
    assert key(words) == same


@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        ("the cycle runs for two weeks instead of three", "two weeks", "three"),
        ("Twenty five for Java instead of a hundred, but up to date.", "Twenty five", "a hundred"),
        ("interviews go from three and a half to two and a half hours", "two and a half hours", "three and a half"),
        ("So scrap the three, we go with 5 business days, the page follows on Friday", "5 business days", "three"),
        ("From next Monday on it goes into Greenhouse and not Lever", "Greenhouse", "Lever"),
        ("rename the group to `@handbook-support`, leave the old one for a month", "`@handbook-support`", None),
        ("nobody touches it from two hours before a demo", "two hours", None),
        ("book two weeks ahead, the 30 days I'm not going to enforce any more", "two weeks", None),
        ("they hear from us every two weeks from June on", "every two weeks", None),
        ("never more than three presenters, starting on Monday", "three presenters", None),
        ("we talk about it again", None, None),
    ],
)  # fmt: skip
def test_the_new_value_stands_where_new_values_do(text: str, new: str | None, old: str | None) -> None:
    told = change(text)
    assert (told.new, told.old) == (new, old)


@given(st.text(max_size=200))
def test_quantities_stand_in_the_text(text: str) -> None:
    for quantity in found(text):
        assert text[quantity.start :].startswith(quantity.text)
        assert quantity.key
