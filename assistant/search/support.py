"""Whether what was found answers the question, or something near it that only sounds alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from assistant.search.passages import Passage
from assistant.search.question import read_question

COVERED, LIKENESS, BIAS = 7.0, 9.0, -9.5
"""Logit of being an answer, from the share of the question covered around the best passage and from its likeness."""

COVERED_ALONE, BIAS_ALONE = 10.5, -6.5
"""The same without an embedder."""


@dataclass(frozen=True, slots=True)
class Support:
    """Whether the passages answer the question."""

    answerable: bool
    confidence: float
    """Probability, 0 to 1, that the best passage answers it."""
    looked_for: tuple[str, ...]
    """The question's words as it was searched for."""


def supported(text: str, passages: Sequence[Passage]) -> Support:
    """Judges the best passage; nothing found is no answer."""
    looked_for = read_question(text).words
    if not passages:
        return Support(False, 0.0, looked_for)
    confidence = probability(passages[0])
    return Support(confidence >= 0.5, confidence, looked_for)


def probability(passage: Passage) -> float:
    """That the passage answers the question it was found for."""
    if passage.likeness is None:
        logit = COVERED_ALONE * passage.covered + BIAS_ALONE
    else:
        logit = COVERED * passage.covered + LIKENESS * passage.likeness + BIAS
    return 1 / (1 + exp(-logit))
