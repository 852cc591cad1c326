"""What two texts are compared by: stems and numbers; and values, as people write them in talk and in handbooks."""

import re
from dataclasses import dataclass
from functools import lru_cache

from assistant.decisions.extract.values import found
from assistant.decisions.lengths import lengths
from assistant.text.spans import dates, numbers
from assistant.text.words import content_tokens

_NUMERIC = re.compile(
    r"\d|\b(?:one|once|single|two|twice|three|third|four|five|fifth|six|seven|eight|nin|ten|eleven|twel|thir|fif|twent|"
    r"fort|hundred|thousand|million|dozen)",
    re.I,
)
"""What every text has that names a number."""
_ONE = re.compile(r"\b(?:one|once|single)\b", re.I)
_JOINED = re.compile(r"(?<![\w.,:])\d+(?:\.\d+)?(?=[a-zA-Z])")
"""A number with its unit behind it: `45m`, `20px`, `9am`."""
_UNIT = re.compile(r"\d|^(?:am|pm|utc|px|gb|usd|min|hr|hour|minut|day|week|month|year|busi|work|per|about|up)$")
_RANGE = re.compile(r"\b(?:to|or|through)\b", re.I)
"""Between the ends of a range: each is a number of its own."""
NUMBER = "="
"""Begins the mark of a number."""


def names_number(text: str) -> bool:
    """Whether a text may name a number; where not, it surely names none."""
    return bool(_NUMERIC.search(text))


@lru_cache(maxsize=1 << 15)
def marks(text: str) -> frozenset[str]:
    """The stems of a text's content words, its numbers as `=5`, its days as `=2020-03-01` or `=--03-01`."""
    words = {word for word in content_tokens(text) if not word[0].isdigit()}
    if not _NUMERIC.search(text):
        return frozenset(words)
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


_UNITS = (
    ("minute", r"\bmin(?:ute)?s?\b"),
    ("hour", r"\b(?:hours?|hrs?)\b|\dh\b"),
    ("day", r"\bdays?\b"),
    ("week", r"\bweeks?\b|\bwk"),
    ("month", r"\bmonths?\b"),
    ("quarter", r"\bquarters?\b"),
    ("year", r"\byears?\b"),
    ("time", r"\d\s?[ap]\.?m\b|\butc\b|\bp[sd]?t\b|\d:\d\d|o'clock"),
    ("money", r"[$€£]|\b(?:dollars?|euros?|pounds?|usd|eur|gbp|cents?|bucks)\b"),
    ("percent", r"%|\bper ?cent"),
    ("size", r"\b\d*\s?(?:px|pixels?|gb|mb|tb)\b"),
)
_UNIT_OF = tuple((name, re.compile(pattern, re.I)) for name, pattern in _UNITS)


def unit_of(words: str) -> str:
    """What kind of thing a value measures, '' where its words do not say."""
    return next((name for name, pattern in _UNIT_OF if pattern.search(words)), "")


@lru_cache(maxsize=1 << 13)
def measured(text: str) -> dict[str, frozenset[str]]:
    """For each number of a text what it measures, '' where that is not said."""
    units: dict[str, set[str]] = {}
    if not _NUMERIC.search(text):
        return {}
    for quantity in found(text):
        for number in counted(quantity.text) | {quantity.key.removesuffix(":00")}:
            units.setdefault(number, set()).add(unit_of(quantity.text))
    return {f"{NUMBER}{number}": frozenset(kinds) for number, kinds in units.items()}


def same_measure(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether numbers may measure the same: not where both say what they measure, and it differs."""
    return not one or not other or "" in one or "" in other or bool(one & other)


@dataclass(frozen=True, slots=True)
class Value:
    """A value as somebody said it."""

    raw: str
    numbers: frozenset[str]
    """Marks of its numbers or of its day; empty for a value in words."""
    words: frozenset[str]
    """Marks of its words that are no units of measure."""
    lengths: frozenset[float] = frozenset()
    """The length of time that it is, in minutes, as calendars have it."""

    def held_by(self, found: frozenset[str]) -> bool:
        """Whether marks of a text hold it: all numbers, or, where it has none, all its words."""
        if self.numbers:
            return self.numbers <= found
        return bool(self.words) and self.words <= found

    @property
    def marks(self) -> frozenset[str]:
        """What is looked for."""
        return self.numbers or self.words


@lru_cache(maxsize=1 << 12)
def read_value(raw: str) -> Value:
    """The value in words that name nothing else."""
    all_marks = spoken_marks(raw)
    named = frozenset(f"{NUMBER}{day}" for day in days(raw) if day.startswith("--"))
    counts = named or _whole(frozenset(mark for mark in all_marks if mark[0] == NUMBER), raw)
    words = frozenset(mark for mark in all_marks if mark[0] != NUMBER and not _UNIT.search(mark))
    return Value(raw, counts, words, lengths(raw))


def _whole(counts: frozenset[str], raw: str) -> frozenset[str]:
    """The numbers of a value without those that are only parts of one told in words."""
    told = frozenset(f"{NUMBER}{quantity.key.removesuffix(':00')}" for quantity in found(raw))
    spelled = not any(map(str.isdigit, raw)) and not _RANGE.search(raw)
    return told & counts if spelled and told & counts else counts


@lru_cache(maxsize=1 << 13)
def spoken_marks(text: str) -> frozenset[str]:
    """The marks of what somebody said: numbers told in words, like "five and a half thousand", count as said."""
    if not _NUMERIC.search(text):
        return marks(text)
    told = {quantity.key.removesuffix(":00") for quantity in found(text)}
    return marks(text) | {f"{NUMBER}{number}" for number in told if number[:1].isdigit()}
