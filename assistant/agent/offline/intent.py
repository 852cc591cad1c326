"""What a question asks for, read from its words: its kind, its subject, the day it is about."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from assistant.agent.offline import forms
from assistant.agent.offline.cues import mended
from assistant.agent.offline.days import TICK, Period, periods, span_of, without
from assistant.agent.offline.rule_days import ANY, BOUNDS, bounds, of_the_rule


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
    HISTORY = "how it came to be what it is"
    COUNT = "how often it changed"
    MOVED = "whether it changed"


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
    """before, after, under, outline or pages, for NEIGHBOUR; about, for SECTION."""
    back: int = 0
    """How many changes before the latest, for BEFORE: one more with every "and before that?"."""
    target: str = ""
    """The sha or number, for IMPACT."""


_KINDS = (
    (Kind.IMPACT, forms.IMPACT),
    (Kind.CHANGES, forms.CHANGES),
    (Kind.STILL, forms.STILL),
    (Kind.CHANGER, forms.CHANGER),
    (Kind.COUNT, forms.COUNT),
    (Kind.HISTORY, forms.HISTORY),
    (Kind.MOVED, forms.MOVED),
    (Kind.SINCE, forms.SINCE),
    (Kind.METRIC, forms.METRIC),
    (Kind.TALK, forms.TALK),
    (Kind.BEFORE, forms.BEFORE),
    (Kind.OWNER, forms.OWNER),
)
"""The most telling first: a question is of the first kind whose words are there."""

FIRST_CHANGE = 10_000
"""How far back a question goes that asks how it began: more changes than any words have had."""

_DROPPED = {
    Kind.SINCE: forms.SINCE_WORDS,
    Kind.CHANGER: forms.CHANGER_WORDS,
    Kind.BEFORE: forms.BEFORE_WORDS,
    Kind.STILL: forms.STILL_WORDS,
    Kind.OWNER: forms.OWNER_WORDS,
    Kind.CHANGES: forms.CHANGES_WORDS,
    Kind.TALK: forms.TALK_WORDS,
    Kind.HISTORY: forms.HISTORY_WORDS,
    Kind.COUNT: forms.HISTORY_WORDS,
    Kind.MOVED: forms.HISTORY_WORDS,
}
"""Words that say what is asked, not about what."""

FILLER = frozenset(
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
        if intent.kind is Kind.BEFORE and before.kind is Kind.BEFORE:
            intent = replace(intent, back=before.back + 1)
        if intent.kind is Kind.RULE and intent.day is None and not intent.subject.strip():
            intent = replace(intent, kind=before.kind)
    return intent


def stands_alone(intent: Intent) -> bool:
    """Whether the question says itself what it is about."""
    if intent.page or intent.heading:
        return True
    words = [word for word in re.findall(r"\w+", intent.subject.lower()) if word not in FILLER]
    pronoun = re.search(
        r"\b(?:it|that|this|they|them|those|these|then)\b|^(?:and|what about|how about)\b", intent.subject.lower()
    )
    return len(words) > (1 if pronoun else 0)


def _read(text: str, today: datetime) -> Intent:
    question = mended(text.strip())
    kind = _kind(question)
    times = _times(question, today, kind)
    if found := _about_a_section(question, text.strip()):
        return replace(found, day=_moment(question, times))
    if kind is Kind.IMPACT and (match := forms.IMPACT.search(question)):
        return Intent(kind, text, target=match["sha"] or match["n"] or match["n2"])
    page = path[0] if (path := re.search(forms.PATH, text)) else ""
    day = None if kind in _TIMELESS else _moment(question, times)
    bare = (
        text.strip()
        if kind is Kind.METRIC or (kind is Kind.RULE and day is None)
        else _without_times(text.strip(), today)
    )
    if kind is Kind.METRIC and (match := forms.METRIC.search(question)):
        subject = text.strip()[match.start("m") : match.end("m")]
    else:
        dropped = _DROPPED.get(kind)
        subject = bare if dropped is None else dropped.sub(" ", bare)
        subject = subject.replace(page, " ") if page else subject
    if kind is Kind.BEFORE and day is not None:
        kind = Kind.RULE  # the day says which version is meant
    back = FIRST_CHANGE if kind is Kind.BEFORE and forms.FIRST.search(question) else 0
    return Intent(kind, " ".join(subject.split()).strip(" ?.,"), day, times[0] if times else None, page, back=back)


_TIMELESS = (
    Kind.CHANGES, Kind.METRIC, Kind.CHANGER, Kind.SINCE, Kind.STILL, Kind.TALK, Kind.HISTORY, Kind.COUNT, Kind.MOVED,
)  # fmt: skip
"""Kinds in which a day narrows down a change, and does not say as of when to read."""


def _kind(question: str) -> Kind:
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), Kind.RULE)


def about(form: re.Pattern[str]) -> str:
    """Which way a form names a section: "about" where its heading may be a topic only."""
    return "about" if form is forms.ABOUT else ""


def asks_for_the_page(question: str) -> bool:
    """Whether an owner question is about a page or section of the handbook itself, not about a thing it names."""
    return bool(forms.PAGE_ITSELF.search(mended(question)))


def _about_a_section(question: str, text: str) -> Intent | None:
    for form in forms.SECTIONS:
        if match := form.search(question):
            name = "h" if match["h"] else "h2"
            page, heading = _given(text, match, "p"), _given(text, match, name)
            return Intent(Kind.SECTION, text, page=page, heading=heading, direction=about(form))
    if forms.PAGES.search(question):
        return Intent(Kind.NEIGHBOUR, text, direction="pages")
    if match := forms.OUTLINE.search(question):
        return Intent(Kind.NEIGHBOUR, text, page=_given(text, match, "p"), direction="outline")
    if match := forms.NEIGHBOUR.search(question):
        heading = re.sub(r"^(?:the\s+)?(?:section\s+)?|\s+section$", "", _given(text, match, "h"), flags=re.I).strip(
            '"“”'
        )
        direction = forms.WAYS[match["way"]]
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
    if not times or bounds(question, times[0]):
        return None
    time = times[0]
    if time.lead in ("before", "prior to", "until", "till"):
        return time.start - TICK if forms.PAST.search(question) else None
    if time.lead in ("between", "from"):
        return time.middle if forms.PAST.search(question) else None
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
    return time.close if (told or relative) and (forms.PAST.search(question) or time.lead == "as of") else None


def _without_times(text: str, today: datetime) -> str:
    """The question without the words for the day it is asked about."""
    for time in reversed(_times(text, today, _kind(mended(text)))):
        text = without(text, time)
    return text


def bare(text: str, today: datetime) -> str:
    """The words of a question that say what it is about: without times, and those that say what is asked of it."""
    return " ".join(forms.ASKING_WORDS.sub(" ", _without_times(text.strip(), today)).split())


def _times(text: str, today: datetime, kind: Kind) -> list[Period]:
    """The days and spans that a question is asked about: not those that the rule itself names."""
    found = list(span_of(periods(text, today)))
    if kind in _OF_CHANGES:
        return found
    leads = ANY if kind in (Kind.RULE, Kind.TALK, Kind.STILL) else BOUNDS
    return [time for time in found if not of_the_rule(text.lower(), time, leads)]


_OF_CHANGES = (Kind.CHANGES, Kind.METRIC, Kind.MOVED, Kind.COUNT, Kind.HISTORY, Kind.IMPACT)
"""Kinds that ask what happened in a time, and name no rule's own days."""
