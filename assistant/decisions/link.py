"""Which commits carried a decision out, judged by what their diffs really show.

A change counts for nothing by its page or its topic. It has to show the decided value in what it added and not before,
or take the old one away, in words about the same thing; how much it must be about it depends on what it shows. Author,
time and the commit's message only tell apart what the diff allows.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from assistant.decisions.marks import NUMBER, Value, marks, read_value
from assistant.decisions.shown import Edit, edits, read
from assistant.graph.linking import Changed
from assistant.model.conversations import Conversation
from assistant.model.decisions import Evidence, Extracted
from assistant.text.spans import requests

DAY = 86_400_000_000
"""Microseconds."""
BEFORE, AFTER = 7 * DAY, 120 * DAY
"""How long before and after a decision its commit is looked for: text is sometimes changed first."""

_SAID, _SUPPORTING, _BESIDE = 1.0, 0.8, 0.35
"""What a word of the decision counts, one of its supporting utterances, one said elsewhere in the conversation."""
_SENTENCE, _HEAD, _REST = 1.0, 0.8, 0.2
"""What a shared word counts in the edited sentence, in headings, path and message, in the rest of the section."""
_POOL, _COMMON = 40, 0.05
"""Changes that are added to those looked at, and the share of them that is held to have any word."""
_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")


@dataclass(frozen=True, slots=True)
class Sought:
    """What to look for in diffs."""

    at: int
    new: tuple[tuple[Value, float], ...]
    """Decided values and how sure each is to be the one, 0 to 1."""
    old: tuple[tuple[Value, float], ...]
    words: Mapping[str, float]
    """Marks that say what it is about, and what each counts."""
    people: frozenset[str]
    """Ids and names, in lower case, of those who spoke."""
    requests: frozenset[str]
    """Numbers of requests that were named."""
    shas: frozenset[str]
    addresses: frozenset[str]
    """Of the conversation and its messages."""

    @property
    def new_tokens(self) -> frozenset[str]:
        """Where decided values may stand among search tokens."""
        return frozenset(token for value, _ in self.new for token in value.tokens)

    @property
    def old_tokens(self) -> frozenset[str]:
        """Where old values may stand among search tokens."""
        return frozenset(token for value, _ in self.old for token in value.tokens)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A change that shows something of a decision."""

    change: Changed
    edit: Edit
    new: Value | None
    """The decided value that the edit brought."""
    old: Value | None
    """The old value that it took away."""
    topic: float
    """How much the edit is about what was decided: 1 is as much as a dozen rare words."""
    reference: str | None
    author_spoke: bool
    score: float

    def evidence(self) -> Evidence:
        """As it is kept on the edge."""
        return Evidence(
            added=(self.new.raw, self.edit.after) if self.new else (),
            removed=tuple(filter(None, (self.old.raw if self.old else "", self.edit.before))),
            reference=self.reference,
            author_spoke=self.author_spoke,
            section=self.change.section,
            score=round(self.score, 3),
        )


def sought(decision: Extracted, talk: Conversation) -> Sought:
    """What to look for, from what was extracted and from the whole conversation."""
    said = {utterance.id: utterance.text for utterance in talk.utterances}
    support = [said[name] for name in decision.supporting if name in said]
    old = [(read_value(decision.old_value), 1.0)] if decision.old_value else []
    new = [(read_value(decision.new_value), 1.0)] if decision.new_value else _values(decision.quote, support)
    words: dict[str, float] = {}
    stated = " ".join((decision.statement, decision.quote, decision.topic, *decision.reasons))
    for text, weight in (*((text, _BESIDE) for text in said.values()), (talk.title, _SAID)):
        _add(words, text, weight)
    for text in support:
        _add(words, text, _SUPPORTING)
    _add(words, stated, _SAID)
    for value, _ in (*new, *old):
        for mark in value.marks:
            words.pop(mark, None)
    everything = "\n".join(said.values())
    return Sought(
        at=decision.decided_at,
        new=tuple((value, sure) for value, sure in new if value.marks),
        old=tuple((value, sure) for value, sure in old if value.marks),
        words=words,
        people=frozenset(
            name.lower() for u in talk.utterances for name in (u.speaker.name, u.speaker.person or "") if name
        ),
        requests=frozenset(requests(everything)),
        shas=frozenset(_SHA.findall(everything)),
        addresses=frozenset(address for address in (talk.url, *(u.url for u in talk.utterances)) if address),
    )


def _add(words: dict[str, float], text: str, weight: float) -> None:
    for mark in marks(text):
        words[mark] = max(words.get(mark, 0.0), weight)


def _values(quote: str, support: Sequence[str]) -> list[tuple[Value, float]]:
    """Numbers and days of the deciding words, else of those it points to: any may be the decided value."""
    for text, sure in ((quote, 0.8), (" ".join(support), 0.6)):
        found = sorted(mark for mark in marks(text) if mark.startswith(NUMBER))
        if found:
            return [(Value(mark.removeprefix(NUMBER), frozenset({mark}), frozenset()), sure) for mark in found]
    return []


def weigh(wanted: Sought, changes: Sequence[Changed]) -> list[Weighed]:
    """The changes that show a decided value come or an old one go, the likeliest first."""
    rarity = _rarity(changes)
    weights = {mark: weight * rarity(mark) for mark, weight in wanted.words.items()}
    scale = 12 * rarity("")
    numbers = frozenset(mark for mark in wanted.words if mark.startswith(NUMBER))
    found = [
        best
        for change in changes
        if (best := max(_weighed(wanted, weights, scale, numbers, change), key=lambda one: one.score, default=None))
    ]
    return sorted(found, key=lambda one: (-one.score, one.change.commit.at, one.change.path, one.change.section))


def _rarity(changes: Sequence[Changed]) -> "Rarity":
    held = Counter(token for change in changes for token in change.tokens)
    return Rarity(held, len(changes))


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a mark tells among some changes."""

    held: Mapping[str, int]
    total: int

    def __call__(self, mark: str) -> float:
        count = self.held.get(mark.removeprefix(NUMBER), 0)
        return math.log((self.total + _POOL) / (count + _POOL * _COMMON))


def _weighed(
    wanted: Sought, weights: Mapping[str, float], scale: float, numbers: frozenset[str], change: Changed
) -> Iterable[Weighed]:
    """What each edit of a change shows."""
    head: frozenset[str] | None = None
    for edit in edits(change.before, change.after):
        new, old = _brought(wanted, edit), _taken(wanted, edit)
        if not new and not old:
            continue
        if head is None:
            head = _head(change)
        both = edit.new | edit.old
        topic = _sum(weights, both) * _SENTENCE + _sum(weights, head - both) * _HEAD
        topic += _sum(weights, change.tokens - head - both) * _REST
        reference = _reference(wanted, change)
        spoke = bool({change.email.lower(), change.commit.author.lower()} & wanted.people)
        value = (new[1] if new else 0.0) + (0.8 * old[1] if old else 0.0)
        if new and not old and (edit.old - edit.new) & numbers:
            value += 0.3
        later = (change.commit.at - wanted.at) / AFTER
        score = value + 1.5 * topic / scale + (0.5 if reference else 0.0) + (0.15 if spoke else 0.0) - 0.2 * abs(later)
        yield Weighed(change, edit, new and new[0], old and old[0], topic / scale, reference, spoke, score)


def _brought(wanted: Sought, edit: Edit) -> tuple[Value, float] | None:
    """The decided value that stands in the edit afterwards and was not there, or not by itself, before."""
    plus, minus = edit.new - edit.old, edit.old - edit.new
    for value, sure in wanted.new:
        if value.held_by(edit.new):
            if value.marks & plus:
                return value, sure
            for old, _ in wanted.old:
                if value.marks < old.marks and old.held_by(edit.old) and old.marks & minus:
                    return value, sure
                if value.numbers == old.numbers and _unit(value, old) & plus:
                    return value, sure
    return None


def _taken(wanted: Sought, edit: Edit) -> tuple[Value, float] | None:
    """The old value that stood in the edit before and does not, or not by itself, afterwards."""
    plus, minus = edit.new - edit.old, edit.old - edit.new
    for value, sure in wanted.old:
        if value.held_by(edit.old):
            if value.marks & minus:
                return value, sure
            for new, _ in wanted.new:
                if value.marks < new.marks and new.held_by(edit.new) and new.marks & plus:
                    return value, sure
                if value.numbers == new.numbers and _unit(value, new) & minus:
                    return value, sure
    return None


def _unit(value: Value, other: Value) -> frozenset[str]:
    """What sets apart two values of the same number: one week, one month."""
    return marks(value.raw) - marks(other.raw)


def _head(change: Changed) -> frozenset[str]:
    """Marks of where it stands and of the commit's message."""
    place = PurePosixPath(change.path).with_suffix("").as_posix()
    names = " ".join((*change.heading_path, change.title, re.sub(r"[/_-]", " ", place)))
    return read(names) | marks(change.commit.subject)


def _sum(weights: Mapping[str, float], found: Iterable[str]) -> float:
    return sum(weights.get(mark, 0.0) for mark in found)


def _reference(wanted: Sought, change: Changed) -> str | None:
    """An explicit mention either way."""
    if change.commit.merge_request in wanted.requests:
        return f"#{change.commit.merge_request}"
    for sha in wanted.shas:
        if change.commit.sha.startswith(sha):
            return sha
    return next((address for address in wanted.addresses if address in change.message), None)


def carried_out(wanted: Sought, changes: Sequence[Changed]) -> list[Weighed]:
    """The changes that carried the decision out, the best evidence first; none without evidence in the diff."""
    enough = [one for one in weigh(wanted, changes) if _enough(one)]
    if not enough:
        return []
    commits: defaultdict[str, list[Weighed]] = defaultdict(list)
    for one in enough:
        commits[one.change.commit.sha].append(one)
    best = enough[0]
    return [one for one in commits[best.change.commit.sha] if _same(one, best)]


def _enough(one: Weighed) -> bool:
    """Whether what an edit shows, and how much it is about the decision, make a link."""
    if one.new and one.old:
        return one.topic >= 0.12
    if one.new:
        return one.topic >= 0.25
    return False


def _same(one: Weighed, best: Weighed) -> bool:
    return one.new == best.new or one.score >= best.score - 0.5
