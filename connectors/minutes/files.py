"""Files of minutes: where they are, what day they are of, and their agenda items as conversations."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from pathlib import Path

from assistant.errors import Skip, UserFacing
from assistant.model.audiences import PUBLIC
from assistant.model.conversations import Conversation, ConversationKind, Heard, Identity, Speaker, Utterance
from assistant.model.times import micros
from assistant.text.markdown import decode
from assistant.text.staged import by_stages, in_so_many_words, reached
from connectors.minutes import initials
from connectors.minutes.days import day_of
from connectors.minutes.outcomes import with_stated, with_tables
from connectors.minutes.outline import Item, Part, read_items
from connectors.minutes.speech import BULLET, Line, known_speakers, read_conclusion, read_lines

SUFFIXES = (".md", ".markdown", ".txt", ".text", ".html.md")
TABLE = "delegates.txt"
"""A table of initials for all minutes in its folder and below."""

TERSE = 3
"""Words of a conclusion that do not stand by themselves."""

ABOVE = 3
"""Folders above that may hold a table, outside of a repository."""

LARGEST = 32 * 1024 * 1024
"""Bytes of a file at most; a day of a committee has under one megabyte."""

Naming = Callable[[Identity], Speaker]


@dataclass(frozen=True, slots=True)
class MinutesFile:
    """One file."""

    path: Path
    id: str
    """Its path relative to the argument given, or to the repository's root when inside one."""
    table: dict[str, str]
    """Initials to names, from tables beside or above it."""

    def text(self) -> str:
        """Its text; raises Skip for what is none."""
        if self.path.stat().st_size > LARGEST:
            raise Skip(f"{self.id}: larger than {LARGEST >> 20} MB, left out")
        text = decode(self.path.read_bytes())
        if text is None:
            raise Skip(f"{self.id}: no text, left out")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def read(self, naming: Naming, people: dict[str, str] | None = None, audience: str = PUBLIC) -> Heard:
        """Its agenda items that hold what somebody said or what came out. `people` gives more initials."""
        text = self.text()
        lines = text.split("\n")
        table = initials.united(self.table, initials.from_lines(lines), people or {})
        speakers = known_speakers(lines, table, table.values())
        at, told = day_of(text, self.id)
        notes = []
        if at is None:
            at = datetime.combine(datetime.fromtimestamp(self.path.stat().st_mtime, UTC), time(), UTC)
            notes.append(f"{self.id}: no date in it or its name, so the day of the file itself stands for it")
        named = told or self.path.stem
        reader = ItemReader(self.id, table, speakers, micros(at), naming, audience, named, by_stages(text))
        found = [one for item in read_items(text, by_stages=reader.by_stages) if (one := reader.conversation(item))]
        return Heard(tuple(found), (), frozenset({(reader.place, "")}), tuple(notes))


@dataclass(frozen=True, slots=True)
class ItemReader:
    """Makes conversations of one file's items."""

    file: str
    table: dict[str, str]
    speakers: frozenset[str]
    at: int
    naming: Naming
    audience: str
    place_name: str
    by_stages: bool
    """Whether a committee wrote it that moves proposals by stages."""

    @property
    def place(self) -> str:
        """Id of the file as a place."""
        return f"minutes:{self.file}"

    def conversation(self, item: Item) -> Conversation | None:
        """The item, None where nobody says anything in it and nothing came out."""
        talk = [line for part in item.talk for line in read_lines(part.body, self.speakers)]
        outcome = [line for part in item.conclusions for line in self._outcome(part)]
        if not self.by_stages:
            talk, outcome = with_tables(list(with_stated(talk))), with_tables(outcome)
            outcome += [Line(item.head.line, "", item.head.stating, concluding=True)] if item.head.stating else []
        if not outcome and not any(line.speaker or line.concluding for line in talk):
            return None
        name = f"minutes:{self.file}#{item.head.line}"
        lines = sorted([*talk, *outcome], key=lambda line: line.number)
        return Conversation(
            id=name,
            shown_id=name,
            kind=ConversationKind.MINUTES,
            place=self.place,
            place_name=self.place_name,
            title=item.title,
            audience=self.audience,
            started_at=self.at + item.head.line,
            utterances=tuple(self._utterances(name, lines)),
            conclusion=self._conclusion(lines),
        )

    def _conclusion(self, lines: Sequence[Line]) -> tuple[str, ...]:
        """What came out. Where a committee moves something else than a stage, only what it says in so many words."""
        found = [line.text for line in lines if line.concluding]
        if self.by_stages and not any(map(reached, found)):
            found = in_so_many_words(found)
        return tuple(found)

    def _outcome(self, part: Part) -> list[Line]:
        """The lines of a conclusion. One so terse that it says nothing by itself ("Stage 3") keeps its heading."""
        lines = list(read_conclusion(part.body, self.speakers))
        if not lines or lines[0].speaker or len(lines[0].text.split()) > TERSE:
            return lines
        raw = "\n".join(line for number, line in part.body if number <= lines[0].number).strip()
        if BULLET.sub("", raw, count=1) != lines[0].text:
            return lines
        return [replace(lines[0], text=f"{part.heading}\n\n{raw}"), *lines[1:]]

    def _utterances(self, conversation: str, lines: list[Line]) -> Iterator[Utterance]:
        """Most minutes tell the day only; the lines' numbers as microseconds keep their order."""
        clock = 0
        for line in lines:
            clock = max(clock, line.clock or 0)
            at = self.at + clock * 1_000_000 + line.number
            yield Utterance(f"{conversation}/{line.number}", self._speaker(line.speaker), at, line.text)

    def _speaker(self, name: str) -> Speaker:
        if not name or name.endswith("?"):
            return Speaker(name, None)
        full = self.table.get(name, name)
        return self.naming(Identity("minutes", full, handles=(name,) if full != name else ()))


def open_files(path: Path) -> list[MinutesFile]:
    """The files of minutes that a path names, by path; raises UserFacing where there are none."""
    if path.is_file():
        return [MinutesFile(path, relative(path, path.parent), tables(path.parent))]
    if not path.is_dir():
        raise UserFacing(f"there is no {path}")
    root = path.resolve()
    files = sorted(file for file in root.rglob("*") if file.suffix in SUFFIXES and is_minutes(file, root))
    if not files:
        raise UserFacing(f"there are no minutes (*.md, *.txt) in {path} or below")
    known: dict[Path, dict[str, str]] = {}
    for file in files:
        if file.parent not in known:
            known[file.parent] = tables(file.parent)
    return [MinutesFile(file, relative(file, root), known[file.parent]) for file in files]


def is_minutes(file: Path, root: Path) -> bool:
    """Whether a file may be minutes: inside the folder, not hidden, no table of initials."""
    hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
    return file.is_file() and not hidden and file.name != TABLE and file.resolve().is_relative_to(root)


def relative(file: Path, root: Path) -> str:
    """The file's path from the repository's root where it lies in one, else from the given folder."""
    place = file.resolve()
    repository = next((above for above in place.parents if (above / ".git").exists()), root.resolve())
    return place.relative_to(repository).as_posix()


def tables(folder: Path) -> dict[str, str]:
    """Initials from delegates.txt in the folder or above it; the nearest one's hold."""
    found = []
    for above in ancestors(folder.resolve()):
        table = above / TABLE
        if table.is_file() and not table.is_symlink():
            text = decode(table.read_bytes()) or ""
            found.append(initials.from_lines(text.splitlines()))
    return initials.united(*found)


def ancestors(folder: Path) -> Iterator[Path]:
    """The folder and those above it, up to the repository's root where it lies in one, else ABOVE of them."""
    for place in (folder, *folder.parents[:ABOVE]):
        yield place
        if (place / ".git").exists():
            return
