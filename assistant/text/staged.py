"""What a committee says that moves proposals by stages: there most conclusions settle nothing. Pure."""

import re
from collections.abc import Sequence

STAGES = re.compile(r"\bstages?\s*\d", re.I)
BY_STAGES = 5
"""Mentions of a stage from which minutes are those of a committee that moves proposals by stages."""

_REVIEWERS = re.compile(
    r"^\W*(?:stage\s*\d(?:\.\d+)?\s*)?(?:spec(?:ification)? )?(?:reviewers?|editors?|champions?|scribes?|notes?)\b|"
    r"\breviewers?\b\s*[:=]|\b(?:as|are|is) (?:stage \d\S* )?reviewers?\b|\bto review\b",
    re.I,
)
HELD = re.compile(
    r"\bnot\b|n['’]t\b|\bno consensus\b|\bno (?:advance\w*|stage|conclusion|decision|objection to continu)|"
    r"\b(?:remain|stay|hold)(?:s|ing|ed)?\b|\bblock(?:ed|s|ing)?\b|\bwithout consensus\b|\bfail\w*|\bunable\b|"
    r"\black of\b|"
    r"\b(?:will|would|to) (?:be )?(?:revisit\w*|return|come back|discuss\w*|continue|request|seek|ask|propose|"
    r"present)\b|\bcontinu(?:e|ed|es|ing|ation)\b|\bdefer\w*|\bpostpone\w*|\bschedule\b|\brevisit\b|"
    r"\bnext meeting\b|\bfurther (?:discussion|work|investigation|feedback)\b|\bneeds?\b|\bneeded\b|\bawait\w*|"
    r"\btimebox\b|\bask(?:ing)? (?:again|for)\b|\bpursue\b|\bstill\b|^\W*no (?:for|to)\b",
    re.I,
)
"""What a committee says that does not advance something."""
_SETTLED = re.compile(
    r"\b(?:agree[sd]?|agreement|approv\w+|accept\w*|adopt\w*|consensus|decided?|decision|merge[ds]?|resolved|"
    r"withdrawn?|rejected|land(?:ed)?|will be|ratified|elected|passed|carried)\b",
    re.I,
)


def by_stages(text: str) -> bool:
    """Whether a committee that moves proposals by stages wrote it: what it agrees on besides needs to be said so."""
    return sum(1 for _ in STAGES.finditer(text)) >= BY_STAGES


def in_so_many_words(lines: Sequence[str]) -> list[str]:
    """Of a committee's conclusion the one line that says that something was agreed, none where any says it was not."""
    if any(HELD.search(line) for line in lines):
        return []
    return [line for line in lines if _SETTLED.search(line) and not _REVIEWERS.search(line)][:1]


def reviewers(line: str) -> bool:
    """Whether the line only names who looks after it."""
    return _REVIEWERS.match(line) is not None
