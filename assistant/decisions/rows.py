"""Decisions that put something into another row or table: a row that names it comes up where the decided value stands.

A table of things by their state (proposals by stage, vendors by tier) often carries a decision out without a sentence:
a row moves from the section of one state to that of another. So name and value are looked for apart: the name in a cell
of a row that was not there before, the value in the row, over the table, or in the commit's message.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.decisions.link import AFTER, DAY
from assistant.decisions.shown import Edit, words
from assistant.graph.reading.linking import Changed
from assistant.model.conversations import Conversation
from assistant.model.decisions import Evidence, Extracted
from assistant.model.times import moment
from assistant.text.spans import dates
from assistant.text.words import content_tokens

_SAYS = re.compile(r"\b(?:to|for|is|has|reach\w*|advance\w*)\b|:")
"""Begins what is said of a subject."""
_GAP = r"[\s*_`]*"
_NAMED = 0.55
"""How alike the name in a row and the name that was decided on have to be, 0 to 1."""
_LINK = re.compile(r"https?://[^\s)\]>]*/([\w.-]+?)/?(?=[\s)\]>#]|$)|\]\[([^\]\n]+)\]")
"""The last part of an address, or the label of a reference."""
_GENERIC = frozenset(content_tokens("proposal spec ecma262 tc39 github index readme html pull issue"))
_OPENING = 3
"""Utterances at the start of an item in which its links are looked for."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_BY_ITSELF = 0.5
"""How late, 1 at the end of its time, a row may move without the commit naming the item's day: bodies that keep such
tables meet again within two months, and then another meeting may have moved it."""
_AHEAD = 2 * DAY
"""A commit so long before the decision may still carry it out: days of meetings are dates without hours."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A row that came up, or changed its value, as decided."""

    change: Changed
    row: str
    """Verbatim."""
    gone: str
    """The row before, '' where it came from elsewhere."""
    value: str
    named: float
    reference: str | None
    score: float

    @property
    def edit(self) -> Edit:
        """The row before and after."""
        return Edit(self.gone, self.row)

    def evidence(self) -> Evidence:
        """As it is kept on the edge."""
        return Evidence(
            added=(self.value, self.row),
            removed=(self.gone,) if self.gone else (),
            reference=self.reference,
            author_spoke=False,
            section=self.change.section,
            score=round(self.score, 3),
        )


def names(decision: Extracted, talk: Conversation) -> tuple[frozenset[str], ...]:
    """What the decision may be about: what stands before its value, the item's heading, what the item links to."""
    value = frozenset(_tokens(decision.new_value or ""))
    own = decision.statement.removeprefix(talk.title).lstrip(": ")
    before = _SAYS.split(own, maxsplit=1)[0]
    parts = (before, talk.title, *re.split(r",| and |/|;", talk.title))
    links = _linked("\n".join((talk.title, *(said.text for said in talk.utterances[:_OPENING]))))
    found = (*(frozenset(_tokens(part)) - value for part in parts), *links)
    return tuple(dict.fromkeys(name for name in found if name))


def moved_rows(decision: Extracted, talk: Conversation, changes: Sequence[Changed]) -> list[Moved]:
    """The rows that changes moved as decided, the likeliest first."""
    if not decision.new_value:
        return []
    wanted = names(decision, talk)
    phrase = _phrase(decision.new_value)
    day = moment(decision.decided_at).date().isoformat()
    found = [one for change in changes for one in _moved(decision, wanted, phrase, day, change)]
    return sorted(found, key=lambda one: (-one.score, one.change.commit.at, one.change.path, one.change.section))


def _moved(
    decision: Extracted, wanted: Sequence[frozenset[str]], phrase: re.Pattern[str], day: str, change: Changed
) -> Iterator[Moved]:
    late = (change.commit.at - decision.decided_at) / AFTER
    if change.commit.at < decision.decided_at - _AHEAD or not change.after:
        return
    before = _rows(change.before)
    known = {_name(row) for row in before}
    reference = day if day in dates(change.commit.subject) else None
    if late > _BY_ITSELF and not reference:
        return
    announced = frozenset(_tokens(_before(phrase, change.commit.subject))) - {"to"}
    for row in _rows(change.after):
        if row in before:
            continue
        name = _name(row)
        called = (name, *_linked(row), *((announced,) if reference else ()))
        likeness = max((_alike(each, one) for each in called for one in wanted), default=0.0)
        gone = next((old for old in before if _name(old) == name), "")
        here = name not in known or (phrase.search(words(row)) and not phrase.search(words(gone)))
        if likeness >= _NAMED and here and _stands(decision.new_value or "", phrase, row, change):
            own = max((_alike(each, wanted[0]) for each in called), default=0.0)
            score = 4 * likeness + own + 2 * bool(reference) - 3 * abs(late)
            yield Moved(change, row, gone, decision.new_value or "", likeness, reference, score)


def _stands(value: str, phrase: re.Pattern[str], row: str, change: Changed) -> bool:
    """Whether the value stands in the row, over its table, or where that names no other, in the commit's message."""
    other = re.compile(rf"\b{re.escape(value.split(maxsplit=1)[0])}{_GAP}\d", re.I)
    if phrase.search(words(row)) or any(phrase.search(heading) for heading in change.heading_path):
        return True
    return bool(phrase.search(change.commit.subject)) and not any(map(other.search, change.heading_path))


def _phrase(value: str) -> re.Pattern[str]:
    """Finds the value's words one after another, and no longer number."""
    joined = _GAP.join(re.escape(part) for part in value.casefold().split())
    return re.compile(rf"(?<!\w){joined}(?![\d.]*\d)", re.I)


def _before(phrase: re.Pattern[str], text: str) -> str:
    """What stands before a value."""
    found = phrase.search(text)
    return text[: found.start()] if found else text


def _rows(text: str) -> list[str]:
    """The rows of tables, verbatim."""
    return [line.strip() for line in text.split("\n") if line.lstrip().startswith("|") and _LETTERS.search(line)]


def _name(row: str) -> frozenset[str]:
    """The words of the first cell that says something."""
    cells = (words(cell).strip() for cell in re.split(r"(?<!\\)\|", row))
    return frozenset(next((tokens for cell in cells if not _sign(cell) and (tokens := tuple(_tokens(cell)))), ()))


def _linked(text: str) -> tuple[frozenset[str], ...]:
    """The words of what a text links to."""
    found = (frozenset(_tokens(re.sub(r"[-_.]", " ", one or label))) - _GENERIC for one, label in _LINK.findall(text))
    return tuple(name for name in found if name)


def _sign(cell: str) -> bool:
    """Whether a cell holds a mark only, like `:rocket:`."""
    return bool(re.fullmatch(r"(?::[\w+-]+:|\W)*", cell))


def _tokens(text: str) -> list[str]:
    return content_tokens(words(text))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike two names are; one that holds all words of the other counts more than halves in common."""
    common = len(one & other)
    if not common:
        return 0.0
    share = 2 * common / (len(one) + len(other))
    return max(share, 0.75 if common == min(len(one), len(other)) and common >= 2 else 0.0)
