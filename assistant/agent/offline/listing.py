"""What a person decided, or what was decided in a stretch of time, where a question names no rule."""

import re

from assistant.agent.draft import EVENT, Draft, DraftClaim, Refusal
from assistant.agent.evidence import cite_decision
from assistant.agent.offline import forms
from assistant.agent.offline.asking import Asking
from assistant.agent.offline.intent import FILLER, bare
from assistant.agent.offline.telling import SHORTLY, where, words_of
from assistant.agent.tools import decisions_list
from assistant.agent.tools.decisions_list import DecisionsBy
from assistant.graph.reading.decisions import DecisionRow
from assistant.model.decisions import DecisionStatus
from assistant.text.words import content_tokens, search_tokens

LISTED = 5
"""At most this many decisions are told, the latest."""
LONGEST_NAME = 4
"""Words of the longest name that is looked up among those who decided."""
NAME_IT = "I can't tell which rule you mean. Name it: each question stands by itself."
UNWRITTEN = {
    DecisionStatus.PENDING: ", not in the handbook yet",
    DecisionStatus.CHAT_ONLY: ", not in the handbook",
    DecisionStatus.CONFLICT: ", against the handbook",
}
"""What is said of decisions that the handbook does not hold."""


def names_nothing(asking: Asking) -> bool:
    """Whether the question names no rule: nothing but what is asked, times and people who decided anything."""
    if asking.intent.page or asking.intent.heading:
        return False
    words = _subject(asking)
    return not words or (len(words) <= LONGEST_NAME and words <= _names(asking))


def listing(asking: Asking) -> Draft | Refusal:
    """The decisions of the person, in the time, that the question names, latest first; without either a refusal."""
    people, period = _subject(asking), asking.intent.period
    if not people and (period is None or not forms.DECIDING.search(asking.text)):
        return Refusal(NAME_IT)
    start, end = (period.start, period.end) if period else (None, None)
    end = None if period and period.lead in ("since", "after", "from") else end
    found = asking.run.call(decisions_list.TOOL, DecisionsBy(person=" ".join(sorted(people)), start=start, end=end))
    if not found:
        return Refusal("I found no recorded decision of that person or time that I may tell of.")
    bullets = [_bullet(asking, decision) for decision in found[:LISTED]]
    if len(found) > LISTED:
        last = bullets[-1]
        bullets[-1] = DraftClaim(f"{last.text} There were more before.", EVENT, last.citations, last.chat_only)
    return tuple(bullets)


def _subject(asking: Asking) -> frozenset[str]:
    """The words that are left of the question without those that every question about decisions may have."""
    asked = re.sub(r"['’]s\b", "", asking.intent.subject if _follows(asking) else asking.text)
    return frozenset(content_tokens(forms.DECIDING.sub(" ", bare(asked, asking.now)))) - FILLER


def _follows(asking: Asking) -> bool:
    """Whether the subject was taken from an earlier question."""
    return any(word not in asking.text for word in asking.intent.subject.split())


def _names(asking: Asking) -> frozenset[str]:
    """The words of the names of all who decided anything that may be told."""
    found = asking.run.call(decisions_list.TOOL, DecisionsBy(person=" ".join(sorted(_subject(asking))), limit=1))
    return frozenset(search_tokens(found[0].decided_by or "")) if found else frozenset()


def _bullet(asking: Asking, decision: DecisionRow) -> DraftClaim:
    who = decision.decided_by or "agreed"
    lead = f"• {asking.date(decision.at)}, {who} {where(decision)}{UNWRITTEN.get(decision.status, '')}"
    unwritten = decision.status in UNWRITTEN
    text = f"{lead}: {words_of(decision, decision.statement, SHORTLY)}."
    return DraftClaim(text, EVENT, (cite_decision(decision),), chat_only=unwritten)
