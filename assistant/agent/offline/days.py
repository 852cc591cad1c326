"""Days in questions: “on 5 March 2021”, “in March”, “last year”, “two weeks ago”, as periods with an end."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import zip_longest

MONTHS = tuple("january february march april may june july august september october november december".split())
MONTH_NUMBERS = {name[:length]: n for n, name in enumerate(MONTHS, 1) for length in (3, len(name))} | {"sept": 9}
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple of": 2, "few": 3}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}
"""The month each begins with, in the north."""
QUARTERS = ("first", "second", "third", "fourth")
TICK = timedelta(microseconds=1)

_MONTH = "(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"
_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|couple of|few)"
_UNIT = r"(?:day|week|month|quarter|year)"


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time that a question names: from `start` up to but without `end`."""

    start: datetime
    end: datetime
    first: int
    """Where the words for it begin in the question,"""
    last: int
    """and where they end."""
    lead: str
    """The preposition before them, as `on`, `since`, `before`; '' without one."""

    @property
    def middle(self) -> datetime:
        """The moment half-way through it."""
        return self.start + (self.end - self.start) / 2

    @property
    def close(self) -> datetime:
        """Its last moment."""
        return self.end - TICK


def periods(question: str, today: datetime) -> list[Period]:
    """The days, months, years and spans that a question names, in order, in the time zone of `today`.

    Years may be missing, the latest past fits.
    """
    text, found = question.casefold(), list[Period]()
    if len(text) != len(question):
        text = question.lower() if len(question.lower()) == len(question) else question
    for pattern, read in _FORMS:
        for match in pattern.finditer(text):
            if any(match.start() < p.last and p.first < match.end() for p in found):
                continue
            span = read(match, today)
            if span is not None:
                lead = "between" if read in (_range, _days_of_month) else _lead(text[: match.start()])
                found.append(Period(*span, match.start(), match.end(), lead))
    return sorted(found, key=lambda period: period.first)


_LEAD = re.compile(
    r"\b(as of|prior to|back in|until|till|before|after|since|following|during|from|"
    r"between|and|to|around|about|on|in|at|by|for|of)\s+(?:the\s+|early\s+|mid[- ]|late\s+)*$"
)


def _lead(before: str) -> str:
    match = _LEAD.search(before)
    return match[1] if match else ""


def without(text: str, period: Period) -> str:
    """A question without the words for a period that it names, and without the preposition before them."""
    before = re.sub(r"\b(?:last|this|past)\s+$", "", text[: period.first], flags=re.I)
    match = _LEAD.search(before.lower())
    return (before[: match.start()] if match else before) + " " + text[period.last :]


Span = tuple[datetime, datetime] | None
Zone = tzinfo | None


def _day(zone: Zone, year: int, month: int, day: int) -> Span:
    try:
        start = datetime(year, month, day, tzinfo=zone)
    except ValueError:
        return None
    return start, start + timedelta(days=1)


def _month(zone: Zone, year: int, month: int, count: int = 1) -> Span:
    after = month - 1 + count
    return datetime(year, month, 1, tzinfo=zone), datetime(year + after // 12, after % 12 + 1, 1, tzinfo=zone)


def _latest(today: datetime, make: Callable[[int], Span]) -> Span:
    """The span of the latest year in which it has begun by today."""
    for year in (today.year, today.year - 1):
        span = make(year)
        if span is not None and span[0] <= today:
            return span
    return None


def _part(part: str | None, span: Span) -> Span:
    """The beginning, middle or end of a span: a third of it."""
    if span is None or not part:
        return span
    third = (span[1] - span[0]) / 3
    if "start" in part or "beginning" in part or "early" in part:
        return span[0], span[0] + third
    return (span[0] + third, span[0] + 2 * third) if "mid" in part else (span[0] + 2 * third, span[1])


def _iso(match: re.Match[str], today: datetime) -> Span:
    return _day(today.tzinfo, int(match["y"]), int(match["m"]), int(match["d"]))


def _written(match: re.Match[str], today: datetime) -> Span:
    month, day, year = MONTH_NUMBERS[match["m"].rstrip(".")], int(re.sub(r"\D", "", match["d"])), match["y"]
    if year:
        return _day(today.tzinfo, int(year), month, day)
    return _latest(today, lambda past: _day(today.tzinfo, past, month, day))


def _of_month(match: re.Match[str], today: datetime) -> Span:
    month, year = MONTH_NUMBERS[match["m"].rstrip(".")], match["y"]
    span = (
        _month(today.tzinfo, int(year), month)
        if year
        else _latest(today, lambda past: _month(today.tzinfo, past, month))
    )
    return _part(match["part"], span)


def _end_of_range(match: re.Match[str], which: str) -> tuple[Callable[[int, Zone], Span], int | None]:
    """Makes what stands at an end of a range in a given year; and the year that is written there."""
    year = int(written) if (written := match[f"y{which}"]) else None
    if quarter := match[f"q{which}"]:
        return (lambda of, zone: _month(zone, of, 3 * int(quarter) - 2, 3)), year
    month, part = MONTH_NUMBERS[match[f"m{which}"].rstrip(".")], match[f"part{which}"]
    if number := match[f"d{which}"] or match[f"e{which}"]:
        return (lambda of, zone: _day(zone, of, month, int(re.sub(r"\D", "", number)))), year
    return (lambda of, zone: _part(part, _month(zone, of, month))), year


def _range(match: re.Match[str], today: datetime) -> Span:
    """From the beginning of one end to the end of the other; a year that is missing is such that they follow."""
    if match["join"] == "and" and match["w"] in (None, "from"):
        return None
    (first, year), (last, until) = _end_of_range(match, "1"), _end_of_range(match, "2")
    if year is None and until is None:
        begun = _latest(today, lambda past: first(past, today.tzinfo))
        return _stretch(begun, last, begun[0].year, today.tzinfo) if begun else None
    if year is None and until is not None:
        end = last(until, today.tzinfo)
        starts = (first(of, today.tzinfo) for of in (until, until - 1))
        return next(((one[0], end[1]) for one in starts if one and end and one[0] < end[1]), None)
    begun = first(year or 0, today.tzinfo)
    if until is None:
        return _stretch(begun, last, year or 0, today.tzinfo)
    end = last(until, today.tzinfo)
    return (begun[0], end[1]) if begun and end and begun[0] < end[1] else None


def _stretch(begun: Span, last: Callable[[int, Zone], Span], year: int, zone: Zone) -> Span:
    """From what has begun in a year to the next time that the last end comes."""
    ends = (last(of, zone) for of in (year, year + 1))
    return next(((begun[0], end[1]) for end in ends if begun and end and begun[0] < end[1]), None)


def _days_of_month(match: re.Match[str], today: datetime) -> Span:
    """“3 to 10 March”."""
    if match["join"] == "and" and match["w"] != "between":
        return None
    month, (first, last) = MONTH_NUMBERS[match["m"].rstrip(".")], (int(re.sub(r"\D", "", match[d])) for d in "de")

    def of(year: int) -> Span:
        begun, end = _day(today.tzinfo, year, month, first), _day(today.tzinfo, year, month, last)
        return (begun[0], end[1]) if begun and end and first <= last else None

    return of(int(match["y"])) if match["y"] else _latest(today, of)


def _of_year(match: re.Match[str], today: datetime) -> Span:
    year = int(match["y"])
    return _part(match["part"], _month(today.tzinfo, year, 1, 12))


def _quarter(match: re.Match[str], today: datetime) -> Span:
    name = match["q"]
    return _months(match["y"], 3 * (int(name) if name.isdigit() else QUARTERS.index(name) + 1) - 2, today)


def _season(match: re.Match[str], today: datetime) -> Span:
    return _months(match["y"], SEASONS[match["s"]], today)


def _months(year: str | None, month: int, today: datetime) -> Span:
    """Three months of a year; without one, the latest past."""
    if year:
        return _month(today.tzinfo, int(year), month, 3)
    return _latest(today, lambda past: _month(today.tzinfo, past, month, 3))


def _ago(match: re.Match[str], today: datetime) -> Span:
    back = _back(today, _count(match["n"]), match["u"])
    start = back.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, start + timedelta(days=1)


def _past(match: re.Match[str], today: datetime) -> Span:
    return _back(today, _count(match["n"] or "one"), match["u"]), today + TICK


def _calendar(match: re.Match[str], today: datetime) -> Span:
    """This or last week, month, quarter, year, by the calendar."""
    midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
    unit, starts = (
        match["u"],
        {
            "week": midnight - timedelta(days=today.weekday()),
            "month": midnight.replace(day=1),
            "quarter": midnight.replace(month=3 * ((today.month - 1) // 3) + 1, day=1),
            "year": midnight.replace(month=1, day=1),
        },
    )
    this = starts[unit]
    return (this, today + TICK) if match["w"] == "this" else (_back(this, 1, unit), this)


def _named(match: re.Match[str], today: datetime) -> Span:
    midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - timedelta(days=1), midnight) if match["w"] == "yesterday" else (midnight, today + TICK)


def _count(words: str) -> int:
    return min(int(words), 1000) if words.isdigit() else NUMBERS[words]


def _back(moment: datetime, count: int, unit: str) -> datetime:
    """That many units earlier; the last day of a shorter month where the day is missing."""
    if unit in ("day", "week"):
        return moment - timedelta(days=count * (7 if unit == "week" else 1))
    months = moment.year * 12 + moment.month - 1 - count * {"month": 1, "quarter": 3, "year": 12}[unit]
    for day in range(moment.day, 27, -1):
        try:
            return moment.replace(year=max(months // 12, 1), month=months % 12 + 1, day=day)
        except ValueError:
            continue
    return moment.replace(year=max(months // 12, 1), month=months % 12 + 1)


_THIRD = r"(?:(?P<part>(?:the )?(?:start|beginning|end) of|early|mid|late)[ -]+(?:in )?)"
_PART = rf"{_THIRD}?"
_LED = (
    "(?:"
    + "|".join(rf"(?<=\b{word} )" for word in "in by since before after until during around of last".split())
    + ")"
)
_JOIN = r" ?(?P<join>\band\b|\bto\b|\buntil\b|\btill\b|\bthrough\b|[-–—]) ?"


_DAYS = rf"(?P<d>{_DAY}){_JOIN}(?:the )?(?P<e>{_DAY})(?: of)? (?P<m>{_MONTH})"


def _end(which: int) -> str:
    """The pattern of an end of a range: a quarter, a month or a part of it, a day of a month."""
    day = rf"(?:(?:the )?(?P<d{which}>{_DAY})(?: of)? )?"
    month = (
        rf"{_PART.replace('<part>', f'<part{which}>')}{day}(?P<m{which}>{_MONTH})(?: (?:the )?(?P<e{which}>{_DAY})\b)?"
    )
    return rf"(?:(?:the )?\bq(?P<q{which}>[1-4])\b|{month})(?:,? (?:of )?(?P<y{which}>{_YEAR})\b)?"


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span]], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"\b(?:(?P<w>between|from|in|during) )?{_end(1)}{_JOIN}{_end(2)}", _range),
        (rf"\b(?:(?P<w>between|from) (?:the )?)?{_DAYS}(?:,? (?P<y>{_YEAR})\b)?", _days_of_month),
        (rf"(?<!\d)(?P<y>{_YEAR})[-/.](?P<m>\d\d?)[-/.](?P<d>\d\d?)(?!\d)", _iso),
        (rf"\b(?P<d>{_DAY})(?: of)? (?P<m>{_MONTH})(?:,? (?:of )?(?P<y>{_YEAR})\b)?", _written),
        (rf"\b(?P<m>{_MONTH}) (?:the )?(?P<d>{_DAY})\b(?:,? (?P<y>{_YEAR})\b)?", _written),
        (rf"\b{_PART}(?P<m>{_MONTH}),? (?:of )?(?P<y>{_YEAR})\b", _of_month),
        (rf"\bq(?P<q>[1-4])[ /-]?(?P<y>{_YEAR})\b", _quarter),
        (rf"\b(?P<q>{'|'.join(QUARTERS)}) quarter(?: of)?(?: (?P<y>{_YEAR})\b)?", _quarter),
        (rf"{_LED}(?:the )?q(?P<q>[1-4])\b(?! fy)(?P<y>)", _quarter),
        (rf"\b(?P<s>{'|'.join(SEASONS)})(?: of)? (?P<y>{_YEAR})\b", _season),
        (rf"{_LED}(?:the )?(?P<s>{'|'.join(SEASONS)})\b(?! (?:in|of)\b)(?P<y>)", _season),
        (rf"\b(?P<n>{_COUNT}) (?P<u>{_UNIT})s? ago\b", _ago),
        (rf"\b(?:the )?(?:past|last) (?P<n>{_COUNT}) (?P<u>{_UNIT})s?\b", _past),
        (rf"\b(?:the )?(?:past|(?<=the )last)(?P<n>) (?P<u>{_UNIT})\b", _past),
        (r"\b(?P<w>this|last) (?P<u>week|month|quarter|year)\b", _calendar),
        (r"\b(?P<w>yesterday|today)\b", _named),
        (rf"{_LED}{_PART}(?P<y>{_YEAR})(?![\w/-])", _of_year),
        (rf"\b{_THIRD}(?P<m>{_MONTH})(?P<y>)", _of_month),
        (rf"{_LED}(?P<part>)(?P<m>{_MONTH})(?P<y>)", _of_month),
    )
)  # fmt: skip
"""How days are written, those that say most first; a later form reads only what no earlier one took."""


_ABOUT_DAYS = re.compile(
    rf"(?:{_MONTH}|{'|'.join(SEASONS)}|winter|q[1-4]|\d+(?:st|nd|rd|th)?|(?:{'|'.join(QUARTERS)})|{_UNIT}s?|"
    r"and|or|to|until|till|through|between|from|in|on|of|the|since|during|early|mid|late|start|beginning|end|"
    r"last|past|this|half|mon|tues|wednes|thurs|fri|satur|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)


def only_days(text: str) -> bool:
    """Whether a text holds nothing but words that name days, whether they can be read or not."""
    words = re.findall(r"\w+", text.lower())
    return bool(words) and all(_ABOUT_DAYS.fullmatch(word) for word in words)


def span_of(found: list[Period]) -> Iterator[Period]:
    """Pairs as “between A and B” or “from A to B” as one period, the others as they are."""
    skip = False
    for this, following in zip_longest(found, found[1:]):
        if skip:
            skip = False
        elif following and this.lead in ("between", "from") and following.lead in ("and", "to", "until", "till"):
            skip = True
            start, end = min(this.start, following.start), max(this.end, following.end)
            yield Period(start, end, this.first, following.last, "between")
        else:
            yield this
