"""Which decision takes whose place: the last word on one thing wins, in the same talk or weeks later.

How much a word counts depends on all decisions, so that a new one may change what is held of any others: where one has
changed, which `told` tells, all are compared, but each in one go with only those that share its words.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.decisions.marks import NUMBER, Value, read_value, spoken_marks
from assistant.graph.writing.deciding import Stored
from assistant.model import ids
from assistant.text.words import STOP_WORDS

METHOD = "1"
"""Changes with the way of comparing, so that what was compared another way is compared again."""
_ALIKE = 0.2
"""How alike two decisions have to be, 0 to 1, where the later one names the earlier one's value."""
_RARE = 0.12
"""How alike, where that value is a number hardly named by chance; the least of all."""
_SAME = 0.4
"""How alike, where it does not."""
_FAR = 3 * 365 * 86_400_000_000
"""Microseconds after which a decision on the same thing stands for itself."""
_FOREMOST = 12
"""Words of most weight, of which the earlier decision has to have one, too."""

Pairs = AbstractSet[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Settled:
    """A decision with a value as it is compared with others."""

    stored: Stored
    words: Mapping[str, float]
    length: float
    value: Value
    named: frozenset[str]
    """Marks of numbers that its own words name."""

    def foremost(self) -> list[str]:
        """Its words of most weight."""
        return sorted(self.words, key=lambda word: (-self.words[word], word))[:_FOREMOST]


@dataclass(frozen=True, slots=True)
class Holding:
    """Which decisions, by number in ascending order, have a word, and how much it counts there; one entry a word."""

    numbers: Mapping[str, NDArray[np.intp]]
    weights: Mapping[str, NDArray[np.float64]]
    foremost: Mapping[str, NDArray[np.intp]]
    """Those that have it among their foremost."""
    lengths: NDArray[np.float64]
    moments: NDArray[np.int64]
    """When each was settled, microseconds."""

    def alike(self, one: Settled) -> NDArray[np.float64]:
        """How alike each decision is to this one, the cosine of their words; 0 where no foremost word is shared."""
        own = list(one.words)
        there = np.concatenate([self.numbers[word] for word in own])
        counted = np.concatenate([self.weights[word] * one.words[word] for word in own])
        shared = np.bincount(there, counted, len(self.lengths))
        near = np.zeros(len(self.lengths), bool)
        for word in own:
            near[self.foremost.get(word, _NONE)] = True
        return np.where(near, shared / (self.lengths * one.length), 0.0)

    def after(self, one: Settled) -> NDArray[np.bool_]:
        """Whether each decision was settled after this one, and not too long after."""
        passed = self.moments - one.stored.decision.decided_at
        result: NDArray[np.bool_] = (passed > 0) & (passed < _FAR)
        return result


_NONE: NDArray[np.intp] = np.empty(0, np.intp)


def told(decisions: Sequence[Stored], pairs: Pairs) -> str:
    """What `replaced` rests on, and what came of it, as a digest: where it is the same, nothing needs comparing."""
    rows = [[one.id, one.content, sorted(one.lineages)] for one in decisions]
    return ids.digest(METHOD, json.dumps(rows), json.dumps(sorted(pairs)))


def replaced(decisions: Sequence[Stored]) -> set[tuple[str, str]]:
    """Pairs of decisions, the later one first, of which the later takes the earlier one's place."""
    by_utterance = {one.decision.utterance: one for one in decisions}
    pairs = set()
    for one in decisions:
        earlier = by_utterance.get(one.decision.supersedes_utterance or "")
        if earlier and earlier.id != one.id:
            pairs.add((one.id, earlier.id))
    settled = _settled(decisions)
    return pairs | {(later.stored.id, earlier.stored.id) for later, earlier in _latest(settled)}


def _latest(settled: Sequence[Settled]) -> Iterator[tuple[Settled, Settled]]:
    """For each decision the next one that takes its place."""
    holding = _holding(settled)
    for number, earlier in enumerate(settled):
        likeness = holding.alike(earlier)
        likely = np.flatnonzero((likeness >= _RARE) & holding.after(earlier))
        for other in map(int, likely[likely > number]):
            if _replaces(settled[other], earlier, float(likeness[other])):
                yield settled[other], earlier
                break


def _replaces(later: Settled, earlier: Settled, likeness: float) -> bool:
    """Whether a later decision, so much alike, sets another value for the same thing."""
    if later.stored.decision.conversation == earlier.stored.decision.conversation:
        return False
    if later.value.marks == earlier.value.marks or bool(later.value.numbers) != bool(earlier.value.numbers):
        return False
    if likeness >= _SAME:
        return True
    names_it = bool(earlier.value.numbers) and earlier.value.numbers <= later.named
    if names_it and any(len(number) > len(NUMBER) + 2 for number in earlier.value.numbers):
        return True
    same_place = bool(later.stored.lineages & earlier.stored.lineages)
    return likeness >= _ALIKE and (names_it or same_place)


def _holding(settled: Sequence[Settled]) -> Holding:
    """Decisions by their words."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    weights: defaultdict[str, list[float]] = defaultdict(list)
    foremost: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(settled):
        for word, weight in one.words.items():
            numbers[word].append(number)
            weights[word].append(weight)
        for word in one.foremost():
            foremost[word].append(number)
    return Holding(
        {word: np.array(those, np.intp) for word, those in numbers.items()},
        {word: np.array(those) for word, those in weights.items()},
        {word: np.array(those, np.intp) for word, those in foremost.items()},
        np.array([one.length for one in settled]),
        np.array([one.stored.decision.decided_at for one in settled], np.int64),
    )


def _settled(decisions: Sequence[Stored]) -> list[Settled]:
    """Decisions that set a value, with their words weighed by how few of all others have them."""
    marks = [_marks(one) for one in decisions]
    spread = Counter(mark for found in marks for mark in found)
    total = len(decisions)
    made = []
    for one, found in zip(decisions, marks, strict=True):
        value = read_value(one.decision.new_value) if one.decision.new_value else None
        if value is None or not value.marks or not found:
            continue
        words = {mark: weight * math.log((total + 1) / spread[mark]) for mark, weight in found.items()}
        own = " ".join(
            (one.decision.statement, one.decision.quote, one.decision.old_value or "", *one.decision.reasons)
        )
        named = frozenset(mark for mark in spoken_marks(own) if mark[0] == NUMBER)
        length = math.sqrt(sum(weight * weight for weight in words.values()))
        made.append(Settled(one, words, length, value, named))
    return made


def _marks(one: Stored) -> dict[str, float]:
    """The words of a decision and how much they count: its own ones twice as much as those said around it."""
    around = {mark: 1.0 for mark in one.context if not mark[0].isdigit() and len(mark) > 1}
    return around | {mark: 2.0 for mark in one.tokens - STOP_WORDS if not mark[0].isdigit() and len(mark) > 1}
