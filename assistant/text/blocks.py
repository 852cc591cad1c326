"""CommonMark's block structure, line by line: as much of it as says what every line is, in one pass."""

import re
from enum import IntEnum

TAB = 4
_DEEPEST = 100
"""Containers within each other; what is deeper is words, so that no page costs more than its size."""
QUOTE = 0
"""A block quote among the open containers; any other entry is the content column of a list item."""

_THEMATIC = re.compile(r"(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_ATX = re.compile(r"(#{1,6})(?:[ \t]|$)")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ ]|$)")
_PREFIX = re.compile(r"[ \t>*+\-.)0-9]*")
_DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_PIPE = re.compile(r"(?<!\\)\|")
_BLOCK_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul"
)
_ATTRIBUTE = r"""[ \t]+[A-Za-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^'\n]*'|"[^"\n]*"))?"""
_LONE_TAG = re.compile(rf"(?:<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*[ \t]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \t]*>)[ \t]*$")
_HTML = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?:[ \t>]|$)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{'|'.join(_BLOCK_TAGS.split())})(?:[ \t]|/?>|$)", re.I), None),
)
"""CommonMark's kinds 1 to 6 of HTML blocks: how each starts, and ends (None: at a blank line)."""


class Kind(IntEnum):
    """What a line is."""

    BLANK = 0
    PARAGRAPH = 1
    FENCE = 2
    HTML = 3
    INDENTED = 4
    TABLE = 5
    ATX = 6
    SETEXT = 7
    RULE = 8


BLANK, PARAGRAPH, FENCE, HTML, INDENTED, TABLE, ATX, SETEXT, RULE = Kind


class Blocks:
    """Reads the lines of a document in order and knows, after each, where it stands.

    `containers` are the open block quotes and list items, outermost first; `rest` is the last line without their
    marks; `opened` tells how many containers the line opened; `paragraph` is the number of the line where the open
    paragraph (for SETEXT: the heading's words) began.
    """

    __slots__ = (
        "_empty_item",
        "_end",
        "_fence",
        "_leaf",
        "_number",
        "_previous",
        "containers",
        "opened",
        "paragraph",
        "rest",
    )

    def __init__(self) -> None:
        self.containers: list[int] = []
        self.rest = ""
        self.opened = 0
        self.paragraph = 0
        self._leaf = BLANK
        self._number = -1
        self._previous = ""
        self._fence = ""
        self._end: re.Pattern[str] | None = None
        self._empty_item = False

    @property
    def is_open(self) -> bool:
        """Whether the next line may go on the block of the last one."""
        return self._leaf != BLANK

    def feed(self, line: str) -> Kind:
        """What the next line (without its line end) is."""
        self._number += 1
        leaf = self._leaf
        containers = self.containers
        if containers or leaf not in (FENCE, HTML):
            kind = self._usual(line, leaf, containers)
            if kind is not None:
                return kind
        if "\t" in line:
            mark = _PREFIX.match(line)
            end = mark.end() if mark else 0
            line = line[:end].expandtabs(TAB) + line[end:]
        self.opened = 0
        matched, rest = self._enter(line)
        inside = matched == len(containers)
        if not inside and self._leaf != PARAGRAPH:
            self._close(matched)
            inside = True
        elif inside and (self._leaf == FENCE or self._leaf == HTML):
            return self._opaque(rest)
        return self._start(rest, matched, inside)

    def _usual(self, line: str, leaf: Kind, containers: list[int]) -> Kind | None:
        """The most frequent lines, told by their first characters (a third of the time); None for any other."""
        if not line:
            if leaf in (FENCE, HTML) or self._empty_item or QUOTE in containers:
                return None
            self._leaf = BLANK
            self.opened = 0
            self.rest = ""
            return BLANK
        mark = line[0]
        if mark.isalpha():
            if containers or (leaf != PARAGRAPH and leaf != BLANK):
                return None
            return self._text(line)
        if mark == "#" and _ATX.match(line):
            containers.clear()
            self._leaf = BLANK
            self._empty_item = False
            self.opened = 0
            self.rest = line
            return ATX
        if (mark == "-" or mark == "*") and line[1:2] == " " and line[2:3].isalpha():
            containers[:] = (2,)
            self._leaf = PARAGRAPH
            self._empty_item = False
            self.paragraph = self._number
            self.opened = 1
            self.rest = self._previous = line[2:]
            return PARAGRAPH
        return None

    def _enter(self, line: str) -> tuple[int, str]:
        """How many open containers the line continues, and what is left of it."""
        rest = line
        matched = 0
        if self._empty_item:
            self._empty_item = False
            if not line.strip(" \t>"):
                self._close(len(self.containers) - 1)
        for width in self.containers:
            bare = rest.lstrip(" ")
            if width == QUOTE:
                if bare[:1] != ">" or len(rest) - len(bare) > 3:
                    break
                rest = bare[2:] if bare[1:2] == " " else bare[1:]
            elif bare and not bare.isspace():
                if len(rest) - len(bare) < width:
                    break
                rest = rest[width:]
            matched += 1
        return matched, rest

    def _close(self, keep: int) -> None:
        del self.containers[keep:]
        self._leaf = BLANK

    def _opaque(self, rest: str) -> Kind:
        """A line of a fence or of an HTML block, which nothing but its own end ends."""
        self.rest = rest
        kind = self._leaf
        if kind == FENCE:
            bare = rest.strip(" \t")
            if (
                bare.startswith(self._fence)
                and not bare.strip(self._fence[0])
                and len(rest) - len(rest.lstrip(" ")) < TAB
            ):
                self._leaf = BLANK
        elif self._end is None:
            if not rest.strip(" \t"):
                self._leaf = kind = BLANK
        elif self._end.search(rest):
            self._leaf = BLANK
        return kind

    def _start(self, rest: str, matched: int, inside: bool) -> Kind:
        """What the line starts, once the marks of open containers are off; opens new containers on its way."""
        while True:
            bare = rest.lstrip(" ")
            indent = len(rest) - len(bare)
            self.rest = rest
            if not bare or (bare.isspace() and not bare.strip(" \t")):
                self._close(matched)
                return BLANK
            if indent >= TAB:
                return self._indented()
            mark = bare[0]
            if mark.isalpha():
                break
            if matched >= _DEEPEST:
                break
            if mark == ">":
                self._close(matched)
                self.containers.append(QUOTE)
                rest = bare[2:] if bare[1:2] == " " else bare[1:]
            elif (kind := self._leaf_start(bare, mark, matched, inside)) is not None:
                return kind
            elif item := self._item(bare, inside):
                self._close(matched)
                width, rest = item
                self.containers.append(indent + width)
            else:
                break
            matched, inside = matched + 1, True
            self.opened += 1
        if not inside and self._leaf == PARAGRAPH:
            self._previous = ""
            return PARAGRAPH
        return self._text(rest)

    def _indented(self) -> Kind:
        if self._leaf == PARAGRAPH:
            self._previous = ""
            return PARAGRAPH
        self._leaf = INDENTED
        return INDENTED

    def _leaf_start(self, bare: str, mark: str, matched: int, inside: bool) -> Kind | None:
        """The heading, rule, fence or HTML block that the line is or opens."""
        kind: Kind | None = None
        if mark == "#":
            kind = ATX if _ATX.match(bare) else None
        elif mark in "`~":
            if fence := _FENCE.match(bare):
                kind, self._fence = FENCE, fence[1] or fence[2]
        elif mark == "<":
            kind = self._html(bare)
        elif mark in "=-" and inside and self._leaf == PARAGRAPH and _SETEXT.match(bare):
            self._leaf = BLANK
            return SETEXT
        if kind is None and mark in "*-_" and _THEMATIC.match(bare):
            kind = RULE
        if kind is not None:
            self._close(matched)
            if kind == FENCE or (kind == HTML and not (self._end and self._end.search(bare))):
                self._leaf = kind
        return kind

    def _html(self, bare: str) -> Kind | None:
        for start, end in _HTML:
            if start.match(bare):
                self._end = end
                return HTML
        if self._leaf != PARAGRAPH and self._leaf != TABLE and _LONE_TAG.match(bare):
            self._end = None
            return HTML
        return None

    def _item(self, bare: str, inside: bool) -> tuple[int, str] | None:
        """The width of the list mark with the space after it, and the item's first line, where there is one."""
        mark = _ITEM.match(bare)
        if not mark:
            return None
        content = bare[mark.end() :]
        words = content.lstrip(" ")
        if inside and self._leaf == PARAGRAPH and (not words or (mark[1] and int(mark[1]) != 1)):
            return None
        gap = len(content) - len(words)
        if not words or gap > TAB:
            gap = 1
        self._empty_item = not words
        return mark.end() + gap, content[gap:]

    def _text(self, rest: str) -> Kind:
        """A line of words: of the open paragraph or table, or the first of a new paragraph."""
        leaf = self._leaf
        self.rest = rest
        if leaf == PARAGRAPH:
            if "-" in rest and "|" in self._previous + rest and self._heads(rest):
                leaf = TABLE
        elif leaf != TABLE:
            leaf = PARAGRAPH
            self.paragraph = self._number
        self._leaf = leaf
        self._previous = rest
        return leaf

    def _heads(self, rest: str) -> bool:
        """Whether the line is the delimiter row under a table's header of as many cells."""
        row = rest.strip(" \t")
        return bool(_DELIMITERS.match(row)) and cells(row) == cells(self._previous.strip(" \t"))


def cells(row: str) -> int:
    """How many cells a table row has."""
    return len(_PIPE.findall(row)) + 1 - row.startswith("|") - (row.endswith("|") and not row.endswith("\\|"))
