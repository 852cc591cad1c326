"""Which decision a question means, or which conversation that decided nothing."""

from collections.abc import Iterator
from datetime import timedelta

from assistant.agent.offline.asking import Asking
from assistant.agent.offline.facets import EARLIER, Facet
from assistant.agent.tools import conversations_search, decisions_search
from assistant.agent.tools.conversations_search import Spoken, TalkAbout
from assistant.agent.tools.decisions_search import DecisionsAbout
from assistant.decisions.find import Matched, Wanted, within
from assistant.model.decisions import DecisionStatus

FITS = 1.6
"""Worth of what it says from which a decision is what a question about one means: of 192 development questions whose
decision came first, 2 had it below."""
FITS_RULE = 2.6
"""Score that it needs besides, where a question only asks what holds: of 36 development lookups 3 had a decision above
it, of 137 questions about what was decided 126."""
FITS_ALONE = 2.4
"""The same where the handbook has nothing that answers: none of 57 development questions that nothing answers had a
decision above it."""
FITS_DOUBTED = 1.9
"""The same where the question doubts what the handbook says, for a decision that it does not hold."""
UNWRITTEN = 0.4
"""Worth of a decision standing in no handbook, where the question doubts that it does."""
TALKED, TALKED_THEN = 0.6, 0.35
"""Share of the question's words from which a conversation is one about it; on the day or in the month that it names."""
CLEARLY = 0.25
"""By how much more of the question a conversation without a decision has to hold, to be the one that is meant."""
OPEN = (DecisionStatus.CHAT_ONLY, DecisionStatus.CONFLICT)
SHORT = timedelta(days=32)
"""A stretch of time up to so long names an occasion."""
SPOKEN = (Facet.WHO, Facet.WHEN, Facet.WHETHER, Facet.WHAT, Facet.WHERE)
"""What is asked of talk alone."""
HOLDING = (Facet.RULE, Facet.WRITTEN, Facet.DIFFERS)
"""What is asked of the handbook, if it has it."""


def search(asking: Asking, facet: Facet) -> tuple[Matched, ...]:
    period = asking.intent.period
    start, end = (period.start, period.end) if period else (None, None)
    about = DecisionsAbout(query=query(asking), start=start, end=end, ahead=facet in HOLDING)
    return asking.run.call(decisions_search.TOOL, about)


def query(asking: Asking) -> str:
    """What to look for: the question; with the subject that it takes from earlier ones, where it does."""
    subject = asking.intent.subject
    return asking.text if all(word in asking.text for word in subject.split()) else f"{subject} {asking.text}"


def wanted(asking: Asking) -> Wanted:
    """The question with the time it names."""
    period = asking.intent.period
    return Wanted(asking.text, period.start, period.end) if period else Wanted(asking.text)


def chosen(asking: Asking, found: tuple[Matched, ...], facet: Facet, rule: float = FITS_RULE) -> Matched | None:
    """The decision that is meant: the best fit, the last word about it unless an earlier one is asked for.

    `rule` is the score that it needs where the question asks what the handbook holds.
    """
    if facet in (Facet.WRITTEN, Facet.DIFFERS):
        found = tuple(sorted(found, key=lambda one: -one.score - UNWRITTEN * (one.decision.status in OPEN)))
    fitting = [one for one in found if one.said >= FITS and one.score >= _least(one, facet, rule)]
    if occasion(asking) and facet in (*SPOKEN, Facet.WHY):
        fitting = [one for one in fitting if within(wanted(asking), one.decision)]
    if not fitting:
        return None
    best, rest = fitting[0], {one.decision.id: one for one in found}
    if EARLIER.search(asking.text):
        return next(_earlier(best, found), best)
    if best.decision.status is DecisionStatus.SUPERSEDED:
        later = [rest[name] for name in reversed(best.decision.superseded_by) if name in rest]
        return later[0] if later else best
    return best


def _earlier(best: Matched, found: tuple[Matched, ...]) -> Iterator[Matched]:
    """What was decided shortly before about the same and carried out by nobody: first what is known to be replaced."""
    yield from (one for one in found if one.decision.id in best.decision.supersedes)
    for one in found:
        ago = best.decision.at - one.decision.at
        if one.said >= FITS and not one.decision.links and 0 < ago <= SHORT.total_seconds() * 1e6:
            yield one


def _least(one: Matched, facet: Facet, rule: float) -> float:
    """The score that a decision needs to be what the question means."""
    if facet in (Facet.WRITTEN, Facet.DIFFERS):
        return FITS_DOUBTED if one.decision.status in OPEN else rule
    return rule if facet in (Facet.RULE, Facet.BEFORE) else FITS


def occasion(asking: Asking) -> bool:
    """Whether the question names a day or a month, so that what was settled at another time is not meant."""
    period = asking.intent.period
    return period is not None and period.end - period.start <= SHORT


def meant(asking: Asking, best: Matched | None) -> Spoken | None:
    """The conversation that is meant, where it is clearly not that of the best decision."""
    period = asking.intent.period
    start, end = (period.start, period.end) if period and occasion(asking) else (None, None)
    about = TalkAbout(query=query(asking), start=start, end=end, limit=1)
    talk = next(iter(asking.run.call(conversations_search.TOOL, about)), None)
    if talk is None or not talk.utterances:
        return None
    if best is None:
        return talk if talk.covered >= (TALKED_THEN if occasion(asking) else TALKED) else None
    elsewhere = best.decision.conversation != talk.conversation.id
    return talk if elsewhere and talk.covered > max(best.around, best.covered) + CLEARLY else None
