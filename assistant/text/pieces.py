"""A section's leaf blocks: paragraphs, tables, code and HTML, each with the list items it stands in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from assistant.text.blocks import ATX, BLANK, FENCE, INDENTED, PARAGRAPH, QUOTE, RULE, SETEXT, TABLE, Blocks, Kind

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|\Z)")


@dataclass(slots=True)
class Piece:
    """One leaf block: what kind, its lines, and where it hangs."""

    kind: Kind
    items: tuple[int, ...]
    """The list items it is in, outermost first, by number."""
    lines: list[tuple[int, str]] = field(default_factory=list)
    """Offset in the section and text of each line, container marks and indentation off."""

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)

    @property
    def end(self) -> int:
        """The offset in the section behind the last line."""
        start, line = self.lines[-1]
        return start + len(line)

    def offset(self, at: int) -> int:
        """Where the character of `text` at that place stands in the section."""
        for start, line in self.lines:
            if at <= len(line):
                return start + at
            at -= len(line) + 1
        return self.end


def pieces(text: str, start: int = 0) -> list[Piece]:
    """The leaf blocks of a section from an offset on, in order; headings as pieces of kind ATX or SETEXT."""
    found: list[Piece] = []
    blocks = Blocks()
    items: list[int] = []
    number = 0
    open_block = False
    paragraph = -1
    for offset, line in _lines(text, start):
        kind = blocks.feed(line)
        kept = len(blocks.containers) - blocks.opened
        del items[kept:]
        for width in blocks.containers[kept:]:
            number += 1
            items.append(0 if width == QUOTE else number)
        if kind != BLANK and kind != RULE:
            goes_on = bool(found) and found[-1].kind == kind and not blocks.opened and open_block
            if kind == PARAGRAPH:
                goes_on = goes_on and paragraph == blocks.paragraph
                paragraph = blocks.paragraph
            _add(found, kind, goes_on, offset, line, blocks.rest, tuple(item for item in items if item))
        open_block = blocks.is_open
    return found


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    for found in _LINE.finditer(text, start):
        if found.start() < len(text):
            yield found.start(), found[1]


def _add(
    found: list[Piece], kind: Kind, goes_on: bool, offset: int, line: str, rest: str, items: tuple[int, ...]
) -> None:
    """Puts a line into the last piece or a new one; a table takes its header from the paragraph before."""
    bare = rest.lstrip(" \t")
    if kind in (FENCE, INDENTED) and line.endswith(rest):
        bare = rest
    entry = offset + len(line) - len(bare), bare
    if kind == SETEXT and found and found[-1].kind == PARAGRAPH:
        found[-1].kind = SETEXT
    elif kind == TABLE and not goes_on and found and found[-1].kind == PARAGRAPH:
        header = found[-1].lines.pop()
        if not found[-1].lines:
            found.pop()
        found.append(Piece(TABLE, items, [header, entry]))
    elif goes_on and kind not in (ATX, SETEXT):
        found[-1].lines.append(entry)
    else:
        found.append(Piece(kind, items, [entry]))
