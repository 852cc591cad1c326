"""Roles that a decision puts in charge, and those that they replace: "the manager instead of the director"."""

import re

_HOLDERS = (
    "managers?|managements?|leads?|leaders?|leadership|directors?|heads?|owners?|chiefs?|officers?|founders?|ceo|cto|cfo|"
    "coo|cpo|vps?|presidents?|engineers?|engineering|developers?|designers?|recruiters?|recruiting|analysts?|"
    "administrators?|admins?|assistants?|coordinators?|editors?|reviewers?|approvers?|maintainers?|representatives?|"
    "reps?|agents?|accountants?|lawyers?|counsels?|legal|finance|teams?|squads?|groups?|committees?|boards?|"
    "departments?|partners?|budd(?:y|ies)|mentors?|champions?|chairs?|hosts?|facilitators?|interviewers?|executives?|"
    "specialists?|supervisors?|operators?|sponsors?|stewards?|secretar(?:y|ies)|treasurers?|trustees?"
)
_NO_MODIFIER = (
    "the|a|an|is|are|was|to|and|or|by|of|for|with|not|from|it|that|this|then|so|as|at|in|on|we|you|i|they|he|she|if|"
    "when|who|instead|rather|than|no|will|should|has|have|let|give|ask|call|s"
)
ROLE = (
    rf"(?:(?:the|a|an|our|their|your|its|one|each|every) )?(?:(?!(?:{_NO_MODIFIER})\b)[a-z][\w&/-]* ){{0,2}}"
    rf"(?:{_HOLDERS})(?: (?-i:[A-Z])\w+){{0,2}}(?: of [a-z][\w-]*(?: and (?-i:[A-Z])[\w-]*)?)?(?![\w-])"
)
"""A noun phrase that names who holds an office: `the hiring manager`, `head of talent`, `People Ops team`."""
_DETERMINER = re.compile(r"^(?:the|a|an|our|their|your|its|one|each|every) ", re.I)
_BY = "(?:(?:by|to|from|with|via) )"
_SWAPPED = re.compile(
    rf"\b(?P<new>{ROLE})\b[^.?!;]{{0,40}}?[, ](?:instead of|rather than|in place of|and not|not|no longer) "
    rf"{_BY}?(?P<old>{ROLE})\b|"
    rf"\b(?:not|no longer) {_BY}?(?P<left>{ROLE})\b,? but {_BY}?(?P<now>{ROLE})\b|"
    rf"\bfrom (?P<out>{ROLE}) to (?P<into>{ROLE})\b|"
    rf"\breplac(?:e|es|ing) (?P<gone>{ROLE}) (?:by|with) (?P<put>{ROLE})\b",
    re.I,
)
_CHARGED = re.compile(
    rf"\b(?:approv\w*|sign\w*(?: off)?|own\w*|decid\w*|handled|run|driven|led|done|reviewed|chaired) (?:by|from) "
    rf"(?P<by>{ROLE})\b|"
    r"\b(?:gives?|hand\w*|goes?|moves?|falls?|up|belongs?) (?:it |this |that |over |back )*to (?:\w+ and )?"
    rf"(?P<to>{ROLE})\b|"
    rf"\bcall(?:ed)? (?:it|ours|them|him|her|that|this) (?P<called>{ROLE})\b|"
    rf"(?:^|[.,:;!?] |\bso |\bthen |\bon )(?P<who>{ROLE}) (?:approves?|decides?|owns?|signs?|drives?|runs?|handles?|"
    r"leads?|takes? (?:over|it|this|that)|is in charge|is responsible|has the (?:last|final))\b",
    re.I,
)


def in_charge(text: str) -> tuple[str | None, str | None]:
    """Who is put in charge and whom they replace, as it stands there without article; None where that is not said."""
    if swapped := _SWAPPED.search(text):
        new = swapped["new"] or swapped["now"] or swapped["into"] or swapped["put"]
        old = swapped["old"] or swapped["left"] or swapped["out"] or swapped["gone"]
        if _bare(new).casefold() != _bare(old).casefold():
            return _bare(new), _bare(old)
    charged = _CHARGED.search(text)
    return (_bare(next(filter(None, charged.groups()))), None) if charged else (None, None)


def _bare(role: str) -> str:
    """Without its article."""
    return _DETERMINER.sub("", role.strip())
