"""Cutting pages into sections by a CommonMark parser, to see whether the graph's sections are the page's own."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt

ENDS = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Cut:
    """One section: its level, 0 before the first heading, and all its characters."""

    level: int
    text: str
    heading: str
    """The heading's source; '' at level 0."""


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
    heads: list[tuple[int, int, str]] = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            heads.append((starts[token.map[0]], int(token.tag[1]), inline.content))
    first = heads[0][0] if heads else len(page)
    made = [Cut(0, page[:first], "")] if first else []
    for number, (start, level, words) in enumerate(heads):
        end = heads[number + 1][0] if number + 1 < len(heads) else len(page)
        made.append(Cut(level, page[start:end], words))
    return made


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
