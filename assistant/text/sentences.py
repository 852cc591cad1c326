"""Where sentences begin and end in a paragraph of Markdown."""

import re
from bisect import bisect_right
from collections.abc import Iterator

_END = re.compile(
    r"(?:[.!?…]+|(?P<wide>[。！？｡]+))"
    r"(?:[\"'”’»)\]」』）]|\*{1,3}|_{1,3}(?![^\W_])|~~)*(?P<gap>\s+|\Z)?"
)
_BREAK = re.compile(
    r"(?:(?<! )[ ]{2,}|\\)\n\s*|(?<!\s)\s*<br[ \t]*/?>\s*"
    r"|\n(?=[ \t]*(?:(?:\*\*|__)[^*_\n]{1,60}(?:\*\*:|__:|:\*\*|:__)|:[ \t]+\S))",
    re.I,
)
"""Hard line breaks, and lines that begin with a bold label or as a definition: each says something of its own."""
_HELD = re.compile(
    r"(?<!`)(`+)(?!`)[^\n]*?[^`\n]\1(?!`)|\[[^\[\]]*\]\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|<[a-zA-Z/!][^<>\n]*>"
    r"|(?:https?://|www\.)[^\s<>)]*[^\s<>).,;:!?]"
)
"""Code spans, link targets, tags and addresses: nothing in them ends a sentence."""
_WORD = re.compile(r"[^\s(\[\"'“‘*_]+$")
_SHORT = frozenset(
    "e.g i.e eg ie cf vs viz mr mrs ms dr prof st mt jr sr gen gov sen rep hon messrs al approx appt ca dept "
    "est fig figs incl max min ext tel pp vol ed eds jan feb mar apr jun jul aug sept sep oct nov dec mon tue "
    "tues wed thu thurs fri".split()
)
"""Abbreviations after which a sentence goes on, even with a capital."""
_SHORT_NUMBERED = frozenset("no nos art sec ch p para app ver".split())
"""Abbreviations only before a number."""
_MAYBE_LAST = frozenset("etc inc ltd co corp u.s u.k a.m p.m am pm".split())
"""Abbreviations that may end a sentence: it depends on what follows."""
_STARTS_OPEN = "\"'“‘«([*_`<#@「『（~"


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, without the white space round it; they come in order and never overlap."""
    starts, ends = _held(text)
    start = 0
    for cut, following in sorted(_cuts(text, starts, ends)):
        if cut <= start:
            continue
        yield from _trimmed(text, start, cut)
        start = following
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        yield left, right


def _held(text: str) -> tuple[list[int], list[int]]:
    spans = [match.span() for match in _HELD.finditer(text)]
    return [start for start, _ in spans], [end for _, end in spans]


def _cuts(text: str, starts: list[int], ends: list[int]) -> Iterator[tuple[int, int]]:
    """Where a sentence ends, and where the next one begins."""
    for found in _END.finditer(text):
        mark = found.start()
        at = bisect_right(starts, mark) - 1
        if at >= 0 and mark < ends[at]:
            continue
        if found["wide"] or (found["gap"] is not None and _ends(text, mark, found.end())):
            yield found.end(), found.end()
    for found in _BREAK.finditer(text):
        yield found.start(), found.end()


def _ends(text: str, mark: int, following: int) -> bool:
    """Whether the mark there ends a sentence, by the word before it and what follows."""
    if following >= len(text):
        return True
    after = text[following:].lstrip(_STARTS_OPEN)[:1]
    if after.islower() and text[following].islower():
        return False
    if text[mark] != ".":
        return True
    if text.startswith("..", mark):
        return after.isupper()
    before = _WORD.search(text, max(0, mark - 30), mark)
    word = before[0] if before else ""
    low = word.lower()
    if low in _SHORT or (low in _SHORT_NUMBERED and after.isdigit()):
        return False
    if low in _MAYBE_LAST:
        return after.isupper() and low not in ("inc", "ltd", "co", "corp")
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    return not (word.isdigit() and len(word) < 3 and not text[: before.start() if before else mark].strip())
