"""Meetings are cut by topic."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.decisions.segments import SILENCE, cut, topic_of
from assistant.model.conversations import Speaker, Utterance

TRAVEL = [
    "The hotel limit is too low for Munich.",
    "Hotels there cost two hundred euros.",
    "A higher hotel limit helps everyone who travels to Munich.",
    "Which hotels did we book in Munich?",
    "The cheap hotels are full in September.",
    "So the hotel limit goes up.",
]
HIRING = [
    "Next topic, the interview for frontend engineers.",
    "Candidates say the interview takes too long.",
    "The coding interview alone is three hours for candidates.",
    "Frontend candidates leave after the coding interview.",
    "One interview less would keep more candidates.",
    "Then the coding interview takes one hour for all candidates.",
]


def spoken(texts: list[str], gap: int = 10_000_000) -> list[Utterance]:
    return [Utterance(f"m/{n}", Speaker(f"P{n % 3}", None), n * gap, text) for n, text in enumerate(texts)]


def test_two_topics_are_cut_where_the_second_begins() -> None:
    assert cut(spoken(TRAVEL + HIRING)) == (0, len(TRAVEL))


def test_one_topic_stays_whole() -> None:
    assert cut(spoken(TRAVEL)) == (0,)


def test_length_alone_cuts_nothing() -> None:
    assert len(cut(spoken(TRAVEL * 10))) < 10


def test_silence_cuts() -> None:
    said = spoken(TRAVEL)
    later = [Utterance(u.id + "x", u.speaker, u.at + 2 * SILENCE, u.text) for u in said]
    assert len(said) in cut([*said, *later])


@given(st.lists(st.sampled_from(TRAVEL + HIRING), max_size=60))
def test_every_utterance_is_in_one_topic(texts: list[str]) -> None:
    starts = cut(spoken(texts))
    assert list(starts) == sorted(set(starts))
    assert starts[:1] == ((0,) if texts else ())
    for index in range(len(texts)):
        assert 0 <= topic_of(starts, index) <= index
