"""A question as search reads it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log

from assistant.search.kinds import Kind, asked_kinds
from assistant.text.words import content_tokens, search_tokens

_MEASURE = re.compile(
    r"\bhow (?:many|much|long|soon|often|far|late|early|large|big|high|old|frequently)\b", re.IGNORECASE
)
"""Asks for a sort of answer (see `kinds`) and says nothing about what it is about."""


@dataclass(frozen=True, slots=True)
class Question:
    """The words that tell what it is about, and the sorts of answer that would do."""

    text: str
    words: tuple[str, ...]
    """Search tokens in order, each once, without those that every text has."""
    pairs: frozenset[tuple[str, str]]
    """Words that stand side by side in it."""
    kinds: frozenset[Kind]


def read_question(text: str) -> Question:
    """Reads a question; one of nothing but common words is read with these."""
    words = content_tokens(_MEASURE.sub(" ", text)) or search_tokens(text)
    return Question(text, tuple(dict.fromkeys(words)), neighbours(words), asked_kinds(text))


def neighbours(words: list[str]) -> frozenset[tuple[str, str]]:
    """The pairs of words that stand side by side."""
    return frozenset(pairwise(words))


def word_weights(question: Question, counts: Mapping[str, int], total: int) -> dict[str, float]:
    """How much each word of the question tells, together 1: the rarer among the `total` visible sections, the more."""
    rarity = {
        word: log(1 + (total - counts.get(word, 0) + 0.5) / (counts.get(word, 0) + 0.5)) for word in question.words
    }
    whole = sum(rarity.values()) or 1.0
    return {word: rare / whole for word, rare in rarity.items()}
