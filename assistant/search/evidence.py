"""How well each sentence, list item and table row of a section speaks to a question."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log

from assistant.model.sections import SectionVersion
from assistant.search.kinds import fits
from assistant.search.question import Question, neighbours
from assistant.text.units import Unit, units
from assistant.text.words import STOP_WORDS, content_tokens, search_tokens

SATURATION, LENGTH = 1.2, 0.75
"""BM25's k1 and b, at their usual values."""

TYPICAL_LENGTH = 110.0
"""Search tokens of a section, for BM25's length norm. A constant, so that nothing unseen can sway the ranking; both
handbooks measured have between 90 and 130."""

WORDS, CONTEXT, NEAR, HEADING, TITLE = 12.0, 5.0, 4.0, 9.0, 10.0
"""Worth of the share of the question that a unit's own words cover, and of what is covered only by its context, by the
units beside it, by the heading, by the page's title, path and headings above. Rounded from a conditional logit over
the development questions of both handbooks (tests/bench/search/fit.py); halves agree within a third."""

FIT, SECTION, PAIRS, HEADING_IS_QUESTION, LENGTHY, QUESTION_MARK = 3.0, 4.0, 3.5, 6.0, -1.8, -2.0
"""Worth of holding the sort of thing asked for (its lack costs the same), of the section's BM25, of pairs of words,
of a heading that is the question, of length (log of 1 + words/20), of being a question itself."""

MEANING = 4.0
"""Worth of a cosine of 1 between the question and a section, or a unit."""


@dataclass(frozen=True, slots=True)
class SectionWords:
    """A section's search tokens by where they stand."""

    body: Counter[str]
    heading: frozenset[str]
    above: frozenset[str]
    """Page title, path, and the headings above."""

    def holds(self, word: str) -> bool:
        """Whether the word stands anywhere in or above it."""
        return word in self.body or word in self.heading or word in self.above


@dataclass(frozen=True, slots=True)
class Evidence:
    """A unit of a section, and how it speaks to the question."""

    unit: Unit
    score: float
    covered: float
    """Share of the question, by weight, that the unit covers with its context, heading and title."""
    missing: frozenset[str]
    """Words of the question that neither the unit nor what stands around it has."""
    fits: bool | None
    """Whether it holds the sort of thing asked for; None where anything would do."""


def section_words(section: SectionVersion, tokens: Iterable[str]) -> SectionWords:
    """Where a section's words stand; `tokens` are those of its heading and text, as the graph keeps them."""
    above = " ".join([section.title, *section.heading_path[:-1], section.path.replace("/", " ").rpartition(".")[0]])
    heading = frozenset(search_tokens(section.heading))
    return SectionWords(Counter(tokens), heading, frozenset(search_tokens(above)))


@lru_cache(maxsize=1 << 13)
def unit_words(section: SectionVersion) -> tuple[tuple[Unit, frozenset[str]], ...]:
    """A section's units, each with its search tokens."""
    return tuple((unit, frozenset(search_tokens(unit.plain))) for unit in units(section.text))


def bm25(words: SectionWords, weights: Mapping[str, float]) -> float:
    """BM25 of a section, its heading and title counted as words of it; weights sum to 1, so it is at most k1 + 1."""
    length = SATURATION * (1 - LENGTH + LENGTH * words.body.total() / TYPICAL_LENGTH)
    score = 0.0
    for word, weight in weights.items():
        often = words.body[word] + (word in words.heading) + (word in words.above or word in words.heading)
        score += weight * often * (SATURATION + 1) / (often + length)
    return score


def promise(words: SectionWords, weights: Mapping[str, float]) -> float:
    """How likely a section is to answer, as far as its words tell without reading it.

    That all of the question is in it counts twice as much as how often: of 193 development questions 145 had their
    section first by this, 111 by BM25 and the heading alone.
    """
    held = sum(weight for word, weight in weights.items() if words.holds(word))
    return 2 * held + bm25(words, weights) + heading_share(words, weights) / 2


def heading_share(words: SectionWords, weights: Mapping[str, float]) -> float:
    """How much of the heading is words of the question: 1 where the heading is the question."""
    told = [word for word in words.heading if word not in STOP_WORDS]
    if not told:
        return 0.0
    typical = max(weights.values(), default=1.0)
    known = sum(weights.get(word, 0.0) for word in told)
    return known / (known + typical * sum(word not in weights for word in told)) if known else 0.0


def heading_is_question(words: SectionWords, weights: Mapping[str, float]) -> float:
    """1 where the heading's words are the question's words; a little where they have a part in common."""
    asked = sum(weight for word, weight in weights.items() if word in words.heading)
    return asked**2 * heading_share(words, weights)


def evidence(
    question: Question, weights: Mapping[str, float], section: SectionVersion, words: SectionWords
) -> list[Evidence]:
    """Every unit of the section, scored."""
    found = unit_words(section)
    base = SECTION * bm25(words, weights) + HEADING_IS_QUESTION * heading_is_question(words, weights)
    scored = []
    for place, (unit, own) in enumerate(found):
        beside = frozenset[str]().union(*(tokens for _, tokens in found[max(place - 1, 0) : place + 2]))
        around = (own, content_set(unit.context), beside, words.heading, words.above)
        scored.append(_score(question, weights, unit, base, around))
    return scored


def _score(
    question: Question, weights: Mapping[str, float], unit: Unit, base: float, around: tuple[frozenset[str], ...]
) -> Evidence:
    """One unit's score; `around` are the words of itself, its context, the units beside it, its heading, its page."""
    score, covered, missing = base, 0.0, set(weights)
    for worth, tokens in zip((WORDS, CONTEXT, NEAR, HEADING, TITLE), around, strict=True):
        share = sum(weights[word] for word in missing & tokens)
        missing -= tokens
        covered += share
        score += worth * share
    fitting = fits(question.kinds, unit.plain)
    if fitting is not None:
        score += FIT if fitting else -FIT
    if question.pairs:
        score += PAIRS * len(question.pairs & neighbours(content_tokens(unit.plain))) / len(question.pairs)
    score += LENGTHY * log(1 + len(unit.plain.split()) / 20)
    score += QUESTION_MARK * unit.plain.rstrip().endswith("?")
    return Evidence(unit, score, covered, frozenset(missing), fitting)


def content_set(text: str) -> frozenset[str]:
    """The search tokens of a unit's context."""
    return frozenset(search_tokens(text))
