"""What a change to a section really shows: the sentences, list items and rows that it edited, added or took away."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from assistant.decisions.marks import marks
from assistant.text.plain import plain
from assistant.text.sentences import sentence_spans

_ALIKE = 0.3
"""Share of marks that a sentence before and one after have in common, from which one is an edit of the other."""
_RULE = re.compile(r"\s*\|?\s*:?-{2,}[\s|:-]*$")
_MARKER = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+|#+[ \t]+)*(?:(?:\*\*)?step \d+:?(?:\*\*)?[: \t]+)?", re.I)
"""What a line begins with that counts or marks it, but says nothing."""

_ENDS = re.compile(r"[.!?…。！？｡<]")
"""Without any of these a line is one sentence."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A sentence, item or row before and after, verbatim; '' where it was added or taken away."""

    before: str
    after: str

    @property
    def old(self) -> frozenset[str]:
        """Marks of what stood before."""
        return read(self.before)

    @property
    def new(self) -> frozenset[str]:
        """Marks of what stands afterwards."""
        return read(self.after)


@lru_cache(maxsize=1 << 16)
def read(markdown: str) -> frozenset[str]:
    """The marks of what a person reads of it."""
    return marks(words(markdown))


@lru_cache(maxsize=1 << 16)
def words(markdown: str) -> str:
    """What a person reads of it."""
    return plain(markdown)


@lru_cache(maxsize=1 << 13)
def edits(before: str, after: str) -> tuple[Edit, ...]:
    """What differs between two texts, each new sentence with the old one that it is an edit of."""
    if not before:
        return tuple(Edit("", piece) for piece in dict.fromkeys(_pieces(after)))
    old, new = _by_words(_changed_lines(before, after)), _by_words(_changed_lines(after, before))
    gone = [piece for words, piece in old.items() if words not in new]
    come = [piece for words, piece in new.items() if words not in old]
    old_of = _pairs(gone, come)
    found = [Edit(gone[old_of[j]] if j in old_of else "", piece) for j, piece in enumerate(come)]
    kept = set(old_of.values())
    return (*found, *(Edit(piece, "") for i, piece in enumerate(gone) if i not in kept))


def _pairs(gone: list[str], come: list[str]) -> dict[int, int]:
    """For each new sentence the number of the old one that is likest, each old one once."""
    scored = sorted(
        (-likeness, i, j)
        for i, one in enumerate(gone)
        for j, other in enumerate(come)
        if (likeness := alike(one, other)) >= _ALIKE
    )
    old_of: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in scored:
        if j not in old_of and i not in taken:
            old_of[j] = i
            taken.add(i)
    return old_of


def alike(one: str, other: str) -> float:
    """The share of marks that two texts have in common, 0 to 1."""
    mine, theirs = read(one), read(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine and theirs else 0.0


def _changed_lines(text: str, other: str) -> str:
    """The lines of a text that do not stand in the other."""
    there = set(other.split("\n"))
    return "\n".join(line for line in text.split("\n") if line not in there)


def _by_words(text: str) -> dict[str, str]:
    return {" ".join(words(piece).casefold().split()): piece for piece in _pieces(text)}


def _pieces(text: str) -> Iterator[str]:
    """The sentences, items and rows of a text, verbatim, without what only counts or marks them."""
    for whole in text.split("\n"):
        marker = _MARKER.match(whole)
        line = whole[marker.end() :] if marker else whole
        if not line.strip() or _RULE.match(line):
            continue
        if line.lstrip().startswith("|"):
            yield line.strip()
            continue
        if not _ENDS.search(line):
            yield line.strip()
            continue
        for start, end in sentence_spans(line):
            yield line[start:end]
