"""What a claim asserts that evidence must hold too: numbers, dates, request numbers, names; and verbatim quotes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from assistant.text.spelling import english

_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen".split()
    )
    if number != 1
}
"""Without "one", which is mostly a pronoun."""
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_ORDINALS = dict(
    zip("third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), range(3, 13), strict=True)
)
_OTHER_WORDS = {"twice": 2, "dozen": 12}
_SCALES = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "k": 1000,
    "m": 10**6,
    "bn": 10**9,
    "b": 10**9,
}
_WORDS = {**_SMALL, **_TENS, **_ORDINALS, **_OTHER_WORDS}
_WORDLIKE = frozenset(("i", "i'm", "i'll", "i've", "i'd", "a", "pr", "mr"))
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_WORDLIKE |= _MONTHS.keys()
"""Capitalised without being names, or checked as something else."""
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b{_YEAR}[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12]\d|3[01])(?!\d)",
        rf"\b(?P<name>{_MONTH})\b\.?\s+{_DAY}\b(?:\s*,?\s+{_YEAR}\b)?",
        rf"\b{_DAY}\s+(?:of\s+)?(?P<name>{_MONTH})\b\.?(?:\s*,?\s+{_YEAR}\b)?",
        rf"\b(?P<name>{_MONTH})\b\.?,?\s+{_YEAR}\b",
        rf"\b{_YEAR}-(?P<month>0[1-9]|1[0-2])\b(?![-/.]?\d)",
        rf"\b(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.]{_YEAR}\b",
        r"\b(?P<year>(?:19|20)\d\d)\s*年\s*(?:(?P<month>1[0-2]|0?[1-9])\s*月\s*(?:(?P<day>3[01]|[12]\d|0?[1-9])\s*日)?)?",
    )
)
_NUMBER = re.compile(
    r"(?<![\w.,:])(?P<sign>[-−](?=\d))?(?P<digits>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?P<rest>(?:[.:,]\d+)*)"
    r"(?:(?:st|nd|rd|th)\b|\s?(?P<scale>k|m|bn|b|hundred|thousand|million|billion)\b)?"
    r"(?P<percent>\s?(?:%|percent\b|per cent\b))?",
    re.I,
)
_VERSION = re.compile(r"\bv(\d+(?:\.\d+)*)\b", re.I)
_SPELLED = re.compile(
    rf"\b(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<one>one|{'|'.join([*_SMALL, *_ORDINALS])}))?\b"
    rf"|\b(?P<word>{'|'.join([*_SMALL, *_ORDINALS, *_OTHER_WORDS])})\b",
    re.I,
)
_SPELLED_SCALE = re.compile(r"[- ](?P<scale>hundred|thousand|million|billion|dozen)\b", re.I)
_PERCENT = re.compile(r"[- ]\s?(?:percent|per cent)\b", re.I)
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_REQUEST = re.compile(
    r"(?<![\w&/])[#!](\d{1,7})\b|\b(?:pull|merge)[ -]requests?\s+[#!]?(\d{1,7})\b|\b[PM]R[ -]?[#!]?(\d{1,7})\b"
    r"|/(?:pull|merge_requests)/(\d{1,7})\b",
    re.I,
)
_NAME = re.compile(r"[^\W\d_](?:[\w&-]|['’](?!s\b)(?=\w)|\.(?=[^\W\d_]))*")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;…。！？]|\n)[\s\"'“‘(\[*_>#|-]*\Z")
_HANDLE = re.compile(r"(?<![\w/.])@[A-Za-z0-9][\w./-]*\w")


def is_verbatim(quote: str, text: str) -> bool:
    """Whether the quote's characters stand in the text, white space aside; an empty quote does not."""
    words = " ".join(quote.split())
    return bool(words) and words in " ".join(text.split())


def numbers(text: str) -> set[str]:
    """Numbers outside dates and request numbers, as plain digits: `5500`, `3.5`, `-2`; `25%` gives `25%` and `25`.

    Small ones written as words and the year of each date count too; `5k` and `1.5 million` are written out.
    """
    found = {day[:4] for day in dates(text) if day[:1] != "-"}
    rest = _without(text, (*_DATES, _REQUEST))
    for version in _VERSION.finditer(rest):
        found.add(version[1])
    for match in _NUMBER.finditer(rest):
        found |= _values(match)
    return found | _spelled(rest)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and where it stands."""

    value: float
    start: int
    end: int


def amounts(text: str) -> list[Amount]:
    """Every number of the text in order, in digits or in words; those of dates, too, but no version like 1.2.3."""
    read = [(match, _value(match)) for match in _NUMBER.finditer(text)]
    there = [Amount(float(value), *match.span()) for match, value in read if _PLAIN.fullmatch(value)]
    taken = [match.span() for match, _ in read]
    for match in _SPELLED.finditer(text):
        if not any(start <= match.start() < end for start, end in taken):
            value, end = _spelled_value(text, match)
            there.append(Amount(float(value), match.start(), end))
    return sorted(there, key=lambda amount: amount.start)


def dates(text: str) -> set[str]:
    """Dates in any usual form: `2020-03-01`, `2020-03`, and `--03-01` without a year.

    A full date also gives its month and its day, so that evidence for it is evidence for them. Day and month of
    `3/4/2020` may be either: both are given.
    """
    found: set[str] = set()
    for pattern in _DATES:
        for match in pattern.finditer(text):
            found |= _forms(match)
    return found


def requests(text: str) -> set[str]:
    """Numbers of pull and merge requests: `#12`, `!12`, `PR 12`, `merge request 12`, and their addresses."""
    return {next(number for number in match.groups() if number) for match in _REQUEST.finditer(text)}


def names(text: str) -> set[str]:
    """Words written as names, in lower case: capitalised where no sentence starts, or no English word; and @handles."""
    found = {handle.lower() for handle in _HANDLE.findall(text)}
    for match in _NAME.finditer(text):
        word = match[0]
        low = word.casefold()
        if word == low or low in _WORDLIKE:
            continue
        ordinary = low in english() and word[1:].islower()
        if not (ordinary and _SENTENCE_START.search(text, max(0, match.start() - 40), match.start())):
            found.add(low)
    return found


def unsupported(claim: str, evidence: str) -> set[str]:
    """What the claim asserts and the evidence does not hold: numbers, dates, request numbers and names."""
    missing = (numbers(claim) - numbers(evidence)) | (dates(claim) - dates(evidence))
    missing |= requests(claim) - requests(evidence) - numbers(evidence)
    said = {match[0].casefold() for match in _NAME.finditer(evidence)} | names(evidence)
    return missing | {name for name in names(claim) if name not in said}


def _without(text: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub(" ; ", text)
    return text


def _values(match: re.Match[str]) -> set[str]:
    """The forms of one number: as digits, scaled, and with its percent sign."""
    value = _value(match)
    return {value, value + "%"} if match["percent"] else {value}


def _value(match: re.Match[str]) -> str:
    rest = match["rest"]
    digits = match["digits"].replace(",", "")
    value = ("-" if match["sign"] else "") + (digits if rest else str(int(digits))) + rest
    return _scaled(value, match["scale"].lower()) if match["scale"] else value


def _scaled(value: str, scale: str) -> str:
    try:
        number = Decimal(value) * _SCALES[scale]
    except InvalidOperation:
        return value
    return format(number.normalize(), "f")


def _spelled(text: str) -> set[str]:
    """Numbers written as words, with what scales them."""
    found: set[str] = set()
    for match in _SPELLED.finditer(text):
        value, end = _spelled_value(text, match)
        found.add(str(value))
        if _PERCENT.match(text, end):
            found.add(f"{value}%")
    return found


def _spelled_value(text: str, match: re.Match[str]) -> tuple[int, int]:
    """The number that words say, and where they end."""
    word = match["word"]
    if word:
        value = _WORDS[word.lower()]
    else:
        value = _TENS[match["tens"].lower()] + _WORDS.get((match["one"] or "").lower(), bool(match["one"]))
    scale = _SPELLED_SCALE.match(text, match.end())
    return (value * _SCALES[scale["scale"].lower()], scale.end()) if scale else (value, match.end())


def _forms(match: re.Match[str]) -> set[str]:
    """A date that was found, and what follows from it; nothing for what is no day of the calendar."""
    parts = match.groupdict()
    year = parts.get("year")
    if parts.get("a"):
        pairs = {(parts["a"], parts["b"]), (parts["b"], parts["a"])}
        return set().union(*(_day(year, int(month), int(day)) for month, day in pairs))
    name = parts.get("name")
    month = _MONTHS[name.lower()] if name else int(parts.get("month") or 0)
    day = parts.get("day")
    if not month:
        return set()
    return _day(year, month, int(day)) if day else {f"{year}-{month:02}"}


def _day(year: str | None, month: int, day: int) -> set[str]:
    try:
        date(int(year or 2000), month, day)
    except ValueError:
        return set()
    short = f"--{month:02}-{day:02}"
    return {short, f"{year}-{month:02}", f"{year}-{month:02}-{day:02}"} if year else {short}
