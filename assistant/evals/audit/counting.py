"""Words and numbers compared roughly, also those written in words: the audit's own way of telling what is the same."""

import re

WORD = re.compile(r"[^\W_]+")
ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        1,
    )
}
NUMBERS = (
    {
        word: number
        for number, word in enumerate(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty".split()
        )
    }
    | ORDINALS
    | {
        "once": 1,
        "single": 1,
        "twice": 2,
        "thirty": 30,
        "forty": 40,
        "fifty": 50,
        "sixty": 60,
        "seventy": 70,
        "eighty": 80,
        "ninety": 90,
    }
)


LENGTHS = {
    "half an hour": "30 min",
    "half hour": "30 min",
    "quarter of an hour": "15 min",
    "fortnight": "2 weeks",
    "half a year": "6 months",
}
MONTHS = re.compile(r"\b(a|an|one|two|three|\d+)[ -]months?\b")
"""Lengths of time that are also told in another unit: a month is four weeks or thirty days to most."""


def stems(text: str) -> set[str]:
    """Words by their first four letters, numbers as numbers, also those written in words."""
    found = set()
    text = text.casefold()
    text += "".join(f" {other}" for words, other in LENGTHS.items() if words in text)
    for months in MONTHS.findall(text):
        count = int(months) if months.isdigit() else NUMBERS.get(months, 1)
        found |= {str(4 * count), str(30 * count)}
    number: int | None = None
    for word in WORD.findall(re.sub(r"(?<=\d),(?=\d)", "", text.casefold())):
        digits = re.match(r"\d+", word)
        found.add(digits[0] if digits else word[:4])
        number = counted(number, word)
        if number is not None:
            found.add(str(number))
    return found


def counted(before: int | None, word: str) -> int | None:
    """The number that words make up to here: `seven` `fifty` 750, `two` `thousand` 2000; None for no number."""
    if word in ("hundred", "thousand"):
        return (before or 1) * (100 if word == "hundred" else 1000)
    value = NUMBERS.get(word)
    if value is None or not before:
        return value
    if before % 100 == 0 or (before % 10 == 0 and value < 10):
        return before + value
    return before * 100 + value if before >= 10 or 10 <= value < 100 else value
