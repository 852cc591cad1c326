"""How alike two sections are, without comparing each with each."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.model.sections import PlacedBlock
from assistant.text.meaning import meaning

_SHINGLE = 3
_COMMON = 24
"""A run of words that so many sections hold says nothing of which is which."""
_CANDIDATES = 8
"""How many of the sections that share most runs are compared word by word."""
_SMALL = 12
"""Words; smaller sections must be nearly the same to count as moved."""


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
    scored: list[tuple[float, int, int, int]] = []
    for i, j in _candidates(before, after):
        threshold = _threshold(before[i], after[j])
        words = min(old[i].total(), new[j].total())
        likeness = _dice(old[i], new[j])
        if likeness >= (threshold.small if words < _SMALL else threshold.least):
            distance = abs(before[i].index - after[j].index)
            scored.append((-likeness - threshold.bonus, distance, i, j))
    scored.sort()
    for _, _, i, j in scored:
        yield i, j


def _dice(old: Counter[str], new: Counter[str]) -> float:
    """The share of words that two sections have in common, 0 to 1."""
    size = old.total() + new.total()
    if len(old) > len(new):
        old, new = new, old
    common = sum(min(count, new[word]) for word, count in old.items() if word in new)
    return 2 * common / size if size else 0.0


def _threshold(before: PlacedBlock, after: PlacedBlock) -> _Threshold:
    heading = before.block.heading == after.block.heading and before.block.level > 0
    if before.path != after.path:
        return _SAME_HEADING if heading else _ELSEWHERE
    if before.block.heading_path == after.block.heading_path:
        return _SAME_PLACE
    return _SAME_HEADING_ON_PAGE if heading else _ON_PAGE


def _candidates(before: Sequence[PlacedBlock], after: Sequence[PlacedBlock]) -> set[tuple[int, int]]:
    """The pairs worth comparing: those that share rare runs of words, the same body, or place and heading."""
    found: set[tuple[int, int]] = set()
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, section in enumerate(before):
        for shingle in _shingles(section):
            holders[shingle].append(i)
    for j, section in enumerate(after):
        shared: Counter[int] = Counter()
        for shingle in _shingles(section):
            for i in holders.get(shingle, ())[:_COMMON]:
                shared[i] += 1
        found.update((i, j) for i, _ in shared.most_common(_CANDIDATES))
    by_name: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for i, section in enumerate(before):
        by_name[section.path, section.block.heading].append(i)
    for j, section in enumerate(after):
        found.update((i, j) for i in by_name.get((section.path, section.block.heading), ())[:_CANDIDATES])
    return found


def _shingles(section: PlacedBlock) -> set[tuple[str, ...]]:
    """The section's runs of three words; all its words as one run where there are fewer."""
    words = meaning(section.block.source)
    if len(words) <= _SHINGLE:
        return {words} if words else set()
    return {words[at : at + _SHINGLE] for at in range(len(words) - _SHINGLE + 1)}
