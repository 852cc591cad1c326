"""How alike two sections are, without comparing each with each."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from assistant.model.sections import PlacedBlock
from assistant.text.meaning import meaning

_COMMON = 24
"""A word that more sections hold says little of which is which."""
_CANDIDATES = 8
"""How many of the sections that share most words are compared word by word."""
_SMALL = 12
"""Words; smaller sections must be nearly the same to count as moved."""

_FEW = 5
"""Words; what is smaller never counts as moved to another page by its words alone."""


class _Threshold(NamedTuple):
    """What makes two sections one, by how their places agree."""

    least: float
    small: float
    bonus: float


_SAME_PLACE = _Threshold(0.25, 0.4, 0.4)
_SAME_HEADING_ON_PAGE = _Threshold(0.4, 0.5, 0.25)
_ON_PAGE = _Threshold(0.5, 0.75, 0.15)
_SAME_HEADING = _Threshold(0.55, 0.8, 0.1)
_ELSEWHERE = _Threshold(0.6, 0.9, 0.0)


def likely_pairs(before: Sequence[PlacedBlock], after: Sequence[PlacedBlock]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers (before, after) alike enough to be one section, the likeliest first; a number may come twice."""
    old = [Counter(meaning(section.block.source)) for section in before]
    new = [Counter(meaning(section.block.source)) for section in after]
    old_sizes, new_sizes = [words.total() for words in old], [words.total() for words in new]
    scored: list[tuple[float, int, int, int]] = []
    for i, j in _candidates(before, after, old, new):
        threshold = _threshold(before[i], after[j])
        words = min(old_sizes[i], new_sizes[j])
        likeness = _dice(old[i], new[j], old_sizes[i] + new_sizes[j])
        if words < _FEW and before[i].path != after[j].path:
            continue
        if likeness >= (threshold.small if words < _SMALL else threshold.least):
            distance = abs(before[i].index - after[j].index)
            scored.append((-likeness - threshold.bonus, distance, i, j))
    scored.sort()
    for _, _, i, j in scored:
        yield i, j


def hardly_edited(before: PlacedBlock, after: PlacedBlock) -> bool:
    """Whether two sections at one place are so alike that neither can be likelier to be one with any other section."""
    old, new = Counter(meaning(before.block.source)), Counter(meaning(after.block.source))
    sure = 1.0 + _SAME_HEADING_ON_PAGE.bonus - _SAME_PLACE.bonus
    return _dice(old, new, old.total() + new.total()) >= sure


def _dice(old: Counter[str], new: Counter[str], size: int) -> float:
    """The share of words that two sections, of `size` words together, have in common, 0 to 1."""
    common = 0
    for word in old.keys() & new.keys():
        common += min(old[word], new[word])
    return 2 * common / size if size else 0.0


def _threshold(before: PlacedBlock, after: PlacedBlock) -> _Threshold:
    heading = before.block.heading == after.block.heading and before.block.level > 0
    if before.path != after.path:
        return _SAME_HEADING if heading else _ELSEWHERE
    if before.block.heading_path == after.block.heading_path:
        return _SAME_PLACE
    return _SAME_HEADING_ON_PAGE if heading else _ON_PAGE


def _candidates(
    before: Sequence[PlacedBlock],
    after: Sequence[PlacedBlock],
    old: Sequence[Counter[str]],
    new: Sequence[Counter[str]],
) -> set[tuple[int, int]]:
    """The pairs worth comparing: those that share most words that few sections have, or page and heading."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for i, words in enumerate(old):
        for word in words:
            holders[word].append(i)
    names: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for i, section in enumerate(before):
        names[section.path, section.block.heading].append(i)
    found: set[tuple[int, int]] = set()
    for j, section in enumerate(after):
        shared: dict[int, int] = {}
        for word in new[j]:
            at = holders.get(word, ())
            if len(at) <= _COMMON:
                for i in at:
                    shared[i] = shared.get(i, 0) + 1
        likest = shared if len(shared) <= _CANDIDATES else nlargest(_CANDIDATES, shared, key=shared.__getitem__)
        found.update((i, j) for i in likest)
        found.update((i, j) for i in names.get((section.path, section.block.heading), ())[:_CANDIDATES])
    return found
