"""Files of minutes read for the audit: whether words stand where the graph says, after the speaker's name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

WRITTEN = re.compile(r"[\s>*_-]*(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s+)?[*_]*([^:*_|<>]+?)[*_]*:")
CHATTED = re.compile(r"\s*(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s+)?<([^<>]+)>")
TURN = re.compile(r"\s{0,3}(?:[-*] )?(?:\*\*|__)?([A-Z][A-Z0-9]{1,3})(?:\*\*|__)?:(?:\*\*|__)?\s*\S")
"""Initials before a colon."""

SPARE = 4
"""Empty lines that may stand between a speaker's name and the words."""

DAY = 86_400_000_000
"""Microseconds."""


@dataclass(frozen=True)
class MinutesFile:
    """One file's lines, and those of the tables of initials beside and above it."""

    lines: tuple[str, ...]
    tables: tuple[str, ...]
    audience: str
    changed: int
    """When it was written last, microseconds to the second: what stands for its day where it names none."""
    until: int | None = None
    """Up to which microsecond it was read; None for all of it."""

    def said(self, number: int, text: str) -> bool:
        """Whether the text begins on that line (from 1), word for word; a terse outcome may keep its heading."""
        if not 1 <= number <= len(self.lines):
            return False
        words = text.split("\n")
        block = "\n".join(self.lines[number - 1 : number + len(words) + SPARE])
        start = block.find(text)
        if start >= 0 and not block[:start].count("\n") > SPARE:
            return start <= len(self.lines[number - 1]) or not block[:start].partition("\n")[2].strip()
        heading, _, rest = text.partition("\n\n")
        return heading.startswith("#") and heading in self.lines[:number] and rest in self.lines[number - 1]

    def speaker(self, number: int) -> str:
        """Who is said to speak on the line; '' where there is nobody."""
        found = WRITTEN.match(self.lines[number - 1]) or CHATTED.match(self.lines[number - 1])
        return found[1].strip() if found else ""

    def turns(self) -> Iterator[int]:
        """Numbers of the lines on which somebody speaks whose initials a table explains."""
        fenced = False
        for number, line in enumerate(self.lines, 1):
            fenced ^= line.lstrip().startswith(("```", "~~~"))
            if not fenced and (found := TURN.match(line)) and found[1] in self.explained:
                yield number

    @cached_property
    def explained(self) -> frozenset[str]:
        """Initials that stand in a table, or in brackets behind a name."""
        rows = [
            line for line in self.lines if line.lstrip().startswith("|") or re.search(r"\([A-Z][A-Z0-9]{1,3}\)", line)
        ]
        return frozenset(word for line in (*self.tables, *rows) for word in re.findall(r"\b[A-Z][A-Z0-9]{1,3}\b", line))

    def united(self, written: str, name: str) -> bool:
        """Whether some line names both, as tables of initials do; a name may be written with other marks there."""
        own, called = re.compile(rf"(?<!\w){re.escape(written)}(?!\w)"), letters(name)
        return any(
            own.search(line) and (name in line or called in map(letters, re.split(r"[(|]", line)))
            for line in (*self.tables, *self.lines)
        )

    def named(self, path: str, name: str) -> bool:
        """Whether the meeting is called so in the file's name or its first lines."""
        return bool(name) and (name == Path(path).stem or name in "\n".join(self.lines[:40]))

    def headed(self, number: int, title: str) -> bool:
        """Whether an agenda item is called so in the line that it begins with; '' before the first heading."""
        return not title or title in self.lines[number - 1]

    def dated(self, name: str, year: int, day: int) -> bool:
        """Whether year and day stand in the file's name or its first lines."""
        head = " ".join((name, *self.lines[:40]))
        return str(year) in head and re.search(rf"(?<!\d)0?{day}(?!\d)", head) is not None

    def timed(self, number: int, clock: int) -> bool:
        """Whether that time of day, in microseconds, stands in the line or one above it; midnight where none does."""
        seconds, rest = divmod(clock, 1_000_000)
        minutes = f"0?{seconds // 3600}:{seconds // 60 % 60:02d}"
        told = re.compile(rf"(?<!\d){minutes}(?::{seconds % 60:02d})?(?!\d)")
        return not rest and (not seconds or any(told.search(line) for line in self.lines[:number]))


def letters(words: str) -> str:
    """Words without marks and capitals: `Hemanth HM` and `hemanth.hm` are one."""
    return "".join(re.findall(r"[^\W_]+", words.casefold()))


def read_minutes(path: Path, audience: str) -> dict[str, MinutesFile]:
    """The files that a path names, by their place in the repository that holds them, else in the folder."""
    path = path.resolve()
    root = path if path.is_dir() else path.parent
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    repository = next((above for above in (root, *root.parents) if (above / ".git").exists()), root)
    found = {}
    for file in files:
        hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
        if file.suffix in (".md", ".markdown", ".txt", ".text") and not hidden and file.name != "delegates.txt":
            place = file.relative_to(repository).as_posix()
            tables = [above / "delegates.txt" for above in list(file.parents)[:4]]
            known = [line for table in tables if table.is_file() for line in _lines(table)]
            found[place] = MinutesFile(
                tuple(_lines(file)), tuple(known), audience, int(file.stat().st_mtime) * 1_000_000 // DAY * DAY
            )
    return found


def _lines(file: Path) -> list[str]:
    return file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
