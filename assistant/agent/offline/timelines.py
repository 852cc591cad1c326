"""All that words have said in turn, how often they changed, and whether they did in a stretch of time."""

from datetime import datetime
from itertools import pairwise

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.offline import past
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.histories import became, cited, turned
from assistant.agent.offline.past import Turn
from assistant.agent.offline.refusals import refusal
from assistant.agent.offline.rules import Standing, followed, gone, looked_up
from assistant.agent.offline.wording import by, clipped, place, quoted, shown, since
from assistant.text.spans import numbers

TOLD = 5
"""At most this many changes are told, the latest."""


def timeline(asking: Asking) -> Draft | Refusal:
    """What the words that speak to the subject were at first, and every change since, latest first."""
    found, passage = asking.topic()
    if passage is None:
        return refusal(asking, found)
    latest = followed(asking, looked_up(asking, passage))
    changes, first = _changes(latest)
    if not changes:
        told: Draft = (_unchanged(asking, latest, "It has not changed"), *_around(asking, latest))
    else:
        told = (_begun(asking, first), *_bullets(asking, changes))
    return told if asking.in_force(latest.section) else (*told, gone(asking, latest))


def moved(asking: Asking) -> Draft | Refusal:
    """Yes, when and by which request the words changed in the asked stretch of time; or no."""
    found, passage = asking.topic()
    if passage is None:
        return refusal(asking, found)
    latest = followed(asking, looked_up(asking, passage))
    if not asking.in_force(latest.section):
        return (gone(asking, latest),)
    changes, _ = _changes(latest)
    start, end = _window(asking)
    within = [turn for turn in changes if start <= turn.made.section.since < end]
    if within:
        claim = event(f"Yes, on {_change(asking, within[0])}", cited(asking, within[0]))
        return (claim, *_bullets(asking, within[1:]))
    if not changes:
        return (_unchanged(asking, latest, "No"), *_around(asking, latest))
    near = min(changes, key=lambda turn: abs(turn.made.section.since - start))
    known = "the last change was on" if near is changes[0] else "the nearest change was on"
    return (event(f"No: {known} {_change(asking, near)}", cited(asking, near)), *_around(asking, latest))


def _changes(latest: Standing) -> tuple[list[Turn], Turn]:
    """The changes of what the words say (of their numbers, where they have any), latest first; and how they began."""
    turns = list(past.turns(latest.history, latest.at, latest.unit))
    changes = [turn for turn in turns if turn.old and turn.new]
    return (past.valued(changes) if numbers(latest.unit.plain) else changes), turns[-1]


def _window(asking: Asking) -> tuple[datetime, datetime]:
    """The asked stretch of time; all of it where the question names none."""
    period, first = asking.intent.period, datetime.min.replace(tzinfo=asking.zone)
    last = datetime.max.replace(tzinfo=asking.zone)
    if period is None:
        return first, last
    if period.lead in ("since", "from"):
        return period.start, last
    if period.lead in ("after", "following"):
        return period.end, last
    if period.lead in ("before", "prior to", "until", "till", "by"):
        return first, period.start
    return period.start, period.end


def _unchanged(asking: Asking, latest: Standing, lead: str) -> DraftClaim:
    begun = past.story(latest.history, latest.at, latest.unit.quote).first
    origin = since(begun.commit, asking.links, asking.zone)
    text = f"{lead}: {shown(latest.unit, asking.text)} ({place(latest.section)}, {origin})."
    return DraftClaim(
        text, asking.holds, (asking.section(latest.section, latest.unit.quote), asking.commit(begun.commit))
    )


def _around(asking: Asking, latest: Standing) -> Draft:
    """The latest change of other words of the section in the asked stretch of time: who asks may have meant these."""
    start, end = _window(asking)
    for before, after in reversed(list(pairwise(latest.history[: latest.at + 1]))):
        turn = turned(before, after, asking.intent.subject)
        if start <= after.section.since < end and (turn.old or turn.new):
            return (event(f"Other words there did, on {_change(asking, turn)}", cited(asking, turn)),)
    return ()


def _begun(asking: Asking, first: Turn) -> DraftClaim:
    """What it said at first; the changes follow, one a line, so that their number is seen."""
    if first.new is None:
        return event("It changed:", (asking.commit(first.made.commit),))
    words = quoted(clipped(first.new.plain, asking.text))
    made = f"{by(first.made.commit, asking.links)} brought {words} ({place(first.made.section)})"
    text = f"On {asking.date(first.made.commit.at)}, {made}. It changed since:"
    return event(text, (asking.section(first.made.section, first.new.quote), asking.commit(first.made.commit)))


def _bullets(asking: Asking, changes: list[Turn]) -> tuple[DraftClaim, ...]:
    """One line a change."""
    told = [event(f"• {_change(asking, turn)}", cited(asking, turn)) for turn in changes[:TOLD]]
    if len(changes) > TOLD:
        told[-1] = event(f"{told[-1].text} There were more before.", told[-1].citations)
    return tuple(told)


def _change(asking: Asking, turn: Turn) -> str:
    made = by(turn.made.commit, asking.links)
    return f"{asking.date(turn.made.commit.at)}, {made}: {became(turn, asking.text)}."
