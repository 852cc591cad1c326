"""Slips of spelling, told from changes of meaning."""

import re
from collections.abc import Container
from functools import cache
from importlib.resources import files

_LETTERS = re.compile(r"[a-z]{3,}")
_LEAST = 4
"""Letters; shorter words are too near to others, unless letters were only swapped."""
_PREFIXES = (
    "un",
    "in",
    "im",
    "ir",
    "il",
    "non",
    "dis",
    "mis",
    "re",
    "de",
    "pre",
    "sub",
    "over",
    "under",
    "anti",
    "bi",
    "tri",
    "semi",
)
_ENDINGS = frozenset("s d r n t y".split())
"""Last letters that make another form or another word: -s, -ed, -er, -en."""
_VARIANTS = (
    (re.compile(r"is(?=e|ing|ation)"), "iz"),
    (re.compile(r"ys(?=e|ing)"), "yz"),
    (re.compile(r"our"), "or"),
    (re.compile(r"ll(?=ed|ing|er|ation)"), "l"),
    (re.compile(r"tre\b"), "ter"),
    (re.compile(r"ence\b"), "ense"),
    (re.compile(r"ogue\b"), "og"),
    (re.compile(r"grey"), "gray"),
    (re.compile(r"gement"), "gment"),
    (re.compile(r"ae"), "e"),
)
"""British spellings and their American ones."""


_LONGEST = 60
"""Letters of the longest word whose spelling is looked into: comparing two costs the product of their lengths."""


@cache
def english() -> frozenset[str]:
    """Common English words in lower case (SCOWL up to size 50, from Debian's wamerican; licence beside the list)."""
    return frozenset(word for word in _listed() if word.islower())


@cache
def _words_and_names() -> frozenset[str]:
    """The words, and first names, surnames and places, all in lower case."""
    return frozenset(word.lower() for word in _listed())


def _listed() -> list[str]:
    text = files("assistant.text").joinpath("english.txt").read_text("utf-8")
    return text.split("\n")[1:-1]


def is_respelled(old: str, new: str, nearby: Container[str]) -> bool:
    """Whether two words in lower case are one word, spelled right or wrong, British or American.

    `nearby` are the other words of the text: a name that stands there too is known to be one.
    """
    if max(len(old), len(new)) > _LONGEST:
        return False
    if not _LETTERS.fullmatch(old) or not _LETTERS.fullmatch(new):
        return False
    if any(pattern.sub(to, old) == pattern.sub(to, new) for pattern, to in _VARIANTS):
        return True
    if _is_other_form(old, new):
        return False
    if not _near(old, new):
        return False
    listed = _words_and_names()
    if min(len(old), len(new)) < _LEAST and sorted(old) != sorted(new):
        return False
    if old not in listed and old not in nearby:
        return _known(new) or new in nearby
    return new not in listed and new not in nearby and old in english()


def _known(word: str) -> bool:
    """A word of the list, or two of them written as one."""
    words = english()
    cuts = range(3, len(word) - 2)
    return word in words or any(word[:cut] in words and word[cut:] in words for cut in cuts)


def _is_other_form(old: str, new: str) -> bool:
    """Whether only a prefix (paid, unpaid) or an ending (owner, owned) tells them apart."""
    short, long = sorted((old, new), key=len)
    if any(long == prefix + short for prefix in _PREFIXES):
        return True
    if len(long) == len(short):
        return long[:-1] == short[:-1]
    return long.startswith(short) and long[len(short) :][-1] in _ENDINGS


def _near(old: str, new: str) -> bool:
    """At most one slip (a letter more, less, other, or two swapped), two in words of seven letters and more."""
    slips = 1 if min(len(old), len(new)) < 7 else 2
    if abs(len(old) - len(new)) > slips or (old[0] != new[0] and old[1] != new[0]):
        return False
    return _distance(old, new) <= slips


def _distance(old: str, new: str) -> int:
    """Edits between two words, a swap of neighbours being one (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(new) + 1))
    for i, a in enumerate(old, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(new, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == new[j - 2] and b == old[i - 2]:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
