"""What a statement says of its numbers: `more than 10`, `before 2019`, `10`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from assistant.text.spans import amounts


class Bound(Enum):
    """How a number in a statement is meant."""

    EXACT = "exactly"
    OVER = "more than"
    FROM = "at least"
    UNDER = "less than"
    UP_TO = "at most"
    NEAR = "about"


_BEFORE = {
    Bound.FROM: "at least|minimum|minimum of|from|since|mindestens|min.",
    Bound.UP_TO: "at most|maximum|maximum of|up to|until|within|höchstens|bis zu|max.",
    Bound.OVER: "more than|greater than|higher than|longer than|larger than|later than|older than|over|above|exceeds|"
    "exceed|exceeding|exceeded|in excess of|beyond|after|surpassed|surpasses|mehr als|über|nach",
    Bound.UNDER: "less than|fewer than|lower than|shorter than|smaller than|earlier than|younger than|under|below|"
    "before|prior to|almost|nearly|short of|weniger als|unter|vor",
    Bound.NEAR: "about|around|approximately|approx.|roughly|circa|some|etwa|rund|ungefähr",
}
"""The words before a number that bound it."""
_DENIED = {
    Bound.FROM: Bound.UNDER,
    Bound.UP_TO: Bound.OVER,
    Bound.OVER: Bound.UP_TO,
    Bound.UNDER: Bound.FROM,
    Bound.NEAR: Bound.NEAR,
}
"""What a bound becomes behind a negation: `no later than`, `not before`."""
_NOT = r"(?P<denied>\b(?:not?|never|nicht)\s+(?:be\s+|have\s+)?)?(?<!\w)"
_LEADS = {
    bound: re.compile(rf"{_NOT}(?:{'|'.join(map(re.escape, words.split('|')))})$", re.I)
    for bound, words in _BEFORE.items()
}
_ASIDE = re.compile(r"(?:[\s$€£¥(~]|\b(?:the|a|year|of|US|USD|EUR|[A-Z][a-z]{2,8}\.?|\d{1,2}(?:st|nd|rd|th)?,?))+$")
"""What may stand between the words of a bound and its number: a currency, a month."""
_AFTER = {
    Bound.FROM: re.compile(r"\s*(?:\w+ )?(?:\+|or (?:more|above|over|later|longer)\b|and (?:above|over|more)\b)", re.I),
    Bound.UP_TO: re.compile(r"\s*(?:\w+ )?or (?:less|fewer|below|under|earlier|shorter)\b", re.I),
}
_NEARLY = 0.1
"""The share by which a number that is `about` another may differ from it."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as a statement means it."""

    value: float
    bound: Bound

    def holds(self, value: float) -> bool:
        """Whether a number is what the statement says."""
        match self.bound:
            case Bound.EXACT:
                return value == self.value
            case Bound.OVER:
                return value > self.value
            case Bound.FROM:
                return value >= self.value
            case Bound.UNDER:
                return value < self.value
            case Bound.UP_TO:
                return value <= self.value
            case Bound.NEAR:
                return abs(value - self.value) <= _NEARLY * max(abs(self.value), 1.0)


def stated(text: str) -> Iterator[Stated]:
    """The numbers of a statement, in order."""
    for amount in amounts(text):
        yield Stated(amount.value, _bound(text, amount.start, amount.end))


def _bound(text: str, start: int, end: int) -> Bound:
    before = text[max(0, start - 60) : start]
    for words in (before.rstrip(), _ASIDE.sub("", before).rstrip()):
        for bound, lead in _LEADS.items():
            if found := lead.search(words):
                return _DENIED[bound] if found["denied"] else bound
    return next((bound for bound, tail in _AFTER.items() if tail.match(text, end)), Bound.EXACT)
