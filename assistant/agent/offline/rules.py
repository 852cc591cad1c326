"""What is the rule, today or on a day, and what it was when it is a rule no more."""

from dataclasses import dataclass

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.offline import past
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.refusals import refusal
from assistant.agent.offline.wording import by, clipped, day, differing, place, quoted, sentence, shown, since
from assistant.agent.tools.section_history import Version
from assistant.search.passages import Passage

WORDS = 55
"""Words of quotes after which no further passage is added."""

PASSAGES, SECTIONS = 3, 2
"""At most this many quotes, of this many sections."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage, and the history of its section in which it stands at an index."""

    passage: Passage
    history: tuple[Version, ...]
    at: int


def rule(asking: Asking) -> Draft | Refusal:
    """The words that answer, with their sections; refuses where none do."""
    found, first = asking.topic()
    if first is None:
        return refusal(asking, found)
    if not asking.in_force(first.section):
        return gone(asking, first)
    claims: list[DraftClaim] = []
    told: set[str] = set()
    for passage in chosen([p for p in found.passages if asking.in_force(p.section)], asking.text):
        if passage.section.id in told:
            text = f"It also says {shown(passage.unit, asking.text)}."
            claims.append(DraftClaim(text, asking.holds, (asking.section(passage.section, passage.unit.quote),)))
        else:
            claims.append(_claim(asking, passage, first=not told))
            told.add(passage.section.id)
    return tuple(claims)


def chosen(passages: list[Passage], about: str) -> list[Passage]:
    """The best passage, and those after it that the length allows, each section's together."""
    kept: list[Passage] = []
    words = 0
    for passage in passages:
        sections = {one.section.id for one in kept} | {passage.section.id}
        length = len(shown(passage.unit, about).split())
        if kept and (len(kept) == PASSAGES or len(sections) > SECTIONS or words + length > WORDS):
            continue
        kept.append(passage)
        words += length
    order = list(dict.fromkeys(passage.section.id for passage in kept))
    return sorted(kept, key=lambda passage: order.index(passage.section.id))


def looked_up(asking: Asking, passage: Passage) -> Quoted:
    """The passage in its section's history."""
    history = asking.history(passage.section)
    return Quoted(passage, history, past.index_of(history, passage.section.id))


def _claim(asking: Asking, passage: Passage, first: bool) -> DraftClaim:
    """The first quote of a section: its words, where they stand, since when and by whom."""
    found = looked_up(asking, passage)
    begun = past.story(found.history, found.at, passage.unit.quote).first
    words = shown(passage.unit, asking.text)
    text = f"{words} ({place(passage.section)}, {since(begun.commit, asking.links)})."
    cited = [asking.section(passage.section, passage.unit.quote), asking.commit(begun.commit)]
    if asking.day is None:
        return DraftClaim(text if first else f"Also: {text}", asking.holds, tuple(cited))
    text = f"On {day(asking.day)} it said: {text}" if first else f"And: {text}"
    change = past.ended(found.history, found.at, passage.unit.quote) if first else None
    if change is not None:
        text += f" {sentence(by(change.commit, asking.links))} changed that on {day(change.commit.at)}."
        cited.append(asking.commit(change.commit))
    return DraftClaim(text, asking.holds, tuple(cited))


def gone(asking: Asking, passage: Passage) -> Draft:
    """What a passage said that holds no more: says so first, with the commit that took it away."""
    found = looked_up(asking, passage)
    section, unit = passage.section, passage.unit
    limit = next((n for n, version in enumerate(found.history) if not _told_by(asking, version)), len(found.history))
    history = found.history[:limit]
    change, last = past.ended(history, found.at, unit.quote), history[-1]
    cited = [asking.section(section, unit.quote)]
    if change is not None:
        new = past.closest(unit.quote, change.section.text, past.REWRITTEN)
        was, became = differing(unit.plain, new.plain) if new else (clipped(unit.plain, asking.text), "")
        text = f"Not any more. Until {day(change.commit.at)} {place(section)} said {quoted(was)}; "
        text += by(change.commit, asking.links)
        text += f" made that {quoted(became)}." if new else " took that out."
        cited += [asking.commit(change.commit)] + ([asking.section(change.section, new.quote)] if new else [])
    elif last.removed_by is not None:
        text = f"That is no longer in the handbook: {by(last.removed_by, asking.links)} removed {place(section)} on "
        text += f"{day(last.removed_by.at)}. Until then it said {shown(unit, asking.text)}."
        cited.append(asking.commit(last.removed_by))
    else:
        text = f"{place(section)} said {shown(unit, asking.text)} ({since(history[found.at].commit, asking.links)})."
        cited.append(asking.commit(history[found.at].commit))
    return (event(text, cited),)


def _told_by(asking: Asking, version: Version) -> bool:
    return asking.day is None or version.section.since <= asking.day
