"""Decisions that the handbook speaks against: it says another value of the same kind about the same thing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.access import at_day
from assistant.decisions.link import Weights
from assistant.decisions.marks import NUMBER, Value, measured, unit_of
from assistant.decisions.shown import read, words
from assistant.decisions.sought import Sought
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.sections import SectionVersion
from assistant.model.times import moment
from assistant.search.hybrid import search
from assistant.text.units import units

_SECTIONS = 12
"""Sections that are read for words against a decision."""
_SPANS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
"""Days in what measures long times: two weeks may stand against thirty days."""
_ENOUGH = 2.2
"""Score from which words speak about the same thing; the highest of a chat-only decision in the made talks is 2.0."""


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
    text = " ".join(sorted(about.of, key=lambda word: (-about.of[word], word))[:16])
    found = search(reader, at_day(scope, moment(until)), text, None, limit=_SECTIONS)
    weighed = [one for hit in found for one in _against(hit.section, value, wanted, about)]
    best = max(weighed, key=lambda one: (one.score, one.section.id, one.quote), default=None)
    return (best,) if best and best.score >= _ENOUGH else ()


def _against(section: SectionVersion, value: Value, wanted: Sought, about: Weights) -> Iterator[Against]:
    """The sentences, items and rows of a section that say another value of the same measure."""
    kind = unit_of(value.raw)
    head = read(" ".join((section.title, *section.heading_path)))
    for unit in units(section.text):
        marks = read(unit.plain)
        others = [number for number, kinds in measured(words(unit.plain)).items() if _other(value, kind, number, kinds)]
        until_now = bool(wanted.old and wanted.old.numbers and wanted.old.held_by(marks))
        if value.held_by(marks) or not (others or until_now):
            continue
        share = sum(mark in wanted.said for mark in marks if mark[0] != NUMBER) / (len(marks) + 2)
        named = 1.3 if until_now else 0.8 if any(number in wanted.said for number in others) else 0.0
        score = 8 * (about.sum(marks) + 0.5 * about.sum(head - marks)) + share + named
        yield Against(section, unit.quote, score)


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
