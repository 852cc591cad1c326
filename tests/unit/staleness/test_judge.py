"""Do cited words still stand? By text alone."""

import pytest

from assistant.model.sections import ChangeKind
from assistant.staleness.judge import Leaning, Reason, Touch, closest, judge, says

AFTER = """## Trial

Somebody in a free trial becomes an **MQL** at a score of 31 points.

- Ask [the desk](https://example.com/new) first
- Bring a friend

| What | Limit |
| --- | --- |
| Hotel | €165 |
"""


def touch(quote: str, kind: ChangeKind = ChangeKind.MODIFIED, shown: str = "", claim: str = "") -> Touch | None:
    return judge(Leaning(claim or quote, quote, shown), kind, AFTER + quote, AFTER)


def gone(quote: str, kind: ChangeKind = ChangeKind.MODIFIED, shown: str = "") -> tuple[str, str | None] | None:
    found = touch(quote, kind, shown)
    return None if found is None else (found.old_quote, found.new_quote)


@pytest.mark.parametrize(
    "quote",
    [
        "Somebody in a free trial becomes an MQL at a score of 31 points",
        "somebody in a  free\ntrial becomes an *MQL*",
        "| Hotel | €165 |",
        "- Ask [the desk](https://example.com/old) first",
        "- Bring a friend\n\nSomebody in a free trial becomes an MQL at a score of 31 points.",
        "",
    ],
)
def test_words_that_stand(quote: str) -> None:
    assert gone(quote) is None


@pytest.mark.parametrize(
    ("quote", "now"),
    [
        (
            "Somebody in a free trial becomes an MQL at a score of 25 points.",
            "Somebody in a free trial becomes an **MQL** at a score of 31 points.",
        ),
        ("| Hotel | €140 |", "| Hotel | €165 |"),
        ("Bring no friend", "Bring a friend"),
    ],
)
def test_words_that_are_gone_and_the_closest_ones(quote: str, now: str) -> None:
    found = gone(quote)
    assert found is not None
    assert found[0] == quote
    assert now in (found[1] or "")


def test_of_a_whole_section_the_first_lost_sentence_is_told() -> None:
    found = gone("## Trial\n\nBring a friend.\n\nThe hotel is booked by us.\n\nThe bus is late.")
    assert found is not None
    assert found[0] == "The hotel is booked by us."


def test_a_removed_section_takes_all_with_it() -> None:
    quote = "Bring a friend"
    assert judge(Leaning(quote, quote, ""), ChangeKind.REMOVED, AFTER, None) == Touch(Reason.REMOVED, quote, None)


def test_a_claim_in_other_words_that_the_new_words_support_better_is_left_to_a_person() -> None:
    before = "A score of 25 points makes a free trial an MQL."
    after = "A score of 40 points makes a free trial an MQL."
    for claim, reason in (
        ("Trials with more than 30 points are MQLs.", Reason.REWORDED),
        ("Trials with less than 30 points are MQLs.", Reason.CHANGED),
        (before, Reason.CHANGED),
    ):
        found = judge(Leaning(claim, before, claim), ChangeKind.MODIFIED, before, after)
        assert found == Touch(reason, before, after)
        assert found.sure == (reason is Reason.CHANGED)


def test_cosmetic_changes_and_moves_leave_what_was_said() -> None:
    for kind in (ChangeKind.COSMETIC, ChangeKind.MOVED):
        assert gone("Brign a freind", kind) is None


def test_a_link_counts_only_where_the_answer_showed_it() -> None:
    quote = "- Ask [the desk](https://example.com/old) first"
    assert gone(quote, ChangeKind.COSMETIC, shown="Ask the desk first.") is None
    assert gone(quote, ChangeKind.COSMETIC, shown="Ask the desk first: https://example.com/old") is not None


def test_words_are_whole() -> None:
    assert says("the limit is 250 euros", "250 euros")
    assert not says("the limit is 1250 euros", "250 euros")
    assert not says("we do not pay", "we do pay")
    assert closest("nothing in common", "Completely other.") is None
