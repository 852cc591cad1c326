"""Quantities and changes of value in deciding words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.decisions.extract.roles import in_charge
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
        ("fine, then we start a week later than planned", "a week later", None),
        ("ok, the review comes two days earlier from May on", "two days earlier", None),
        ("from now on the office manager signs it instead of the director", "office manager", "director"),
        ("expenses are approved by the head of finance rather than by the team lead", "head of finance", "team lead"),
        ("it goes from the project lead to the engineering manager", "engineering manager", "project lead"),
        ("not the director but the team lead decides", "team lead", "director"),
        ("Then the release manager owns the calendar, from Monday on", "release manager", None),
        ("let's go with 20 instead of 10 for the whole team", "20", "10"),
        ("the team lead approves up to 500 dollars instead of 200", "500 dollars", "200"),
        ("der Grenzwert steigt von 14 auf 25 Tage", "25", "14"),
        ("el límite sube de 150 a 180 euros", "180 euros", "150"),
        ("I tried that on Monday with nine tickets", None, None),
        ("we put it at seven fifty, that is about seven hundred plus tax", "seven fifty", None),
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


@given(st.lists(st.sampled_from("the manager lead team of instead not from to is signs but A1 , .".split())))
def test_whoever_is_put_in_charge_is_named_in_the_words(words: list[str]) -> None:
    text = " ".join(words)
    new, old = in_charge(text)
    assert all(role in text for role in (new, old) if role)
