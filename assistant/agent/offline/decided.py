"""Answers from what was decided: why, who, when, where, what else was proposed, which request carried it out."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.evidence import cite_decision, cite_utterance
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.facets import EARLIER, SETTLING, Facet, facet_of
from assistant.agent.offline.histories import became
from assistant.agent.offline.lineage import before, decider, ruled
from assistant.agent.offline.reasons import reasons
from assistant.agent.offline.telling import (
    carrying,
    giving,
    opposed,
    removed,
    replacing,
    settled,
    settling,
    turn_of,
    unwritten,
    where,
)
from assistant.agent.offline.wording import by, clipped, quoted, sentence, titled
from assistant.agent.tools import conversations_search, decisions_of_commit, decisions_search, why_path
from assistant.agent.tools.conversations_search import Spoken, TalkAbout
from assistant.agent.tools.decisions_of_commit import CarriedOutBy
from assistant.agent.tools.decisions_search import DecisionsAbout
from assistant.agent.tools.why_path import Path, PathOf
from assistant.decisions.find import Matched, Wanted, within
from assistant.graph.reading.decisions import DecisionRow
from assistant.model.answers import CommitCitation, SectionCitation
from assistant.model.decisions import DecisionStatus
from assistant.model.times import moment
from assistant.text.spans import numbers
from assistant.text.words import content_tokens

FITS = 1.6
"""Worth of what it says from which a decision is what a question about one means: of 192 development questions whose
decision came first, 2 had it below."""
FITS_RULE = 2.6
"""Score that it needs besides, where a question only asks what holds: of 36 development lookups 3 had a decision above
it, of 137 questions about what was decided 126."""
TALKED, TALKED_THEN = 0.6, 0.35
"""Share of the question's words from which a conversation is one about it; on the day or in the month that it names."""
CLEARLY = 0.25
"""By how much more of the question a conversation without a decision has to hold, to be the one that is meant."""
FITS_DOUBTED = 1.9
"""The same where the question doubts what the handbook says, for a decision that it does not hold."""
UNWRITTEN = 0.4
"""Worth of a decision standing in no handbook, where the question doubts that it does."""
OPEN = (DecisionStatus.CHAT_ONLY, DecisionStatus.CONFLICT)
BEHIND = 3
"""Commits of an answer that are looked up."""
SHORT = timedelta(days=32)
"""A stretch of time up to so long names an occasion."""
SPOKEN = (Facet.WHO, Facet.WHEN, Facet.WHETHER, Facet.WHAT, Facet.WHERE)
"""What is asked of talk alone."""


HOLDING = (Facet.RULE, Facet.WRITTEN, Facet.DIFFERS)
"""What is asked of the handbook, if it has it."""
PRESUMING = (Facet.RULE, Facet.WHAT, Facet.BEFORE, Facet.REQUEST)
"""What presumes that the handbook says something about it."""


def decided(asking: Asking, handbook: Callable[[], Draft | Refusal]) -> Draft | Refusal | None:
    """The answer by what was decided, as far as the asker may know; None where the handbook has to answer.

    `handbook` is its answer, asked for where what nobody seems to have carried out may stand there nevertheless.
    """
    facet = facet_of(asking.text, asking.intent)
    if facet is None:
        return None
    found = _search(asking, facet)
    best = chosen(asking, found, facet)
    if facet not in (*HOLDING, Facet.BEFORE) and SETTLING.search(asking.text) and (talk := meant(asking, best)):
        own = next((one for one in found if one.decision.conversation == talk.conversation.id), None)
        if own is None:
            return (_open(asking, talk),)
        best = best or own
    if best is None:
        return None
    path = asking.run.call(why_path.TOOL, PathOf(decision=best.decision.id, ahead=facet in HOLDING))
    if path is None:
        return None
    if path.decision.status is DecisionStatus.CHAT_ONLY and facet in PRESUMING:
        return beside(asking, path, facet, handbook())
    return told(asking, path, facet)


def beside(asking: Asking, path: Path, facet: Facet, written: Draft | Refusal) -> Draft | None:
    """What was only said, first; with what the handbook says, or instead of it where that is what was asked for."""
    if isinstance(written, Refusal):
        return told(asking, path, facet)
    if facet not in (Facet.RULE, Facet.WHAT) or says(written, path):
        return written
    also = replace(written[0], text=f"The handbook says: {written[0].text}")
    return (*(told(asking, path, facet) or ()), also)


def says(written: Draft, path: Path) -> bool:
    """Whether the handbook's answer quotes the decided value: then it stands there, whoever wrote it."""
    value = path.decision.new_value
    quotes = [c.quote for claim in written for c in claim.citations if isinstance(c, SectionCitation)]
    wanted = numbers(value or "") or frozenset(content_tokens(value or ""))
    return bool(wanted) and any(wanted <= numbers(quote) | frozenset(content_tokens(quote)) for quote in quotes)


def behind(asking: Asking, draft: Draft) -> Draft:
    """An answer from the handbook with what was decided behind it: told in full where that is asked, else in short."""
    facet = facet_of(asking.text, asking.intent)
    commits = list(dict.fromkeys(c.commit for claim in draft for c in claim.citations if isinstance(c, CommitCitation)))
    for commit in commits[:BEHIND]:
        found = asking.run.call(decisions_of_commit.TOOL, CarriedOutBy(commit=commit))
        path = asking.run.call(why_path.TOOL, PathOf(decision=found[-1].id)) if found else None
        if path is None:
            continue
        full = told(asking, path, facet) if facet and facet not in (*HOLDING, Facet.BEFORE) else None
        return full or (*draft, decider(asking, path))
    return draft


def _search(asking: Asking, facet: Facet) -> tuple[Matched, ...]:
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


def chosen(asking: Asking, found: tuple[Matched, ...], facet: Facet) -> Matched | None:
    """The decision that is meant: the best fit, the last word about it unless an earlier one is asked for."""
    if facet in (Facet.WRITTEN, Facet.DIFFERS):
        found = tuple(sorted(found, key=lambda one: -one.score - UNWRITTEN * (one.decision.status in OPEN)))
    fitting = [one for one in found if one.said >= FITS and one.score >= _least(one, facet)]
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


def _least(one: Matched, facet: Facet) -> float:
    """The score that a decision needs to be what the question means."""
    if facet in (Facet.WRITTEN, Facet.DIFFERS):
        return FITS_DOUBTED if one.decision.status in OPEN else FITS_RULE
    return FITS_RULE if facet in (Facet.RULE, Facet.BEFORE) else FITS


def occasion(asking: Asking) -> bool:
    """Whether the question names a day or a month, so that what was settled at another time is not meant."""
    period = asking.intent.period
    return period is not None and period.end - period.start <= SHORT


def told(asking: Asking, path: Path, facet: Facet) -> Draft | None:
    """The answer about one decision."""
    decision = path.decision
    if facet in HOLDING and asking.day is not None and moment(decision.at) > asking.day:
        return TELLERS[facet](asking, path) if decision.links else None
    if decision.status is DecisionStatus.CONFLICT:
        return (*opposed(asking, path), *_more(asking, path, facet))
    if decision.status is DecisionStatus.CHAT_ONLY or (
        decision.status is DecisionStatus.PENDING and facet not in HOLDING
    ):
        return (unwritten(asking, path), *_more(asking, path, facet))
    if decision.status is DecisionStatus.SUPERSEDED and facet in (*HOLDING, Facet.WHAT, Facet.BEFORE):
        return _who(asking, path)
    return TELLERS[facet](asking, path)


def _more(asking: Asking, path: Path, facet: Facet) -> Draft:
    """What is asked beyond that it was only said."""
    if facet is Facet.WHY:
        return tuple(giving(path, reasons(path, asking.text, 2)))
    return tuple(replacing(asking, path)) if facet is not Facet.ALTERNATIVE else _alternatives(path)


def _why(asking: Asking, path: Path) -> Draft:
    claims = [settling(asking, path.decision), *giving(path, reasons(path, asking.text, 3))]
    return (*claims, *_after(asking, path))


def _who(asking: Asking, path: Path) -> Draft:
    return (settling(asking, path.decision), *_after(asking, path))


def _where(asking: Asking, path: Path) -> Draft:
    place = sentence(where(path.decision))
    lead = event(f"{place}, on {asking.date(path.decision.at)}.", (cite_decision(path.decision),))
    return (lead, *_who(asking, path))


def _after(asking: Asking, path: Path) -> Draft:
    """What came of it, and what it replaced or was replaced by."""
    claims = [claim for claim in (removed(asking, path) or carrying(asking, path),) if claim]
    claims += replacing(asking, path)
    if path.decision.status is DecisionStatus.SUPERSEDED:
        claims += [_overtaken(asking, later) for later in path.replaced_by[-1:]]
    return tuple(claims)


def _overtaken(asking: Asking, later: DecisionRow) -> DraftClaim:
    text = f"It was replaced before it reached the handbook: {settled(asking, later)}"
    return event(text, (cite_decision(later),))


def _alternatives(path: Path) -> Draft:
    """What was proposed and not taken."""
    claims = list[DraftClaim]()
    for quote in path.decision.alternatives[:3]:
        said = path.talk and next((one for one in path.talk.utterances if quote in one.text), None)
        if path.talk and said:
            text = f"{'Also proposed' if claims else 'Proposed and not taken'}: {quoted(clipped(quote, ''))}"
            claims.append(event(f"{text} ({said.speaker.name}).", (cite_utterance(path.talk, said, quote),)))
    return tuple(claims)


def _else(asking: Asking, path: Path) -> Draft:
    return (*_alternatives(path), settling(asking, path.decision))


def _request(asking: Asking, path: Path) -> Draft | None:
    if not path.decision.links:
        return None
    commit = path.decision.links[0].commit
    turn = turn_of(path)
    carried = carrying(asking, path)
    if carried is None:
        return None
    head = f"{sentence(by(commit, asking.links))} on {asking.date(commit.at)}, {titled(commit)}"
    text = f"{head}: {became(turn, asking.text)}." if turn else f"{head}."
    return (event(text, carried.citations), settling(asking, path.decision))


TELLERS: dict[Facet, Callable[[Asking, Path], Draft | None]] = {
    Facet.WHY: _why,
    Facet.WHO: _who,
    Facet.WHEN: _who,
    Facet.WHERE: _where,
    Facet.ALTERNATIVE: _else,
    Facet.REQUEST: _request,
    Facet.WHETHER: _who,
    Facet.WHAT: ruled,
    Facet.RULE: ruled,
    Facet.WRITTEN: ruled,
    Facet.DIFFERS: ruled,
    Facet.BEFORE: before,
}


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


def silence(asking: Asking, refused: Refusal) -> Refusal:
    """A refusal that says, where it was asked what was decided, that what was said holds no decision either."""
    if not SETTLING.search(asking.text) or not asking.run.call(
        conversations_search.TOOL, TalkAbout(query=query(asking))
    ):
        return refused
    return Refusal(
        f"I found no decision about this in what I may read of channels and meetings. {refused.text}", refused.owners
    )


def _open(asking: Asking, best: Spoken) -> DraftClaim:
    talk, said = best.conversation, best.utterances[0]
    cited = cite_utterance(talk, said, said.text)
    text = f"I found no decision about this. It was talked about in {cited.place} on {asking.date(said.at)}: "
    text += f"{quoted(clipped(said.text, '', 30))} ({said.speaker.name})."
    return event(text, (cited,))
