"""What was it before, since when, which request and by whom, is it still so, and why or where it was decided."""

import re
from collections.abc import Callable
from itertools import pairwise

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.offline import past
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.intent import Kind
from assistant.agent.offline.past import Turn
from assistant.agent.offline.refusals import refusal
from assistant.agent.offline.rules import NEAR, Standing, end_of, followed, gone, looked_up
from assistant.agent.offline.wording import (
    by,
    clipped,
    contrasted,
    differing,
    place,
    quoted,
    sentence,
    shown,
    since,
    titled,
)
from assistant.agent.tools.search_sections import Found
from assistant.agent.tools.section_history import Version
from assistant.model.answers import Citation
from assistant.text.spans import numbers
from assistant.text.units import Unit, units
from assistant.text.words import content_tokens

LIKELY = 6
"""Passages whose sections are searched for a change in a period."""


CHANGED = re.compile(r"\bchanged?\b", re.I)
"""That the question means a change of what stood there before."""
OPEN_ENDED = ("since", "after", "following", "before", "prior to", "until", "till")
"""Prepositions that name no stretch of time to look into, but one side of it."""


def history(asking: Asking) -> Draft | Refusal:
    """Answers about how the words that speak to the subject came to be."""
    found, passage = asking.topic()
    if passage is None:
        return refusal(asking, found)
    period = asking.intent.period
    if period is not None and period.lead not in OPEN_ENDED and asking.intent.kind is not Kind.STILL:
        turn = in_period(asking, found)
        return refusal(asking, found) if turn is None else TELLERS[asking.intent.kind](asking, turn)
    latest = followed(asking, looked_up(asking, passage))
    turn = past.turning(latest.history, latest.at, latest.unit, asking.intent.back)
    if asking.intent.kind is Kind.CHANGER and turn.unmade is None and CHANGED.search(asking.text):
        turn = _changed_beside(asking, found, turn)
    if asking.in_force(latest.section):
        return _still(asking, latest) if asking.intent.kind is Kind.STILL else TELLERS[asking.intent.kind](asking, turn)
    if asking.intent.kind is Kind.STILL or not turn.old:
        return (gone(asking, latest),)
    return (*TELLERS[asking.intent.kind](asking, turn), *_ended(asking, latest))


def _ended(asking: Asking, latest: Standing) -> Draft:
    """That what came of the words is gone, too."""
    ending = end_of(latest)
    if ending is None:
        return ()
    commit, _ = ending
    text = f"Since {asking.date(commit.at)} that is gone, too: {by(commit, asking.links)} took it out."
    return (event(text, (asking.section(latest.section, latest.unit.quote), asking.commit(commit))),)


def _changed_beside(asking: Asking, found: Found, first: Turn) -> Turn:
    """The latest change among sections that speak nearly as well to the subject, instead of how one began."""
    near = (one for one in found.passages[:LIKELY] if one.score >= found.passages[0].score - NEAR)
    standings = (followed(asking, looked_up(asking, one)) for one in near if asking.in_force(one.section))
    turns = (past.turning(one.history, one.at, one.unit, 0) for one in standings)
    changes = [turn for turn in turns if turn.old and turn.new]
    return max(changes, key=lambda turn: turn.made.commit.at, default=first)


def in_period(asking: Asking, found: Found) -> Turn | None:
    """The latest change of words within the period that the question names, in the likeliest section that has one."""
    period = asking.intent.period
    if period is None:
        return None
    sections = {passage.section.lineage: passage.section for passage in reversed(found.passages[:LIKELY])}
    for section in reversed(sections.values()):
        for before, after in reversed(list(pairwise(asking.history(section)))):
            if not period.start <= after.section.since < period.end:
                continue
            turn = turned(before, after, asking.intent.subject)
            if turn.old or turn.new:
                return turn
    return None


def turned(before: Version, after: Version, about: str) -> Turn:
    """What a version changed of the one before: the changed unit that speaks most to a subject, and its counterpart."""
    asked = frozenset(content_tokens(about))

    def fresh(text: str, other: str) -> list[Unit]:
        found = [unit for unit in units(text) if not past.stands(unit.quote, other)]
        return sorted(found, key=lambda unit: -len(asked & frozenset(content_tokens(f"{unit.context} {unit.plain}"))))

    brought, taken = fresh(after.section.text, before.section.text), fresh(before.section.text, after.section.text)
    new = brought[0] if brought else None
    if new is None:
        return Turn(after, before, taken[0] if taken else None, None)
    old = past.closest(new.quote, before.section.text, past.REWRITTEN)
    return Turn(after, before, old if old in taken else None, new)


def cited(asking: Asking, turn: Turn) -> tuple[Citation, ...]:
    """The commit of a change and the words on both sides of it."""
    sides: list[Citation] = []
    if turn.new:
        sides.append(asking.section(turn.made.section, turn.new.quote))
    if turn.old and turn.unmade:
        sides.append(asking.section(turn.unmade.section, turn.old.quote))
    return (*sides, asking.commit(turn.made.commit))


def became(turn: Turn, about: str, limit: int = 0) -> str:
    """`“A” became “B” (Place)`, or what was added or taken out; with a limit, no more words than that on each side."""
    where = place(turn.made.section)
    if turn.old and turn.new:
        cut = (turn.old.plain, turn.new.plain)
        old, new = contrasted(*cut, limit) if limit else differing(*cut)
        return f"{quoted(old)} became {quoted(new)} ({where})"
    if turn.new:
        return f"{quoted(clipped(turn.new.plain, about))} was added to {where}"
    words = clipped(turn.old.plain, about) if turn.old else ""
    return f"{quoted(words)} was taken out of {where}"


def _before(asking: Asking, turn: Turn) -> Draft:
    made, when = by(turn.made.commit, asking.links), asking.date(turn.made.commit.at)
    where = place(turn.made.section)
    if turn.old and turn.new:
        old, new = differing(turn.old.plain, turn.new.plain)
        text = f"Until {when}, {where} said {quoted(old)}. {sentence(made)} changed that to {quoted(new)}."
    elif turn.unmade and turn.new:
        new = clipped(turn.new.plain, asking.text)
        text = f"Before {when}, {where} didn't say: {made} added {quoted(new)}."
    else:
        new = clipped(turn.new.plain, asking.text) if turn.new else ""
        text = f"There was nothing before: {made} brought {where} in with these words on {when}: {quoted(new)}."
    return (event(text, cited(asking, turn)),)


def _since(asking: Asking, turn: Turn) -> Draft:
    made, when = by(turn.made.commit, asking.links), asking.date(turn.made.commit.at)
    where = place(turn.made.section)
    if turn.new is None:
        return (event(f"On {when}, {made}: {became(turn, asking.text)}.", cited(asking, turn)),)
    old, new = differing(turn.old.plain, turn.new.plain) if turn.old else ("", clipped(turn.new.plain, asking.text))
    text = f"Since {when}: {made} brought {quoted(new)} ({where})."
    claims = [event(text, (asking.section(turn.made.section, turn.new.quote), asking.commit(turn.made.commit)))]
    if turn.old and turn.unmade:
        claims.append(event(f"Before, it said {quoted(old)}.", (asking.section(turn.unmade.section, turn.old.quote),)))
    return tuple(claims)


def _changer(asking: Asking, turn: Turn) -> Draft:
    made, when = by(turn.made.commit, asking.links), asking.date(turn.made.commit.at)
    text = f"{sentence(made)} on {when}, {titled(turn.made.commit)}: {became(turn, asking.text)}."
    return (event(text, cited(asking, turn)),)


def _talk(asking: Asking, turn: Turn) -> Draft:
    made, when = by(turn.made.commit, asking.links), asking.date(turn.made.commit.at)
    text = f"The change itself came with {made} on {when}, {titled(turn.made.commit)}: {became(turn, asking.text)}."
    return (event(text, cited(asking, turn)),)


def _still(asking: Asking, today: Standing) -> Draft:
    """Yes, since when; or no, where the question names a number that an earlier wording had and today's has not."""
    unit, where = today.unit, place(today.section)
    story = past.story(today.history, today.at, unit.quote)
    asked = numbers(asking.text) - numbers(unit.plain)
    for number, turn in enumerate(past.valued(past.turns(today.history, today.at, unit)) if asked else ()):
        if turn.old and turn.new and asked & numbers(turn.old.plain):
            old, new = differing(turn.old.plain, turn.new.plain)
            text = f"No, not since {asking.date(turn.made.commit.at)}: {by(turn.made.commit, asking.links)} changed "
            claim = DraftClaim(f"{text}{quoted(old)} to {quoted(new)} ({where}).", asking.holds, cited(asking, turn))
            later = f"Today it says {shown(unit, asking.text)}."
            now = DraftClaim(later, asking.holds, (asking.section(today.section, unit.quote),))
            return (claim, now) if number else (claim,)
    lead, origin = "It says" if asked else "Yes:", since(story.first.commit, asking.links, asking.zone)
    text = f"{lead} {shown(unit, asking.text)} ({where}, {origin})."
    sources = (asking.section(today.section, unit.quote), asking.commit(story.first.commit))
    return (DraftClaim(text, asking.holds, sources),)


TELLERS: dict[Kind, Callable[[Asking, Turn], Draft]] = {
    Kind.BEFORE: _before,
    Kind.SINCE: _since,
    Kind.CHANGER: _changer,
    Kind.TALK: _talk,
    Kind.STILL: _since,
    Kind.METRIC: _talk,
}
