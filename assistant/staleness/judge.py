"""Do the cited words still stand in the version that followed? By plain rule: texts compared, no model asked."""

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from assistant.model.sections import ChangeKind
from assistant.staleness.support import supports
from assistant.text.limits import limits
from assistant.text.meaning import link_targets, meaning
from assistant.text.spans import names
from assistant.text.units import Unit, units
from assistant.text.wording import says_the_same
from assistant.text.words import STOP_WORDS, content_tokens

UNTOUCHED = frozenset((ChangeKind.COSMETIC, ChangeKind.MOVED))
"""Kinds of change that leave what a section says."""
_CODE = re.compile(r"[\d@/_]")
"""What tells an address, a path or a code from a word."""
ALIKE = 0.5
"""Likeness from which two sentences are one that was worded anew; below, the one is gone and the other is new."""


class Reason(StrEnum):
    """What happened to words that an answer leans on."""

    REMOVED = "removed"
    """They are gone, with nothing like them in their place."""
    CHANGED = "changed"
    """What stands in their place has another number, name, date, condition, negation or scope."""
    REWORDED = "reworded"
    """What stands in their place may say the same in other words."""
    ADDED = "added"
    """They stand, but words came beside them that may limit them."""


UNSURE = frozenset((Reason.REWORDED, Reason.ADDED))
"""What only a person can tell."""


@dataclass(frozen=True, slots=True)
class Touch:
    """Cited words that a change touched: as they were, and what stands in their place or came beside them, if any."""

    reason: Reason
    old_quote: str
    new_quote: str | None

    @property
    def sure(self) -> bool:
        """Whether the words hold no more; else a person is asked."""
        return self.reason not in UNSURE


@dataclass(frozen=True, slots=True)
class Leaning:
    """What an answer says, and the words it leans on."""

    claim: str
    quote: str
    """Verbatim."""
    shown: str
    """The whole answer."""


def judge(leaning: Leaning, kind: ChangeKind, before: str, after: str | None) -> Touch | None:
    """What became of an answer's cited words from one version of their section to the next; None where they hold.

    `after` is None where the section was removed. Markup, white space and whatever else carries no meaning do not
    count, wherever in the section the words stand now.
    """
    quote = leaning.quote
    if after is None:
        return Touch(Reason.REMOVED, quote, None)
    hidden = [one for one in dict.fromkeys(link_targets(quote)) if one in leaning.shown and one not in after]
    if hidden:
        return Touch(Reason.CHANGED, quote, closest(quote, after))
    if kind in UNTOUCHED:
        return None
    return (None if says(after, quote) else first_gone(leaning, after)) or first_beside(leaning, before, after)


def first_gone(leaning: Leaning, after: str) -> Touch | None:
    """The first sentence, list item or table row of the quote that the text does not say any more.

    A quote of many, as of a whole section, stands while each of them does.
    """
    doubt = None
    for unit in sentences(leaning.quote):
        if says(after, unit.quote):
            continue
        near = closest(unit.quote, after)
        if near is not None and says_the_same(unit.quote, near):
            continue
        touch = Touch(reason_of(leaning.claim, unit.quote, near), unit.quote, near)
        if touch.sure:
            return touch
        doubt = doubt or touch
    return doubt


def reason_of(claim: str, old: str, near: str | None) -> Reason:
    """What happened to a sentence of which the closest in the version that followed is `near`."""
    if near is None or likeness(old, near) < ALIKE:
        return Reason.REMOVED
    if is_rewording(old, near):
        return Reason.REWORDED
    if not says(claim, old) and not says(old, claim) and supports(claim, near, old) > 0:
        return Reason.REWORDED
    return Reason.CHANGED


def is_rewording(old: str, new: str) -> bool:
    """Whether a sentence has the same limits and names as before, and at most one word of it that carries meaning went
    or came.
    """
    if limits(old) != limits(new):
        return False
    was, now = Counter(meaning(old)), Counter(meaning(new))
    named = names(old) | names(new)
    for apart in (was - now, now - was):
        if any(word in named or _CODE.search(word) for word in apart):
            return False
        if len([word for word in apart.elements() if word not in STOP_WORDS]) > 1:
            return False
    return True


def first_beside(leaning: Leaning, before: str, after: str) -> Touch | None:
    """Words that came into the cited sentence, which stands otherwise; else the first that came into the section,
    outside the cited ones, and may limit what these say.
    """
    quote = leaning.quote
    stood = {meaning(unit.quote) for unit in sentences(before)}
    subject = set(content_tokens(quote))
    beside = None
    for unit in sentences(after):
        if meaning(unit.quote) in stood or says(quote, unit.quote):
            continue
        near = closest(unit.quote, before)
        if near is not None and (says_the_same(unit.quote, near) or says(near, unit.quote)):
            continue
        if near is not None and says(unit.quote, near) and says(quote, near):
            return Touch(reason_of(leaning.claim, near, unit.quote), near, unit.quote)
        if beside is None and bears(unit.quote, near, subject):
            beside = Touch(Reason.ADDED, quote, unit.quote)
    return beside


def bears(sentence: str, near: str | None, subject: set[str]) -> bool:
    """Whether a sentence that came in, in the place of the closest one if that is like it, may limit another subject.

    One worded anew may by what it limits now and did not before; by other figures only where it shares the subject.
    """
    shared = not subject.isdisjoint(content_tokens(sentence))
    now = limits(sentence)
    if near is None or likeness(sentence, near) < ALIKE:
        return shared or bool(now)
    before = limits(near)
    return (shared and now != before) or any(not any(map(str.isdigit, one)) for one in now - before)


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[Unit, ...]:
    """The sentences, list items and table rows of a text, read once where many answers cite it."""
    return units(text)


def says(text: str, words: str) -> bool:
    """Whether the text has the words in a row, compared by what they mean."""
    wanted, there = meaning(words), meaning(text)
    if not wanted:
        return True
    first, size = wanted[0], len(wanted)
    return any(there[at] == first and there[at : at + size] == wanted for at in range(len(there) - size + 1))


def closest(words: str, text: str) -> str | None:
    """The sentence, list item or table row that has most in common with the words; None where nothing has anything."""
    best, most = None, 0.0
    for unit in sentences(text):
        alike = likeness(words, unit.quote)
        if alike > most:
            best, most = unit.quote, alike
    return best


def likeness(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1 (Dice)."""
    these, those = Counter(meaning(one)), Counter(meaning(other))
    return 2 * (these & those).total() / ((these.total() + those.total()) or 1)
