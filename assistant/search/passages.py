"""The sentences, items and rows of the found sections that answer best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.embed import Embedder
from assistant.model.sections import SectionVersion
from assistant.search.evidence import MEANING, evidence, section_words, unit_words
from assistant.search.hybrid import Hit
from assistant.search.question import read_question, word_weights
from assistant.text.units import Unit
from assistant.text.words import search_tokens

COMPARED = 12
"""Units whose meaning is compared with the question's: each costs 5 to 10 ms the first time it is met."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a section that may answer."""

    section: SectionVersion
    unit: Unit
    score: float
    covered: float
    """Share of the question, by weight of its words, that the unit and what stands around it cover."""
    missing: frozenset[str]
    """Search tokens of the question that are covered nowhere near."""
    fits: bool | None
    """Whether it holds the sort of thing asked for; None where anything would do."""
    likeness: float | None
    """Cosine between question and unit; None without an embedder."""
    past: bool


def best_passages(text: str, hits: Sequence[Hit], embedder: Embedder | None) -> list[Passage]:
    """The units of the hits that speak best to the text, best first, each wording once."""
    found = [
        Passage(hit.section, e.unit, e.score, e.covered, e.missing, e.fits, None, hit.past)
        for hit in hits
        for e in hit.evidence
    ]
    first = {passage.unit.plain: passage for passage in sorted(found, key=lambda p: p.score)}
    ordered = sorted(first.values(), key=lambda p: -p.score)[:COMPARED]
    if embedder is None or not ordered:
        return ordered
    asked, *vectors = embedder.encode([text, *(said(passage) for passage in ordered)])
    likened = [_likened(passage, float(asked @ vector)) for passage, vector in zip(ordered, vectors, strict=True)]
    return sorted(likened, key=lambda p: -p.score)


def worths(text: str, section: SectionVersion, embedder: Embedder | None) -> dict[Unit, float]:
    """How well each unit of one section speaks to the question: words that few of its units have tell the most."""
    question, own = read_question(text), unit_words(section)
    counts = {word: sum(word in tokens for _, tokens in own) for word in question.words}
    words = section_words(section, search_tokens(f"{section.heading} {section.text}"))
    found = evidence(question, word_weights(question, counts, len(own)), section, words)
    if embedder is None or not found:
        return {one.unit: one.score for one in found}
    asked, *vectors = embedder.encode([text, *(f"{section.heading}: {one.unit.plain}" for one in found)])
    return {one.unit: one.score + MEANING * float(asked @ vector) for one, vector in zip(found, vectors, strict=True)}


def said(passage: Passage) -> str:
    """A unit as it is compared: under its heading, without which an item often says little."""
    return f"{passage.section.heading}: {passage.unit.plain}"


def _likened(passage: Passage, likeness: float) -> Passage:
    return replace(passage, likeness=likeness, score=passage.score + MEANING * likeness)
