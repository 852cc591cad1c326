"""Which of two texts supports a statement: by their words and numbers that differ, weighed as real revisions taught.

The weights were fitted to pairs of revisions in which one text supports a statement and the other does not
(`python -m workers.train_support PAIRS`; VitaminC, Schuster et al. 2021, CC BY-SA 3.0).
"""

import json
import re
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files

from assistant.staleness.bounds import Bound, Stated, stated
from assistant.text.spans import Amount, amounts
from assistant.text.stems import stem
from assistant.text.words import STOP_WORDS

NAMES = ("words", "fitting", "exact", "close")
"""What is told of each text, in this order."""
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[%$€£¥]")

Features = tuple[float, ...]


def supports(statement: str, new: str, old: str) -> float:
    """Log odds that it is the new text, not the old one, that supports the statement; 0 where they tell alike."""
    of_new, of_old = features(statement, new, old), features(statement, old, new)
    return sum(weight * (one - other) for weight, one, other in zip(_weights(), of_new, of_old, strict=True))


@lru_cache(maxsize=1)
def _weights() -> tuple[float, ...]:
    stored = json.loads((files("assistant.staleness") / "support.json").read_text(encoding="utf-8"))
    return tuple(stored[name] for name in NAMES)


def features(statement: str, text: str, other: str) -> Features:
    """How well a text supports a statement, seen beside another text: one number a name in NAMES.

    The share of the statement's words that stand only here; the share of what stands only here that the statement has;
    numbers of the statement that stand only here; how close those of here that keep to its bounds come.
    """
    said, here, there = _Words(statement), _Words(text), _Words(other)
    own = _places_apart(here.stems, there.stems)
    only = {here.stems[at] for at in own} - STOP_WORDS
    gained = only & said.content - set(there.stems)
    return (
        len(gained) / (len(said.content) or 1),
        len(only & set(said.stems)) / (1 + len(only)),
        *_numbers(statement, here.amounts(own), {amount.value for amount in amounts(other)}),
    )


class _Words:
    """A text's words, in order, and where each stands."""

    def __init__(self, text: str) -> None:
        found = list(_TOKEN.finditer(text))
        self.text = text
        self.words = [match[0] for match in found]
        self.stems = [_stem(word) for word in self.words]
        self.starts = [match.start() for match in found]
        self.content = {one for one in self.stems if one not in STOP_WORDS and not one[0].isdigit()}

    def amounts(self, where: set[int]) -> list[Amount]:
        """The numbers among these words."""
        starts = {self.starts[at] for at in where}
        return [amount for amount in amounts(self.text) if amount.start in starts]


def _stem(word: str) -> str:
    low = word.casefold().replace("’", "'")
    return stem(low.removesuffix("'s"))


def _places_apart(one: list[str], other: list[str]) -> set[int]:
    """The places of what the one has and the other has not."""
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return {at for tag, start, end, _, _ in steps if tag != "equal" for at in range(start, end)}


def _numbers(statement: str, here: list[Amount], there: set[float]) -> tuple[float, float]:
    exact = close = 0.0
    for one in stated(statement):
        fits = [amount.value for amount in here if one.holds(amount.value)]
        if one.bound is Bound.EXACT:
            exact += bool(fits) and one.value not in there
        else:
            close += _near(one, fits)
    return exact, close


def _near(said: Stated, values: list[float]) -> float:
    """1 for a value that is the one said, falling to 0 with its distance."""
    return max((1 / (1 + 5 * abs(value - said.value) / max(1.0, abs(said.value))) for value in values), default=0.0)
