"""Do the cited words still stand in the version that followed? By plain rule: text compared, no model asked."""

from dataclasses import dataclass

from assistant.model.sections import ChangeKind
from assistant.text.meaning import link_targets, meaning
from assistant.text.units import units
from assistant.text.wording import says_the_same

UNTOUCHED = frozenset((ChangeKind.COSMETIC, ChangeKind.MOVED))
"""Kinds of change that leave what a section says."""


@dataclass(frozen=True, slots=True)
class Gone:
    """Cited words that a change took away, and the closest words of the version that followed, if there are any."""

    old_quote: str
    new_quote: str | None


def judge(quote: str, shown: str, kind: ChangeKind, after: str | None) -> Gone | None:
    """What became of an answer's cited words; None where they still stand.

    `shown` is what the answer said, `after` the text of the version that followed (None: the section was removed).
    Markup, white space and whatever else carries no meaning do not count, wherever in the section the words stand now.
    """
    if after is None:
        return Gone(quote, None)
    hidden = [target for target in dict.fromkeys(link_targets(quote)) if target in shown and target not in after]
    if hidden:
        return Gone(quote, closest(quote, after))
    if kind in UNTOUCHED or says(after, quote):
        return None
    return first_gone(quote, after)


def first_gone(quote: str, after: str) -> Gone | None:
    """The first sentence, list item or table row of the quote that the text does not say any more.

    A quote of many, as of a whole section, stands while each of them does.
    """
    for unit in units(quote):
        if not says(after, unit.quote):
            near = closest(unit.quote, after)
            if near is None or not says_the_same(unit.quote, near):
                return Gone(unit.quote, near)
    return None


def says(text: str, words: str) -> bool:
    """Whether the text has the words in a row, compared by what they mean."""
    wanted, there = meaning(words), meaning(text)
    if not wanted:
        return True
    first, size = wanted[0], len(wanted)
    return any(there[at] == first and there[at : at + size] == wanted for at in range(len(there) - size + 1))


def closest(words: str, text: str) -> str | None:
    """The sentence, list item or table row that has most in common with the words; None where nothing has anything."""
    wanted = set(meaning(words))
    best, most = None, 0.0
    for unit in units(text):
        there = set(meaning(unit.quote))
        common = len(wanted & there)
        likeness = 2 * common / (len(wanted) + len(there)) if common else 0.0
        if likeness > most:
            best, most = unit.quote, likeness
    return best
