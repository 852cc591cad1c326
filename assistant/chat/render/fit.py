"""Making text fit: shortened to one line, or cut into pieces at the best places."""

import re

CUTS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"(?<=[.!?。！？])\s*"), re.compile(r"\s+"))
"""Where a text is cut, best first: paragraphs, lines, sentences, words."""

ENTITY = re.compile(r"&\w*\Z")
"""The beginning of an escaped character, which no cut may go through."""


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters on one line, cut at a word and marked with an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    head = flat[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit // 2 else head).rstrip() + "…"


def pieces(text: str, limit: int) -> list[str]:
    """The text in pieces of at most `limit` characters; joined they hold every word of it, in order."""
    found = []
    rest = text.strip()
    while len(rest) > limit:
        end = _cut(rest, limit)
        found.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*found, rest] if rest else found


def _cut(text: str, limit: int) -> int:
    """Where the first piece ends: the last good place in its second half, else at the limit."""
    for pattern in CUTS:
        ends = [m.start() for m in pattern.finditer(text, 0, limit + 1) if limit // 2 < m.start() <= limit]
        if ends:
            return ends[-1]
    entity = ENTITY.search(text, limit - len("&quot"), limit)
    return entity.start() if entity else limit
