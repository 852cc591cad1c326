"""Which commits carried a decision out, judged by what their diffs really show.

A change counts for nothing by its page or its topic. It has to show the decided value, or words of the decision, in
what it added and not before, in a sentence about the same thing; how much it must be about it depends on what else it
shows: the old value gone, a sentence edited and not new. Author, time and the commit's message only tell apart what
the diff allows.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath

from assistant.decisions.lengths import dated, lengths, moved
from assistant.decisions.marks import NUMBER, Value, marks, measured, names_number, same_measure, unit_of
from assistant.decisions.shown import Edit, edits, read, words
from assistant.decisions.sought import Sought
from assistant.graph.reading.linking import Changed
from assistant.model.decisions import Evidence

Measures = Mapping[str, frozenset[str]]
DAY = 86_400_000_000
"""Microseconds."""
BEFORE, AFTER = 7 * DAY, 120 * DAY
"""How long before and after a decision its commit is looked for: text is sometimes changed first."""
_ANY: frozenset[str] = frozenset()
_LINKED = -1.1
"""Log-odds from which a commit is held to have carried a decision out."""
_BESIDE = 3.0
"""How much less other sections of the same commit may show."""
_SENTENCE, _HEAD, _REST = 1.0, 0.8, 0.2
"""What a shared word counts in the edited sentence, in headings, path and message, in the rest of the section."""
_SIDE = 5
"""Words among which the numbers of one value stand: `between 2 and 3 weeks`."""
_DOZEN = 12
"""Rare words shared that make a change fully about a decision."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each mark tells what the decision is about."""

    of: Mapping[str, float]
    rarest: float
    """What a word counts that nothing else holds."""

    def sum(self, found: AbstractSet[str]) -> float:
        """What marks tell together, 1 for a dozen rare words of the decision itself."""
        return sum(self.of[mark] for mark in found & self.of.keys() if mark[0] != NUMBER) / (_DOZEN * self.rarest)


def weights(wanted: Sought, words: Sequence[str], total: int, counts: Sequence[int]) -> Weights:
    """Weighs words by how near they stand to the decision and how few of `total` changed sections hold them."""
    told = {
        word: wanted.said[word] * math.log((total + 2) / (count + 1)) for word, count in zip(words, counts, strict=True)
    }
    return Weights(told, math.log(total + 2))


@dataclass(frozen=True, slots=True)
class Shown:
    """What one side of an edit shows of a decision: words of the value, and how sure that is, 0 to 1."""

    words: str
    sure: float
    stated: bool
    """Whether it is the very value that was extracted."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A change that shows something of a decision."""

    change: Changed
    edit: Edit
    new: Shown | None
    """The decided value, or words of the decision, that the edit brought."""
    old: Shown | None
    """What was said to hold until then, and the edit took away."""
    topic: float
    """How much the edit is about what was decided: 1 is as much as a dozen rare words."""
    share: float
    """How many of the words that the edit left as they were had been said, 0 to 1."""
    reference: str | None
    author_spoke: bool
    late: float
    """How far from the decision the commit lies, 1 at the end of its time."""
    score: float

    @property
    def clear(self) -> bool:
        """Whether a sentence took the very value that was decided in place of another."""
        return bool(self.new and self.new.stated and self.edit.before)

    def evidence(self) -> Evidence:
        """As it is kept on the edge."""
        return Evidence(
            added=(self.new.words, self.edit.after) if self.new else (),
            removed=(self.old.words, self.edit.before) if self.old else (),
            reference=self.reference,
            author_spoke=self.author_spoke,
            section=self.change.section,
            score=round(self.score, 3),
        )


def weigh(wanted: Sought, about: Weights, changes: Sequence[Changed]) -> list[Weighed]:
    """The changes that show something of the decision, the likeliest first."""
    found = [one for change in changes if (one := _best(_weighed(wanted, about, change)))]
    return sorted(found, key=lambda one: (-one.score, one.change.commit.at, one.change.path, one.change.section))


def _best(found: Iterable[Weighed]) -> Weighed | None:
    return max(found, key=lambda one: one.score, default=None)


def _weighed(wanted: Sought, about: Weights, change: Changed) -> Iterator[Weighed]:
    """What each edit of a change shows."""
    head = _place(change.heading_path, change.title, change.path) | marks(change.commit.subject)
    reference = _reference(wanted, change)
    spoke = bool({change.email.lower(), change.commit.author.lower()} & wanted.people)
    late = abs(change.commit.at - wanted.at) / AFTER
    for edit in edits(change.before, change.after):
        if not _tells(wanted, edit):
            continue
        new, old = _brought(wanted, about, edit), _taken(wanted, about, edit)
        if not new or _sets_another(wanted, edit, new, old):
            continue
        both = edit.new | edit.old
        topic = about.sum(both) * _SENTENCE + about.sum(head - both) * _HEAD
        topic += about.sum(change.tokens - head - both) * _REST
        one = Weighed(change, edit, new, old, topic, _share(wanted, edit), reference, spoke, late, 0.0)
        yield replace(one, score=_score(one))


def _tells(wanted: Sought, edit: Edit) -> bool:
    """Whether an edit can show anything of the decision; most cannot, and this is told in a moment."""
    value = wanted.new
    if not edit.before and not (value and not value.numbers) and not names_number(edit.after):
        return False
    came = edit.new - edit.old
    said = wanted.said if edit.before else wanted.numbers
    if not came.isdisjoint(said) or (wanted.moves and _moved(wanted, edit)):
        return True
    return bool(value and (value.held_by(edit.new) or value.lengths & lengths(words(edit.after))))


def _sets_another(wanted: Sought, edit: Edit, new: Shown, old: Shown | None) -> bool:
    """Whether the edit replaces the old value by a number, but not by the decided one."""
    if new.stated or not old or not old.stated or not wanted.new or not wanted.new.numbers:
        return False
    return any(mark[0] == NUMBER for mark in edit.new - edit.old)


def _score(one: Weighed) -> float:
    """The log-odds that the edit carried the decision out.

    Weights of a logistic regression over the best edits of 83 decisions (the made conversations for development,
    against all commits in their time), rounded. Fitted on one half they found some 65 to 85 % of the other half's
    links, with up to four wrong ones; weights and threshold as they stand were set on all 83.
    """
    new, old = (side.sure if side else 0.0 for side in (one.new, one.old))
    return (
        1.1 * new
        + 1.35 * bool(one.new and one.new.stated)
        + 1.25 * old
        + 0.35 * bool(one.old and one.old.stated)
        + 1.8 * new * old
        + 19.0 * min(one.topic, 0.4)
        + 3.0 * one.share
        + 2.5 * bool(one.edit.before and one.edit.after)
        + 2.0 * bool(one.reference)
        + 0.5 * one.author_spoke
        - 4.0 * one.late
        - 9.6
    )


def _brought(wanted: Sought, about: Weights, edit: Edit) -> Shown | None:
    """What of the decision stands in the edit afterwards and did not, or not by itself, before."""
    plus, minus = edit.new - edit.old, edit.old - edit.new
    value, other = wanted.new, wanted.old
    if value and _holds(value, edit.after) and (value.marks & plus or _apart(value, other, edit.old, plus, minus)):
        return Shown(value.raw, 1.0, stated=True)
    if value and (_narrowed(value, edit) or _lasts(value, edit.after, edit.before)):
        return Shown(value.raw, 0.9, stated=True)
    if day := _moved(wanted, edit):
        return Shown(day, 1.0, stated=True)
    return _said(wanted, about, plus, edit.after, swap=bool(edit.before))


def _taken(wanted: Sought, about: Weights, edit: Edit) -> Shown | None:
    """What was said and stood in the edit before, and does not, or not by itself, afterwards."""
    plus, minus = edit.new - edit.old, edit.old - edit.new
    value, other = wanted.old, wanted.new
    if value and _holds(value, edit.before) and (value.marks & minus or _apart(value, other, edit.new, minus, plus)):
        return Shown(value.raw, 1.0, stated=True)
    if value and _lasts(value, edit.before, edit.after):
        return Shown(value.raw, 0.9, stated=True)
    if day := _moved(wanted, Edit(edit.after, edit.before)):
        return Shown(day, 1.0, stated=True)
    return _said(wanted, about, minus, edit.before, swap=True) if edit.after else None


def _apart(value: Value, other: Value | None, side: frozenset[str], mine: frozenset[str], its: frozenset[str]) -> bool:
    """Whether an edit swaps two values that share marks: `2-4` and `2`, one week and one month."""
    if other is None or not other.held_by(side):
        return False
    if value.numbers == other.numbers and value.numbers:
        return bool((marks(value.raw) - marks(other.raw)) & mine)
    return value.marks < other.marks and bool((other.marks - value.marks) & its)


def _narrowed(value: Value, edit: Edit) -> bool:
    """Whether of several numbers only the decided ones were left: `2-4 weeks` became `2 weeks`."""
    before, after = (frozenset(mark for mark in side if mark[0] == NUMBER) for side in (edit.old, edit.new))
    return bool(value.numbers) and value.numbers <= after < before and _holds(value, edit.after)


def _lasts(value: Value, here: str, there: str) -> bool:
    """Whether a text names the length of time that a value is, in whatever units, and another one does not."""
    return bool(value.lengths & lengths(words(here))) and not value.lengths & lengths(words(there))


def _moved(wanted: Sought, edit: Edit) -> str | None:
    """The day that an edit put for one as far away as something was to be moved."""
    plus, minus = edit.new - edit.old, edit.old - edit.new
    if not wanted.moves or moved(minus, plus) not in wanted.moves:
        return None
    return next(mark.removeprefix(NUMBER) for mark in sorted(plus) if dated(mark))


def _holds(value: Value, text: str) -> bool:
    """Whether a text holds a value, and measures the same by it."""
    if not value.held_by(read(text)):
        return False
    if len(value.numbers) > 1 and not _together(value, words(text)):
        return False
    kinds, units = measured(words(text)), frozenset((unit_of(value.raw),))
    return all(same_measure(units, kinds.get(number, frozenset())) for number in value.numbers)


def _together(value: Value, text: str) -> bool:
    """Whether several numbers stand side by side, as a value does, and not here and there."""
    parts = text.split()
    return any(value.numbers <= marks(" ".join(parts[n : n + _SIDE])) for n in range(max(1, len(parts) - _SIDE + 1)))


def _said(wanted: Sought, about: Weights, marks_of_side: frozenset[str], text: str, *, swap: bool) -> Shown | None:
    """The numbers of one side of an edit that had been said, or else, where one was put for another, its words."""
    numbers = [mark for mark in marks_of_side if mark[0] == NUMBER and mark in wanted.said]
    kinds = measured(words(text)) if numbers else {}
    numbers = [mark for mark in numbers if same_measure(wanted.measures.get(mark, _ANY), kinds.get(mark, _ANY))]
    if numbers:
        telling = {mark: wanted.said[mark] * _telling(mark, wanted.measures, kinds) for mark in numbers}
        best = max(numbers, key=lambda mark: (telling[mark], mark))
        return Shown(best.removeprefix(NUMBER), min(0.9, 0.9 * telling[best]), stated=False)
    others = [mark for mark in marks_of_side if mark[0] != NUMBER]
    told = {mark for mark in others if about.of.get(mark, 0.0) > 0}
    if not told or not swap:
        return None
    share = len(told) / len(others)
    rare = about.sum(told) * _DOZEN
    sure = min(1.0, rare) * share
    return Shown(" ".join(sorted(told)), 0.8 * sure, stated=False) if sure >= 0.2 else None


def _telling(mark: str, said: Measures, shown: Measures) -> float:
    """How much it tells that a number was said and is shown: little for a small one that need not measure the same."""
    both = said.get(mark, frozenset()) & shown.get(mark, frozenset()) - {""}
    return (
        1.0 if both or len(mark.lstrip(NUMBER)) > 2 else 0.8 if len(mark.lstrip(NUMBER)) == 2 and mark > "=12" else 0.4
    )


def _share(wanted: Sought, edit: Edit) -> float:
    """How many of the words round what an edit changed had been said."""
    kept = (edit.old & edit.new if edit.before and edit.after else edit.old | edit.new) - wanted_numbers(edit)
    return sum(mark in wanted.said for mark in kept) / (len(kept) + 2)


def wanted_numbers(edit: Edit) -> frozenset[str]:
    """The numbers of an edit."""
    return frozenset(mark for mark in edit.old | edit.new if mark[0] == NUMBER)


@lru_cache(maxsize=1 << 13)
def _place(heading_path: tuple[str, ...], title: str, path: str) -> frozenset[str]:
    """Marks of where it stands."""
    place = PurePosixPath(path).with_suffix("").as_posix()
    return read(" ".join((*heading_path, title, re.sub(r"[/_-]", " ", place))))


def _reference(wanted: Sought, change: Changed) -> str | None:
    """An explicit mention either way."""
    if change.commit.merge_request in wanted.requests:
        return f"#{change.commit.merge_request}"
    for sha in wanted.shas:
        if change.commit.sha.startswith(sha):
            return sha
    return next((address for address in wanted.addresses if address in change.message), None)


def carried_out(weighed: Sequence[Weighed]) -> list[Weighed]:
    """The changes that carried the decision out; none without evidence in the diff.

    First those of the commit with the best evidence, of which an early one has more, then those of others, by time: of
    such only that show the decided value where the best one does.
    """
    enough = [one for one in weighed if _enough(one)]
    if not enough:
        return []
    commits: defaultdict[str, list[Weighed]] = defaultdict(list)
    for one in enough:
        commits[one.change.commit.sha].append(one)
    best = enough[0]
    alike = [found for found in commits.values() if _stated(found[0]) or not _stated(best)]
    alike.sort(key=lambda found: (found[0] is not best, found[0].change.commit.at))
    return [one for found in alike for one in found if one.score >= found[0].score - _BESIDE]


def _stated(one: Weighed) -> bool:
    return bool(one.new and one.new.stated)


def _enough(one: Weighed) -> bool:
    """Whether what an edit shows, and how much it is about the decision, make a link."""
    return one.new is not None and one.score >= _LINKED
