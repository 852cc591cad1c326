"""Which decisions and conversations a question is about: by words, by all that was said around them, by meaning, and by
the time and place that it names.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log

from assistant.embed import Embedder
from assistant.graph.reading.conversations import Holding, holding, visible_count
from assistant.graph.reading.decisions import DecisionRow, decisions_about, decisions_in
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.conversations import ConversationKind
from assistant.model.times import moment
from assistant.search.question import read_question
from assistant.text.plain import plain
from assistant.text.words import search_tokens

PUT_FORWARD = 24
"""Decisions that their own words put forward."""
CONVERSATIONS = 10
"""Conversations whose decisions are put forward by what was said there."""

OWN, AROUND, MEANING = 2.0, 1.0, 3.0
"""Worth of the question's words in the decision itself, in its conversation, and of its likeness in meaning."""

OWN_ALONE = 6.8
"""Worth of the subject's words in the decision itself, where meaning is unknown: a quarter of them then does."""

THEN, NEARLY, FAR = 0.7, 0.3, -0.7
"""Worth of a decision or its commit lying in the time that the question names, within weeks of it, or far from it."""
CLOSE, WEEKS = timedelta(days=4), timedelta(days=60)
THERE = 0.3
"""Worth of it having been said where the question says: in a meeting, in a channel."""

MEETING = re.compile(r"\b(?:meetings?|calls?|zoom|recordings?)\b", re.I)
CHANNEL = re.compile(r"\b(?:slack|channels?|threads?|chat)\b", re.I)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: the question, and the stretch of time that it names, from `start` up to but without `end`."""

    text: str
    start: datetime | None = None
    end: datetime | None = None
    subject: str = ""
    """The words of it that say what it is about; '': all of them."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A decision that a question may be about."""

    decision: DecisionRow
    covered: float
    """Share of the question, by weight of its words, in what the decision says and is about."""
    around: float
    """The same share in all of its conversation."""
    likeness: float | None
    """Cosine between question and decision; None without an embedder."""
    fits: float
    """Worth of time and place: below 0 where the question names another time."""
    named: float = 1.0
    """Share of the question's subject, by weight of its words, in the decision's own words and those it changed."""

    @property
    def said(self) -> float:
        """How well it fits by what it says: comparable between questions, and with or without an embedder."""
        words = OWN * self.covered + AROUND * self.around
        if self.likeness is None:
            return words * (OWN + AROUND + MEANING) / (OWN + AROUND)
        return words + MEANING * self.likeness

    @property
    def itself(self) -> float:
        """How well the decision alone fits, whatever else was said around it; comparable as `said` is."""
        if self.likeness is None:
            return OWN_ALONE * (self.named + self.fits / 4)
        return OWN * self.named + MEANING * self.likeness + self.fits / 2

    @property
    def score(self) -> float:
        """How well it fits in all."""
        return self.said + self.fits


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation that speaks of what a question asks."""

    conversation: str
    covered: float
    """Share of the question, by weight of its words, that is said in it."""
    utterances: tuple[str, ...]
    """Ids of those that hold most of it, the best first."""
    at: int
    """When the best one was said, microseconds."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Where the question's words were said, and how much each tells, together 1."""

    weights: Mapping[str, float]
    held: Mapping[str, Sequence[Holding]]
    """The utterances that hold any of them, by conversation."""

    def covered(self, words: Iterable[str]) -> float:
        """The weight of these words of the question."""
        return sum(self.weights.get(word, 0.0) for word in set(words))

    def share(self, subject: AbstractSet[str], words: Iterable[str]) -> float:
        """The share of a subject, by weight of its words, that other words hold; 1 where it has none."""
        whole = self.covered(subject)
        return self.covered(subject & set(words)) / whole if whole else 1.0

    def around(self, conversation: str) -> float:
        """The weight of the words that were said in a conversation."""
        return self.covered(word for one in self.held.get(conversation, ()) for word in one.words)

    def talks(self, limit: int) -> list[Talk]:
        """The conversations in which most was said, best first."""
        made = [self._talk(name, part) for name, part in self.held.items()]
        return sorted(made, key=lambda talk: (-talk.covered, -talk.at, talk.conversation))[:limit]

    def _talk(self, name: str, part: Sequence[Holding]) -> Talk:
        said = sorted(part, key=lambda one: (-self.covered(one.words), one.at))
        return Talk(name, self.around(name), tuple(one.id for one in said[:5]), said[0].at)


def spoken(reader: Reader, scope: Scope, text: str) -> Spoken:
    """Looks the question's words up in all that was said, as far as the scope lets one hear it."""
    words = read_question(text).words
    held: dict[str, list[Holding]] = defaultdict(list)
    spread: dict[str, set[str]] = defaultdict(set)
    for one in holding(reader, scope, " ".join(words)):
        held[one.conversation].append(one)
        for word in one.words:
            spread[word].add(one.conversation)
    total = visible_count(reader, scope)
    rarity = {word: log(1 + (total + 0.5) / (len(spread[word]) + 0.5)) for word in words}
    whole = sum(rarity.values()) or 1.0
    return Spoken({word: rare / whole for word, rare in rarity.items()}, held)


def talks(reader: Reader, scope: Scope, wanted: Wanted, limit: int = CONVERSATIONS) -> list[Talk]:
    """The conversations that hold most of the question's words, in the time that it names, best first."""
    found = spoken(reader, scope, wanted.text).talks(limit * 5)
    return [talk for talk in found if _distance(wanted, [talk.at]) <= CLOSE][:limit]


def matching(reader: Reader, scope: Scope, wanted: Wanted, embedder: Embedder | None, limit: int = 8) -> list[Matched]:
    """The decisions that fit the question best, of those the scope lets one see; [] at once where there are none."""
    said = spoken(reader, scope, wanted.text)
    rows = {row.id: row for row, _ in decisions_about(reader, scope, " ".join(said.weights), PUT_FORWARD)}
    for talk in said.talks(CONVERSATIONS):
        rows |= {row.id: row for row in decisions_in(reader, scope, talk.conversation)}
    likeness = _likeness(wanted.text, list(rows.values()), embedder)
    subject = frozenset(read_question(wanted.subject or wanted.text).words)
    made = [
        Matched(
            row,
            said.covered(search_tokens(_told(row))),
            said.around(row.conversation),
            likeness.get(row.id),
            _time(wanted, row) + _place(wanted, row),
            said.share(subject, search_tokens(_own(row))),
        )
        for row in rows.values()
    ]
    return sorted(made, key=lambda one: (-one.score, -one.decision.at, one.decision.id))[:limit]


def moments(row: DecisionRow) -> list[int]:
    """When it was settled, and when commits carried it out."""
    return [row.at, *(link.commit.at for link in row.links)]


def within(wanted: Wanted, row: DecisionRow) -> bool:
    """Whether it was settled, or carried out, in the time that is named, give or take some days; true without one."""
    return _distance(wanted, moments(row)) <= CLOSE


def _distance(wanted: Wanted, times: Iterable[int]) -> timedelta:
    """How far the nearest of these times lies from the named stretch; 0 inside, and where none is named."""
    start, end = wanted.start, wanted.end
    if start is None or end is None:
        return timedelta(0)
    return min(max(start - moment(at), moment(at) - end, timedelta(0)) for at in times)


def _time(wanted: Wanted, row: DecisionRow) -> float:
    if wanted.start is None:
        return 0.0
    distance = _distance(wanted, moments(row))
    return THEN if distance <= CLOSE else NEARLY if distance <= WEEKS else FAR


def _place(wanted: Wanted, row: DecisionRow) -> float:
    meeting = row.kind in (ConversationKind.MEETING, ConversationKind.MINUTES)
    named = MEETING if meeting else CHANNEL
    words = frozenset(re.findall(r"[\w-]+", wanted.text.lower()))
    here = row.place_name.lower() in words
    return THERE * bool(named.search(wanted.text)) + THERE * here


def _told(row: DecisionRow) -> str:
    """All that a decision says and is about, with where it fell, as one text."""
    return "\n".join((_own(row), row.title, row.place_name))


def _own(row: DecisionRow) -> str:
    """All that a decision says and is about, as one text."""
    sections = (name for section in row.sections for name in section.heading_path)
    values = (value for value in (row.old_value, row.new_value) if value)
    subjects = (link.commit.subject for link in row.links)
    return "\n".join((row.statement, row.quote, row.topic, *values, *sections, *subjects, *_changed(row)))


def _changed(row: DecisionRow) -> list[str]:
    """What the best commit's change says before and after."""
    if not row.links:
        return []
    evidence = row.links[0].evidence
    return [plain(words) for words in (*evidence.added[-1:], *evidence.removed[-1:])]


def _likeness(text: str, rows: Sequence[DecisionRow], embedder: Embedder | None) -> dict[str, float]:
    """The cosine of the question and of what is most like it of each decision."""
    if embedder is None or not rows:
        return {}
    texts = [list(dict.fromkeys((row.statement, row.quote, *_subjects(row)))) for row in rows]
    flat = [one for some in texts for one in some]
    asked, *vectors = embedder.encode([text, *flat])
    cosine = {one: float(asked @ vector) for one, vector in zip(flat, vectors, strict=True)}
    return {row.id: max(cosine[one] for one in some) for row, some in zip(rows, texts, strict=True)}


def _subjects(row: DecisionRow) -> list[str]:
    """What it is about, under the heading or title that it came under, and the changed words."""
    where = " > ".join(row.sections[0].heading_path[-2:]) if row.sections else row.title
    found = [f"{where}: {row.topic}"] if row.topic or where else []
    return found + [f"{where}: {words}" for words in _changed(row)[:1]]
