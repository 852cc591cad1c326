"""The versions of a section follow each other without gap or overlap, each by a change that its texts bear out."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.walk import Mainline
from assistant.graph.reading.audit import Section
from assistant.model.times import FOREVER

NO_WORDS = re.compile(
    r"^[ ]{0,3}\[[^\]\n]+\]:.*$|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|<[^>]*>|\{[^}]*\}|https?://\S+|^(?:[\s>]*(?:\d+[.)]|[-*+])\s)+|(?<=\[)\d+\.\s",
    re.M,
)
"""What a reader does not read as words: link targets and their definitions, tags, list marks."""


def check_chains(sections: Sequence[Section]) -> Checked:
    """Counts every version with what it replaced and what replaced it."""
    found = Checked("chains")
    lineages: defaultdict[str, list[Section]] = defaultdict(list)
    for one in sections:
        lineages[one.lineage].append(one)
        found.total += 1
    for versions in lineages.values():
        ordered = sorted(versions, key=lambda one: (one.valid_from, one.valid_to))
        first, last = ordered[0], ordered[-1]
        if first.supersedes:
            found.blame(first.id, "the first of its lineage, but replaces something")
        if last.superseded:
            found.blame(last.id, "the last of its lineage, but something replaced it")
        for older, newer in pairwise(ordered):
            if older.valid_to != newer.valid_from:
                found.blame(newer.id, "a gap or an overlap to the version before")
            if newer.supersedes != [older.id]:
                found.blame(newer.id, "does not replace just the version before")
            if older.superseded != [newer.id]:
                found.blame(older.id, "not just the next version replaced it")
    return found


def check_changes(mainline: Mainline, sections: Sequence[Section]) -> Checked:
    """Counts every change of a section: those that made a version, and those that removed one."""
    found = Checked("changes")
    by_id = {one.id: one for one in sections}
    shas = {at: sha for sha, at in mainline.times.items()}
    for one in sections:
        found.look(one.id, _made(one, by_id))
        gone = [sha for kind, sha in one.changed if kind == "removed"]
        if not one.superseded and one.valid_to != FOREVER:
            found.look(f"{one.id} removed", _removed(gone, shas.get(one.valid_to)))
        elif gone:
            found.missing(f"{one.id} removed", "but it holds still, or was replaced")
    return found


def _made(one: Section, by_id: dict[str, Section]) -> Iterator[str]:
    """What is wrong with the change that made a version."""
    made = [change for change in one.changed if change[0] != "removed"]
    if made != [[one.change, one.commit]]:
        yield f"changed by {made or 'nothing'}, not just {one.change} by {one.commit[:12]}"
    if one.pages != [one.page]:
        yield "not just on its own page"
    before = by_id.get(one.supersedes[0]) if one.supersedes else None
    if (before is None) != (one.change == "added"):
        yield f"{one.change}, but {'new' if before is None else 'there before'}"
    if before is None:
        return
    same = before.text == one.text
    if one.change in ("modified", "cosmetic") and same:
        yield f"{one.change}, but the text is the same"
    if one.change in ("cosmetic", "moved") and not same and numbers(before.text) != numbers(one.text):
        yield f"{one.change}, but other numbers stand there"
    if one.change != "moved" and one.change != "modified" and before.path != one.path:
        yield f"{one.change}, but on another page"


def _removed(gone: list[str], sha: str | None) -> Iterator[str]:
    if gone != [sha]:
        yield f"removed by {gone or 'nothing'}, not by {sha}"


def numbers(text: str) -> set[str]:
    """Numbers that a reader sees."""
    return set(re.findall(r"\d+", NO_WORDS.sub(" ", text)))
