"""Cutting pages into sections by a CommonMark parser, to see whether the graph's sections are the page's own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

OPEN = re.compile(r"\s*<(?:[!?]|script|pre|style|textarea)", re.I)
"""Tags that only their own end closes."""
ENDS = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Cut:
    """One section: its level, 0 before the first heading, and all its characters."""

    level: int
    text: str
    heading: str
    """The heading's source; '' at level 0."""
    body: int
    """Characters of the text before its body: heading or front matter."""


@cache
def parser() -> MarkdownIt:
    """Blocks only, tables as in GitHub's Markdown."""
    made = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    made.core.ruler.enableOnly(["normalize", "block"])
    return made


def cut(page: str) -> list[Cut]:
    """The page's sections in reading order; their texts, joined, are the page."""
    front = front_length(page)
    offset = front or int(page.startswith("\ufeff"))
    starts = [offset, *(found.end() for found in ENDS.finditer(page, offset))]
    tokens = parser().parse(page[offset:].replace("\0", "\ufffd"))
    heads: list[tuple[int, int, int, str]] = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, behind = (starts[min(line, len(starts) - 1)] for line in token.map)
            heads.append((first, behind if behind > first else len(page), int(token.tag[1]), inline.content))
    first = heads[0][0] if heads else len(page)
    made = [Cut(0, page[:first], "", offset)] if first else []
    for number, (start, behind, level, words) in enumerate(heads):
        end = heads[number + 1][0] if number + 1 < len(heads) else len(page)
        made.append(Cut(level, page[start:end], words, behind - start))
    return made


def cut_at(page: str, parts: Sequence[str]) -> list[Cut]:
    """As `cut`, and quicker where the page is made of these parts and each is a section by itself."""
    if "".join(parts) != page:
        return cut(page)
    sections = []
    for number, part in enumerate(parts):
        section, closed = alone(part)
        if section is None or not (closed or number == len(parts) - 1):
            return cut(page)
        if number and (not section.level or part[0] in " -+\ufeff"):
            return cut(page)
        sections.append(section)
    return sections


@lru_cache(maxsize=1 << 17)
def alone(text: str) -> tuple[Cut | None, bool]:
    """The one section that a text is wherever it stands, None where it is not one, and whether it surely ends before
    any heading that follows.

    A heading closes every block but a fence or a tag that is still open, and may go on with a paragraph or a table
    before it: so the text has to end in an empty line or in its own heading, and in nothing open.
    """
    front = front_length(text)
    offset = front or int(text.startswith("\ufeff"))
    tokens = parser().parse(text[offset:].replace("\0", "\ufffd"))
    heads = [n for n, token in enumerate(tokens) if token.type == "heading_open" and not token.level]
    if not text or (heads and (heads != [0] or offset or tokens[0].map is None or tokens[0].map[0] != 0)):
        return None, False
    if not heads or tokens[0].map is None:
        return Cut(0, text, "", offset), _closed(text, tokens)
    starts = [0, *(found.end() for found in ENDS.finditer(text)), len(text)]
    section = Cut(int(tokens[0].tag[1]), text, tokens[1].content, starts[tokens[0].map[1]])
    return section, _closed(text, tokens)


def _closed(text: str, tokens: Sequence[Token]) -> bool:
    lines = ENDS.split(text)
    if lines[-1].strip():
        return False
    if not tokens or tokens[-1].type == "heading_close":
        return True
    last = tokens[-1]
    if last.type == "html_block" and OPEN.match(last.content):
        return False
    closing = next(line.strip() for line in reversed(lines) if line.strip())
    if last.type == "fence" and (set(closing) != set(last.markup) or len(closing) < len(last.markup)):
        return False
    return len(lines) > 2 and not lines[-2].strip()


def front_length(page: str) -> int:
    """Characters of the front matter: YAML between `---`, TOML between `+++`."""
    bare = page.removeprefix("\ufeff")
    if bare[:3] not in ("---", "+++"):
        return 0
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", page)
    closing = ("---", "...") if bare[0] == "-" else ("+++",)
    if lines[0].removeprefix("\ufeff").rstrip(" \t\r\n") not in ("---", "+++"):
        return 0
    length = len(lines[0])
    for line in lines[1:]:
        length += len(line)
        if line.rstrip("\r\n").rstrip(" \t") in closing:
            return length
    return 0
