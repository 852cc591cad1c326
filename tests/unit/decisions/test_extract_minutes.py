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
        ("Sets for Stage 2", ("- Not advancing", "- needs use cases"), []),
        ("Sets for Stage 3", ("- Stays at Stage 2",), []),
        ("Sets for Stage 3", ("- No consensus for Stage 3 yet.",), []),
        ("Sets for Stage 3", ("- will return to ask for Stage 3",), []),
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
