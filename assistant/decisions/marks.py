"""What two texts are compared by: stems and numbers; and values, as people write them in talk and in handbooks."""

import re
from calendar import month_name
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from assistant.text.spans import dates, numbers
from assistant.text.words import content_tokens

_ONE = re.compile(r"\b(?:one|once|single)\b", re.I)
_JOINED = re.compile(r"(?<![\w.,:])\d+(?:\.\d+)?(?=[a-zA-Z])")
"""A number with its unit behind it: `45m`, `20px`, `9am`."""
_UNIT = re.compile(r"\d|^(?:am|pm|utc|px|gb|usd|min|hr|hour|minut|day|week|month|year|busi|work|per|about|up)$")
_ORDINALS = {"1": "st", "2": "nd", "3": "rd"}
NUMBER = "="
"""Begins the mark of a number."""


@lru_cache(maxsize=1 << 15)
def marks(text: str) -> frozenset[str]:
    """The stems of a text's content words, its numbers as `=5`, its days as `=2020-03-01` or `=--03-01`."""
    words = {word for word in content_tokens(text) if not word[0].isdigit()}
    return frozenset(words | {f"{NUMBER}{number}" for number in counted(text) | days(text)})


def counted(text: str) -> set[str]:
    """The numbers of a text, full hours as `8` however they are written."""
    found = {number.removesuffix("%").removesuffix(":00") for number in numbers(text)}
    found |= set(_JOINED.findall(text))
    if _ONE.search(text):
        found.add("1")
    return found


def days(text: str) -> set[str]:
    """The dates of a text that name a day, with and without their year."""
    return {day for day in dates(text) if day[-3:-2] == "-" and day.count("-") != 1}


@dataclass(frozen=True, slots=True)
class Value:
    """A value as somebody said it."""

    raw: str
    numbers: frozenset[str]
    """Marks of its numbers or of its day; empty for a value in words."""
    words: frozenset[str]
    """Marks of its words that are no units of measure."""

    def held_by(self, found: frozenset[str]) -> bool:
        """Whether marks of a text hold it: all numbers, or, where it has none, all its words."""
        if self.numbers:
            return self.numbers <= found
        return bool(self.words) and self.words <= found

    @property
    def marks(self) -> frozenset[str]:
        """What is looked for."""
        return self.numbers or self.words

    @property
    def tokens(self) -> frozenset[str]:
        """Where it may stand among search tokens, as `graph.linking` looks for it."""
        found: set[str] = set()
        for mark in self.numbers:
            found |= _written(mark.removeprefix(NUMBER))
        return frozenset(found) if self.numbers else frozenset(f" {word} " for word in self.words)


def _written(number: str) -> set[str]:
    """How search tokens write a number or a day."""
    if number.startswith("--"):
        month, day = int(number[2:4]), int(number[5:])
        return {
            f"{number[1:].replace('-', '_')} ",
            f" {month_name[month].lower()} {day} ",
            f" {day} {month_name[month].lower()} ",
        }
    whole = f" {number.replace('.', '_').replace(':', '_')}"
    if len(number) > 1:
        return {whole, whole.replace("_", " ")}
    return {
        f"{whole}{tail} " for tail in ("", "am", "pm", "_00", "px", "gb", "k", "h", "m", _ORDINALS.get(number, "th"))
    } | ({" one "} if number == "1" else set())


@lru_cache(maxsize=1 << 12)
def read_value(raw: str) -> Value:
    """The value in words that name nothing else."""
    found = marks(raw)
    named = frozenset(f"{NUMBER}{day}" for day in days(raw) if day.startswith("--"))
    counts = named or frozenset(mark for mark in found if mark[0] == NUMBER)
    words = frozenset(mark for mark in found if mark[0] != NUMBER and not _UNIT.search(mark))
    return Value(raw, counts, words)


def values_in(texts: Iterable[str]) -> frozenset[str]:
    """The marks of all numbers and days that texts name."""
    return frozenset(mark for text in texts for mark in marks(text) if mark[0] == NUMBER)
