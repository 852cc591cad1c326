"""What a question wants to know of a decision, read from its words."""

import re
from enum import StrEnum

from assistant.agent.offline.cues import mended
from assistant.agent.offline.intent import Intent, Kind

_SETTLED = (
    r"(?:decid\w*|agree[ds]?|settl\w*|approv\w*|sign(?:ed)?[- ]off|made (?:the|that|this) (?:final )?(?:call|decision)|"
    r"ruled|picked|chose|confirmed|promis\w*|committed to|voted|gave the go-ahead|go with)"
)
_HAS_SETTLED = (
    r"(?:decided|agreed|settled|approved|sign(?:ed)?[- ]off|made (?:the|that|this) (?:final )?(?:call|decision)|"
    r"ruled|picked|chose|confirmed|promised|committed to|voted|gave the go-ahead|went with)"
)
"""The same of the past only: who approves is a rule, who approved a decision."""
_DID = (
    r"(?:told|put|laid|gave|made|set|cut|let|said|chose|brought|took|wrote|got|had the last word|went|pushed|drew|"
    r"(?!used\b|need|own|involv|supposed)[a-z]{3,}ed)"
)
_PAST_WHO = rf"\bwho(?:\s+(?:has|had|have|first|originally|actually|finally|really))?\s+(?:{_HAS_SETTLED}|{_DID})\b"


class Facet(StrEnum):
    """What of a decision is asked for."""

    WHY = "why"
    WHO = "who decided"
    WHEN = "when it was decided"
    WHERE = "where it was discussed"
    ALTERNATIVE = "what else was proposed"
    REQUEST = "which request carried it out"
    WHETHER = "whether it was decided"
    WHAT = "what was decided"
    BEFORE = "what it was before"
    WRITTEN = "where it is written"
    DIFFERS = "what holds, as people say otherwise"
    RULE = "what holds"


TOLD_BY_PEOPLE = (Facet.WHY, Facet.WHO, Facet.WHEN, Facet.WHERE, Facet.ALTERNATIVE, Facet.WHETHER, Facet.WHAT)
"""What a handbook does not say of its rules: only those know who settled them."""

_ALTERNATIVE = r"\balternatives?\b|\bother options?\b|\bwhat else (?:was|were|did|had)\b|\bwas anything else\b"
_REQUEST = r"\b(?:which|what)\s+(?:prs?|mrs?|(?:pull |merge )?requests?|commits?)\b"
_WHERE = (
    r"\b(?:in )?(?:which|what) (?:channel|meeting|thread|call|room|minutes)\b|\bdiscussed anywhere\b|"
    rf"\bwhere\b[^?]*\b(?:discuss\w*|{_SETTLED}|talked|conversation|thread|debated|cut|raised|"
    r"lowered|moved|changed)\b"
)
_WHY = (
    r"^(?:and\s+|so\s+|but\s+)?why\b|\band why\b|\bwhy (?:was|were|did|is|are)\b|\bwhat made\b|\bhow come\b|"
    r"\bthe reason\b|"
    r"\b(?:reason(?:s|ing)?|rationale|thinking|motivation|argument|discussion) (?:behind|for|why|when)\b|"
    r"\bwhat happened that\b|\bfor what reason\b"
)
_WHEN = rf"\b(?:when|(?:on )?(?:what|which) (?:day|date))\b[^?]*\b{_SETTLED}\b"
_WHETHER = (
    r"^(?:and\s+|so\s+)?(?:was|were|did|has|have|had|is|wasn't|weren't|didn't|hasn't|haven't)\b"
    rf"[^?]*\b(?:{_SETTLED}|(?:in|on|at|during) (?:the|a|that|our) (?:[\w-]+ ){{0,3}}(?:call|meeting|thread|chat))\b"
)
_WHAT = (
    r"\b(?:what|which) decisions?\b|"
    r"\b(?:did|have|had|has|was|were|remember)\b(?! to\b)(?!(?: \w+)* (?:page|handbook|section|policy|doc|guide)\b)"
    rf"[^?]*\b{_SETTLED}\b"
)
_WRITTEN = (
    r"\b(?:where|which page|what page)\b[^?]*\b(?:written|documented|says? (?:that|so|this)|that rule|comes? from)\b|"
    r"\b(?:is|are) (?:it|that|this|they|those)\b[^?,]* (?:written|documented|in the handbook)\b|\bdocumented\b|"
    r"\bwritten (?:down|rule|policy)\b|\b(?:do|does) (?:the|our|any) (?:\w+ )?(?:handbook|page|wiki|policy) say so\b|"
    r"\b(?:in|on) (?:which|what) page\b"
)
_DIFFERS = (
    r"\b(?:heard|hearing|hear|rumou?rs?|differs?|different from|(?:don't|doesn't|do not|does not) (?:match|fit)|"
    r"stricter|looser|told me|tells? people|other than the page|in practice|really|contradicts?|enforced|"
    r"what people do)\b"
)

_PATTERNS = tuple(
    (facet, re.compile(pattern))
    for facet, pattern in (
        (Facet.ALTERNATIVE, _ALTERNATIVE),
        (Facet.REQUEST, _REQUEST),
        (Facet.WHERE, _WHERE),
        (Facet.WHY, _WHY),
        (Facet.WHO, rf"{_PAST_WHO}|\bwhose (?:decision|idea|call)\b|\bby whom\b"),
        (Facet.WHEN, _WHEN),
        (Facet.WHETHER, _WHETHER),
        (Facet.WHAT, _WHAT),
        (Facet.WRITTEN, _WRITTEN),
        (Facet.DIFFERS, _DIFFERS),
    )
)
"""The most telling first."""

EARLIER = re.compile(
    r"\b(?:first|earlier|originally|initially|interim|another|different|previous|milder)\b|\bin between\b|"
    r"\bbefore the (?:one|final)\b|\bat first\b|\balready agreed\b",
    re.I,
)
"""That the question means a decision that a later one replaced."""


_PASSED = re.compile(
    r"\b(?:was|were|did|had|could|got)\b[^?]*\b(?:before|until|till|prior to|up to|previous(?:ly)?|original(?:ly)?|"
    r"former(?:ly)?|earlier|at first|on paper)\b|\b(?:original|previous|former)\b[^?]*\b(?:was|were|did|had)\b|"
    r"(?<!is )(?<!are )(?<!be )\bused? to\b"
)
SETTLING = re.compile(rf"\b{_SETTLED}\b", re.I)
"""That the question itself says that something was decided."""


def facet_of(text: str, intent: Intent) -> Facet | None:
    """What of a decision the question asks for; None where it asks about something else."""
    if intent.kind in (Kind.SECTION, Kind.NEIGHBOUR, Kind.OWNER, Kind.CHANGES, Kind.IMPACT):
        return None
    question = mended(text)
    found = next((facet for facet, pattern in _PATTERNS if pattern.search(question)), None)
    if intent.kind is Kind.STILL:
        return found if found in (Facet.WRITTEN, Facet.DIFFERS) else None
    if found in (None, Facet.DIFFERS) and (intent.kind is Kind.BEFORE or _PASSED.search(question)):
        return Facet.BEFORE
    if found is None and intent.kind is not Kind.RULE:
        return _BY_KIND.get(intent.kind)
    return found or Facet.RULE


_BY_KIND = {Kind.CHANGER: Facet.REQUEST, Kind.TALK: Facet.WHY, Kind.SINCE: Facet.WHEN}
