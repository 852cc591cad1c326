"""What a committee says that moves proposals by stages: there most conclusions settle nothing. Pure."""

import re
from collections.abc import Sequence

_STAGES = re.compile(r"\bstages?[\s-]*\d", re.I)
BY_STAGES = 5
"""Mentions of a stage from which minutes are those of a committee that moves proposals by stages."""

_REVIEWERS = re.compile(
    r"^\W*(?:stage\s*\d(?:\.\d+)?\s*)?(?:spec(?:ification)? )?(?:reviewers?|editors?|champions?|scribes?|notes?)\b|"
    r"\breviewers?\b\s*[:=]|\b(?:as|are|is) (?:stage \d\S* )?reviewers?\b|\bto review\b",
    re.I,
)
_STAGE = re.compile(r"\bstage\s*(?P<stage>\d(?:\.\d+)?)(?![\d.]*\d)", re.I)
_OTHER_STAGE = re.compile(
    r"\bstages?\s*\d(?:\.\d+)?\s*(?:reviewers?|concerns?|blockers?|(?:\w+ )?criteria|requirements?)|\b(?:before|until|"
    r"prior to|towards?|since|asking for|ask for|seek|seeking|requesting?) stages?\s*\d(?:\.\d+)?",
    re.I,
)
_REACHED = re.compile(
    r"\b(?:accept\w*|advanc\w+|reach\w*|approv\w+|consensus|proceed\w*|moves?|moved|moving|promot\w+|demot\w+|"
    r"support|achieved|granted|agreed|adopted|to stage|now|has|have|at stage|is stage|are stage)\b|"
    r"^\W*stage\s*\d|:\s*stage\s*\d",
    re.I,
)
_HELD = re.compile(
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
    return sum(1 for _ in _STAGES.finditer(text)) >= BY_STAGES


def in_so_many_words(lines: Sequence[str]) -> list[str]:
    """Of a committee's conclusion the one line that says that something was agreed, none where any says it was not."""
    if any(_HELD.search(line) for line in lines):
        return []
    return [line for line in lines if _SETTLED.search(line) and not _REVIEWERS.search(line)][:1]


def reviewers(line: str) -> bool:
    """Whether the line only names who looks after it."""
    return _REVIEWERS.match(line) is not None


def reached(line: str) -> str | None:
    """The stage that the line says was reached: `Stage 3`, None where it says none was."""
    if reviewers(line):
        return None
    for sentence in re.split(r"(?<=[.;!])\s+|\n", _OTHER_STAGE.sub(" ", line)):
        match = _STAGE.search(sentence)
        if (
            match
            and not _HELD.search(sentence[: match.end() + 12])
            and (_REACHED.search(sentence) or len(sentence.split()) < 6)
        ):
            return f"Stage {_last_reached(sentence)}"
    return None


def _last_reached(sentence: str) -> str:
    """Of "to Stage 2 from Stage 3" the 2, of "Stage 2 to Stage 3" the 3."""
    stages = [(m["stage"], sentence[max(0, m.start() - 12) : m.start()].casefold()) for m in _STAGE.finditer(sentence)]
    return next((stage for stage, lead in stages if re.search(r"\b(?:to|for)\s*$", lead)), stages[0][0])
