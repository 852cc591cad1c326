"""Tables by row, each cell with its column's name, so that one row can be read and quoted alone."""

import re
from collections.abc import Iterator, Sequence

from assistant.text.plain import plain

_PIPE = re.compile(r"(?<!\\)\|")
_TABLE = re.compile(r"<table\b[^>]*>.*?(?:</table[ \t]*>|\Z)", re.I | re.S)
_ROW = re.compile(r"<tr\b[^>]*>(.*?)(?:</tr[ \t]*>|(?=<tr\b)|(?=</?t(?:able|body|head)\b)|\Z)", re.I | re.S)
_CELL = re.compile(r"<(t[hd])\b[^>]*>(.*?)(?:</t[hd][ \t]*>|(?=<t[hd]\b)|\Z)", re.I | re.S)
_CAPTION = re.compile(r"<caption\b[^>]*>(.*?)</caption[ \t]*>", re.I | re.S)


def table_cells(row: str) -> list[str]:
    """The cells of a Markdown table's row, trimmed, still with their markup."""
    row = row.strip()
    cells = _PIPE.split(row)
    if row.startswith("|"):
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1].strip():
        cells = cells[:-1]
    return [cell.strip().replace("\\|", "|") for cell in cells]


def read_row(names: Sequence[str], cells: Sequence[str]) -> str:
    """A row as a person reads it: `Column: cell; Column: cell`, empty cells left out."""
    parts: list[str] = []
    for number, cell in enumerate(cells):
        words = " ".join(plain(cell).split())
        name = " ".join(plain(names[number]).split()).rstrip(":") if number < len(names) else ""
        if words:
            parts.append(f"{name}: {words}" if name else words)
    return "; ".join(parts)


def html_tables(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the HTML tables of a text lie."""
    if "<t" in text or "<T" in text:
        for table in _TABLE.finditer(text, start):
            yield table.span()


def html_rows(text: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
    """The rows of an HTML table: where each lies, how it reads, and the table's caption."""
    found = _CAPTION.search(text, start, end)
    caption = " ".join(plain(found[1]).split()) if found else ""
    names: list[str] = []
    for row in _ROW.finditer(text, start, end):
        cells = _CELL.findall(row[1])
        if cells and not names and all(tag.lower() == "th" for tag, _ in cells):
            names = [cell for _, cell in cells]
            continue
        words = read_row(names, [cell for _, cell in cells])
        if words:
            yield row.start(), row.end(), words, caption
