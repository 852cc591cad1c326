"""Answers from what was decided: why, who, when, where, what else was proposed, which request carried it out."""

from collections.abc import Callable
from dataclasses import replace

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.evidence import cite_decision, cite_utterance
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.changes import explained
from assistant.agent.offline.choosing import FITS, FITS_ALONE, FITS_RULE, HOLDING, chosen, meant, search
from assistant.agent.offline.facets import SETTLING, TOLD_BY_PEOPLE, Facet, facet_of
from assistant.agent.offline.histories import became
from assistant.agent.offline.intent import Kind
from assistant.agent.offline.lineage import before, decider, ruled
from assistant.agent.offline.listing import listing, names_nothing
from assistant.agent.offline.reasons import reasons
from assistant.agent.offline.rules import Standing, end_of, followed, gone, looked_up
from assistant.agent.offline.telling import (
    SHORTLY,
    carrying,
    giving,
    opposed,
    pending,
    placed,
    removed,
    replacing,
    settled,
    settling,
    turn_of,
    unwritten,
)
from assistant.agent.offline.wording import by, clipped, quoted, sentence, titled
from assistant.agent.tools import (
    decisions_of_commit,
    decisions_of_section,
    why_path,
)
from assistant.agent.tools.conversations_search import Spoken
from assistant.agent.tools.decisions_of_commit import CarriedOutBy
from assistant.agent.tools.decisions_of_section import DecidedAbout
from assistant.agent.tools.why_path import Path, PathOf
from assistant.decisions.find import Matched
from assistant.graph.reading.decisions import DecisionRow
from assistant.model.answers import CommitCitation, SectionCitation
from assistant.model.decisions import DecisionStatus
from assistant.model.times import moment
from assistant.text.spans import numbers
from assistant.text.words import content_tokens

BEHIND = 3
"""Commits of an answer that are looked up."""
ASKED_OF_HANDBOOK = (Facet.RULE, Facet.BEFORE, Facet.REQUEST)
"""What the handbook answers, with its commits, if it can."""
DOUBTING = (Facet.WRITTEN, Facet.DIFFERS)
"""What doubts that the handbook says it."""
SURELY = 0.9
"""Confidence from which the handbook's own words answer, though a decision seems to fit."""
SOON = 120 * 86_400_000_000
"""Microseconds within which a commit carries a decision out."""
DOUBTED = 5
"""Passages that a question may doubt."""


def decided(asking: Asking, handbook: Callable[[], Draft | Refusal]) -> Draft | Refusal | None:
    """The answer by what was decided, as far as the asker may know; None where the handbook has to answer.

    `handbook` is its answer, asked for where it comes first, or where what nobody seems to have carried out may stand
    there nevertheless.
    """
    facet = facet_of(asking.text, asking.intent)
    if facet is None:
        return None
    if asking.intent.kind is Kind.METRIC and (may := explained(asking)):
        return behind(asking, may)
    if facet in TOLD_BY_PEOPLE and names_nothing(asking):
        return listing(asking)
    found = search(asking, facet)
    if facet in ASKED_OF_HANDBOOK:
        return weighed(asking, facet, found, handbook)
    if facet in DOUBTING and (against := contradicting(asking, doubted=True)):
        return opposed(asking, against)
    best = chosen(asking, found, facet)
    if facet not in HOLDING and _settling(asking) and (talk := meant(asking, best)):
        own = next((one for one in found if one.decision.conversation == talk.conversation.id), None)
        if own is None:
            return (_open(asking, talk),)
        best = best or own
    path = _path(asking, best, facet)
    if path is None:
        return None
    if path.decision.status is DecisionStatus.CHAT_ONLY and facet is Facet.WHAT:
        return beside(asking, path, facet, handbook())
    return told(asking, path, facet)


def weighed(
    asking: Asking, facet: Facet, found: tuple[Matched, ...], handbook: Callable[[], Draft | Refusal]
) -> Draft | Refusal | None:
    """What holds, held, or was changed: by the decision that was carried out there, else as the handbook says itself.

    What was only said comes in where the handbook has nothing, or speaks against it.
    """
    best = chosen(asking, found, facet)
    path = _path(asking, best, facet)
    if path and path.decision.links and not (facet is Facet.RULE and _says_itself(asking, path)):
        own = told(asking, path, facet)
        if own:
            return (*own, *upcoming(asking, facet, found, own))
    written = handbook()
    if not isinstance(written, Refusal):
        against = contradicting(asking) if facet is Facet.RULE else None
        if against:
            return opposed(asking, against)
        return (*written, *upcoming(asking, facet, found, written))
    best = best or chosen(asking, found, facet, FITS_ALONE)
    path = path or _path(asking, best, facet)
    return (path and told(asking, path, facet)) or written


def _path(asking: Asking, found: Matched | None, facet: Facet) -> Path | None:
    if found is None:
        return None
    return asking.run.call(why_path.TOOL, PathOf(decision=found.decision.id, ahead=facet in HOLDING))


def _says_itself(asking: Asking, path: Path) -> bool:
    """Whether the handbook's own words answer: surely, or out of the very section that the decision changed."""
    found, first = asking.topic()
    if first is None or not asking.in_force(first.section):
        return False
    about = {section.lineage for section in path.decision.sections}
    return found.support.confidence >= SURELY or first.section.lineage in about


def contradicting(asking: Asking, doubted: bool = False) -> Path | None:
    """The decision that speaks against the words with which the handbook answers; or, where the question doubts them,
    against others of the likeliest sections, too.
    """
    if asking.day is not None:
        return None
    found, first = asking.topic()
    passages = found.passages[:DOUBTED] if doubted else [first] if first else []
    for passage in passages:
        for decision in asking.run.call(decisions_of_section.TOOL, DecidedAbout(lineage=passage.section.lineage)):
            against = decision.conflict
            if (
                decision.status in (DecisionStatus.CONFLICT, DecisionStatus.PENDING)
                and against
                and _same_words(against.quote, passage.unit.quote)
            ):
                return asking.run.call(why_path.TOOL, PathOf(decision=decision.id))
    return None


def _same_words(one: str, other: str) -> bool:
    return one in other or other in one


def upcoming(asking: Asking, facet: Facet, found: tuple[Matched, ...], written: Draft) -> Draft:
    """That something was decided about the rule which the handbook's answer does not say (yet), or by which it came to
    say no more.
    """
    if facet is not Facet.RULE or asking.day is not None:
        return ()
    fitting = (one for one in found if one.said >= FITS and one.score >= FITS_RULE)
    best = next((one.decision for one in fitting if _unwritten(asking, one.decision)), None)
    if best is None or says(written, best):
        return ()
    ended = _ended(asking, best)
    return (settling(asking, best, SHORTLY) if ended else pending(asking, best),)


def _unwritten(asking: Asking, decision: DecisionRow) -> bool:
    """Whether a decision waits for its commit, or waits no longer and is younger than the words that answer."""
    if decision.status is not DecisionStatus.CHAT_ONLY:
        return decision.status is DecisionStatus.PENDING
    _, first = asking.topic()
    return first is None or first.section.valid_from < decision.at


def _ended(asking: Asking, decision: DecisionRow) -> Standing | None:
    """The words which answer best, where they were taken out soon after a decision that no commit is linked to."""
    _, first = asking.topic()
    if first is None or asking.in_force(first.section):
        return None
    latest = followed(asking, looked_up(asking, first))
    ending = None if asking.in_force(latest.section) else end_of(latest)
    return latest if ending is not None and 0 <= ending[0].at - decision.at <= SOON else None


def beside(asking: Asking, path: Path, facet: Facet, written: Draft | Refusal) -> Draft | None:
    """What was only said, first; with what the handbook says, or instead of it where that is what was asked for."""
    if isinstance(written, Refusal):
        return told(asking, path, facet)
    if says(written, path.decision):
        return written
    also = replace(written[0], text=f"The handbook says: {written[0].text}")
    return (*(told(asking, path, facet) or ()), also)


def says(written: Draft, decision: DecisionRow) -> bool:
    """Whether the handbook's answer quotes the decided value: then it stands there, whoever wrote it."""
    value = decision.new_value
    quotes = [c.quote for claim in written for c in claim.citations if isinstance(c, SectionCitation)]
    wanted = numbers(value or "") or frozenset(content_tokens(value or ""))
    return bool(wanted) and any(wanted <= numbers(quote) | frozenset(content_tokens(quote)) for quote in quotes)


def behind(asking: Asking, draft: Draft) -> Draft:
    """An answer from the handbook with what was decided behind it: told in full where that is asked, else in short."""
    facet = facet_of(asking.text, asking.intent)
    commits = list(dict.fromkeys(c.commit for claim in draft for c in claim.citations if isinstance(c, CommitCitation)))
    if asking.intent.kind is Kind.CHANGES and len(commits) > 1:
        return draft  # behind a list it would read as if it were of the last one
    for commit in commits[:BEHIND]:
        found = asking.run.call(decisions_of_commit.TOOL, CarriedOutBy(commit=commit))
        path = asking.run.call(why_path.TOOL, PathOf(decision=found[-1].id)) if found else None
        if path is None:
            continue
        if asking.intent.kind is Kind.METRIC:
            return (*draft, decider(asking, path), *giving(path, reasons(path, asking.text, 2)))
        full = told(asking, path, facet) if facet and facet not in (*HOLDING, Facet.BEFORE) else None
        return full or (*draft, decider(asking, path))
    return draft


def told(asking: Asking, path: Path, facet: Facet) -> Draft | None:
    """The answer about one decision."""
    decision = path.decision
    if facet in HOLDING and asking.day is not None and moment(decision.at) > asking.day:
        return TELLERS[facet](asking, path) if decision.links else None
    if decision.status is DecisionStatus.CONFLICT:
        return (*opposed(asking, path), *_more(asking, path, facet))
    if decision.status in (DecisionStatus.CHAT_ONLY, DecisionStatus.PENDING):
        if ended := _ended(asking, decision):
            return (gone(asking, ended), settling(asking, decision, SHORTLY), *_more(asking, path, facet))
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
    claims = [settling(asking, path.decision, SHORTLY), *giving(path, reasons(path, asking.text, 3))]
    return (*claims, *_after(asking, path))


def _who(asking: Asking, path: Path) -> Draft:
    return (settling(asking, path.decision), *_after(asking, path))


def _where(asking: Asking, path: Path) -> Draft:
    return (placed(asking, path.decision), *_after(asking, path))


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
    if claims or path.decision.alternatives:
        return tuple(claims)
    return (event("As far as I can tell, nothing else was proposed there.", (cite_decision(path.decision),)),)


def _else(asking: Asking, path: Path) -> Draft:
    others, taken = _alternatives(path), settling(asking, path.decision)
    return (*others, taken) if path.decision.alternatives else (taken, *others)


def _request(asking: Asking, path: Path) -> Draft | None:
    if not path.decision.links:
        return None
    commit = path.decision.links[0].commit
    turn = turn_of(asking, path)
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


def _settling(asking: Asking) -> bool:
    """Whether the question itself says, or asks, that something was decided."""
    return bool(SETTLING.search(asking.text)) or facet_of(asking.text, asking.intent) is Facet.WHETHER


def _open(asking: Asking, best: Spoken) -> DraftClaim:
    talk, said = best.conversation, best.utterances[0]
    cited = cite_utterance(talk, said, said.text)
    text = f"I found no decision about this. It was talked about in {cited.place} on {asking.date(said.at)}: "
    text += f"{quoted(clipped(said.text, '', 30))} ({said.speaker.name})."
    return event(text, (cited,))
