"""Files of minutes read for the audit: whether words stand where the graph says, after the speaker's name."""

import re
from dataclasses import dataclass
from pathlib import Path

WRITTEN = re.compile(r"[\s>*_-]*([^:*_|<>]+?)[*_]*:")
SPARE = 4
"""Empty lines that may stand between a speaker's name and the words."""


@dataclass(frozen=True, slots=True)
class MinutesFile:
    """One file's lines, and those of the tables of initials beside and above it."""

    lines: tuple[str, ...]
    tables: tuple[str, ...]
    audience: str

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
        """What stands before the line's colon; '' where there is none."""
        found = WRITTEN.match(self.lines[number - 1])
        return found[1].strip() if found else ""

    def united(self, written: str, name: str) -> bool:
        """Whether some line names both, as tables of initials do."""
        own = re.compile(rf"(?<!\w){re.escape(written)}(?!\w)")
        return any(name in line and own.search(line) for line in (*self.tables, *self.lines))

    def named(self, path: str, name: str) -> bool:
        """Whether the meeting is called so in the file's name or its first lines."""
        return bool(name) and (name == Path(path).stem or name in "\n".join(self.lines[:40]))

    def dated(self, name: str, year: int, day: int) -> bool:
        """Whether year and day stand in the file's name or its first lines."""
        head = " ".join((name, *self.lines[:40]))
        return str(year) in head and re.search(rf"(?<!\d)0?{day}(?!\d)", head) is not None


def read_minutes(path: Path, audience: str) -> dict[str, MinutesFile]:
    """The files that a path names, by their place in the repository that holds them, else in the folder."""
    path = path.resolve()
    root = path if path.is_dir() else path.parent
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    repository = next((above for above in (root, *root.parents) if (above / ".git").exists()), root)
    found = {}
    for file in files:
        if file.suffix in (".md", ".markdown", ".txt", ".text") and ".git" not in file.parts:
            place = file.relative_to(repository if path.is_dir() else root).as_posix()
            tables = [above / "delegates.txt" for above in list(file.parents)[:4]]
            known = [line for table in tables if table.is_file() for line in _lines(table)]
            found[place] = MinutesFile(tuple(_lines(file)), tuple(known), audience)
    return found


def _lines(file: Path) -> list[str]:
    return file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
