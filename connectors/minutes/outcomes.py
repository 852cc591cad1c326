"""What says by itself that something was settled, wherever it stands in minutes; and tables of decisions. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assistant.text.reported import reported
from connectors.minutes.outline import LABEL, OUTCOMES
from connectors.minutes.speech import Line, outcome_in

LABELLED = re.compile(rf"[.!?]\s+(?-i:(?=[A-Z])){LABEL}[*_]*\s?[:：]\s*\w", re.I)
"""A label within what somebody says."""
_COLUMN = re.compile(
    rf"(?:(?:{OUTCOMES})(?: (?:taken|made|text|reached))?|decision/\w+|was (?:wurde )?beschlossen)\W*$", re.I
)
_TOPIC = re.compile(r"(?:topic|item|subject|agenda item|issue|thema|punkt|top|sujet|point|tema|asunto)s?\W*$", re.I)
_WORDING = re.compile(r"(?:what|description|text|wording|was|beschreibung|quoi|qué|rule|regel)\W*$", re.I)
_UNDONE = re.compile(
    r"[\W_]*(?:rejected|declined|refused|open|pending|proposed|postponed|deferred|draft|withdrawn|superseded|"
    r"abgelehnt|offen|vertagt|rejetée?|refusée?|reportée?|rechazad[oa]|aplazad[oa]|pendiente)[\W_]*$",
    re.I,
)
"""A cell that says that the row's decision does not hold."""
_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*$")


def stated(words: str) -> bool:
    """Whether words say by themselves that something was decided: `Decision: …`, `We decided that …`."""
    return bool(outcome_in(words) or LABELLED.search(words)) or reported(words)


def with_stated(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of talk; those that state an outcome by themselves are one."""
    for line in lines:
        yield line if line.concluding else replace(line, concluding=stated(line.text))


def with_tables(lines: Sequence[Line]) -> list[Line]:
    """The lines with the rows of tables of decisions as what was decided; a table's head is no outcome."""
    found: list[Line] = []
    columns: tuple[int, int] | None = None
    for n, line in enumerate(lines):
        if not line.text.startswith("|"):
            columns = None
            found.append(line)
        elif _RULE.match(line.text):
            continue
        elif n + 1 < len(lines) and _RULE.match(lines[n + 1].text):
            columns = _columns(_cells(line.text), concluding=line.concluding)
            found.append(replace(line, concluding=False))
        else:
            words = _between(line.text, columns) if columns else ""
            found.append(replace(line, text=words, concluding=True) if words else replace(line, concluding=False))
    return found


def _columns(cells: Sequence[str], *, concluding: bool) -> tuple[int, int] | None:
    """Between which columns the decision stands, with its subject where that has one before it."""
    own = next((n for n, cell in enumerate(cells) if _COLUMN.match(cell)), None)
    if own is None and concluding:
        own = next((n for n, cell in enumerate(cells) if _WORDING.match(cell) or _TOPIC.match(cell)), None)
    if own is None:
        return None
    return next((n for n in range(own - 1, -1, -1) if _TOPIC.match(cells[n])), own), own


def _cells(row: str) -> list[str]:
    return [cell.strip(" *`_") for cell in row.strip().strip("|").split("|")]


def _between(row: str, columns: tuple[int, int]) -> str:
    """The words of a row from the one column to the other, verbatim; '' where the last is empty."""
    first, last = columns
    cells = row.strip().removeprefix("|").removesuffix("|").split("|")
    if last >= len(cells) or not re.search(r"\w{2}", cells[last]) or any(map(_UNDONE.match, cells)):
        return ""
    return "|".join(cells[first : last + 1]).strip()
