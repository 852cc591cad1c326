"""Sorts of answers: what a question asks for, and which words hold one."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.search.kinds import Kind, asked_kinds, fits
from tests.fakes.cost import in_proportion


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How long is the trial?", Kind.DURATION),
        ("Within how many days must I send receipts?", Kind.DURATION),
        ("How often do we meet?", Kind.FREQUENCY),
        ("How much may a chair cost?", Kind.MONEY),
        ("What share of seats counts as healthy?", Kind.SHARE),
        ("Who approves travel?", Kind.SOMEBODY),
        ("In which Slack channel do I ask?", Kind.CHANNEL),
        ("Which address do I write to?", Kind.EMAIL),
        ("On which weekday is the sync?", Kind.WEEKDAY),
        ("At what time does it start?", Kind.CLOCK),
        ("When is the report due?", Kind.DATE),
        ("How many reviewers does a change need?", Kind.NUMBER),
    ],
)
def test_a_question_asks_for_a_sort_of_answer(question: str, kind: Kind) -> None:
    assert kind in asked_kinds(question)


@pytest.mark.parametrize(
    ("kind", "holding", "lacking"),
    [
        (Kind.DURATION, "Answer within two business days.", "Answer as the guide says, in 3 parts."),
        (Kind.MONEY, "Up to $400 a year.", "Up to 400 people."),
        (Kind.SHARE, "At least 80% of seats.", "At least 80 seats."),
        (Kind.FREQUENCY, "We meet weekly.", "We meet in the lobby."),
        (Kind.CHANNEL, "Ask in #help-travel.", "Ask at the desk, it is no. # 1."),
        (Kind.EMAIL, "Write to desk@example.org.", "Write to the desk."),
        (Kind.SOMEBODY, "The hiring manager decides.", "It is decided on paper."),
        (Kind.CLOCK, "It starts at 2pm.", "It starts in room 2."),
    ],
)
def test_words_hold_it_or_not(kind: Kind, holding: str, lacking: str) -> None:
    assert fits(frozenset({kind}), holding) is True
    assert fits(frozenset({kind}), lacking) is False


def test_where_anything_would_do_nothing_is_judged() -> None:
    assert fits(asked_kinds("What is a pod?"), "A pod is a small team.") is None


@given(st.text(), st.text())
def test_whatever_is_typed_can_be_read(question: str, words: str) -> None:
    assert fits(asked_kinds(question), words) in (True, False, None)


@pytest.mark.parametrize("piece", ["1", "1,", "1.", "1 ", "1-", "1 to ", "+1 (", "A", "#a"])
@pytest.mark.parametrize("kind", Kind)
def test_long_rows_of_digits_and_marks_take_time_in_proportion(kind: Kind, piece: str) -> None:
    assert in_proportion(partial(fits, frozenset({kind})), piece)
