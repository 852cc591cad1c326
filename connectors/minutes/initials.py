"""Whose initials: from a table in the minutes, from a delegates.txt, from a people file. Pure."""

import re
from collections.abc import Iterable, Mapping

NAMED = re.compile(
    r"((?:[^\W\d_a-z][\w'’.-]*|de|da|van|von|der|den|del|la|le)(?: [^\s()|,;:]+){1,4}) \(([A-Z][A-Z0-9]{1,3})\)"
)
"""`Full Name (ABC)`."""

INITIALS = re.compile(r"[A-Z][A-Z0-9]{1,3}")
SHORT = re.compile(r"abbr|initial|acronym|short|handle", re.I)
LONG = re.compile(r"name|delegate|attendee|participant|member", re.I)


def from_lines(lines: Iterable[str]) -> dict[str, str]:
    """Initials to full names, as tables with a column for each and `Full Name (ABC)` tell them."""
    found: dict[str, str] = {}
    columns: tuple[int, int] | None = None
    for line in lines:
        if line.lstrip().startswith("|"):
            cells = [cell.strip(" *`") for cell in line.strip().strip("|").split("|")]
            columns = columns or _columns(cells)
            if columns and max(columns) < len(cells) and INITIALS.fullmatch(cells[columns[1]]):
                found.setdefault(cells[columns[1]], cells[columns[0]])
        else:
            columns = None
            for name, initials in NAMED.findall(line):
                found.setdefault(initials, re.sub(r"^(?:Presenters?|Remote|Present|Attendees)\W+", "", name).strip())
    return {initials: name for initials, name in found.items() if name}


def _columns(cells: list[str]) -> tuple[int, int] | None:
    """Where in a table's heading row the name and the initials stand."""
    short = next((n for n, cell in enumerate(cells) if SHORT.search(cell)), None)
    long = next((n for n, cell in enumerate(cells) if LONG.search(cell) and n != short), None)
    return (long, short) if long is not None and short is not None else None


def united(*tables: Mapping[str, str]) -> dict[str, str]:
    """All tables as one; of two names for the same initials the earlier table's holds."""
    found: dict[str, str] = {}
    for table in tables:
        for initials, name in table.items():
            found.setdefault(initials, name)
    return found
