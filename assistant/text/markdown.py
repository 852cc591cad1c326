"""Markdown pages to sections: one section per heading, whose sources joined give the page back."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from assistant.model.sections import Block
from assistant.text.blocks import ATX, SETEXT, Blocks
from assistant.text.plain import plain

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_YAML = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)(?:[^\r\n]*(?:\r\n|\n|\r))*?(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_TOML = re.compile(r"\ufeff?\+\+\+[ \t]*(?:\r\n|\n|\r)(?:[^\r\n]*(?:\r\n|\n|\r))*?\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)")
_TITLE = re.compile(
    r"^[\"']?title[\"']?[ \t]*[:=][ \t]*(?:[>|][+-]?[ \t]*(?:\r\n|\n|\r)[ \t]+)?([^\r\n]*)", re.M | re.I
)
_ATTRIBUTES = re.compile(r"\{:?[ \t]*((?:[#.][^\s{}]+|[\w-]+=(?:\"[^\"]*\"|'[^']*'|[^\s{}]+))(?:[ \t]+[^{}]*)?)\}")
_NEXT_LINE_ATTRIBUTES = re.compile(r"\{:[^{}\n]*#([^\s{}]+)[^{}\n]*\}[ \t]*(?:\r?\n|\r|\Z)")
_ID = re.compile(r"(?:^|\s)#([^\s{}]+)")
_DEFINITION = re.compile(
    r" {0,3}\[(?:[^\[\]\\]|\\.)+\]:[ \t]*\n?[ \t]*(?:<[^<>\n]*>|[^\s<]\S*)"
    r"(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*(?:\n|$)"
)
_UNSLUGGED = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Page:
    """A page cut into its sections, in reading order."""

    title: str | None
    """Front matter's title, else the first heading; None where there is neither."""
    blocks: tuple[Block, ...]


class _Heading(NamedTuple):
    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last line."""
    level: int
    raw: str


def decode(data: bytes) -> str | None:
    """The text of a file: UTF-8 (bytes that are none become U+FFFD) or UTF-16 with a mark; None for a binary."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:8000]:
        return None
    return data.decode("utf-8", "replace")


def split_page(text: str) -> Page:
    """The page's sections. What stands before the first heading is a section of level 0, if it is anything at all."""
    front = front_matter(text)
    headings = _headings(text, len(front))
    title = _front_title(front)
    blocks: list[Block] = []
    anchors: dict[str, int] = {}
    above: list[tuple[int, str]] = []
    first = headings[0].start if headings else len(text)
    if first:
        blocks.append(Block("", (), 0, "", text[:first], text[len(front) : first].removeprefix("\ufeff")))
    for number, heading in enumerate(headings):
        end = headings[number + 1].start if number + 1 < len(headings) else len(text)
        words, written = _words(heading.raw)
        body = text[heading.end : end]
        if not written and body.startswith("{:") and (mark := _NEXT_LINE_ATTRIBUTES.match(body)):
            written = mark[1]
        while above and above[-1][0] >= heading.level:
            above.pop()
        above.append((heading.level, words))
        path = tuple(name for _, name in above)
        anchor = anchor_of(written, words, anchors)
        blocks.append(Block(words, path, heading.level, anchor, text[heading.start : end], body))
    if title is None and headings:
        title = next((block.heading for block in blocks if block.heading), None)
    return Page(title, tuple(blocks))


def front_matter(text: str) -> str:
    """The YAML (---) or TOML (+++) front matter with its fences and its mark of byte order; '' without one."""
    if text[:4].lstrip("\ufeff")[:3] not in ("---", "+++"):
        return ""
    found = _YAML.match(text) or _TOML.match(text)
    return found[0] if found else ""


def _front_title(front: str) -> str | None:
    found = _TITLE.search(front)
    if not found:
        return None
    value = found[1].strip()
    if value[:1] in ("'", '"') and value.rfind(value[0]) > 0:
        quote = value[0]
        value = value[1 : value.rfind(quote)]
        value = value.replace("''", "'") if quote == "'" else value.replace('\\"', '"')
    else:
        value = re.split(r"[ \t]#", value, maxsplit=1)[0].strip()
    return value or None


def _headings(text: str, offset: int) -> list[_Heading]:
    """The headings that stand at the top level of the page, behind its front matter."""
    if not offset and text.startswith("\ufeff"):
        offset = 1
    found: list[_Heading] = []
    lines, starts = _lines(text, offset)
    blocks = Blocks()
    feed = blocks.feed
    for number, line in enumerate(lines):
        kind = feed(line)
        if kind < ATX or blocks.containers:
            continue
        if kind == ATX:
            level, raw = _atx(line)
            found.append(_Heading(starts[number], starts[number + 1], level, raw))
        elif kind == SETEXT:
            first = blocks.paragraph + _definition_lines(lines, blocks.paragraph, number)
            if first < number:
                level = 1 if "=" in line else 2
                found.append(_Heading(starts[first], starts[number + 1], level, "\n".join(lines[first:number]).strip()))
    return found


def _lines(text: str, offset: int) -> tuple[list[str], list[int]]:
    """The lines without their ends, and where each and the end of the text stand. LF, CR and CR LF end a line."""
    if "\r" in text:
        found = _LINE.findall(text, offset)
        ends = accumulate((len(line) for line in found), initial=offset)
        return [line.rstrip("\r\n") for line in found], list(ends)
    lines = text[offset:].split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=offset))
    starts[-1] = len(text)
    return lines, starts


def _atx(line: str) -> tuple[int, str]:
    """Level and raw words of a heading that # marks."""
    bare = line.lstrip(" ")
    raw = bare.lstrip("#")
    return len(bare) - len(raw), _unclosed(raw.strip(" \t"))


def _unclosed(raw: str) -> str:
    """The heading without the #s that close it."""
    bare = raw.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else raw


def _definition_lines(lines: list[str], first: int, end: int) -> int:
    """How many of a paragraph's lines are link definitions, which no heading can be made of."""
    if not lines[first].lstrip().startswith("["):
        return 0
    text = "\n".join(lines[first:end]) + "\n"
    at = 0
    while found := _DEFINITION.match(text, at):
        at = found.end()
    return text.count("\n", 0, at)


@lru_cache(maxsize=1 << 14)
def _words(raw: str) -> tuple[str, str]:
    """A heading's words, and the id written behind them, if any."""
    written = ""
    brace = raw.rfind("{")
    if raw.endswith("}") and (mark := _ATTRIBUTES.fullmatch(raw, brace)):
        raw = _unclosed(raw[:brace].rstrip())
        found = _ID.search(mark[1])
        written = found[1] if found else ""
    return " ".join(plain(raw).split()), written


def anchor_of(written: str, words: str, taken: dict[str, int]) -> str:
    """The written id, else the slug GitHub gives the heading: -1, -2 … for one that is taken."""
    if written:
        taken.setdefault(written, 0)
        return written
    slug = base = _UNSLUGGED.sub("", words.lower()).replace(" ", "-")
    while slug in taken:
        taken[base] += 1
        slug = f"{base}-{taken[base]}"
    taken[slug] = 0
    return slug
