"""A section's past: since when its words have stood, what stood there before, and what became of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from assistant.agent.tools.section_history import Version
from assistant.model.sections import ChangeKind
from assistant.text.plain import plain
from assistant.text.spans import numbers
from assistant.text.units import Unit, units

RESPELT = 0.7
"""Likeness from which a unit is taken for another spelling of the words."""

REWRITTEN = 0.4
"""Likeness from which a unit of the version before is what the words replaced."""


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


@dataclass(frozen=True, slots=True)
class Turn:
    """A change of words: what stood before it, what after, and the version that it made."""

    made: Version
    unmade: Version | None
    old: Unit | None
    new: Unit | None


def turns(history: tuple[Version, ...], at: int, unit: Unit) -> Iterator[Turn]:
    """The changes that brought a unit to what it says in the version at an index, latest first."""
    while True:
        told = story(history, at, unit.quote)
        same = told.first.section.id == history[at].section.id
        new = unit if same else closest(unit.quote, told.first.section.text, RESPELT) or unit
        yield Turn(told.first, told.before, told.instead, new)
        if told.before is None or told.instead is None:
            return
        at, unit = index_of(history, told.before.section.id), told.instead


def turning(history: tuple[Version, ...], at: int, unit: Unit, back: int = 0) -> Turn:
    """The change that made a unit say something else (another number where it has any, else other words): the latest,
    or the one so many changes before it.
    """
    found = list(turns(history, at, unit))
    telling = valued(found) if numbers(unit.plain) else []
    telling = telling or found
    return telling[min(back, len(telling) - 1)]


def valued(found: Iterable[Turn]) -> list[Turn]:
    """Those changes after which words name another number than before."""
    return [turn for turn in found if turn.old and turn.new and numbers(turn.old.plain) != numbers(turn.new.plain)]


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
    """The unit of a text that is most like a quote, if it is at least that like it (0 to 1)."""
    wanted = frozenset(bare(quote).split())
    found = max(units(text), key=lambda unit: likeness(wanted, frozenset(bare(unit.quote).split())), default=None)
    if found is None or likeness(wanted, frozenset(bare(found.quote).split())) < least:
        return None
    return found


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The mean of two shares: of the words of both that both have, and of the shorter that the longer has."""
    common = len(one & other)
    return (common / (len(one | other) or 1) + common / (min(len(one), len(other)) or 1)) / 2


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """A text's words, in lower case, with the signs that change what is said (5 % is not 5, <25 not >25)."""
    return " ".join(re.findall(r"\w+|[$€£%<>≤≥=+@#]", plain(text).casefold()))
