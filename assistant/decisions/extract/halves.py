"""What deciding words settle, one thing or two, each with the earlier words that it leans on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.decisions.extract.cues import CUES
from assistant.decisions.extract.features import Said
from assistant.decisions.extract.pointers import Pointed, pointed
from assistant.decisions.extract.statement import deciding_words
from assistant.decisions.extract.values import DAY, SHIFT, Change, change, extreme, found, quantities

_SURE = 1.9
"""Score from which an utterance is meant although neither its speaker nor its number is named."""
_BOTH = re.compile(
    r"\b(?:do|take|have|did) both\b|\bboth (?:steps|of them|parts|numbers|changes|as)\b|^\W*(?:\w+\W+){0,2}both\b", re.I
)
_TWO_NAMED = re.compile(r"\b(?:what|the way|how|as|with) [A-Z]\w+ and [A-Z]\w+ (?:said|say|put|propos|suggest)")
_SECOND = re.compile(
    r"[,;]? and (?:the |we )?(?=(?:take|use|do)\b[^,.;]*\b(?:number|version|proposal)\b"
    r"|[^,.;]{2,60}(?:instead of|and not|down to|up to|\b(?:go|goes|moves?) (?:from [^,.;]+ )?to)\b)"
    r"|, (?=the [^,.;]+ (?:go|goes|moves?) from\b)|, and (?=(?:everyone|everybody) (?:does|gets|has|takes)\b)",
    re.I,
)
"""Where a second thing begins that has a value of its own."""
_LEANS = re.compile(r"\b(?:number|version|proposal)\b", re.I)
_LONGER = re.compile(r"\bthe (?:longer|later|higher|bigger|larger|upper|more generous)\b", re.I)
_SHORTER = re.compile(r"\bthe (?:shorter|earlier|lower|smaller|stricter)\b", re.I)


@dataclass(frozen=True, slots=True)
class Half:
    """One thing that an utterance settles."""

    words: str
    meant: tuple[Pointed, ...]
    """Earlier utterances that the words lean on: none where they say all themselves."""

    def value(self) -> Change:
        """The value of the deciding words, or of those that they point to by name."""
        own = change(self.words)
        if own.new and SHIFT.search(own.new) and self.meant and (day := _day(self.meant[0].quote)):
            return Change(day, own.old)
        for item in self.meant:
            theirs = change(item.quote)
            new = self._compared(item.quote) or theirs.new
            if new and (item.named or not own.new):
                return Change(new, own.old or (theirs.old if theirs.old != new else None))
        return own

    def _compared(self, quote: str) -> str | None:
        """The largest value that the earlier words name, for words such as "the longer one of the two"."""
        if _LONGER.search(self.words):
            return extreme(quote, largest=True)
        return extreme(quote, largest=False) if _SHORTER.search(self.words) else None


def halves(read: Sequence[Said], index: int, topic: int) -> list[Half]:
    """Two where the words settle two things, each with a value of its own; else one."""
    words = deciding_words(read[index].utterance.text)
    if _BOTH.search(words):
        meant = meant_by(read, index, topic, words)
        if meant:
            return [Half(words, meant[:1]), Half(words, meant[1:2] or meant[:1])]
    split = _SECOND.search(words)
    if split:
        first, second = words[: split.start()], words[split.end() :]
        parts = [Half(part, meant_by(read, index, topic, part)) for part in (first, second)]
        if all(quantities(part.words) or (part.meant and _LEANS.search(part.words)) for part in parts):
            return parts
    return [Half(words, meant_by(read, index, topic, words))]


def meant_by(read: Sequence[Said], index: int, topic: int, words: str) -> tuple[Pointed, ...]:
    """Earlier utterances that these deciding words lean on, best first."""
    if echo := _shift_named_before(read, index, topic, words):
        return (echo,)
    ranked = pointed(read, index, topic, words)
    wanted = 2 if _BOTH.search(words) or _TWO_NAMED.search(words) else 1
    if CUES["pointer"].search(words):
        named = _one_a_speaker(read, [item for item in ranked if item.named])
        if named:
            return tuple(named[:wanted])
    if _BOTH.search(words) or change(words).new is None:
        return tuple(item for item in ranked if item.score >= _SURE)[:wanted]
    return ()


def _shift_named_before(read: Sequence[Said], index: int, topic: int, words: str) -> Pointed | None:
    """The last words before that shift by as much as these do and name the day: "push it a week, to the eighth"."""
    new = change(words).new
    if new is None or not SHIFT.search(new):
        return None
    by = SHIFT.sub("", new)
    for at in range(index - 1, topic - 1, -1):
        said = read[at]
        if by in said.utterance.text and not said.utterance.bot and _day(said.utterance.text):
            return Pointed(at, said.utterance.text, _SURE, named=False)
    return None


def _day(text: str) -> str | None:
    """The last day of a month that a text names."""
    named = [quantity.text for quantity in found(text) if DAY.search(quantity.text)]
    return named[-1] if named else None


def _one_a_speaker(read: Sequence[Said], named: list[Pointed]) -> list[Pointed]:
    """The best of each speaker that is named, best first."""
    by_speaker: dict[str, Pointed] = {}
    for item in named:
        by_speaker.setdefault(read[item.index].utterance.speaker.name, item)
    return list(by_speaker.values())
