"""Who decided, which earlier words are meant, and what holds for every extraction."""

import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.decisions.extract.by_rules import decider, extract
from assistant.decisions.extract.cues import CUES
from assistant.decisions.extract.features import NAMES, rows, said
from assistant.decisions.extract.pointers import pointed
from assistant.decisions.extract.weights import shipped
from assistant.decisions.training.fit import AGAINST, FOR
from assistant.decisions.training.kinds import conversation, dialogues
from assistant.model.conversations import Conversation, ConversationKind, Reaction, Speaker, Utterance

WORDS = [
    "ok",
    "then",
    "let's do",
    "5",
    "instead of",
    "from Monday on",
    "?",
    "what if",
    "we",
    "page",
    "agreed",
    ".",
    "no",
]


def talk(*lines: tuple[str, str]) -> Conversation:
    spoken = tuple(Utterance(f"t/{n}", Speaker(who, who), n * 10**7, text) for n, (who, text) in enumerate(lines))
    return Conversation("t", "t", ConversationKind.THREAD, "c", "c", "", "public", 0, spoken)


def test_a_reaction_decides_only_where_it_was_asked_for() -> None:
    marks = (Reaction("white_check_mark::skin-tone-2", (Speaker("Ada", None), Speaker("Eve Lund", None))),)
    asked = Utterance("t/0", Speaker("Bo", None), 0, "Proposal: we rename it. @Eve Lund ok for you?", reactions=marks)
    assert decider(asked).name == "Eve Lund"
    assert decider(replace(asked, text="So we rename it from today on.")).name == "Bo"
    assert decider(replace(asked, reactions=(Reaction("eyes", marks[0].by),))).name == "Bo"


def test_words_that_name_a_speaker_mean_what_that_speaker_proposed() -> None:
    read = said(
        talk(
            ("Bo", "I'd go to 20 tickets a day."),
            ("Eve", "Could we make it 12 tickets a day?"),
            ("Bo", "hm"),
            ("Ada", "Alright, then we take Eve's number, from next week on."),
        ).utterances
    )
    assert pointed(read, 3, 0, read[3].utterance.text)[0].index == 1


def test_an_option_is_meant_by_its_letter() -> None:
    read = said(talk(("Bo", "a) stay at 4 hours\nb) go to 4.5 hours\nc) drop it"), ("Ada", "b it is then")).utterances)
    [option] = pointed(read, 1, 0, read[1].utterance.text)
    assert option.quote == "b) go to 4.5 hours"


def test_two_changes_in_one_utterance_are_two_decisions() -> None:
    found = extract(
        talk(
            ("Bo", "Both parts run over, 30 and 90 minutes are a lie."),
            ("Eve", "15 and 60 is what we do anyway."),
            (
                "Ada",
                "Okay so that's decided: part one goes down to 15 minutes and part two down to 60 minutes.",
            ),
            ("Eve", "Great."),
        )
    )
    assert [one.new_value for one in found] == ["15 minutes", "60 minutes"]
    assert len({one.utterance for one in found}) == 1


def test_nothing_is_found_in_nothing() -> None:
    assert extract(talk()) == ()


def test_no_weight_goes_against_its_feature() -> None:
    weights = shipped().by_name
    assert weights.keys() <= set(NAMES)
    assert all(weights.get(name, 0) >= 0 for name in FOR)
    assert all(weights.get(name, 0) <= 0 for name in AGAINST)


def test_every_cue_class_is_used() -> None:
    unseen = set(CUES)
    for made, _ in dialogues():
        for item in said(made.utterances):
            unseen -= item.cues
    assert unseen <= {"because", "report"}


@given(
    st.lists(st.tuples(st.sampled_from("ABC"), st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)), max_size=12)
)
def test_whatever_is_found_was_said(lines: list[tuple[str, list[str]]]) -> None:
    made = talk(*((who, " ".join(words)) for who, words in lines))
    by_id = {item.id: item for item in made.utterances}
    for one in extract(made):
        assert one.quote == by_id[one.utterance].text
        assert one.decided_at == by_id[one.utterance].at
        assert set(one.supporting) <= by_id.keys()
        for words in (*one.reasons, *one.alternatives):
            assert any(words in item.text for item in made.utterances)


@given(st.lists(st.text(alphabet=string.printable, max_size=60), max_size=8))
def test_any_text_has_its_rows(texts: list[str]) -> None:
    made = talk(*(("A", text) for text in texts))
    table = rows(made, said(made.utterances))
    assert [len(row) for row in table] == [len(NAMES)] * len(texts)
    extract(made)


SIGNED = [
    ("Vorschlag: der Grenzwert steigt von 14 auf 25 Tage. @Lena Vos passt das für dich?", "25 Tage"),
    ("Propuesta: el límite sube de 150 a 180 euros. @Lena Vos ¿de acuerdo?", "180 euros"),
    ("Proposition : la limite passe à 180 euros. @Lena Vos d'accord ?", "180 euros"),
    ("@Lena Vos 試用期間は25日とします。承認をお願いできますか？", "25"),
]


@pytest.mark.parametrize(("text", "value"), SIGNED)
def test_a_sign_settles_what_was_asked_for_in_any_language(text: str, value: str) -> None:
    lines = [["Piet", text, {"white_check_mark": ["Lena Vos"]}], ["Nora", "ok"]]
    [one] = extract(conversation({"name": "signed", "kind": "thread", "title": "", "lines": lines}))
    assert (one.quote, one.decided_by) == (text, "Lena Vos")
    assert value.split()[0] in (one.new_value or "")


@pytest.mark.parametrize("text", ["hat jemand meinen Schlüssel gesehen?", "¿quién come hoy a las 12?", "昼ごはんは？"])
def test_a_sign_on_a_mere_question_settles_nothing_in_any_language(text: str) -> None:
    lines = [["Piet", text, {"white_check_mark": ["Lena Vos"]}], ["Nora", "ok"]]
    assert extract(conversation({"name": "asked", "kind": "thread", "title": "", "lines": lines})) == ()


def test_a_shift_is_told_with_the_day_that_was_named_for_it() -> None:
    lines = [
        ["Ana", "The plan says we take over from the first of August, but the new people are not done by then."],
        ["Bea", "Then push it a week. To the Sunday after, the eighth."],
        ["Carl", "I prefer a week of grumbling to a bad start."],
        ["Ana", "Okay then, that's what we do, we start a week later than planned. I'll change the page."],
    ]
    [one] = extract(conversation({"name": "shift", "kind": "meeting", "title": "Handover", "lines": lines}))
    assert one.new_value == "eighth"
    assert "To the Sunday after, the eighth." in one.statement
    assert one.supporting == ("made:shift/1",)
