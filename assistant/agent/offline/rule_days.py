"""Days that stand in a rule's own words: “Why can days be taken until March?” asks about now, not about March."""

import re

from assistant.agent.offline.days import Period

_PRESENT = (
    r"can|may|must|should|shall|will|does|do|is|are|am|needs?|has to|have to|cannot|can't|mustn't|shouldn't|won't|"
    r"doesn't|don't|isn't|aren't"
)
_PAST = (
    r"was|were|did|had|would|could|might|used to|said|told|meant|stood|wasn't|weren't|didn't|hadn't|wouldn't|couldn't"
)
_FINITE = re.compile(rf"\b(?:(?P<now>{_PRESENT})|{_PAST})(?![\w'])")
_EVENT = re.compile(
    r"\s+(?:\w+\s+)?(?:updates?|changes?|rewrites?|revisions?|reforms?|switch|edits?|cuts?|clean-?ups?|commits?|"
    r"requests?|decisions?|meetings?|calls?)\b"
)
"""What follows a day that dates something which happened: “after the June update”."""

BOUNDS = frozenset(("until", "till", "by", "before", "prior to", "after", "following"))
"""Prepositions that a rule sets its own days with, more often than not."""
ANY = BOUNDS | {"on", "in", "at", "during", "from", "between", "for", "of", "around", "about"}


def of_the_rule(question: str, period: Period, leads: frozenset[str] = ANY) -> bool:
    """Whether a day without a year belongs to the rule that is asked about, as the verb beside it stands in the
    present; or to a value that was moved from it to another. `question` is in lower case.
    """
    words = question[period.first : period.last]
    if period.lead not in leads or re.search(r"\d{4}", words) or not re.search(r"[a-z]{3}|q\d", words):
        return False
    if _EVENT.match(question, period.last) or re.search(r"\b(?:ago|last|past|this|yesterday|today)\b", words):
        return False
    return words.startswith("from ") or holds_now(question, period)


def bounds(question: str, period: Period) -> bool:
    """Whether a day, with or without its year, is only one up to or from which a rule holds that is asked about now."""
    return period.lead in BOUNDS and not _EVENT.match(question, period.last) and holds_now(question, period)


def holds_now(question: str, period: Period) -> bool:
    """Whether the verb before a day, else the first one after it, stands in the present."""
    before = list(_FINITE.finditer(question, 0, period.first))
    verb = before[-1] if before else _FINITE.search(question, period.last)
    return bool(verb and verb["now"])
