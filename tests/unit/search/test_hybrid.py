"""Fusing lists by rank, and ranking sections by their strongest unit."""

from assistant.graph.reading.search import Holding
from assistant.search.hybrid import by_headings, by_words, fuse, hits, rank
from assistant.search.passages import best_passages
from assistant.search.question import read_question, word_weights
from assistant.search.support import supported
from tests.unit.search.sections import candidate, page

TRAVEL = """# Travel

Ask your manager before you book.

## Hotels

| City | Most per night |
| --- | --- |
| Oslo | $210 |
| Lisbon | $160 |

## How late may I send receipts?

Send them within 45 days. Later ones are not paid.
"""
OTHER = """# Receipts

Receipts are kept. People send receipts late, and receipts pile up; we like receipts.

## Trips

Hotels in Oslo are nice.
"""


def found(text: str) -> tuple[list[str], list[str]]:
    """Headings and quotes, best first, for a question to the two pages."""
    question = read_question(text)
    sections = [*page("travel.md", TRAVEL), *page("other.md", OTHER)]
    candidates = [candidate(n, section) for n, section in enumerate(sections)]
    counts = {word: sum(word in c.tokens for c in candidates) for word in question.words}
    ranked = hits(rank(question, word_weights(question, counts, len(sections)), candidates, 8, {}), {"words": [0, 1]})
    passages = best_passages(text, ranked, None)
    return [hit.section.heading for hit in ranked], [passage.unit.quote for passage in passages]


def test_a_node_in_two_lists_comes_before_the_first_of_one() -> None:
    assert fuse({"words": [1, 2], "headings": [3, 2]}) == [2, 1, 3]


def test_equals_come_in_the_order_they_were_written() -> None:
    assert fuse({"words": [7], "headings": [5]}) == [5, 7]


def test_lists_go_by_weight() -> None:
    weights = {"trip": 0.7, "oslo": 0.3}
    some = Holding(frozenset({"oslo"}), frozenset(), (1, 2))
    title = Holding(frozenset(), frozenset({"trip"}), (3,))
    both = Holding(frozenset({"oslo", "trip"}), frozenset({"oslo"}), (4,))
    assert by_words([some, title, both], weights) == [4, 3, 1, 2]
    assert by_headings([some, title, both], weights) == [3, 4]


def test_a_heading_that_is_the_question_comes_first() -> None:
    headings, quotes = found("How late may I send receipts?")
    assert headings[0] == "How late may I send receipts?"
    assert quotes[0].startswith("Send them within 45 days.")


def test_a_table_row_is_found_by_its_cells() -> None:
    _, quotes = found("How much may a hotel in Oslo cost per night?")
    assert "$210" in quotes[0]


def test_each_wording_comes_once() -> None:
    _, quotes = found("receipts")
    assert len(quotes) == len(set(quotes))


def test_what_is_covered_nowhere_near_is_not_supported() -> None:
    def answerable(text: str) -> bool:
        question = read_question(text)
        sections = [candidate(n, section) for n, section in enumerate(page("travel.md", TRAVEL))]
        counts = {word: sum(word in c.tokens for c in sections) for word in question.words}
        ranked = hits(rank(question, word_weights(question, counts, len(sections)), sections, 8, {}), {})
        return supported(text, best_passages(text, ranked, None)).answerable

    assert answerable("How late may I send receipts?")
    assert not answerable("How many penguins may a manager adopt?")


def test_nothing_found_is_no_answer_and_says_what_was_looked_for() -> None:
    support = supported("Where do penguins sleep?", [])
    assert not support.answerable
    assert "penguin" in support.looked_for
