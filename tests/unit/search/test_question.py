"""Reading a question, and what each of its words is worth."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from assistant.search.question import read_question, word_weights


def test_words_that_only_ask_are_left_out() -> None:
    assert read_question("How many days of leave do we have?").words == read_question("days of leave").words


def test_a_question_of_common_words_keeps_them() -> None:
    assert read_question("who are you?").words


def test_the_rarer_word_tells_more() -> None:
    question = read_question("travel budget")
    weights = word_weights(question, {"travel": 400, "budget": 3}, 1000)
    assert weights["budget"] > weights["travel"] > 0


@given(st.text(), st.integers(0, 50), st.integers(50, 10_000))
def test_weights_sum_to_one(text: str, often: int, total: int) -> None:
    question = read_question(text)
    weights = word_weights(question, dict.fromkeys(question.words, often), total)
    assert sum(weights.values()) == approx(1.0 if question.words else 0.0)
    assert len(set(question.words)) == len(question.words)
