"""Decisions in words: who settled what when and where, what carried it out, what speaks against it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.agent.draft import EVENT, NOW, DraftClaim
from assistant.agent.evidence import cite_decision, cite_utterance, place_called
from assistant.agent.offline import past
from assistant.agent.offline.asking import Asking, event, heading_line
from assistant.agent.offline.histories import became
from assistant.agent.offline.past import Turn
from assistant.agent.offline.reasons import Reason
from assistant.agent.offline.wording import by, clipped, place, quoted, sentence
from assistant.agent.tools.section_history import Version
from assistant.agent.tools.why_path import Path
from assistant.graph.reading.decisions import DecisionRow
from assistant.model.answers import Citation, Conflict
from assistant.model.conversations import ConversationKind
from assistant.model.decisions import DecisionStatus
from assistant.model.sections import ChangeKind, SectionVersion
from assistant.model.times import day, moment, zone_of
from assistant.search.passages import worths
from assistant.text.plain import plain
from assistant.text.units import Unit, units

QUOTE = 36
"""Words of a deciding utterance that are shown; its citation has all of it."""
BRIEFLY = 12
"""Words of each side of a change, beside the words that decided it."""
SHORTLY = 20
"""Words of them where something else is told first."""
FITS_BETTER = 2.0
"""By how much more other changed words have to speak to the question than those that show the decision."""
REASONS = 45
"""Words of all reasons together after which no further one is told."""


MET = (ConversationKind.MEETING, ConversationKind.MINUTES)
"""Kinds of conversations that were held, not written."""

GROUND = re.compile(r"\b(?:because|so that)\b[^.!?;]*", re.I)
"""Words that give a ground, and say so."""


def where(decision: DecisionRow) -> str:
    """`in #rules`, `in the meeting “Support leads weekly”`, `in the minutes of Board, item Dues`."""
    called = place_called(decision.kind, decision.place_name, decision.title)
    match decision.kind:
        case ConversationKind.MEETING:
            return f"in the meeting {quoted(called)}"
        case ConversationKind.MINUTES:
            return f"in the minutes of {called}"
        case ConversationKind.DISCUSSION:
            return f"in the discussion of {quoted(called)}"
        case _:
            return f"in {called}"


def day_of(asking: Asking, decision: DecisionRow) -> str:
    """The date on which it was settled."""
    at = moment(decision.at)
    return day(at, zone_of(at, decision.shown_id, asking.zone))


def words_of(decision: DecisionRow, about: str, limit: int = QUOTE) -> str:
    """The deciding words, those around what is asked about."""
    values = " ".join(value for value in (decision.new_value, decision.old_value) if value)
    return quoted(clipped(decision.quote, f"{values} {about}", limit))


def settled(asking: Asking, decision: DecisionRow, words: int = QUOTE, when: str = "") -> str:
    """`Ana Ruiz decided it on 3 May 2020 in #rules: “…”`, told as it was: in own words, by agreeing, by a body.

    `when` stands for day and place where these were told before.
    """
    when = when or f"on {day_of(asking, decision)} {where(decision)}"
    said = words_of(decision, asking.text, words)
    lead = f"{marked(decision)} " if decision.origin else ""
    if decision.decided_by is None and not decision.quote_speaker:
        return f"{lead}It was agreed {when}: {said}."
    if decision.decided_by is None:
        put = f"; {decision.quote_speaker} put it so" if decision.quote_speaker else ""
        return f"{lead}It was agreed {when}{put}: {said}."
    if decision.decided_by == decision.quote_speaker:
        return f"{lead}{decision.decided_by} decided it {when}: {said}."
    if decision.origin:
        return f"{lead}{decision.decided_by} decided it {when}, in the words of {decision.quote_speaker}: {said}."
    return f"{decision.decided_by} approved it {when}, on the words of {decision.quote_speaker}: {said}."


def marked(decision: DecisionRow) -> str:
    """Who marked it as a rule by hand, and as what: others may have understood the words otherwise."""
    return f"{cite_decision(decision).marked_by} marked it as a rule: {quoted(clipped(decision.statement, '', QUOTE))}."


def settling(asking: Asking, decision: DecisionRow, words: int = QUOTE) -> DraftClaim:
    """That it was decided, as a claim."""
    return event(settled(asking, decision, words), (cite_decision(decision),))


def placed(asking: Asking, decision: DecisionRow) -> DraftClaim:
    """Where it was discussed and decided, as a claim: the place first."""
    lead = f"It was discussed {where(decision)} on {day_of(asking, decision)}."
    return event(f"{lead} {settled(asking, decision, when='there')}", (cite_decision(decision),))


def turn_of(asking: Asking, path: Path) -> Turn | None:
    """What the commit that carried it out did to the words, those that the question is about."""
    if path.carried_out is None:
        return None
    change, before = path.carried_out.change, path.carried_out.before
    added, removed = path.decision.links[0].evidence.added, path.decision.links[0].evidence.removed
    made = Version(change.section, change.commit, None)
    if change.kind is ChangeKind.REMOVED:
        return Turn(made, made, unit_with(change.section, removed), None)
    if before is None:
        new = unit_with(change.section, added)
        return Turn(made, None, None, new) if new else None
    shows = unit_with(change.section, added)
    new = asked_for(asking, change.section, before, shows)
    old = unit_with(before, removed) if new == shows else None
    if new is not None and old is None:
        old = past.closest(new.quote, before.text, past.REWRITTEN)
    return Turn(made, Version(before, change.commit, None), old, new) if old or new else None


def asked_for(asking: Asking, section: SectionVersion, before: SectionVersion, shows: Unit | None) -> Unit | None:
    """The changed unit that the question is about: the one that shows the decision, if no other fits clearly better."""
    fresh = [unit for unit in units(section.text) if not past.stands(unit.quote, before.text)]
    if shows is None or len(fresh) < 2:
        return shows
    worth = worths(asking.intent.subject or asking.text, section, asking.run.context.embedder)
    best = max(fresh, key=lambda unit: worth.get(unit, 0.0))
    return best if worth.get(best, 0.0) > worth.get(shows, 0.0) + FITS_BETTER else shows


def unit_with(section: SectionVersion, words: Sequence[str]) -> Unit | None:
    """The unit of a section that holds the longest of these words, or is most like it."""
    for wanted in sorted(filter(None, words), key=len, reverse=True):
        bare = past.bare(wanted)
        held = [unit for unit in units(section.text) if f" {bare} " in f" {past.bare(unit.quote)} "]
        if held:
            return min(held, key=lambda unit: len(unit.quote))
        if len(bare.split()) > 3 and (found := past.closest(wanted, section.text, past.REWRITTEN)):
            return found
    return None


def carrying(asking: Asking, path: Path) -> DraftClaim | None:
    """Which request carried it out when, and what became what; None where none did."""
    decision = path.decision
    if not decision.links:
        return None
    commit = decision.links[0].commit
    head = f"{sentence(by(commit, asking.links))} carried it out on {asking.date(commit.at)}"
    turn = turn_of(asking, path)
    if turn is None:
        return event(f"{head}.", (asking.commit(commit),))
    return event(f"{head}: {became(turn, asking.text, BRIEFLY)}.", (*sides(asking, turn), asking.commit(commit)))


def sides(asking: Asking, turn: Turn) -> tuple[Citation, ...]:
    """The words before and after a change."""
    found: list[Citation] = []
    if turn.new:
        found.append(asking.section(turn.made.section, turn.new.quote))
    if turn.old and turn.unmade:
        found.append(asking.section(turn.unmade.section, turn.old.quote))
    return tuple(found)


def giving(path: Path, found: Sequence[Reason]) -> list[DraftClaim]:
    """The reasons, each with who gave it: first that in the deciding words, then what was said before."""
    own = GROUND.search(path.decision.quote)
    claims, words = list[DraftClaim](), 0
    if own:
        text = f"The reason: {quoted(clipped(own[0], '', REASONS))}."
        claims.append(event(text, (cite_decision(path.decision),)))
    ahead = len(claims)
    for reason in found:
        length = len(reason.quote.split())
        if path.talk is None or (claims and words + length > REASONS):
            continue
        words += length
        lead = "" if len(claims) > ahead else "The reason: " if GROUND.search(reason.quote) else "Said before: "
        name = reason.utterance.speaker.name
        who = f" ({name})" if name else ""
        text = f"{lead}{quoted(clipped(reason.quote, '', REASONS))}{who}."
        claims.append(event(text, (cite_utterance(path.talk, reason.utterance, reason.quote),)))
    return claims


def unwritten(asking: Asking, path: Path) -> DraftClaim:
    """That it was only said and stands in no handbook: first where, when and by whom, then the words."""
    decision = path.decision
    kind = "in a meeting" if decision.kind in MET else "in chat"
    waiting = decision.status is DecisionStatus.PENDING
    lead = "This is not in the handbook yet" if waiting else f"I found this only {kind}, not in the handbook"
    return DraftClaim(f"{lead}. {settled(asking, decision)}", EVENT, (cite_decision(decision),), chat_only=True)


def pending(asking: Asking, decision: DecisionRow) -> DraftClaim:
    """`Agreed on 3 March 2024 by Ana Ruiz in #rules, not in the handbook yet: “…”.`; once it has waited, not at all."""
    who = f" by {decision.decided_by}" if decision.decided_by else ""
    said = words_of(decision, asking.text, SHORTLY)
    lead = f"{marked(decision)} " if decision.origin else ""
    there = "not in the handbook yet" if decision.status is DecisionStatus.PENDING else "and never put in the handbook"
    text = f"{lead}Agreed on {day_of(asking, decision)}{who} {where(decision)}, {there}: {said}."
    return event(text, (cite_decision(decision),))


def opposed(asking: Asking, path: Path) -> tuple[DraftClaim, ...]:
    """That handbook and talk disagree: what stands, and what was said, where and by whom.

    What was said comes first while it may still be put in the handbook.
    """
    decision, against = path.decision, path.decision.conflict
    if against is None or path.against is None:
        return (unwritten(asking, path),)
    section = path.against
    unit = next((unit for unit in units(section.text) if against.quote in unit.quote), None)
    stands = quoted(clipped(unit.plain if unit else plain(against.quote), asking.text))
    kind = "in a meeting" if decision.kind in MET else "in chat"
    conflict = Conflict(
        path=section.path,
        heading_path=section.heading_path,
        handbook_quote=against.quote,
        decision_quote=decision.quote,
        conversation=decision.shown_id,
    )
    cited = asking.section(section, unit.quote if unit else against.quote)
    if decision.status is DecisionStatus.PENDING:
        still = DraftClaim(f"The handbook still says {stands} ({place(section)}).", NOW, (cited,))
        return replace(pending(asking, decision), chat_only=True), still
    return (
        DraftClaim(f"Handbook and talk disagree here. The handbook says {stands} ({place(section)}).", NOW, (cited,)),
        DraftClaim(
            f"Only {kind}, not in the handbook: {settled(asking, decision)}",
            EVENT,
            (cite_decision(decision),),
            chat_only=True,
            conflict=conflict,
        ),
    )


def replacing(asking: Asking, path: Path) -> list[DraftClaim]:
    """What it replaced and what replaced it, in a sentence each."""
    claims = []
    for earlier in path.replaced[-1:]:
        agreed = f"on {day_of(asking, earlier)} {where(earlier)}: {words_of(earlier, asking.text, SHORTLY)}"
        claims.append(event(f"That replaced what was agreed {agreed}.", (cite_decision(earlier),)))
    return claims


def removed(asking: Asking, path: Path) -> DraftClaim | None:
    """Of a rule that was decided away: who removed it; None where it was not removed."""
    carried = path.carried_out
    if carried is None or carried.change.kind is not ChangeKind.REMOVED:
        return None
    commit, section = carried.change.commit, carried.change.section
    took = f"{by(commit, asking.links)} took it out on {asking.date(commit.at)}"
    text = f"{place(section)} is no longer in the handbook: {took}."
    return event(text, (asking.section(section, heading_line(section)), asking.commit(commit)))
