"""Lengths of time, however they are written: half an hour and 30 minutes, a month and 4 weeks; and days that moved."""

import re
from datetime import date
from functools import lru_cache

_MINUTES: dict[str, tuple[int, ...]] = {
    "minute": (1,),
    "hour": (60,),
    "day": (1440,),
    "week": (10080,),
    "fortnight": (20160,),
    "month": (43200, 40320),
    "quarter": (129600, 120960),
    "year": (525600, 518400, 524160),
}
"""A month is 30 days or 4 weeks, a year 365 days, 12 months or 52 weeks; several are so many times the first."""
_KINDS = {"working": 0.25, "business": 0.25, "calendar": 0.5}
"""What is added, in minutes, to tell working days from those of the calendar; days of no kind may be either."""
_COUNTS = {"a": 1, "an": 1} | {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_UNIT = r"(minute|hour|day|week|fortnight|month|quarter|year)s?\b"
_SHORT = {"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "wk": "week", "wks": "week"}
_LENGTH = re.compile(
    rf"\b(?:half (?P<half>an? |of an? )?{_UNIT}|(?P<fourths>an?|one|three) quarters? (?:of an )?(?P<hour>hour)\b"
    rf"|(?P<count>[0-9]+(?:\.[0-9]+)?|{'|'.join(_COUNTS)})(?:[ -]|\b)?(?:full |whole )?"
    rf"(?:(?P<kind>working|business|calendar) )?"
    rf"(?P<unit>{_UNIT}|{'|'.join(_SHORT)}\b)(?P<more> and a half)?)",
    re.I,
)
_MOVED = re.compile(
    r"\b(?:later|earlier|sooner|postpon\w+|delay\w*|push\w*|mov\w+|shift\w*|slip\w*|back|forward)\b", re.I
)
_DAY = re.compile(r"=([0-9]{4})-([0-9]{2})-([0-9]{2})")


@lru_cache(maxsize=1 << 14)
def lengths(text: str) -> frozenset[float]:
    """The lengths of time that a text names, in minutes; several of each where calendars differ."""
    return frozenset(minutes for found in _LENGTH.finditer(text) for minutes in _minutes(found))


def _minutes(found: "re.Match[str]") -> list[float]:
    if found["hour"]:
        return [45.0 if found["fourths"].lower() == "three" else 15.0]
    if found["count"] is None:
        return [each / 2 for each in _MINUTES[found[2].lower()]]
    count = _COUNTS.get(found["count"].lower()) or float(found["count"])
    unit = found["unit"].lower()
    name = _SHORT.get(unit, unit.removesuffix("s"))
    amount = count + (0.5 if found["more"] else 0.0)
    calendars = _MINUTES[name] if amount == 1 else _MINUTES[name][:1]
    kind = (found["kind"] or "").lower()
    marks = (_KINDS[kind],) if kind else (0.0, *_KINDS.values())
    return [amount * each + mark for each in calendars for mark in marks]


def moves(text: str) -> frozenset[int]:
    """By how many days something is said to come earlier or later."""
    if not _MOVED.search(text):
        return frozenset()
    return frozenset(round(minutes / 1440) for minutes in lengths(text) if minutes >= 1440)


def moved(gone: frozenset[str], come: frozenset[str]) -> int | None:
    """By how many days the one date among marks that went differs from the one among those that came."""
    before, after = _dates(gone), _dates(come)
    return abs((after[0] - before[0]).days) if len(before) == len(after) == 1 else None


def _dates(marks: frozenset[str]) -> list[date]:
    return [day for mark in marks if (day := dated(mark))]


def dated(mark: str) -> date | None:
    """The day that a mark is, with its year; None for any other mark, and for a day that no calendar has."""
    day = _DAY.fullmatch(mark)
    try:
        return date(*map(int, day.groups())) if day else None
    except ValueError:
        return None
