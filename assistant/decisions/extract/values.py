"""Values that a decision sets: amounts, times, days, lengths, names; and what they replace."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.decisions.extract.roles import in_charge

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
_SPOKEN = (
    rf"(?:(?:a|{_SPOKEN_WORD})(?:[ -](?:and )?)?)?(?:{_SPOKEN_WORD})"
    rf"(?:[ -](?:and (?:a half|{_SPOKEN_WORD})|{_SPOKEN_WORD}))*"
)
_UNIT = (
    r"(?:(?:us |full |calendar )?(?:business|working|week|calendar)[ -]days?|minutes?|mins?|hours?|hrs?|days?|"
    r"weeks?|months?|quarters?|years?|"
    r"percent|per cent|dollars?|euros?|pounds?|cents?|people|engineers?|customers?|repos(?:itories)?|changesets?|"
    r"times?|px|gb|mb|tb|ms|k|utc|pst|pt|am|pm|a\.m\.|p\.m\.|cet|"
    r"characters?|sessions?|presenters?|trips?|interviews?|participants?|languages?)"
)
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_MONTH = r"(?:January|February|March|April|June|July|August|September|October|November|December)"
_FIGURE = r"[$€£]?\d(?:[\d.,:]*\d)?(?:[kKmM]\b|%|(?:st|nd|rd|th)\b)?(?![A-Za-z]{3})"
_QUANTITY = re.compile(
    rf"(?:(?<![\w.#/@])|(?<=[\u3040-\u9fff\uac00-\ud7af]))(?<![A-Za-z]-)"
    rf"(?:[≥≤<>~]\s?)?(?:{_FIGURE}(?:\s?[-–]\s?{_FIGURE})?|"
    rf"\b{_SPOKEN}\b)(?:[ -]?{_UNIT}\b)?(?:[ -]?{_UNIT}\b)?"
    rf"|\b(?:a|an|one|half an?|a quarter of an?) (?:(?:full|whole|working|business|calendar) )?(?:month|week|day|"
    rf"hour|quarter|year|minute)\b"
    rf"|\b(?:every|once a|twice a|per|bi-?) ?(?:two |other )?(?:day|week|month|quarter|year|fortnight)s?\b|"
    rf"\b(?:a single|noon(?: pacific)?|midnight|weekly|monthly|daily|quarterly|fortnightly)\b"
    rf"|\b{_DAY}\b|\b{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?\b",
    re.I,
)
_BARE = re.compile(rf"^(?:\d+|{_SPOKEN_WORD})$", re.I)
_COUNTED = re.compile(
    r" (?!(?:is|was|as|this|us|its|has|does|says|goes|works|makes|means|plus|minus|less|perhaps)\b)[a-z]{2,}s\b"
)
"""What a bare number counts: "two reviewers"."""
_UPPER = re.compile(rf" to (?P<to>{_SPOKEN_WORD})\b(?: {_UNIT}\b)?", re.I)
_PRONOUN = re.compile(r"^(?:one|first|second|third|a)$", re.I)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, a day, a length or a rate, as it stands in the text."""

    text: str
    start: int
    key: str
    """The same for every spelling of the value."""
    counts: bool = False
    """Whether it counts things that are no measure: "nine tickets"."""


def found(text: str) -> Iterator[Quantity]:
    """Every quantity of the text, in order; a bare "one" or "first" is none."""
    told = 0
    for match in _QUANTITY.finditer(text):
        words = match[0].rstrip(" .,:-")
        if words and not _PRONOUN.match(words) and match.start() >= told:
            counted = _COUNTED.match(text, match.start() + len(words)) if _BARE.match(words) else None
            words += counted[0] if counted else _range(text, match.start(), words)
            told = match.start() + len(words)
            yield Quantity(words, match.start(), key(words), counted is not None)


def _range(text: str, start: int, words: str) -> str:
    """The rest of "two to three", not of "from two to three"."""
    upper = _UPPER.match(text, start + len(words))
    low, high = spoken(words), spoken(upper["to"]) if upper else None
    if (
        upper is None
        or low is None
        or high is None
        or high <= low
        or re.search(r"\bfrom (?:the )?$", text[max(0, start - 12) : start], re.I)
    ):
        return ""
    return upper[0]


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


def unit(words: str) -> str:
    """What the number of a quantity counts, in one spelling: `day`, `$`, `%`, '' for a bare number."""
    low = words.casefold()
    sign = re.search(r"[$€£%]", low)
    if sign:
        return sign[0]
    tail = re.findall(r"[a-z]+", re.sub(_SPOKEN, " ", low, flags=re.I))
    return tail[-1].rstrip("s") if tail else ""


_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}


def ranges(words: str) -> bool:
    """Whether it tells two bounds: `2-4 weeks`, `two to four`."""
    return re.search(r"\d\s?[-–]\s?\d| to ", words) is not None


def dimension(words: str) -> str:
    """What a quantity measures: `time` for every length of time, else its unit."""
    own = unit(words)
    return "time" if own in _DAYS else own


def extreme(text: str, *, largest: bool) -> str | None:
    """The largest or smallest of the quantities that the text names, None where it names fewer than two."""
    sized = []
    for quantity in found(text):
        number = re.match(r"[\d.]+$", quantity.key)
        size = float(number[0]) if number and quantity.key.count(".") < 2 and quantity.key != "." else 1.0
        if number or re.match(r"(?:a|an|one|half)\b", quantity.text, re.I):
            sized.append((size * _DAYS.get(unit(quantity.text), 1), quantity.text))
    return (max if largest else min)(sized)[1] if len(sized) > 1 else None


_OLD_LEAD = re.compile(
    r"(?:\binstead of|\bin place of|\brather than|\bnot|n't|\bforget|\bscrap|\breplac(?:es|ing)|\bno longer|"
    r"\bwas|\bwere|\bup from|\bdown from|(?<!more )(?<!less )(?<!fewer )(?<!longer )(?<!later )\bthan)"
    r"(?: (?:the|a|an|to|at|in|on|for|about|around|that|your|our|from|one|even))*\s*$",
    re.I,
)
_FROM, _TO = re.compile(r"\bfrom (?:the |an? )?$", re.I), re.compile(r"^[^.;?!]{0,40}\bto\b", re.I)
_VON, _AUF = (
    re.compile(r"\b(?:von|de|desde|da|van) $", re.I),
    re.compile(r"^[^.;?!]{0,12} (?:auf|a|à|naar) [$€£]?\d", re.I),
)
"""The same in languages that say it with two words as well."""
_NEW_LEAD = re.compile(
    r"(?:\bto|\bat|\bmake it|\bput it at|\bis|\bare|\bget|\bgets|\bit's|\bwith|\buse|\bsay|\btakes?|\blasts?|"
    r"\bfor|=|\bgoes?(?: in)?to|\bwithin|\bdo|\bof|\bafter|\bup to|\babout|\bschedule|\bthan|\bpast|\babove|"
    r"\bunder|\bso|\bbook|\bput)"
    r",?(?: (?:the|a|an|about|around|us|up to|down to|exactly|only|just|to|at|as|it|be|them))*\s*[$€£≥]?\s*$",
    re.I,
)
_WHEN_LEAD = re.compile(
    r"(?:\bfrom|\bas of|\bstarting(?: with| on| from)?|\bby|\bbefore|\bweek of|\bfirst one|\bsince|\bthe first|"
    r"\buntil|\bon the|\bon|\blast|\bnext|\bthis|\bnew slot is|\blook at it .*|\brevisit .*|\bwith the)"
    r"(?: (?:the|next|coming|week of|of|at|new))*\s*$",
    re.I,
)
_TIME_WORDS = re.compile(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$", re.I)
_MONTH_DAY = re.compile(rf"^{_MONTH}(?: \d|$)", re.I)
_AFTERWARDS = re.compile(
    r"^[^.?!]{0,30}(?:\binstead of|\bin place of|\bthen\b|\brather than|\band not\b|, not\b|\bit is\b|\bat (?:most|"
    r"least)\b|\bminimum\b|\bmaximum\b|\bor more\b)",
    re.I,
)
_GIVEN_UP = re.compile(r"^[^.?!,]{0,30}(?:\bnot\b|n't\b|\bis out\b|\bare out\b|\bgoes away\b|\bno longer\b)", re.I)
_ASIDE = re.compile(
    r"\b(?:pages?|slide|candidates?|tickets?|PRs?|option|sev|tier|phase|FY|Q|level|version|old|last|previous|"
    r"existing ones get the|other|all|her|his|my|their|(?:try|trial) (?:it|this|that) for)\s*$",
    re.I,
)
_SPAN = re.compile(r"^ (?:before|after|ahead|prior|in advance|past|notice|on)\b", re.I)
_LASTS = re.compile(r"\b(?:minute|hour|day|week|month|year)s?$", re.I)
_PUT = re.compile(r"\b(?:i'?d|let'?s|make it|we)\b[^.?!]{0,24}$", re.I)
SHIFT = re.compile(r" (?:later|earlier|sooner|longer|shorter|more|less)\b", re.I)
"""Makes a shift of a length of time: `a week later`."""
DAY = re.compile(rf"(?:(?:{'|'.join(_ORDINALS)})|\d(?:st|nd|rd|th))$|^{_MONTH} \d", re.I)
"""A quantity that is a day of a month."""
_TOLD = re.compile(
    r"\b(?:I|we|he|she|they) (?:just |already )?(?:ran|did|had|tried|took|saw|got|looked|spent|counted|asked|made|lost|"
    r"(?!offer|agreed|propos|suggest|decid|settl|pick|want|need|promis|plann)\w{3,}ed)\b[^.?!;]*$",
    re.I,
)
"""What somebody tells of the past sets nothing."""
_LARGE = re.compile(r"\d{3,}(?!\.)")
_CLEAR = 1.2
"""How well a quantity must fit so that a role beside it is not what is settled."""
_SURE = 0.3
"""How well a quantity must fit to be taken as the new value."""


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
        end = quantity.start + len(quantity.text)
        lead, rest = text[max(0, quantity.start - 48) : quantity.start], text[end : end + 80]
        left = (_FROM.search(lead) and _TO.match(rest)) or (_VON.search(lead) and _AUF.match(rest))
        if left or _OLD_LEAD.search(lead):
            old = old or quantity
            continue
        ranked.append((_fits(quantity, lead, rest) - 0.1 * place, -place, quantity))
    best = max(ranked, default=None)
    holder, held = in_charge(text)
    if holder and (held or best is None or best[0] < _CLEAR):
        return Change(holder, held)
    new, before = _named(text)
    if best and best[0] >= (_SURE if not new else 0.9 + 0.5 * bool(before) + 0.6 * (new[0] in "`@")):
        return Change(_shifted(best[2], text), old.text if old else before)
    return Change(new, before or (old.text if old else None))


def _shifted(quantity: Quantity, text: str) -> str:
    """The quantity, with what makes a shift of it: `a week later`."""
    rest = SHIFT.match(text, quantity.start + len(quantity.text)) if _LASTS.search(quantity.text) else None
    return quantity.text + (rest[0] if rest else "")


def _fits(quantity: Quantity, lead: str, rest: str) -> float:
    """How much the place looks like that of a new value."""
    score = 1.0 if _NEW_LEAD.search(lead) else 0.0
    spans = bool(_LASTS.search(quantity.text)) and bool(_SPAN.match(rest))
    score += 0.8 if spans else -1.2 if _WHEN_LEAD.search(lead) else 0.0
    score += 0.6 if _PUT.search(lead) else 0.0
    score -= 0.5 if _TIME_WORDS.match(quantity.text) else 0.0
    score -= 0.3 if _MONTH_DAY.match(quantity.text) else 0.0
    score += 0.5 if re.search(r"\d|hundred|thousand", quantity.text) or _LARGE.match(quantity.key) else 0.0
    score += 0.3 if " " in quantity.text or re.search(r"\d(?:px|%|k)|[$€£]", quantity.text) else 0.0
    score += 0.4 if _AFTERWARDS.match(rest) else 0.0
    score += 0.6 if quantity.start < 4 else 0.0
    score += (
        0.6
        if re.match(r"every |once |twice |noon|midnight|weekly|monthly|daily|quarterly", quantity.text, re.I)
        else 0.0
    )
    score -= 0.8 if quantity.text.endswith("others") else 0.0
    score -= 1.0 if _GIVEN_UP.match(rest) else 0.0
    score -= 0.5 if quantity.counts else 0.0
    score -= 0.8 if _TOLD.search(lead) else 0.0
    score -= 0.9 if _ASIDE.search(lead) else 0.0
    shifts = _LASTS.search(quantity.text) and SHIFT.match(rest)
    return max(_SURE + 0.1, min(score, 0.9)) if shifts else score


_THING = r"(?:`[^`]+`|@[\w-]+|(?:the |a )?(?:[A-Z][\w-]+)(?: (?:of |and )?[A-Z][\w-]+)*(?: team)?)"
_NAMED_NEW = re.compile(
    rf"\b(?:to|into|use|is|called|by|via|through|over to|be|on)\s+(?P<thing>{_THING})|\b(?:From \w+|Then|"
    rf"So) (?P<who>the [A-Z]\w+ team)\b"
)
_NAMED_OLD = re.compile(
    rf"\b(?:instead of|not|no longer|rather than|in place of|replacing|forget|drop)\s+(?P<thing>{_THING})|"
    rf"\bfrom (?P<left>{_THING}) to\b"
)
_CALENDAR = re.compile(
    r"^(?:the )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|^I\b"
)


def _named(text: str) -> tuple[str | None, str | None]:
    """Names that are set and replaced: systems, teams, handles."""
    new = next(
        (m["thing"] or m["who"] for m in _NAMED_NEW.finditer(text) if not _CALENDAR.match(m["thing"] or m["who"])), None
    )
    old = next(
        (m["thing"] or m["left"] for m in _NAMED_OLD.finditer(text) if not _CALENDAR.match(m["thing"] or m["left"])),
        None,
    )
    return (None if new == old else new), old
