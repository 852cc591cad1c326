"""Values that a decision sets: amounts, times, days, lengths, names; and what they replace."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
).split()
_SPOKEN_WORD = "|".join(sorted([*_ONES, *_TENS, *_ORDINALS, "hundred", "thousand", "million"], key=len, reverse=True))
_SPOKEN = rf"(?:(?:a|{_SPOKEN_WORD})(?:[ -](?:and )?)?)?(?:{_SPOKEN_WORD})(?:[ -](?:and (?:a half|{_SPOKEN_WORD})|{_SPOKEN_WORD}))*"
_UNIT = (
    r"(?:(?:us |full |calendar )?(?:business|working|week|calendar)[ -]days?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|"
    r"percent|per cent|dollars?|euros?|pounds?|cents?|people|engineers?|customers?|repos(?:itories)?|changesets?|times?|px|gb|mb|tb|ms|k|utc|pst|pt|am|pm|a\.m\.|p\.m\.|cet|"
    r"characters?|sessions?|presenters?|trips?|interviews?|participants?|languages?)"
)
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_MONTH = r"(?:January|February|March|April|June|July|August|September|October|November|December)"
_FIGURE = r"[$€£]?\d[\d.,:]*\d?(?:[kKmM]\b|%)?(?:st|nd|rd|th)?"
_QUANTITY = re.compile(
    rf"(?<![\w.#/@])(?:[≥≤<>~]\s?)?(?:{_FIGURE}(?:\s?[-–]\s?{_FIGURE})?|\b{_SPOKEN}\b)(?:[ -]?{_UNIT}\b)?(?:[ -]?{_UNIT}\b)?"
    rf"|\b(?:a|an|one|half an?|a quarter of an?) (?:(?:full|whole|working|business|calendar) )?(?:month|week|day|hour|quarter|year|minute)\b"
    rf"|\b(?:every|once a|twice a|per|bi-?) ?(?:two |other )?(?:day|week|month|quarter|year|fortnight)s?\b|\b(?:noon|midnight|twice|weekly|monthly|daily|quarterly|fortnightly)\b"
    rf"|\b{_DAY}\b|\b{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?\b",
    re.I,
)
_PRONOUN = re.compile(r"^(?:one|first|second|third|a)$", re.I)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, a day, a length or a rate, as it stands in the text."""

    text: str
    start: int
    key: str
    """The same for every spelling of the value."""


def found(text: str) -> Iterator[Quantity]:
    """Every quantity of the text, in order; a bare "one" or "first" is none."""
    for match in _QUANTITY.finditer(text):
        words = match[0].strip(" .,:-")
        if words and not _PRONOUN.match(words):
            yield Quantity(words, match.start(), key(words))


def quantities(text: str) -> tuple[str, ...]:
    """The keys of the quantities of the text."""
    return tuple(quantity.key for quantity in found(text))


_VALUE_OF = {word: number for number, word in enumerate(_ONES)}
_VALUE_OF |= {word: number * 10 for number, word in enumerate(_TENS, 2)}
_VALUE_OF |= {word: number for number, word in enumerate(_ORDINALS[:19], 1)} | {"twentieth": 20, "thirtieth": 30}
_SCALE = {"hundred": 100, "thousand": 1000, "million": 10**6}


def key(words: str) -> str:
    """The value in digits where it is a number: `twenty five hundred dollars` and `$2,500` are both `2500`."""
    low = words.casefold()
    figures = re.search(r"\d[\d.,:]*", low)
    if figures:
        digits = re.sub(r",(?=\d{3})", "", figures[0]).rstrip(".,:")
        return digits + ("000" if re.match(r"k\b", low[figures.end() :]) else "")
    number = spoken(low)
    return low if number is None else f"{number:g}"


def spoken(words: str) -> float | None:
    """The number that words tell: `five and a half thousand` is 5500, None where they tell none."""
    total, current, any_number = 0.0, 0.0, False
    for word in re.findall(r"[a-z]+", words.replace("and a half", "half")):
        if word in _VALUE_OF:
            number = _VALUE_OF[word]
            fits = current % 100 == 0 or (current % 10 == 0 and number < 10 <= current % 100)
            current = current + number if fits else current * 100 + number
            any_number = True
        elif word == "half" and any_number:
            current += 0.5
        elif word in _SCALE and any_number:
            current *= _SCALE[word]
            if word != "hundred":
                total, current = total + current, 0.0
        elif word == "a" or not any_number:
            current = max(current, 1.0) if word == "a" else current
        else:
            break
    return total + current if any_number else None


_OLD_LEAD = re.compile(
    r"(?:instead of|in place of|rather than|not|n't|from|than|forget|scrap|drop|replac(?:es|ing)|no longer|and not|was|were|above|below|over|until)"
    r"(?: (?:the|a|an|to|at|in|on|for|about|around|that|your|our|from))*\s*$",
    re.I,
)
_NEW_LEAD = re.compile(
    r"(?:\bto|\bat|make it|put it at|\bis|\bare|\bget|\bgets|\bit's|with|use|say|take|takes|lasts?|for|=|goes?(?: in)?to|moves? to|within|do|does|has|have|of|every|after|up to|about|schedule)"
    r"(?: (?:the|a|an|about|around|us|up to|down to|exactly|only|just|to|at|it|be))*\s*[$€£≥]?\s*$",
    re.I,
)
_WHEN_LEAD = re.compile(
    r"(?:\bfrom|as of|starting(?: with| on| from)?|by|before|week of|first one|since|the first|until|on the|on|last|next|this|new slot is|look at it .*|revisit .*)"
    r"(?: (?:the|next|coming|week of|of|at|new))*\s*$",
    re.I,
)
_TIME_WORDS = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|june|july|august|september|october|november|december)", re.I
)
_WORKING = re.compile(r"\b(?:I'll|I will|can you|could you|PRs?|pages?|appointments?|candidates?|tickets?|calendar|invite)\b", re.I)


@dataclass(frozen=True, slots=True)
class Change:
    """What is set, and what it replaces where that is said."""

    new: str | None
    old: str | None


def change(text: str) -> Change:
    """The value that deciding words set: of several, the one that stands where a new value would."""
    ranked: list[tuple[float, int, Quantity]] = []
    old: Quantity | None = None
    for place, quantity in enumerate(found(text)):
        lead = text[max(0, quantity.start - 48) : quantity.start]
        if _OLD_LEAD.search(lead) and not re.search(r"from \S+(?: \S+){0,3} to\s*$", lead, re.I):
            old = old or quantity
            continue
        ranked.append((_fits(text, quantity, lead) - 0.1 * place, -place, quantity))
    named = _named(text)
    if ranked and (max(ranked)[0] >= 0 or not named[0]):
        return Change(max(ranked)[2].text, old.text if old else named[1])
    return Change(named[0], named[1] or (old.text if old else None))


def _fits(text: str, quantity: Quantity, lead: str) -> float:
    """How much the place looks like that of a new value."""
    score = 1.0 if _NEW_LEAD.search(lead) else 0.0
    score -= 1.2 if _WHEN_LEAD.search(lead) else 0.0
    score -= 0.5 if _TIME_WORDS.match(quantity.text) else 0.0
    score += 0.5 if re.search(r"\d|hundred|thousand", quantity.text) else 0.0
    score += 0.4 if re.match(r"[^.?!]{0,30}\b(?:instead of|in place of|then\b|rather than|and not|from now)", text[quantity.start :]) else 0.0
    score += 0.6 if quantity.start < 4 else 0.0
    score -= 0.6 if _WORKING.search(lead[-20:]) else 0.0
    score -= 0.8 if re.search(r"\bfy ?$|\bq$|(?:\bthe )?(?:old|last|previous) $", lead, re.I) else 0.0
    return score


_THING = r"(?:`[^`]+`|@[\w-]+|(?:the |a )?(?:[A-Z][\w-]+)(?: (?:of |and )?[A-Z][\w-]+)*(?: team)?)"
_NAMED_NEW = re.compile(
    rf"\b(?:to|into|use|with|is|in|called|on|by|via|through|over to|be)\s+(?P<thing>{_THING})|\b(?:From \w+|Then|So) (?P<who>the [A-Z]\w+ team)\b"
)
_NAMED_OLD = re.compile(rf"\b(?:instead of|not|no longer|rather than|from|in place of|replacing|forget|drop)\s+(?P<thing>{_THING})")
_CALENDAR = re.compile(r"^(?:the )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|^I\b")


def _named(text: str) -> tuple[str | None, str | None]:
    """Names that are set and replaced: systems, teams, handles."""
    new = next((m["thing"] or m["who"] for m in _NAMED_NEW.finditer(text) if not _CALENDAR.match(m["thing"] or m["who"])), None)
    old = next((m["thing"] for m in _NAMED_OLD.finditer(text) if not _CALENDAR.match(m["thing"])), None)
    return (None if new == old else new), old
