"""A section's past: since when its words have stood, what stood there before, and what became of them."""

import re
from dataclasses import dataclass
from functools import lru_cache

from assistant.agent.tools.section_history import Version
from assistant.model.sections import ChangeKind
from assistant.text.plain import plain
from assistant.text.units import Unit, units

RESPELT = 0.6
"""Share of words that a unit and its respelt form have in common at least."""

REWRITTEN = 0.3
"""Share of words from which a unit of the version before is what the words replaced."""


@dataclass(frozen=True, slots=True)
class Story:
    """Where words of a section come from."""

    first: Version
    """The version that brought them."""
    before: Version | None
    """The version before that, where there is one."""
    instead: Unit | None
    """What stood in it in their place; None where nothing did."""


def story(history: tuple[Version, ...], at: int, quote: str) -> Story:
    """The story of words that stand in the version at an index of its history (oldest first)."""
    unit = quote
    while at > 0:
        here, previous = history[at].section, history[at - 1].section
        if previous.valid_to != here.valid_from:
            return Story(history[at], None, None)  # it was gone in between
        if not stands(unit, previous.text):
            respelt = closest(unit, previous.text, RESPELT) if here.change is ChangeKind.COSMETIC else None
            if respelt is None:
                return Story(history[at], history[at - 1], closest(unit, previous.text, REWRITTEN))
            unit = respelt.quote
        at -= 1
    return Story(history[0], None, None)


def ended(history: tuple[Version, ...], at: int, quote: str) -> Version | None:
    """The first later version in which words of the version at an index no longer stand; None where all have them."""
    unit = quote
    for version in history[at + 1 :]:
        if not stands(unit, version.section.text):
            respelt = (
                closest(unit, version.section.text, RESPELT) if version.section.change is ChangeKind.COSMETIC else None
            )
            if respelt is None:
                return version
            unit = respelt.quote
    return None


def index_of(history: tuple[Version, ...], version: str) -> int:
    """Where a version stands in its history; raises StopIteration if it is not in it."""
    return next(n for n, known in enumerate(history) if known.section.id == version)


def stands(quote: str, text: str) -> bool:
    """Whether words stand in a text, whatever its markup, case, spacing and punctuation."""
    return quote in text or f" {bare(quote)} " in f" {bare(text)} "


def closest(quote: str, text: str, least: float) -> Unit | None:
    """The unit of a text that has most words in common with a quote, if their share of both is at least that."""
    wanted = frozenset(bare(quote).split())
    best, found = least, None
    for unit in units(text):
        words = frozenset(bare(unit.quote).split())
        share = len(wanted & words) / (len(wanted | words) or 1)
        if share > best or (found is None and share == best):
            best, found = share, unit
    return found


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """A text's words, in lower case, with the signs that change what is said (5 % is not 5, <25 not >25)."""
    return " ".join(re.findall(r"\w+|[$€£%<>≤≥=+@#]", plain(text).casefold()))
