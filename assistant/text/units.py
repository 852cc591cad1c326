"""The smallest things of a section that are worth quoting: sentences, list items, table rows, code."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from assistant.text.blocks import ATX, FENCE, HTML, INDENTED, SETEXT, TABLE
from assistant.text.markdown import front_matter
from assistant.text.pieces import Piece, pieces
from assistant.text.plain import plain
from assistant.text.sentences import sentence_spans
from assistant.text.tables import html_rows, html_tables, read_row, table_cells

_LONG_ITEM = 40
"""Words; a longer list item of several sentences is quoted by sentence."""
_TITLE_WORDS = 10
"""A bold line of its own of so many words at most is a title of what follows."""
_BOLD = re.compile(
    r"(?:\*\*|__)(?!\s)(?:(?!\*\*|__).)+(?:\*\*|__):?[ \t]*$|<(?:b|strong)>[^<>]+</(?:b|strong)>:?[ \t]*$"
)
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
_DEFINITION = re.compile(r"\[[^\]\n]+\]:[ \t]*\S+")
_IMAGE = re.compile(r"!\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\]\n]*\])|<(?:img|iframe|video|source)\b[^>]*>", re.I)
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1>|\Z)", re.S | re.I)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary[ \t]*>", re.S | re.I)
_HTML_PART = re.compile(
    r"</?(?:p|div|li|ul|ol|br|hr|h[1-6]|details|summary|section|blockquote|dl|dt|dd)\b[^<>]*>", re.I
)
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_STRAY = re.compile(r"\*\*|~~|(?<![^\W_])__|__(?![^\W_])")
_WORD = re.compile(r"[^\W_]")


class UnitKind(StrEnum):
    """What a unit is in its section."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing worth quoting."""

    quote: str
    """Verbatim characters of the section, from `start` to `end`."""
    plain: str
    """As a person reads it, on one line (code keeps its lines); a row as `Column: cell; Column: cell`."""
    context: str
    """What it is to be read with: bold title, lead-in sentence, parent items, joined by ` > `; '' for none."""
    kind: UnitKind
    start: int
    end: int


def units(text: str) -> tuple[Unit, ...]:
    """The units of a section's verbatim text in reading order, headings and front matter left out."""
    return tuple(_Reader(text).read())


class _Reader:
    """Goes through a section's leaf blocks and remembers what leads in to the next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.title = ""
        """The last bold line or <summary>."""
        self.lead: dict[tuple[int, ...], str] = {}
        """The last sentence before, by the list items it stands in."""
        self.parents: dict[int, str] = {}
        """The words of each list item."""
        self.last: tuple[int, ...] | None = None
        """Where the paragraph just before stands; None where none is."""

    def read(self) -> Iterator[Unit]:
        """All units, in order."""
        start = len(front_matter(self.text))
        tables = deque(html_tables(self.text, start))
        done = start
        for piece in pieces(self.text, start):
            at = piece.lines[0][0]
            if tables and piece.kind not in (FENCE, INDENTED) and tables[0][0] < piece.end:
                span = tables.popleft()
                yield from self._html_table(piece, *span)
                done = span[1]
            elif at >= done:
                yield from self._piece(piece)
            while tables and tables[0][0] < piece.end:
                tables.popleft()

    def _piece(self, piece: Piece) -> Iterator[Unit]:
        if piece.kind == ATX or piece.kind == SETEXT:
            self.title = ""
            self.lead.clear()
        elif piece.kind == TABLE:
            yield from self._table(piece)
        elif piece.kind == FENCE or piece.kind == INDENTED:
            yield from self._code(piece)
        elif piece.kind == HTML:
            yield from self._html(piece)
        else:
            yield from self._words(piece)
            return
        self.last = None

    def _words(self, piece: Piece) -> Iterator[Unit]:
        """A paragraph: one unit where it is a short list item, else one a sentence."""
        text = piece.text
        if _DEFINITION.match(text) or not _says(text):
            return
        item = piece.items[-1] if piece.items else 0
        first = item > 0 and item not in self.parents
        spans = list(sentence_spans(text))
        words = _read(text)
        if not piece.items and len(spans) == 1 and _is_title(text, words):
            self.title = words.rstrip(":")
            self.lead.clear()
            return
        context = self._context(piece)
        if first:
            box = _CHECKBOX.match(text)
            spans[0] = box.end() if box else spans[0][0], spans[0][1]
            self.parents[item] = _read(text[slice(*spans[0])])
            if len(words.split()) <= _LONG_ITEM:
                spans = [(spans[0][0], spans[-1][1])]
        kind = UnitKind.ITEM if item else UnitKind.SENTENCE
        for start, end in spans:
            yield from self._unit(piece.offset(start), piece.offset(end), _read(text[start:end]), context, kind)
        self.lead[piece.items] = _read(text[slice(*spans[-1])]) if not first else ""
        self.last = piece.items

    def _context(self, piece: Piece) -> str:
        """The bold title, the sentence that leads in to the list, and the items it stands under."""
        parts = [self.title]
        for depth, item in enumerate(piece.items):
            lead = self.lead.get(piece.items[:depth], "")
            if lead:
                parts.append(lead)
            if item in self.parents:
                parts.append(self.parents[item])
        return " > ".join(part.rstrip(":") for part in parts if part)

    def _lead_in(self, piece: Piece) -> str:
        """The context of a table or of code: as for words, with the sentence just before; what follows has none."""
        lead = self.lead.get(piece.items, "") if self.last == piece.items else ""
        parts = [self._context(piece), lead.rstrip(":")]
        self.lead[piece.items] = ""
        return " > ".join(part for part in parts if part)

    def _table(self, piece: Piece) -> Iterator[Unit]:
        names = table_cells(piece.lines[0][1])
        context = self._lead_in(piece)
        for start, line in piece.lines[2:]:
            words = read_row(names, table_cells(line))
            yield from self._unit(start, start + len(line.rstrip()), words, context, UnitKind.ROW)

    def _html_table(self, piece: Piece, start: int, end: int) -> Iterator[Unit]:
        context = self._lead_in(piece)
        for row_start, row_end, words, caption in html_rows(self.text, start, end):
            about = " > ".join(part for part in (context, caption) if part)
            yield from self._unit(row_start, row_end, words, about, UnitKind.ROW)

    def _code(self, piece: Piece) -> Iterator[Unit]:
        lines = piece.lines
        if piece.kind == FENCE:
            lines = lines[1:-1] if len(lines) > 1 and _FENCE_LINE.match(lines[-1][1]) else lines[1:]
        if lines:
            start, end = lines[0][0], lines[-1][0] + len(lines[-1][1])
            code = "\n".join(line.rstrip() for _, line in lines)
            yield from self._unit(start, end, code, self._lead_in(piece), UnitKind.CODE)

    def _html(self, piece: Piece) -> Iterator[Unit]:
        """The words between the tags of an HTML block, by sentence."""
        text = piece.text
        for summary in _SUMMARY.finditer(text):
            self.title = _read(summary[1])
        text = _SUMMARY.sub(_blanked, _HIDDEN.sub(_blanked, text))
        if "</details" in text.lower():
            self.title = ""
        at = 0
        context = self._context(piece)
        for tag in [*_HTML_PART.finditer(text), None]:
            end = tag.start() if tag else len(text)
            for start, stop in sentence_spans(text[at:end]):
                words = _read(text[at + start : at + stop])
                first, last = piece.offset(at + start), piece.offset(at + stop)
                yield from self._unit(first, last, words, context, UnitKind.SENTENCE)
            at = tag.end() if tag else end

    def _unit(self, start: int, end: int, words: str, context: str, kind: UnitKind) -> Iterator[Unit]:
        """The unit there, unless nothing stands there that can be read."""
        if _WORD.search(words):
            yield Unit(self.text[start:end], words, context, kind, start, end)


def _read(text: str) -> str:
    """The words of a piece on one line, without markup and without marks whose other half was cut off."""
    return " ".join(_STRAY.sub("", plain(_IMAGE.sub(" ", text))).split())


def _says(text: str) -> bool:
    """Whether there are words besides pictures and comments."""
    return bool(_WORD.search(plain(_HIDDEN.sub("", _IMAGE.sub("", text)))))


def _is_title(text: str, words: str) -> bool:
    return bool(_BOLD.match(text)) and len(words.split()) <= _TITLE_WORDS and not any(map(str.isdigit, words))


def _blanked(match: re.Match[str]) -> str:
    """As many spaces, so that what stands behind keeps its place."""
    return " " * len(match[0])
