"""What holds, or held, where a decision was carried out: the words of the section that its commit changed."""

from assistant.agent.draft import EVENT, Draft, DraftClaim
from assistant.agent.evidence import cite_decision
from assistant.agent.offline import past
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.past import Turn
from assistant.agent.offline.rules import Standing, followed, gone, standing_claim
from assistant.agent.offline.telling import day_of, sides, turn_of, where
from assistant.agent.offline.wording import by, differing, place, quoted, sentence
from assistant.agent.tools.section_history import Version
from assistant.agent.tools.why_path import Path
from assistant.text.units import Unit


def ruled(asking: Asking, path: Path) -> Draft | None:
    """The words that held on the asked day in the place that the decision changed, and who decided them."""
    turn = turn_of(asking, path)
    found = None if turn is None else standing(asking, turn)
    if found is None:
        return None
    if not asking.in_force(found.section):
        return (gone(asking, found), decider(asking, path))
    claim = standing_claim(asking, found)
    after = turn is not None and found.section.valid_from >= turn.made.section.valid_from
    return (claim, decider(asking, path)) if after else (claim,)


def standing(asking: Asking, turn: Turn) -> Standing | None:
    """The changed words as they stood on the asked day: the new ones and what came of them, or those before."""
    history = asking.history(turn.made.section)
    made = next((n for n, one in enumerate(history) if one.section.id == turn.made.section.id), None)
    early = asking.day is not None and turn.made.section.since > asking.day
    if made is not None and not early:
        return None if turn.new is None else followed(asking, Standing(history, made, turn.new))
    if turn.old is None:
        return None
    return _earlier(asking, history, len(history) if made is None else made, turn.old)


def _earlier(asking: Asking, history: tuple[Version, ...], until: int, unit: Unit) -> Standing | None:
    """Words that stood right before an index of a history, in the version that held on the asked day."""
    for at in range(until - 1, -1, -1):
        match = past.closest(unit.quote, history[at].section.text, past.REWRITTEN)
        if match is None:
            return None
        unit = match
        if asking.day is None or history[at].section.since <= asking.day:
            return Standing(history, at, unit)
    return None


def decider(asking: Asking, path: Path) -> DraftClaim:
    """Who decided it, in a sentence without the words."""
    decision = path.decision
    who = f"{decision.decided_by} decided that" if decision.decided_by else "That was agreed"
    return DraftClaim(f"{who} on {day_of(asking, decision)} {where(decision)}.", EVENT, (cite_decision(decision),))


def before(asking: Asking, path: Path) -> Draft | None:
    """What stood there until the commit that carried the decision out."""
    turn = turn_of(asking, path)
    if turn is None or turn.old is None or turn.new is None:
        return None
    commit = turn.made.commit
    old, new = differing(turn.old.plain, turn.new.plain)
    text = f"Until {asking.date(commit.at)}, {place(turn.made.section)} said {quoted(old)}. "
    text += f"{sentence(by(commit, asking.links))} changed that to {quoted(new)}."
    return (event(text, (*sides(asking, turn), asking.commit(commit))), decider(asking, path))
