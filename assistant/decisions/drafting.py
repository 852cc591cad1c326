"""A draft of the text that a rule needs in the handbook: the sentence, and the line after which it goes. Pure."""

import re
from dataclasses import dataclass

from assistant.model.sections import SectionVersion
from assistant.text.units import Unit, UnitKind, units
from assistant.text.words import content_tokens

MARKER = re.compile(r"(?P<lead>[ \t>]*)(?P<mark>(?:[-*+]|\d+[.)])[ \t]+)?")
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Draft:
    """What to add to a page, and where."""

    path: str
    place: str
    """The section by its headings."""
    line: int
    """Number, from 1, of the page's line after which it goes."""
    before: str
    """That line, verbatim."""
    added: tuple[str, ...]
    """The new lines."""


def draft(statement: str, section: SectionVersion, line: int) -> Draft:
    """The draft for a rule in a section that begins with this line of its page."""
    lines = section.text.rstrip("\n").split("\n")
    nearest = _nearest(section.text, statement)
    added: tuple[str, ...]
    if nearest is None or nearest.kind is UnitKind.CODE:
        after, added = len(lines) - 1, ("", sentence(statement))
    elif nearest.kind is UnitKind.ROW:
        after, added = _table_end(lines, _line_of(section.text, nearest.end)), ("", sentence(statement))
    else:
        start, end = (_line_of(section.text, at) for at in (nearest.start, nearest.end))
        after, added = _beside(lines, start, end, statement, item=nearest.kind is UnitKind.ITEM)
    return Draft(section.path, section.name, line + after, lines[after], added)


def sentence(statement: str) -> str:
    """The statement as a sentence: on one line, with a capital and a full stop."""
    words = " ".join(statement.split())
    ended = words if words.endswith((".", "!", "?", "…", "。", ":")) else f"{words}."
    return ended[:1].upper() + ended[1:]


def _nearest(text: str, statement: str) -> Unit | None:
    """What of the section speaks most about the same; the last of it where nothing does."""
    wanted = set(content_tokens(statement))
    found = units(text)

    def worth(number: int) -> tuple[float, int]:
        tokens = set(content_tokens(f"{found[number].context} {found[number].plain}"))
        return len(wanted & tokens) / (len(wanted) + len(tokens) or 1), number

    return found[max(range(len(found)), key=worth)] if found else None


def _line_of(text: str, at: int) -> int:
    """Index of the line with that character, or with the one before where it is a line's end."""
    return text.count("\n", 0, max(at - 1, 0))


def _table_end(lines: list[str], at: int) -> int:
    while at + 1 < len(lines) and lines[at + 1].lstrip().startswith("|"):
        at += 1
    return at


def _beside(lines: list[str], start: int, end: int, statement: str, *, item: bool) -> tuple[int, tuple[str, ...]]:
    """After a sentence on a line of its own, after a list item (and what stands under it) as the next item."""
    first = MARKER.match(lines[start])
    assert first is not None  # every part of it may be missing
    if not item or first["mark"] is None:
        blank = "> " if ">" in first["lead"] else ""
        return end, (f"{blank}{sentence(statement)}",)
    while end + 1 < len(lines) and lines[end + 1].strip() and _indent(lines[end + 1]) > len(first["lead"]):
        end += 1
    mark = NUMBER.sub(lambda number: str(int(number[0]) + 1), first["mark"])
    return end, (f"{first['lead']}{mark}{sentence(statement)}",)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
