"""What day minutes are of: from their path, where it names one, else from their first lines. Pure."""

import re
from datetime import UTC, datetime

from assistant.text.months import MONTHS, NAMES

FORMS = (
    (re.compile(r"(?<!\d)(20\d\d)[-/.](\d\d?)[-/.](\d\d?)(?!\d)"), "ymd"),
    (re.compile(rf"\b({NAMES})\.?\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(20\d\d)", re.I), "mdy"),
    (re.compile(rf"\b(\d\d?)(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?({NAMES})\.?,?\s+(?:del?\s+)?(20\d\d)", re.I), "dmy"),
    (re.compile(r"(?<![\d.])(\d\d?)\.\s?(\d\d?)\.\s?(20\d\d)(?!\d)"), "dmy"),
)
IN_PATH = re.compile(rf"(20\d\d)[-_/](\d\d?)[-_/][^/]*?({NAMES})\.?[-_ ]?(\d\d?)(?!\d)", re.I)
"""`2018-01/jan-23.md`."""

MONTH_IN_PATH = re.compile(r"(?<!\d)(20\d\d)[-_/](\d\d)(?!\d)")
"""`2018-01/summary.md`: the first of the month."""

HEAD = 40
"""Lines in which a date stands for the whole file."""


def day_of(text: str, path: str) -> tuple[datetime | None, str]:
    """Midnight UTC of the day, None where none is told, and the title: the first line with words."""
    lines = text.split("\n")[:HEAD]
    title = next((line.lstrip("# ").strip() for line in lines if line.strip()), "")
    for form in (IN_PATH, FORMS[0][0]):
        if day := form.search(path):
            year, month, number = (day[1], str(MONTHS[day[3].casefold()]), day[4]) if form is IN_PATH else day.groups()
            return _day(year, month, number), title
    for line in lines:
        if (line.lstrip().startswith("#") or "date" in line.casefold() or len(line) < 80) and (found := in_words(line)):
            return found, title
    if found := in_words(path.replace("_", "-")):
        return found, title
    month = MONTH_IN_PATH.search(path)
    return (_day(month[1], month[2], "1") if month else None), title


def in_words(text: str) -> datetime | None:
    """The first date in the text, in any of the usual forms with a year."""
    for form, order in FORMS:
        if found := form.search(text):
            parts = dict(zip(order, found.groups(), strict=True))
            month = MONTHS.get(parts["m"].casefold(), parts["m"])
            return _day(parts["y"], str(month), parts["d"])
    return None


def _day(year: str, month: str, day: str) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day), tzinfo=UTC)
    except ValueError:
        return None
