"""What a question asks for, read from its words: its kind, its subject, the day it is about."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from assistant.agent.offline.cues import mended
from assistant.agent.offline.days import TICK, Period, periods, span_of


class Kind(StrEnum):
    """The kinds of question."""

    RULE = "what is the rule"
    SECTION = "what does a section say"
    NEIGHBOUR = "what stands before, after or under a section"
    OWNER = "who owns it"
    CHANGES = "what changed"
    IMPACT = "what a commit or request changed"
    METRIC = "why a metric moved"
    BEFORE = "what was it before"
    SINCE = "since when"
    CHANGER = "which commit or request, by whom"
    STILL = "is it still so"
    TALK = "why, or where it was decided"


@dataclass(frozen=True, slots=True)
class Intent:
    """A question as it was understood."""

    kind: Kind
    subject: str
    """What it is about, in the asker's words, without those that only say what is asked."""
    day: datetime | None = None
    """The moment it is about, where it names one; None: now."""
    period: Period | None = None
    """The first stretch of time it names."""
    page: str = ""
    """A page's path, or what the asker calls the page."""
    heading: str = ""
    direction: str = ""
    """before, after, under or outline, for NEIGHBOUR."""
    target: str = ""
    """The sha or number, for IMPACT."""


_PATH = r"[\w@./-]*\w\.(?:md|mdx|markdown|html\.md(?:\.erb)?|erb|rst|txt|adoc)\b"
_SAYS = r"\b(?:says?|said|states?|stated|reads?|contains?|contained|tells?)\b"
_MADE = (
    r"(?:chang\w*|add\w*|remov\w*|introduc\w*|made|make|brought|put|set|wrote|written|updat\w*|replac\w*|renam\w*|"
    r"rais\w*|lower\w*|cut|drop\w*|delet\w*|mov\w*|increas\w*|decreas\w*|reduc\w*|stretch\w*|correct\w*|shorten\w*|"
    r"extend\w*|tighten\w*|loosen\w*|switch\w*|merged|committed|landed|start\w*|did|get|got|became|become)"
)
_DECIDED = (
    r"(?:decided|approved|agreed|settled|ruled|signed (?:it )?off|picked|chose|chosen|discussed|confirmed|"
    r"made (?:the|that|this) (?:call|decision)|gave the go-ahead)"
)
_DID = (
    r"(?:changed|added|removed|introduced|made|brought|put|set|wrote|updated|replaced|renamed|raised|lowered|cut|"
    r"dropped|deleted|moved|increased|decreased|reduced|corrected|shortened|extended|tightened|loosened|switched|merged|"
    r"committed|started)"
)
_REQUEST = r"(?:prs?|mrs?|pull requests?|merge requests?|commits?|changes?)"
_MOVED = (
    r"(?:drop\w*|f[ae]ll\w*|rise|rose|risen|increas\w*|decreas\w*|declin\w*|jump\w*|go|went|gone|spik\w*|"
    r"collaps\w*|grow\w*|grew|shrink|shrank|dip\w*|plummet\w*|surg\w*|doubl\w*|halv\w*)"
)

_SECTION_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf'\bsection\s+"(?P<h>.+)"\s+(?:of|in|on|from)\s+(?P<p>.+?)\s+{_SAYS}',
        rf'\bsection\s+"(?P<h>.+)"\s+(?:of|in|on|from)\s+(?P<p>{_PATH})',
        rf'"(?P<h>[^"]+)"\s+(?:section\s+)?(?:of|in|on|from)\s+(?P<p>{_PATH})',
        r'(?:\bsection\s+"(?P<h>[^"]+)"|"(?P<h2>[^"]+)"\s+section)(?P<p>)',
        rf'^what (?:does|did|do)\s+"(?P<h>[^"]+)"(?P<p>)\s+{_SAYS}',
        rf"\b(?:section|chapter|paragraph)\s+(?P<h>[^\"?]+?)\s+(?:of|in|on|from)\s+(?:the (?:page )?)?(?P<p>{_PATH})",
        rf"\bthe\s+(?P<h>[^\"?]+?)\s+(?:section|chapter|paragraph)\s+(?:of|in|on|from)\s+(?:the (?:page )?)?"
        rf"(?P<p>[^?]+?)(?:\s+page)?(?:\s+{_SAYS}|\s*\?|$)",
        rf"^(?:what|show|quote|read|give|open|display)\b.*?\bthe\s+(?P<h>[^\"?]+?)\s+(?:section|chapter)(?P<p>)"
        rf"(?:\s+{_SAYS}|\s*\?|$)",
        rf"\bsection\s+(?P<h>[^\"?]+?)(?P<p>)\s+{_SAYS}",
    )
)
_DIRECTIONS = {
    "before": "before", "above": "before", "precedes": "before", "ahead of": "before",
    "after": "after", "follows": "after", "next after": "after", "following": "after",
    "under": "under", "below": "under", "beneath": "under", "inside": "under", "within": "under",
}  # fmt: skip
_WAY = "|".join(sorted(_DIRECTIONS, key=len, reverse=True))
_NEIGHBOUR = re.compile(
    rf"^(?:and\s+)?(?:what|which)(?:'s)?(?:\s+(?:sections?|headings?|parts?|chapters?|subsections?))?"
    rf"(?:\s+(?:comes?|is|are|stands?|goes|lies|there))*(?:\s+(?:directly|right|immediately|just|next))*"
    rf"\s+(?P<way>{_WAY})\s+(?P<h>[^?]+?)(?:\s+(?:of|in|on)\s+(?:the\s+)?(?P<p>{_PATH}|[^?]+?\s+page|page\s+[^?]+?))?\s*\??$"
)
_OUTLINE = re.compile(
    r"(?:\b(?:outline|table of contents|toc|structure|(?:sub)?sections|headings)\b(?:\s+(?:are|is|there|does|do))*"
    rf"\s+(?:of|in|on|under|for)\s+(?:the\s+)?(?P<p>{_PATH}|[^?]+?\s+page|page\s+[^?]+?)\s*(?:have)?\s*\??$)"
)
_OWNER = re.compile(
    r"\b(?:who(?:'s| is| are)?\s+(?:the\s+)?(?:owns?|owners?|owned|maintains?|maintainers?|responsible\s+for|in charge of|"
    r"codeowners?)|owners?\s+of|(?:whom?|who)\s+(?:do|should|can|must)\s+(?:i|we)\s+(?:ask|contact|ping|talk to)\s+about|"
    r"whose\s+(?:page|section|document|file)\s+is)\b(?:\s+of)?"
)
_FIRM_OWNER = re.compile(rf"{_PATH}|\b(?:page|section|document|doc|file|codeowners|this|that|it|handbook)\b")
_CHANGES = re.compile(
    r"^(?:and\s+|so\s+)?(?:what(?:'s| is| has| have| was)?(?:\s+been)?\s+(?:chang(?:ed|es|ing)|new|updated|modified|"
    r"different|edited)\b|(?:any|list|show(?: me)?|which|what)(?:\s+(?:are|the|recent|latest|last|new|rule|page|handbook))*\s+changes?\b|changes?\s+(?:to|in|on|since|between)\b|"
    r"did anything change|has anything changed|what (?:sections|pages|rules) (?:have )?(?:been )?changed)"
    r"(?:\s+(?:lately|recently))?"
)
_IMPACT = re.compile(
    rf"\b(?:what|which)\b.*\b(?:(?:commit\s+)(?P<sha>[0-9a-f]{{6,40}})|(?:{_REQUEST}\s*)?[#!](?P<n>\d+)|"
    rf"{_REQUEST}\s+(?P<n2>\d+))"
)
_METRIC = re.compile(
    rf"^(?:and\s+|so\s+)?why\s+(?:did|have|has|had|is|are|was|were)?\s*(?!we\b|they\b)(?P<m>.+?)\s+{_MOVED}\b"
)
_STILL = re.compile(
    r"^(?:and\s+)?(?:is|are|does|do|must|should|can|may|will)\b.*\bstill\b|\bstill\s+(?:so|true|valid|current|the case)\b"
)
_SINCE = re.compile(
    rf"\b(?:since when|from when on|how long ago (?:was|did|were)|how long has|how long have)\b|"
    rf"^(?:and\s+)?when\s+(?:did|was|were|has|had|have)\b.*\b(?:{_MADE}|{_DECIDED}|come|came)\b"
)
_CHANGER = re.compile(
    rf"\b(?:in\s+)?(?:which|what)\s+(?:{_REQUEST})\b(?=.*\b(?:{_MADE}|\w{{3,}}ed|rewrote)\b)|\bby\s+whom\b|\bwho(?:\s+(?:has|had|have|first|originally|actually|finally))?\s+(?:{_DID}|{_DECIDED}|laid down|went ahead|"
    rf"(?!used|need|own|involv)[a-z]{{3,}}ed)\b|"
    rf"\bwhose\s+(?:decision|idea|change|commit)\b|\bwhich\s+(?:commit|pr|mr|pull request|merge request)\s*\??$"
)
_BEFORE = re.compile(
    r"\b(?:was|were|did|had|has been)\b[^?]*?\b(?:before\b(?:\s+(?:that|this|then|it|the\s+\w+)|\s*,|\s*\?|$)|"
    r"previously|formerly|originally|earlier\b|until then)|"
    r"^before\s+(?:that|this|then|the)\b|\band\s+before\b|(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )"
    r"\bused to\b|\bthe\s+(?:previous|former|old|earlier|prior)\s+(?:value|rule|version|wording|text|limit|one|number)\b"
)
_TALK = re.compile(
    rf"^(?:and\s+)?(?:why\s+(?:did|was|were|have|has|had|don't|didn't|do we no longer)|what made\b|what was the reason|"
    rf"how come\b|for what reason)|\bwhere\b[^?]*\b(?:discussed|decided|agreed|conversation)\b|"
    rf"\bin which (?:channel|meeting|thread|call)\b[^?]*\b{_DECIDED}\b"
)
_PAST = re.compile(
    r"\b(?:was|were|did|had|said|used|would|could|promised|listed|showed|allowed|counted|told|asked|got|paid|needed|read|"
    r"stood|meant|applied|required|\w{3,}ed)\b|\bas of\b"
)
_DROPPED = {
    Kind.SINCE: re.compile(r"\b(?:since when|from when on|how long ago (?:was|did|were)|how long ha(?:s|ve)(?: we)?|"
                           rf"when\s+(?:did|was|were|has|had|have)|changed?|introduced|added|{_DECIDED}|come|came about|been)\b"),
    Kind.CHANGER: re.compile(rf"\b(?:(?:in\s+)?(?:which|what)\s+(?:{_REQUEST})|by whom|who|whose|(?:that|did|was|were)|"
                             rf"changed?|introduced|added|{_DECIDED}|decision|{_REQUEST})\b"),
    Kind.BEFORE: re.compile(r"\b(?:(?:and\s+)?before(?:\s+(?:that|this|then|it)\b(?:\s+(?:was\s+)?\w+ed\b)?|"
                            r"\s+the\s+(?:change|switch|update|move|redesign|rename|new one))?|previously|formerly|originally|"
                            r"used to|earlier|until then|previous|former|old|prior|wording|version|it changed)\b"),
    Kind.STILL: re.compile(r"\b(?:still|true|valid|so|current|the case)\b"),
    Kind.OWNER: _OWNER,
    Kind.CHANGES: re.compile(rf"{_CHANGES.pattern}|\b(?:lately|recently|since|between|in the handbook|any|changes?|in|on|to|"
                             r"about|for|with|of)\b"),
    Kind.TALK: re.compile(r"\b(?:why|how come|what made|what was the reason|for what reason|where|can i read|the conversation|"
                          rf"in which (?:channel|meeting|thread|call)|was|were|did|{_DECIDED})\b"),
}  # fmt: skip
"""Words that say what is asked, not about what."""

_FILLER = frozenset(
    "it this that these those they them he she and also then now so one ones same thing things stuff rule "
    "rules say said about please tell me do does did is are was were be been the a an i we you there here "
    "handbook value exactly ok thanks what who when which how why where whom whose long much many or not by "
    "for of to in on at with from before after since until still changed change commit request mean means "
    "decided".split()
)


def understand(text: str, earlier: tuple[str, ...], today: datetime) -> Intent:
    """The question's intent. What it leaves out ("and before that?") is taken from the thread's earlier questions."""
    intent = _read(text, today)
    if intent.kind in (Kind.SECTION, Kind.NEIGHBOUR, Kind.IMPACT) or not earlier:
        return intent
    before = understand(earlier[-1], earlier[:-1], today)
    if not stands_alone(intent):
        intent = replace(intent, subject=f"{before.subject} {intent.subject}".strip())
        intent = replace(intent, page=intent.page or before.page, heading=intent.heading or before.heading)
        if intent.kind is Kind.RULE and intent.day is None and not intent.subject.strip():
            intent = replace(intent, kind=before.kind)
    return intent


def stands_alone(intent: Intent) -> bool:
    """Whether the question says itself what it is about."""
    if intent.page or intent.heading:
        return True
    words = [word for word in re.findall(r"\w+", intent.subject.lower()) if word not in _FILLER]
    pronoun = re.search(
        r"\b(?:it|that|this|they|them|those|these|then)\b|^(?:and|what about|how about)\b", intent.subject.lower()
    )
    return len(words) > (1 if pronoun else 0)


def _read(text: str, today: datetime) -> Intent:
    question = mended(text.strip())
    times = list(span_of(periods(question, today)))
    if found := _about_a_section(question, text.strip()):
        return replace(found, day=_moment(question, times))
    kind = _kind(question)
    if kind is Kind.IMPACT and (match := _IMPACT.search(question)):
        return Intent(kind, text, target=match["sha"] or match["n"] or match["n2"])
    page = path[0] if (path := re.search(_PATH, text)) else ""
    day = None if kind in _TIMELESS else _moment(question, times)
    bare = (
        text.strip()
        if kind is Kind.METRIC or (kind is Kind.RULE and day is None)
        else _without_times(text.strip(), today)
    )
    if kind is Kind.METRIC and (match := _METRIC.search(question)):
        subject = text.strip()[match.start("m") : match.end("m")]
    else:
        dropped = _DROPPED.get(kind)
        subject = bare if dropped is None else _cut(bare, dropped)
        subject = subject.replace(page, " ") if page else subject
    if kind is Kind.BEFORE and day is not None:
        kind = Kind.RULE  # the day says which version is meant
    return Intent(kind, " ".join(subject.split()).strip(" ?.,"), day, times[0] if times else None, page)


_TIMELESS = (Kind.CHANGES, Kind.METRIC, Kind.CHANGER, Kind.SINCE, Kind.STILL, Kind.TALK)
"""Kinds in which a day narrows down a change, and does not say as of when to read."""


def _kind(question: str) -> Kind:
    """The first kind whose words are there, the most telling first."""
    for kind, pattern in (
        (Kind.IMPACT, _IMPACT),
        (Kind.CHANGES, _CHANGES),
        (Kind.STILL, _STILL),
        (Kind.CHANGER, _CHANGER),
        (Kind.SINCE, _SINCE),
        (Kind.METRIC, _METRIC),
        (Kind.TALK, _TALK),
        (Kind.BEFORE, _BEFORE),
        (Kind.OWNER, _OWNER),
    ):
        if pattern.search(question):
            return kind
    return Kind.RULE


def asks_for_the_page(question: str) -> bool:
    """Whether an owner question is about a page or section of the handbook itself, not about a thing it names."""
    return bool(_FIRM_OWNER.search(mended(question)))


def _about_a_section(question: str, text: str) -> Intent | None:
    for form in _SECTION_FORMS:
        if match := form.search(question):
            name = "h" if match["h"] else "h2"
            return Intent(Kind.SECTION, text, page=_given(text, match, "p"), heading=_given(text, match, name))
    if match := _OUTLINE.search(question):
        return Intent(Kind.NEIGHBOUR, text, page=_given(text, match, "p"), direction="outline")
    if match := _NEIGHBOUR.search(question):
        heading = re.sub(r"^(?:the\s+)?(?:section\s+)?|\s+section$", "", _given(text, match, "h"), flags=re.I).strip(
            '"“”'
        )
        direction = _DIRECTIONS[match["way"]]
        return Intent(Kind.NEIGHBOUR, text, page=_given(text, match, "p"), heading=heading, direction=direction)
    return None


def _given(text: str, match: re.Match[str], group: str) -> str:
    """A group of a match in the mended question, as the asker wrote it where mending kept the length."""
    if not match[group]:
        return ""
    same = len(text) == len(match.string)
    return (text[match.start(group) : match.end(group)] if same else match[group]).strip()


def _moment(question: str, times: list[Period]) -> datetime | None:
    """The moment that a question about the past is about: the end of the day it names, or just before it."""
    if not times:
        return None
    time = times[0]
    if time.lead in ("before", "prior to", "until", "till"):
        return time.start - TICK if _PAST.search(question) else None
    told = time.lead in (
        "as of",
        "on",
        "in",
        "at",
        "back in",
        "during",
        "by",
        "after",
        "following",
        "around",
        "about",
        "for",
    )
    relative = not time.lead and re.search(r"\b(?:ago|last|yesterday)\b", question[time.first : time.last])
    return time.close if (told or relative) and (_PAST.search(question) or time.lead == "as of") else None


def _without_times(text: str, today: datetime) -> str:
    """The question without the words for the day it is asked about."""
    for time in reversed(periods(text, today)):
        start = text.lower().rfind(time.lead, 0, time.first) if time.lead else time.first
        text = text[:start] + " " + text[time.last :]
    return text


def _cut(text: str, dropped: re.Pattern[str]) -> str:
    return re.sub(dropped.pattern, " ", text, flags=re.IGNORECASE)
