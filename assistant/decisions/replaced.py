"""Which decision takes whose place: the last word on one thing wins, in the same talk or weeks later."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.decisions.marks import NUMBER, Value, read_value, spoken_marks
from assistant.graph.writing.deciding import Stored
from assistant.text.words import STOP_WORDS

_ALIKE = 0.2
"""How alike two decisions have to be, 0 to 1, where the later one names the earlier one's value."""
_RARE = 0.12
"""How alike, where that value is a number hardly named by chance."""
_SAME = 0.4
"""How alike, where it does not."""
_FAR = 3 * 365 * 86_400_000_000
"""Microseconds after which a decision on the same thing stands for itself."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A decision as it is compared with others."""

    stored: Stored
    words: Mapping[str, float]
    length: float
    value: Value | None
    named: frozenset[str]
    """Marks of numbers that its own words name."""


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
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(settled):
        for word in sorted(one.words, key=lambda word: (-one.words[word], word))[:12]:
            holding[word].append(number)
    for number, earlier in enumerate(settled):
        others = {other for word in earlier.words for other in holding.get(word, ()) if other > number}
        for other in sorted(others):
            if _replaces(settled[other], earlier):
                yield settled[other], earlier
                break


def _replaces(later: Settled, earlier: Settled) -> bool:
    """Whether a later decision sets another value for the same thing."""
    if later.stored.decision.conversation == earlier.stored.decision.conversation:
        return False
    if not 0 < later.stored.decision.decided_at - earlier.stored.decision.decided_at < _FAR:
        return False
    if not later.value or not earlier.value or later.value.marks == earlier.value.marks:
        return False
    if bool(later.value.numbers) != bool(earlier.value.numbers):
        return False
    names_it = bool(earlier.value.numbers) and earlier.value.numbers <= later.named
    same_place = bool(later.stored.lineages & earlier.stored.lineages)
    rare = names_it and any(len(number) > len(NUMBER) + 2 for number in earlier.value.numbers)
    return _likeness(later, earlier) >= (_RARE if rare else _ALIKE if names_it or same_place else _SAME)


def _likeness(one: Settled, other: Settled) -> float:
    """The cosine of two decisions' words."""
    if not one.length or not other.length:
        return 0.0
    shared = one.words.keys() & other.words.keys()
    return sum(one.words[word] * other.words[word] for word in shared) / (one.length * other.length)


def _settled(decisions: Sequence[Stored]) -> list[Settled]:
    """Decisions with their words weighed by how few others have them."""
    marks = [
        {mark: 1.0 for mark in one.context if not mark[0].isdigit() and len(mark) > 1}
        | {mark: 2.0 for mark in one.tokens - STOP_WORDS if not mark[0].isdigit() and len(mark) > 1}
        for one in decisions
    ]
    spread = Counter(mark for found in marks for mark in found)
    total = len(decisions)
    made = []
    for one, found in zip(decisions, marks, strict=True):
        words = {mark: weight * math.log((total + 1) / spread[mark]) for mark, weight in found.items()}
        value = read_value(one.decision.new_value) if one.decision.new_value else None
        own = " ".join(
            (one.decision.statement, one.decision.quote, one.decision.old_value or "", *one.decision.reasons)
        )
        named = frozenset(mark for mark in spoken_marks(own) if mark[0] == NUMBER)
        length = math.sqrt(sum(weight * weight for weight in words.values()))
        made.append(Settled(one, words, length, value if value and value.marks else None, frozenset(named)))
    return made
