"""How things are put into words: days, requests, sections, quotes."""

import re
from collections.abc import Sequence
from datetime import tzinfo

from assistant.agent.links import Links
from assistant.graph.reading.commits import CommitRow
from assistant.model.sections import SectionVersion
from assistant.model.times import day
from assistant.text.plain import plain
from assistant.text.units import Unit
from assistant.text.words import content_tokens

LONG_QUOTE = 45
"""Words of a quote beyond which only the part around the asked words is shown."""

AROUND = 3
"""Words on either side of those that changed."""


def by(commit: CommitRow, links: Links) -> str:
    """Who made it with which request: `#354 by Ana Ruiz`; without a request, whose commit it was."""
    if not commit.merge_request:
        return f"a commit by {commit.author}"
    return f"{links.sign(commit.source)}{commit.merge_request} by {commit.author}"


def since(commit: CommitRow, links: Links, zone: tzinfo) -> str:
    """Since when, and by what: `since 3 February 2024, #354 by Ana Ruiz`."""
    made = by(commit, links) if commit.merge_request else f"by {commit.author}"
    return f"since {day(commit.at, zone)}, {made}"


def titled(commit: CommitRow) -> str:
    """The commit's subject in quotation marks, without the request's number that hosts append."""
    return quoted(re.sub(r"\s*\((?:[\w./-]*)[#!]\d+\)\s*$", "", commit.subject) or commit.subject)


def place(section: SectionVersion) -> str:
    """What the section is called: its heading; a heading of one word with the one above it; else the page's path."""
    path = section.heading_path
    if not path:
        return section.path
    names = [name.strip().rstrip(":") for name in path]
    return " > ".join(names[-2:]) if len(names[-1].split()) < 2 else names[-1]


def quoted(words: str) -> str:
    """Words in quotation marks, on one line, without the full stop that the sentence around them brings along."""
    line = " ".join(words.split())
    return f"“{line[:-1] if line.endswith(('.', ';', ',', ':')) and not line.endswith('..') else line}”"


def shown(unit: Unit, about: str) -> str:
    """The unit as a person reads it, after the words that lead to it; a long one cut to what the asker asks about."""
    words = clipped(unit.plain, about)
    lead = " ".join(unit.context.split()).rstrip(":. ")
    if not lead or len(lead.split()) > 14 or lead.casefold() in unit.plain.casefold():
        return quoted(words)
    return f"{lead}: {quoted(words)}"


def clipped(text: str, about: str, limit: int = LONG_QUOTE) -> str:
    """At most `limit` words of a text, those around the words it is asked about; … stands for what is left out."""
    words = text.split()
    if len(words) <= limit:
        return " ".join(words)
    asked = frozenset(content_tokens(about))
    hits = [bool(asked & frozenset(content_tokens(word))) for word in words]
    best = max(range(len(words) - limit + 1), key=lambda start: (sum(hits[start : start + limit]), -start))
    start = 0 if best < 8 else best
    end = start + limit
    kept = re.sub(r"[,;:]$", "", " ".join(words[start:end]))
    return ("… " if start else "") + kept + (" …" if end < len(words) else "")


def differing(old: str, new: str, limit: int = 30) -> tuple[str, str]:
    """Two wordings, each cut to at most `limit` words around what is not in the other."""
    apart = set(old.split()) ^ set(new.split())
    return clipped(old, " ".join(apart), limit), clipped(new, " ".join(apart), limit)


def contrasted(old: str, new: str, limit: int) -> tuple[str, str]:
    """Two wordings without what both begin and end with, but for some words of it; each at most `limit` words."""
    one, other = old.split(), new.split()
    shorter = min(len(one), len(other))
    before = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    after = next((n for n in range(shorter - before) if one[-1 - n] != other[-1 - n]), shorter - before)
    return differing(_cut(one, before, after), _cut(other, before, after), limit)


def _cut(words: Sequence[str], before: int, after: int) -> str:
    """The words but for the first `before` and the last `after`, of which AROUND stay; … stands for two and more."""
    first, last = max(before - AROUND, 0), len(words) - max(after - AROUND, 0)
    first, last = first if first > 1 else 0, last if last < len(words) - 1 else len(words)
    kept = re.sub(r"[,;:]$", "", " ".join(words[first:last])) if last < len(words) else " ".join(words[first:last])
    return ("… " if first else "") + kept + (" …" if last < len(words) else "")


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def sentence(text: str) -> str:
    """The text with its first letter raised."""
    return text[:1].upper() + text[1:]


def page_text(body: str, limit: int = 250) -> str:
    """A section's text for reading: markup off, lists with bullets, table rows by cells, cut after `limit` words."""
    lines, left = [], limit
    for line in body.strip().splitlines():
        told = _line(line)
        words = told.split(" ")
        if told and left < len(words):
            lines.append(" ".join(words[: max(left, 1)]) + " …")
            break
        if told or (lines and lines[-1]):
            lines.append(told)
        left -= len(words) if told else 0
    return "\n".join(lines).strip()


def _line(line: str) -> str:
    """One line without its markup; '' for rules, fences and the line under a table's head."""
    if re.fullmatch(r"[\s|:=~`*_-]*", line) or re.match(r"\s*(?:```|~~~)", line):
        return ""
    line = re.sub(r"^(\s*)[-*+]\s+(?:\[[ xX]\]\s+)?", r"\1• ", line)
    if line.lstrip().startswith("|"):
        return " | ".join(cell.strip() for cell in plain(line).strip().strip("|").split("|"))
    return re.sub(r"^\s*>+\s?", "", plain(line)).rstrip()
