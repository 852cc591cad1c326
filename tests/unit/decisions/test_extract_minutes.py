"""What the conclusion of written minutes settles."""

import pytest

from assistant.decisions.extract.by_rules import extract
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance


def minutes(title: str, *conclusion: str) -> Conversation:
    lines = [Utterance("m#1/2", Speaker("Mia Falk", "mia"), 2, "I would like to ask for advancement.")]
    lines += [Utterance(f"m#1/{n}", Speaker("", None), n, text) for n, text in enumerate(conclusion, 10)]
    return Conversation(
        "m#1", "m#1", ConversationKind.MINUTES, "m", "m", title, "public", 0, tuple(lines), None, conclusion
    )


@pytest.mark.parametrize(
    ("title", "lines", "values"),
    [
        ("Sets for Stage 2", ("- Stage 2 acceptance", "- Reviewers: MF, KG"), ["Stage 2"]),
        ("Weak things", ("- Consensus for Stage 3", "- needs tests before Stage 4"), ["Stage 3"]),
        ("Separators", ("- Demoting to Stage 2 from Stage 3.",), ["Stage 2"]),
        ("Locale", ("- Intl.Locale to Stage 3", "- Intl.Other to Stage 2"), ["Stage 3", "Stage 2"]),
        ("Pipe for stage 2.7", ("Stage 2.7 was reached.",), ["Stage 2.7"]),
        ("Old idea", ("The proposal has been withdrawn.",), ["withdrawn"]),
        ("Sets for Stage 3", ("- No consensus for Stage 3 yet.",), []),
        ("Sets for Stage 3", ("- Continue the discussion tomorrow",), []),
        ("Office", ("Agreed: the office opens at 8.",), ["8"]),
    ],
)  # fmt: skip
def test_what_a_conclusion_settles(title: str, lines: tuple[str, ...], values: list[str]) -> None:
    found = extract(minutes(title, *lines))
    assert [one.new_value for one in found] == values
    for one in found:
        assert one.quote in lines
        assert one.decided_by is None


def test_the_stage_that_was_only_asked_for_is_not_in_the_statement() -> None:
    [one] = extract(minutes("10.i.a Sets for Stage 2 or 3", "- Stage 1 acceptance"))
    assert one.statement == "Sets: Stage 1 acceptance"


def talked(title: str, conclusion: str, *talk: tuple[str, str]) -> Conversation:
    """Minutes of one item with talk before its conclusion."""
    said = [Utterance(f"m#1/{n}", Speaker(name, None), n, text) for n, (name, text) in enumerate(talk, 2)]
    said.append(Utterance("m#1/90", Speaker("", None), 90, conclusion))
    return Conversation(
        "m#1", "m#1", ConversationKind.MINUTES, "m", "m", title, "public", 0, tuple(said), None, (conclusion,)
    )


ASKED = ("Mia", "The tests are merged and two engines ship it. I'd like to ask for stage 2.")
SETTLED = ("Ole", "I hear no objections to the set methods, so congratulations Mia, you have Stage 2.")
NOISE = (("Ole", "That is a stage 2 concern."), ("Mia", "Thank you."))


@pytest.mark.parametrize("line", ["- Stage 2 acceptance", "### Conclusion\n\nStage 2", "Approved for Stage 2!"])
def test_a_bare_line_is_told_in_the_words_that_it_records(line: str) -> None:
    [one] = extract(talked("Sets for Stage 2", line, ASKED, *NOISE, SETTLED, *NOISE))
    assert (one.quote, one.decided_at) == (SETTLED[1], 5)
    assert (one.new_value, one.decided_by) == ("Stage 2", None)
    assert one.supporting == ("m#1/90",)
    assert one.statement.startswith("Sets: ")


def test_without_words_that_record_it_the_call_for_it_is_told() -> None:
    [one] = extract(talked("Sets for Stage 2", "- Stage 2 acceptance", ASKED, *NOISE))
    assert one.quote == ASKED[1]


@pytest.mark.parametrize(
    "talk",
    [
        (),
        NOISE,
        (("Ole", "I do not think we have consensus for stage 2."),),
        (("Ole", "Are you asking for stage 2?"),),
        (("Ole", "Congratulations on stage 3 last time."),),
        (("Ole", "Keine Einwände, dann gilt Stufe 2."),),
    ],
)
def test_words_that_settle_nothing_or_something_else_are_not_told(talk: tuple[tuple[str, str], ...]) -> None:
    [one] = extract(talked("Sets for Stage 2", "- Stage 2 acceptance", *talk))
    assert one.quote == "- Stage 2 acceptance"


def test_a_line_that_names_its_subject_is_told_itself() -> None:
    for line in ("Sets to Stage 2", "Stage 2, with the names union and intersection as in the slides"):
        [one] = extract(talked("Sets for Stage 2", line, ASKED, SETTLED))
        assert one.quote == line


def test_decisions_with_subjects_of_their_own_do_not_carry_the_title() -> None:
    found = extract(minutes("Locale, List for Stage 3", "- Intl.Locale to Stage 3", "- Intl.List to Stage 2"))
    assert [one.statement for one in found] == ["Intl.Locale to Stage 3", "Intl.List to Stage 2"]


GERMAN = (
    "Ich finde, wir sollten den Grenzwert ab Juni auf 25 setzen, weil 14 keinem mehr reicht und alle klagen. "
    "Dann haben die Leute genug Zeit und wir weniger Anfragen."
)
JAPANESE = "試用期間は14日では短すぎると思います。25日にしましょう。"


@pytest.mark.parametrize(
    ("talk", "conclusion", "value"),
    [
        (GERMAN, "Der Grenzwert wird auf 25 gesetzt.", "25"),
        (JAPANESE, "試用期間は25日とする。", "25"),
        (GERMAN, "Alle sind dafür.", None),
    ],
)
def test_in_other_languages_the_heading_decides(talk: str, conclusion: str, value: str | None) -> None:
    [one] = extract(talked("Grenzwert", conclusion, ("Mia", talk)))
    assert (one.quote, one.new_value) == (conclusion, value)


def test_in_english_a_conclusion_may_settle_nothing() -> None:
    talk = "I think that we are not there with the numbers, and it is better if they look at this first."
    assert extract(talked("Limit", "Numbers were shown to the room.", ("Mia", talk))) == ()
