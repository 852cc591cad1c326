"""Markdown pages to sections: one section per heading, whose sources joined give the page back."""

import re
from dataclasses import dataclass
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
_OPENING = re.compile(r"[ \t]*#{1,6}")
_CLOSING = re.compile(r"(?:^|[ \t])[ \t]*#+[ \t]*$")
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
    lines = _lines(text, offset)
    starts: list[int] = []
    blocks = Blocks()
    feed = blocks.feed
    at = offset
    for line in lines:
        starts.append(at)
        at += len(line)
        kind = feed(line.rstrip("\r\n"))
        if kind < ATX or blocks.containers:
            continue
        if kind == ATX:
            found.append(_atx(line, starts[-1], at))
        elif kind == SETEXT:
            first = blocks.paragraph + _definition_lines(lines, blocks.paragraph, len(starts) - 1)
            if first < len(starts) - 1:
                raw = "".join(lines[first : len(starts) - 1])
                found.append(_Heading(starts[first], at, 1 if "=" in line else 2, raw.strip()))
    return found


def _lines(text: str, offset: int) -> list[str]:
    """The lines with their ends. Only LF, CR and CR LF end a line."""
    if "\r" in text:
        return _LINE.findall(text, offset)
    lines = [line + "\n" for line in text[offset:].split("\n")]
    last = lines.pop()[:-1]
    if last:
        lines.append(last)
    return lines


def _atx(line: str, start: int, end: int) -> _Heading:
    mark = _OPENING.match(line)
    behind = mark.end() if mark else 0
    level = line[:behind].count("#")
    return _Heading(start, end, level, _CLOSING.sub("", line[behind:].strip()).strip())


def _definition_lines(lines: list[str], first: int, end: int) -> int:
    """How many of a paragraph's lines are link definitions, which no heading can be made of."""
    if not lines[first].lstrip().startswith("["):
        return 0
    text = "".join(lines[first:end]).replace("\r\n", "\n").replace("\r", "\n")
    at = 0
    while found := _DEFINITION.match(text, at):
        at = found.end()
    return text.count("\n", 0, at)


def _words(raw: str) -> tuple[str, str]:
    """A heading's words, and the id written behind them, if any."""
    written = ""
    brace = raw.rfind("{")
    if raw.endswith("}") and (mark := _ATTRIBUTES.fullmatch(raw, brace)):
        raw = raw[:brace].rstrip()
        found = _ID.search(mark[1])
        written = found[1] if found else ""
    return " ".join(plain(_CLOSING.sub("", raw)).split()), written


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
