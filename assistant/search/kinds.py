"""What sort of thing a question asks for, and whether some words hold one: a duration, an amount, a channel, somebody.

The sorts are those that people ask handbooks for. A question may ask for several ("by when": a date or a duration);
words fit it when they hold any of them.
"""

import re
from enum import StrEnum


class Kind(StrEnum):
    """A sort of answer."""

    DURATION = "duration"
    NUMBER = "number"
    MONEY = "money"
    SHARE = "share"
    SIZE = "size"
    FREQUENCY = "frequency"
    DATE = "date"
    WEEKDAY = "weekday"
    MONTH = "month"
    CLOCK = "clock"
    CHANNEL = "channel"
    EMAIL = "email"
    PHONE = "phone"
    SOMEBODY = "somebody"


_NUMBER = (
    r"(?:\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|half|once|"
    r"twice|single|double|both|dozen)\b)"
)
_PERIOD = r"(?:second|minute|min|hour|hr|day|week|month|quarter|year|sprint|iteration|cycle|night)s?\b"
_MONTH = (
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_WEEKDAY = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
_ROLE = (
    r"\b(?:manager|lead|leader|engineer|team|director|head|vp|ceo|cto|cfo|coo|officer|owner|partner|recruiter|author|"
    r"specialist|analyst|coordinator|counsel|ops|pm|em|executive|assignee|admin|administrator|president|department|"
    r"group|supervisor|people)s?\b"
)


def _any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ASKED: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.SHARE, _any_case(r"\b(?:share|percentage|percent|proportion|probability|rate)\b")),
    (Kind.EMAIL, _any_case(r"\b(?:which|what)\b.*\b(?:e-?mail|address)\b")),
    (Kind.CHANNEL, _any_case(r"\bchannel\b")),
    (Kind.PHONE, _any_case(r"\bphone\b|\bnumber\b.*\bcall\b")),
    (Kind.WEEKDAY, _any_case(r"\bweekday\b|\b(?:which|what) day\b|\bon which \w+days\b")),
    (Kind.MONTH, _any_case(r"\b(?:which|what) month\b")),
    (
        Kind.CLOCK,
        _any_case(r"\b(?:which|what) (?:\w+ )?(?:time|hours)\b|\butc\b|\bwhen\b.*\b(?:close|open|start|meet)"),
    ),
    (Kind.FREQUENCY, _any_case(r"\bhow (?:often|frequently|many times)\b")),
    (
        Kind.DURATION,
        _any_case(
            r"\bhow (?:long|soon|far|late|early)\b|\b(?:after|within|for|before) how\b|\bhow much time\b"
            r"|\btime in total\b|\b(?:total|whole) \w* ?time\b|\bdeadline\b|\bduration\b|\bmaximum length\b"
            r"|\bin total\b|\b(?:many|which)(?: \w+){0,2} (?:days|weeks|minutes|hours|months|years)\b"
        ),
    ),
    (
        Kind.MONEY,
        _any_case(r"\bhow much\b(?! time)|\b(?:budget|allowance|costs?|price|amount|spend|reimburse\w*|pay|salary)\b"),
    ),
    (Kind.SIZE, _any_case(r"\b(?:memory|ram|storage|size|screen)\b")),
    (
        Kind.DATE,
        _any_case(
            r"^(?:by |from |since )?when\b|\b(?:which|what)(?: \d+)? (?:date|quarter)\b|\bdeadline\b|\bby when\b"
        ),
    ),
    (Kind.DURATION, _any_case(r"^(?:by )?when\b")),
    (Kind.CLOCK, _any_case(r"^when\b")),
    (Kind.NUMBER, _any_case(r"\bhow (?:many|much|large|big|far)\b|\b(?:version|minimum|maximum|at most|number of)\b")),
    (Kind.SOMEBODY, _any_case(r"\bwho(?:m|se)?\b")),
)

_HELD: dict[Kind, re.Pattern[str]] = {
    Kind.DURATION: _any_case(
        rf"{_NUMBER}[\s+~–—-]*(?:(?:to|or|full|calendar|business|working|release|more|[\d–-]+) )*{_PERIOD}"
        r"|\b(?:day|week|month|year|cycle)s? (?:before|after|prior)\b"
        rf"|\ban? {_PERIOD}|\b(?:end|start|beginning) of (?:the|your|each) {_PERIOD}"
        r"|\b(?:immediately|at once|same day)\b"
    ),
    Kind.NUMBER: _any_case(_NUMBER),
    Kind.MONEY: _any_case(r"[$€£¥]\s?\d|\d[\d.,]*\s?(?:usd|eur|gbp|dollars|euros|k)\b"),
    Kind.SHARE: _any_case(r"\d\s?%|\bper ?cent\b"),
    Kind.SIZE: _any_case(r"\d[\d.,]*\s?-?(?:[kmgt]i?b\b|px\b|pt\b|[\"”″]|inch|cm\b)"),
    Kind.FREQUENCY: _any_case(
        r"\b(?:daily|weekly|bi-?weekly|monthly|quarterly|yearly|annual(?:ly)?|hourly|every|each|once|twice|"
        rf"times? (?:a|per)|(?:a|per) {_PERIOD}|regularly)\b|{_WEEKDAY}"
    ),
    Kind.DATE: _any_case(rf"{_MONTH}|{_WEEKDAY}|\b(?:19|20)\d\d\b|\bq[1-4]\b|\bfy\d|\d(?:st|nd|rd|th)\b"),
    Kind.WEEKDAY: _any_case(_WEEKDAY),
    Kind.MONTH: _any_case(_MONTH),
    Kind.CLOCK: _any_case(r"\d\s?[ap]\.?m\b|\d:\d\d|\b(?:utc|pst|pt|est|cet|noon|midnight)\b"),
    Kind.CHANNEL: _any_case(r"(?<!\w)#[a-z][\w-]+|\bslack\b|\bchannel\b"),
    Kind.EMAIL: re.compile(r"\w@\w"),
    Kind.PHONE: re.compile(r"\+?\d[\d()\s-]{6,}\w"),
    Kind.SOMEBODY: re.compile(rf"@\w|\b[A-Z][a-zà-ÿ]+ [A-Z][a-zà-ÿ]+|\b[A-Z]{{2,}}\b|(?i:{_ROLE})"),
}


def asked_kinds(question: str) -> frozenset[Kind]:
    """The sorts of answer that would do; empty where the question leaves it open."""
    return frozenset(kind for kind, pattern in _ASKED if pattern.search(question))


def fits(kinds: frozenset[Kind], words: str) -> bool | None:
    """Whether the words hold one of these sorts; None where any words would do."""
    if not kinds:
        return None
    return any(_HELD[kind].search(words) for kind in kinds)
