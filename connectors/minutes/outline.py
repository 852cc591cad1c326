"""The agenda of minutes: headings, which of them are items, and to which item a conclusion belongs. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+|(?=\w))(.*?)\s*#*\s*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
FENCE = re.compile(r" {0,3}(?:(?P<ticks>```+)(?P<info>[^`]*)|(?P<waves>~~~+)(?P<rest>.*))$")

OUTCOMES = (
    "conclusions?|resolutions?|decisions?|outcomes?|consensus|agreements?|agreed|decided|resolved|"
    "fazit|ergebnis(?:se)?|beschl(?:uss|üsse)|beschlossen|entscheidung(?:en)?|"
    "d[ée]cisions?|d[ée]cid[ée]|r[ée]solutions?|vereinbart|vereinbarung(?:en)?|entschieden|acordado|"
    "conclusi[óo]n(?:es)?|decisi[óo]n(?:es)?|acuerdos?|resoluci[óo]n(?:es)?|"
    "conclus(?:ão|ões)|decis(?:ão|ões)|conclusion[ei]|decision[ei]|conclusies?|besluit(?:en)?|beslut|"
    "wnioski|ustalenia|решени[ея]|итоги?|结论|結論|决议|決議|决定|決定(?:事項)?|결론|결정(?: ?사항)?"
)
"""What people call what came out, in the languages most minutes are in. A pattern."""
LABEL = (
    r"(?:(?:summary|list|log|overview|record) of (?:the )?|liste (?:der|des) )?"
    r"(?:(?:key|main|final|our|all|important|wichtige|wichtigste|unsere|principales|principaux) )?"
    rf"(?:{OUTCOMES})(?: (?:taken|made|reached|today|log|list|gefasst|prises?|tomadas?|adoptad[oa]s|adoptées?|"
    r"(?:of|from|in) (?:the|this|today['’]s) meeting|(?:der|dieser) sitzung|de la (?:séance|réunion|reunión|sesión)))?"
    r"(?:\s*(?:no\.?|nr\.?|n[°º]|#)?\s?\d[\d./-]*)?"
)
"""What stands before a colon, or as a heading, where what came out follows. A pattern."""
CONCLUSION = re.compile(
    r"(?:.*(?:[/&,;+、]|\b(?:and|or|und|oder|et|ou|y|o|e|en|och|i|и))\s*|(?:the|die|das|der|la|le|les|el|il|de) )?"
    rf"{LABEL}"
    r"(?:\s*(?:[/&]|\b(?:and|or|und|et|y|e|en|och|i|и)\b)\s*\w+(?: (?:items|points|steps|ups?))?)*\s*$",
    re.I,
)
"""A heading under which stands what came out."""

GENERAL = re.compile(
    r"(?:(?:meeting |general )?(?:notes|minutes|discussions?|discussed|overview|updates?|agenda|topics?|attendees|"
    r"participants|introduction|welcome|background|context|reports?|status)|besprochen\w*|teilnehmer\w*|anwesend\w*|"
    r"themen|tagesordnung|diskussion|berichte?|points? abordés?|ordre du jour|participants|présents|"
    r"temas(?: tratados)?|orden del día|asistentes)\W*$",
    re.I,
)
"""A heading under which more than one thing is talked about."""
STATED = re.compile(rf"(?:[^:|]{{0,40}}:)?[\s*_>-]*(?:{OUTCOMES})[*_]*\s?[:：]", re.I)
"""A line that states the outcome by itself, also in somebody's name."""
SUMMARY = re.compile(
    r"(?:[\w ]{0,20}['’]s\s+)?(?:summary|key points|recap|takeaways|next steps|action items|zusammenfassung|"
    r"nächste schritte|résumé|resumen|riassunto|samenvatting|摘要|总结|まとめ|要約)(?!\w)",
    re.I,
)
"""A heading of the same item under which it is told again: what was said is no longer quoted there."""


@dataclass(slots=True)
class Part:
    """A heading with the lines below it, up to the next heading."""

    line: int
    """Of the heading, from 1; 1 for what stands before the first heading."""
    level: int
    title: str
    heading: str = ""
    """The line as it stands there."""
    body: list[tuple[int, str]] = field(default_factory=list)
    """Lines with their numbers."""

    @property
    def concluding(self) -> bool:
        """Whether its lines are what came out."""
        return bool(CONCLUSION.match(bare(self.title)))

    @property
    def stating(self) -> str:
        """What came out, where the heading itself says it: `Decision: no more paper`."""
        found = re.match(rf"{LABEL}\s?[:：]\s*(?=\S)", self.title, re.I)
        return self.title[found.end() :] if found else ""

    @property
    def retelling(self) -> bool:
        """Whether it only sums up its item."""
        return bool(SUMMARY.match(bare(self.title)))


@dataclass(slots=True)
class Item:
    """An agenda item: its heading, what was said, what came out."""

    head: Part
    talk: list[Part]
    conclusions: list[Part]
    path: tuple[str, ...]
    """Titles of the headings above it."""

    @property
    def title(self) -> str:
        """What it is about: its heading, '' where that only says `Decisions` or what was decided."""
        return "" if self.head.concluding or self.head.stating else self.head.title


def bare(title: str) -> str:
    """A heading's words without marks, number and colon."""
    return re.sub(r"^[^\w]*(?:(?:\d[\d.]*|[ivx]+)[.)]?\s+)?|[*_`:]", "", title, flags=re.I).strip()


def code_in(lines: Sequence[str]) -> frozenset[int]:
    """Indexes of the lines of fenced code, fences included. A fence that nobody closed fences nothing in."""
    inside: set[int] = set()
    opened, mark = 0, ""
    for n, line in enumerate(lines):
        fence = FENCE.match(line)
        if not fence:
            continue
        own, more = (fence["ticks"], fence["info"]) if fence["ticks"] else (fence["waves"], fence["rest"])
        if mark and own.startswith(mark) and not more.strip():
            inside.update(range(opened, n + 1))
            mark = ""
        elif not mark or (own[0] == mark[0] and more.strip()):
            opened, mark = n, own
    return frozenset(inside)


def read_parts(text: str) -> list[Part]:
    """The text cut at its headings; inside fenced code there are none."""
    parts = [Part(1, 0, "")]
    lines = text.split("\n")
    code = code_in(lines)
    for number, line in enumerate(lines, 1):
        found = None if number - 1 in code else HEADING.match(line)
        if found:
            parts.append(Part(number, len(found[1]), found[2], line.strip()))
        elif number - 1 not in code and _underlined(parts[-1], line):
            number_of, title = parts[-1].body.pop()
            parts.append(Part(number_of, 1 if "=" in line else 2, title.strip(), title.strip()))
        else:
            parts[-1].body.append((number, line))
    return parts


def _underlined(part: Part, line: str) -> bool:
    """Whether the line underlines the one before it, which stands alone and reads like a title."""
    if not UNDERLINE.match(line) or len(line.strip()) < 3 or not part.body:
        return False
    title = part.body[-1][1].strip()
    alone = len(part.body) < 2 or not part.body[-2][1].strip()
    return bool(title) and alone and len(title) < 100 and not re.match(r"[-*|>+]|.*[:|]", title)


def read_items(text: str, *, by_stages: bool = False) -> list[Item]:
    """The agenda items, in order. What belongs to an item without being one (its conclusion, a summary) is in it.

    A conclusion belongs to the nearest heading above it of a higher rank, or else to the item before it. The headings
    between the two that have no conclusion of their own are part of that item. One that stands behind several items of
    its rank, and alone in that, is the meeting's, an item of its own; not so where proposals are moved by stages.
    """
    items: list[Item] = []
    open_items: list[Item] = []
    parts = read_parts(text)
    for part in parts:
        if part.concluding or part.retelling:
            owner = _owner(items, open_items, part)
            owner = None if owner and part.concluding and not by_stages and _of_meeting(parts, part, owner) else owner
            if owner:
                (owner.conclusions if part.concluding else owner.talk).append(part)
                if part.concluding:
                    _absorb(items, owner)
                continue
        while open_items and open_items[-1].head.level >= part.level:
            open_items.pop()
        path = tuple(one.head.title for one in open_items if one.head.title)
        items.append(Item(part, [], [part], path) if part.concluding else Item(part, [part], [], path))
        open_items.append(items[-1])
    return [
        item for item in items if item.conclusions or any(line.strip() for one in item.talk for _, line in one.body)
    ]


def _owner(items: list[Item], open_items: list[Item], part: Part) -> Item | None:
    """The item that a conclusion or summary belongs to; None where it can be no item's."""
    for item in reversed(open_items):
        if 0 < item.head.level < part.level and not (item.head.level == 1 and item is _title(items)):
            return item
    return items[-1] if items and items[-1].head.level > 0 and items[-1] is not _title(items) else None


def _of_meeting(parts: list[Part], part: Part, owner: Item) -> bool:
    """Whether a conclusion of the same rank as the item before it is of the whole meeting rather than of that item."""
    if owner.head.level != part.level:
        return False
    alike = [one for one in parts if one.level == part.level]
    again = sum(one.concluding for one in alike) > 1
    own = any(STATED.match(line) for one in owner.talk for _, line in one.body)
    return (
        own
        or GENERAL.match(bare(owner.head.title)) is not None
        or (not again and sum(not one.concluding and not one.retelling for one in alike) > 1)
    )


def _title(items: list[Item]) -> Item | None:
    """The item that is the document's title, where it has one: its first heading, of a rank that comes once."""
    headed = [item for item in items if item.head.level]
    if headed and sum(item.head.level <= headed[0].head.level for item in headed) == 1 and len(headed) > 1:
        return headed[0]
    return None


def _absorb(items: list[Item], owner: Item) -> None:
    """Makes the headings below an item that has a conclusion part of it, unless they have one themselves."""
    start = next(n for n, item in enumerate(items) if item is owner)
    for item in items[start + 1 :]:
        if item.head.level > owner.head.level and not item.conclusions:
            owner.talk += item.talk
            items.remove(item)
