"""Decisions that the handbook speaks against: it says another value of the same kind about the same thing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.access import at_day
from assistant.decisions.link import Weights
from assistant.decisions.marks import NUMBER, Value, measured, unit_of
from assistant.decisions.shown import read, words
from assistant.decisions.sought import Sought
from assistant.graph.reading.linking import token
from assistant.graph.reading.search import Holding, candidates, holding
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.sections import SectionVersion
from assistant.model.times import moment
from assistant.search.hybrid import search
from assistant.text.units import units
from assistant.text.words import STOP_WORDS, search_tokens

_SECTIONS = 12
"""Sections that are read for words against a decision."""
_OLD_SECTIONS = 30
"""Sections with words of the old value that are read: in the made talks the right one is among the 10 that hold most of
the decision's words."""
_SHARED = 2
"""Words besides units that speak about the same thing, where the old value is not there: “3 days ahead” has one."""
_NEAR = 0.7
"""How near to the decision a word has to stand to count."""
_COUNTING = re.compile(
    r"minut|hour|day|week|month|quarter|year|business|work|one|two|three|ahead|advanc|first|new|next"
)
"""How words begin that stand with any length of time."""
_SPANS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
"""Days in what measures long times: two weeks may stand against thirty days."""
_ENOUGH = 2.2
"""Score from which words speak about the same thing; the highest of a chat-only decision in the made talks is 2.0,
the lowest of one that the handbook speaks against 2.25."""


@dataclass(frozen=True, slots=True)
class Against:
    """Words of a section that say another value."""

    section: SectionVersion
    quote: str
    score: float


def against(reader: Reader, scope: Scope, wanted: Sought, about: Weights, until: int) -> Sequence[Against]:
    """What the handbook says against a decision at the end of its time: the clearest words, or none."""
    value = wanted.new
    if value is None or not value.numbers or not (unit_of(value.raw) or wanted.old):
        return ()
    text, day = " ".join(sorted(about.of, key=lambda word: (-about.of[word], word))[:16]), at_day(scope, moment(until))
    found = {hit.section.id: hit.section for hit in search(reader, day, text, None, limit=_SECTIONS)}
    found |= {section.id: section for section in _with_old(reader, day, wanted, about)}
    weighed = [one for section in found.values() for one in _against(section, value, wanted, about)]
    best = max(weighed, key=lambda one: (one.score, one.section.id, one.quote), default=None)
    return (best,) if best and best.score >= _ENOUGH else ()


def _with_old(reader: Reader, scope: Scope, wanted: Sought, about: Weights) -> list[SectionVersion]:
    """The sections that hold words of the old value, those first that hold most of what the decision is about."""
    if wanted.old is None or not wanted.old.numbers:
        return []
    value = {token(number) for number in wanted.old.numbers} | set(search_tokens(wanted.old.raw))
    telling = {word: weight for word, weight in about.of.items() if word[0] != NUMBER and weight > 0}
    found = holding(reader, scope, sorted(word for word in value | telling.keys() if re.fullmatch(r"\w+", word)))

    def worth(some: Holding) -> float:
        text, titles = (sum(telling.get(word, 0.0) for word in words) for words in (some.words, some.title_words))
        return text + titles / 2

    ordered = sorted((some for some in found if some.words & value), key=lambda some: (-worth(some), some.nodes))
    nodes = [node for some in ordered for node in some.nodes]
    return [one.section for one in candidates(reader, scope, nodes[:_OLD_SECTIONS])]


def _against(section: SectionVersion, value: Value, wanted: Sought, about: Weights) -> Iterator[Against]:
    """The sentences, items and rows of a section that say another value of the same measure."""
    kind = unit_of(value.raw)
    head = read(" ".join((section.title, *section.heading_path)))
    for unit in units(section.text):
        marks = read(unit.plain)
        counted = measured(words(unit.plain))
        others = [number for number, kinds in counted.items() if _other(value, kind, number, kinds)]
        until_now = wanted.old is not None and _held(wanted.old, marks, counted)
        if value.held_by(marks) or not (others or until_now):
            continue
        if not until_now and _shared(wanted, marks | head) < _SHARED:
            continue
        share = sum(mark in wanted.said for mark in marks if mark[0] != NUMBER) / (len(marks) + 2)
        named = 1.3 if until_now else 0.8 if any(number in wanted.said for number in others) else 0.0
        score = 8 * (about.sum(marks) + 0.5 * about.sum(head - marks)) + share + named
        yield Against(section, unit.quote, score)


def _held(old: Value, marks: frozenset[str], counted: Mapping[str, frozenset[str]]) -> bool:
    """Whether a text holds the old value, and measures with it what it measures."""
    kind = unit_of(old.raw)
    same = all(not kind or kind in counted.get(number, ()) for number in old.numbers)
    return bool(old.numbers) and old.held_by(marks) and same


def _shared(wanted: Sought, marks: frozenset[str]) -> int:
    """How many words of a text are of the decision or of what carries its value; units and the like do not count."""
    words = (mark for mark in marks - STOP_WORDS if mark[0] != NUMBER and not _COUNTING.match(mark))
    return sum(wanted.said.get(word, 0.0) >= _NEAR for word in words)


def _other(value: Value, kind: str, number: str, kinds: frozenset[str]) -> bool:
    """Whether a number measures the same kind of thing as a value, and is another one."""
    if number == f"{NUMBER}1" or not kind:
        return False
    if kind in kinds:
        return number not in value.numbers
    lengths = {_SPANS[each] * _amount(number) for each in kinds if each in _SPANS}
    return kind in _SPANS and bool(lengths) and not lengths & {_SPANS[kind] * _amount(each) for each in value.numbers}


def _amount(number: str) -> float:
    try:
        return float(number.removeprefix(NUMBER))
    except ValueError:
        return 0.0
