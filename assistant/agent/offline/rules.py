"""What is the rule, today or on a day, and what it was when it is a rule no more."""

from dataclasses import dataclass

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.offline import past
from assistant.agent.offline.asking import Asking, event
from assistant.agent.offline.refusals import refusal
from assistant.agent.offline.wording import by, differing, place, quoted, sentence, shown, since
from assistant.agent.tools.section_history import Version
from assistant.graph.reading.commits import CommitRow
from assistant.model.sections import SectionVersion
from assistant.search.passages import Passage
from assistant.text.units import Unit

WORDS = 55
"""Words of quotes after which no further passage is added."""

PASSAGES, SECTIONS = 3, 3
"""At most this many quotes, of this many sections."""

NEAR = 4.0
"""How far behind the best a passage may be to be quoted, too. Scores are logits: beyond it the odds are 1 : 55, and of
36 development lookups none had its answer there."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Words in a version of a section, which stands at an index of its history."""

    history: tuple[Version, ...]
    at: int
    unit: Unit

    @property
    def version(self) -> Version:
        return self.history[self.at]

    @property
    def section(self) -> SectionVersion:
        return self.version.section


def looked_up(asking: Asking, passage: Passage) -> Standing:
    """The passage in its section's history."""
    history = asking.history(passage.section)
    return Standing(history, past.index_of(history, passage.section.id), passage.unit)


def followed(asking: Asking, found: Standing) -> Standing:
    """The words as they stood last up to the asked day, through every rewording."""
    at, unit = found.at, found.unit
    for number in range(found.at + 1, len(found.history)):
        section = found.history[number].section
        if asking.day is not None and section.since > asking.day:
            break
        reworded = unit if unit.quote in section.text else past.closest(unit.quote, section.text, past.REWRITTEN)
        if reworded is None:
            break
        at, unit = number, reworded
    return Standing(found.history, at, unit)


def rule(asking: Asking) -> Draft | Refusal:
    """The words that answer, with their sections; refuses where none do."""
    found, first = asking.topic()
    if first is None:
        return refusal(asking, found)
    if not asking.in_force(first.section):
        return once(asking, first)
    claims: list[DraftClaim] = []
    told: set[str] = set()
    for passage in chosen([p for p in found.passages if asking.in_force(p.section)], asking.text):
        if passage.section.id in told:
            text = f"It also says {shown(passage.unit, asking.text)}."
            claims.append(DraftClaim(text, asking.holds, (asking.section(passage.section, passage.unit.quote),)))
        else:
            claims.append(_claim(asking, looked_up(asking, passage), first=not told))
            told.add(passage.section.id)
    return tuple(claims)


def once(asking: Asking, passage: Passage) -> Draft:
    """What the best passage, of a version that holds no more, came to: today's wording first, else that it is gone."""
    found = looked_up(asking, passage)
    today = followed(asking, found)
    if not asking.in_force(today.section):
        return (gone(asking, today),)
    change = past.ended(found.history, found.at, found.unit.quote)
    claim = _claim(asking, today, first=True)
    if change is None:
        return (claim,)
    old, _ = differing(found.unit.plain, today.unit.plain)
    text = (
        f"Until {asking.date(change.commit.at)} it said {quoted(old)}; {by(change.commit, asking.links)} changed that."
    )
    return claim, event(text, (asking.section(found.section, found.unit.quote), asking.commit(change.commit)))


def chosen(passages: list[Passage], about: str) -> list[Passage]:
    """The best passage, and those after it that the length allows, each section's together."""
    kept: list[Passage] = []
    words = 0
    for passage in passages:
        sections = {one.section.id for one in kept} | {passage.section.id}
        told = any(passage.unit.plain in f"{one.unit.context} {one.unit.plain}" for one in kept)
        length = len(shown(passage.unit, about).split())
        if passage.score < passages[0].score - NEAR:
            break
        if kept and (told or len(kept) == PASSAGES or len(sections) > SECTIONS or words + length > WORDS):
            continue
        kept.append(passage)
        words += length
    order = list(dict.fromkeys(passage.section.id for passage in kept))
    return sorted(kept, key=lambda passage: order.index(passage.section.id))


def _claim(asking: Asking, found: Standing, first: bool) -> DraftClaim:
    """The first quote of a section: its words, where they stand, since when and by whom."""
    begun = past.story(found.history, found.at, found.unit.quote).first
    words = shown(found.unit, asking.text)
    text = f"{words} ({place(found.section)}, {since(begun.commit, asking.links, asking.zone)})."
    cited = [asking.section(found.section, found.unit.quote), asking.commit(begun.commit)]
    if asking.day is None:
        return DraftClaim(text if first else f"Also: {text}", asking.holds, tuple(cited))
    text = f"On {asking.date(asking.day)} it said: {text}" if first else f"And: {text}"
    change = past.ended(found.history, found.at, found.unit.quote) if first else None
    if change is not None:
        text += f" {sentence(by(change.commit, asking.links))} changed that on {asking.date(change.commit.at)}."
        cited.append(asking.commit(change.commit))
    return DraftClaim(text, asking.holds, tuple(cited))


def standing_claim(asking: Asking, found: Standing) -> DraftClaim:
    """What words of a section say on the asked day, since when and by whom."""
    return _claim(asking, found, first=True)


def gone(asking: Asking, found: Standing) -> DraftClaim:
    """What was said once and is no more: says so first, with the commit that took it away."""
    words, where = shown(found.unit, asking.text), place(found.section)
    ending = end_of(found)
    origin = since(past.story(found.history, found.at, found.unit.quote).first.commit, asking.links, asking.zone)
    if ending is None:
        text = f"{where} said {words} ({origin})."
        return event(text, (asking.section(found.section, found.unit.quote), asking.commit(found.version.commit)))
    commit, whole = ending
    what = where if whole else "it"
    text = (
        f"That is no longer in the handbook: {by(commit, asking.links)} took {what} out on {asking.date(commit.at)}. "
    )
    text += f"Until then it said {words}." if whole else f"Until then {where} said {words}."
    return event(text, (asking.section(found.section, found.unit.quote), asking.commit(commit)))


def end_of(found: Standing) -> tuple[CommitRow, bool] | None:
    """The commit after which words stand no more, and whether it removed the whole section."""
    if found.version.removed_by:
        return found.version.removed_by, True
    change = past.ended(found.history, found.at, found.unit.quote)
    return None if change is None else (change.commit, False)
