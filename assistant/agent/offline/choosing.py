"""Which decision a question means, or which conversation that decided nothing."""

from collections.abc import Iterator
from datetime import timedelta

from assistant.agent.offline.asking import SURE, Asking
from assistant.agent.offline.facets import EARLIER, Facet
from assistant.agent.offline.intent import bare
from assistant.agent.tools import conversations_search, decisions_search
from assistant.agent.tools.conversations_search import Spoken, TalkAbout
from assistant.agent.tools.decisions_search import DecisionsAbout
from assistant.decisions.find import Matched, Wanted, within
from assistant.model.decisions import DecisionStatus

FITS = 1.6
"""Worth of what it says from which a decision is what a question about one means: of 192 development questions whose
decision came first, 2 had it below."""
FITS_ITSELF = 1.7
"""Worth of what the decision itself speaks to, below which it is another one than the question means: of 225
development questions whose decision came first 1 had it below; with their own decision hidden, 65 of 145 others that
came first in its place."""
BETTER, NEAREST = 0.4, 5
"""By how much more of the question a section of the handbook has to hold than the decision does itself, so
that the decision is none about it; and among how many passages the section that it changed would stand: of 225 right
decisions 2 were not told for it."""
FITS_RULE = 2.6
"""Score that it needs besides, where a question only asks what holds: of 36 development lookups 3 had a decision above
it, of 137 questions about what was decided 126."""
FITS_ALONE = 2.4
"""The same where the handbook has nothing that answers: none of 57 development questions that nothing answers had a
decision above it."""
FITS_DOUBTED = 1.9
"""The same where the question doubts what the handbook says, for a decision that it does not hold."""
FITS_ASKED = 2.3
"""The same where the question is whether it was decided, so that the answer may well be no."""
PRESUMED = 0.4
"""Worth of a decision being carried out where the question asks by which request, or what was before; and of its
standing in no handbook where the question doubts that it does."""
LIKE = 0.4
"""Likeness from which an utterance speaks of what is asked: of 4 development questions whose words were said in another
conversation, the 2 that meant it had 0.48 and more, the others 0.35 and less."""
TALKED, TALKED_THEN = 0.6, 0.35
"""Share of the question's words from which a conversation is one about it; on the day or in the month that it names."""
CLEARLY = 0.25
"""By how much more of the question a conversation without a decision has to hold, to be the one that is meant."""
OPEN = (DecisionStatus.CHAT_ONLY, DecisionStatus.CONFLICT, DecisionStatus.PENDING)
"""What became of a decision that no handbook holds."""
SHORT = timedelta(days=32)
"""A stretch of time up to so long names an occasion."""
SPOKEN = (Facet.WHO, Facet.WHEN, Facet.WHETHER, Facet.WHAT, Facet.WHERE)
"""What is asked of talk alone."""
HOLDING = (Facet.RULE, Facet.WRITTEN, Facet.DIFFERS)
"""What is asked of the handbook, if it has it."""


def search(asking: Asking, facet: Facet) -> tuple[Matched, ...]:
    """The decisions that fit the question best, best first."""
    period = asking.intent.period
    start, end = (period.start, period.end) if period else (None, None)
    subject = bare(query(asking), asking.now)
    about = DecisionsAbout(query=query(asking), start=start, end=end, subject=subject, ahead=facet in HOLDING)
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
    found = tuple(sorted(found, key=lambda one: -one.score - PRESUMED * _presumed(one, facet)))
    fitting = [one for one in found if _said(one) >= _spoken(facet, asking) and one.score >= _least(one, facet, rule)]
    if occasion(asking) and facet in (*SPOKEN, Facet.WHY):
        fitting = [one for one in fitting if within(wanted(asking), one.decision)]
    if not fitting or (facet not in HOLDING and not _means(asking, fitting[0])):
        return None
    best, rest = fitting[0], {one.decision.id: one for one in found}
    if facet in (*SPOKEN, Facet.WHY) and EARLIER.search(asking.text):
        return next(_earlier(best, found), best)
    if best.decision.status is DecisionStatus.SUPERSEDED:
        later = [rest[name] for name in reversed(best.decision.superseded_by) if name in rest]
        then = [one for one in later if within(wanted(asking), one.decision)]
        return next(iter(then or later), best)
    return best


def _means(asking: Asking, best: Matched) -> bool:
    """Whether a decision itself speaks to the question, and not much less than a section that it did not change."""
    if best.itself < FITS_ITSELF:
        return False
    found, first = asking.topic()
    if first is None or found.support.confidence < SURE:
        return True
    changed = {section.lineage for section in best.decision.sections}
    beside = not changed & {passage.section.lineage for passage in found.passages[:NEAREST]}
    return not (beside and first.covered - best.named > BETTER)


def _earlier(best: Matched, found: tuple[Matched, ...]) -> Iterator[Matched]:
    """What was decided shortly before about the same and carried out by nobody: first what is known to be replaced."""
    yield from (one for one in found if one.decision.id in best.decision.supersedes)
    for one in found:
        ago = best.decision.at - one.decision.at
        if one.said >= FITS and not one.decision.links and 0 < ago <= SHORT.total_seconds() * 1e6:
            yield one


def _presumed(one: Matched, facet: Facet) -> bool:
    """Whether a decision is what the question takes it for: carried out, or said by people and not by the handbook."""
    if facet in (Facet.WRITTEN, Facet.DIFFERS):
        return one.decision.status in OPEN
    return facet in (Facet.REQUEST, Facet.BEFORE) and bool(one.decision.links)


def _said(one: Matched) -> float:
    """How well it fits by what it says, helped a little by when and where."""
    return one.said + one.fits / 4


def _spoken(facet: Facet, asking: Asking) -> float:
    """The worth of that from which a decision is what the question means."""
    return FITS_ASKED if facet is Facet.WHETHER and not EARLIER.search(asking.text) else FITS


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
    clearly = elsewhere and talk.covered > max(best.around, best.covered) + CLEARLY
    return talk if clearly and _alike(asking, talk) else None


def _alike(asking: Asking, talk: Spoken) -> bool:
    """Whether anything that was said in a conversation is like the question in meaning, too."""
    embedder = asking.run.context.embedder
    if embedder is None:
        return True
    asked, *vectors = embedder.encode([asking.text, *(said.text for said in talk.utterances)])
    return max(float(asked @ vector) for vector in vectors) >= LIKE
