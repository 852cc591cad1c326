"""What the discussions of issues and requests have in common, whichever forge or tracker they were exported from."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.errors import Skip, UserFacing
from assistant.model.audiences import PUBLIC
from assistant.model.conversations import Conversation, ConversationKind, Heard, Identity, Reaction, Speaker, Utterance
from assistant.model.times import micros

LARGEST = 512 * 1024 * 1024
"""Bytes of a file at most."""

SUFFIXES = (".json", ".ndjson", ".jsonl")

Naming = Callable[[Identity], Speaker]


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment, or the opening text of an issue or request."""

    id: str
    who: Identity
    at: datetime
    text: str
    url: str | None = None
    bot: bool = False
    edited: bool = False
    reactions: tuple[tuple[str, Identity], ...] = ()


@dataclass(slots=True)
class Discussion:
    """An issue or request with its comments, as they come together from one or more files."""

    id: str
    """`github:acme/handbook#7`, `gitlab:acme/handbook!7`, `jira:HB-7`."""
    place: str
    """The repository or project."""
    title: str = ""
    url: str | None = None
    comments: dict[str, Comment] = field(default_factory=dict)
    """By id: of one told twice the later counts."""

    def conversation(self, naming: Naming, audience: str) -> Conversation | None:
        """It as a conversation; None where nobody said anything."""
        said = sorted((one for one in self.comments.values() if one.text.strip()), key=lambda one: (one.at, one.id))
        if not said:
            return None
        return Conversation(
            id=self.id,
            shown_id=self.id,
            kind=ConversationKind.DISCUSSION,
            place=self.place,
            place_name=self.place.partition(":")[2],
            title=self.title,
            audience=audience,
            started_at=micros(said[0].at),
            utterances=tuple(self._utterance(one, naming) for one in said),
            url=self.url,
        )

    def _utterance(self, one: Comment, naming: Naming) -> Utterance:
        reactions = (Reaction(name, (naming(who),)) for name, who in one.reactions)
        return Utterance(
            id=f"{self.id}/{one.id}",
            speaker=naming(one.who),
            at=micros(one.at),
            text=one.text.strip(),
            reactions=tuple(reactions),
            edited=one.edited,
            bot=one.bot,
            url=one.url or self.url,
        )


@dataclass(frozen=True, slots=True)
class Discussions:
    """All that files of one kind told."""

    found: dict[str, Discussion]
    skipped: tuple[str, ...] = ()

    def identities(self) -> list[Identity]:
        """Everybody who wrote."""
        return list(dict.fromkeys(one.who for each in self.found.values() for one in each.comments.values()))

    def read(self, naming: Naming, audience: str = PUBLIC) -> Heard:
        """The discussions in which somebody said something."""
        made = [one for each in self.found.values() if (one := each.conversation(naming, audience))]
        return Heard(tuple(made), skipped=self.skipped)


def read_values(path: Path, skipped: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects in a file or in all files of a folder, each with its file's name; lists are taken apart.

    A file that is cut off is left out whole and told in `skipped`. Raises UserFacing where there is no file.
    """
    root = path.resolve()
    files = sorted(file for file in root.rglob("*") if file.suffix in SUFFIXES) if root.is_dir() else [root]
    files = [file for file in files if file.is_file() and (file == root or file.resolve().is_relative_to(root))]
    if not files:
        raise UserFacing(f"there is no JSON file in {path}")
    for file in files:
        try:
            values = objects(parsed(file))
        except Skip as error:
            skipped.append(str(error))
            continue
        yield from ((file.name, value) for value in values)


def parsed(file: Path) -> Any:
    """What a file holds; raises Skip for what is cut off, no JSON or too large."""
    if file.stat().st_size > LARGEST:
        raise Skip(f"{file.name}: larger than {LARGEST >> 20} MB, left out")
    try:
        text = file.read_bytes().decode("utf-8-sig")
        if file.suffix == ".json":
            return json.loads(text)
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise Skip(f"{file.name}: cut off or no JSON, left out") from error


def objects(value: object) -> list[dict[str, Any]]:
    """The value, or what it lists, as far as they are objects."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def inner(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """The object under the first of the names that holds one; {} where none does."""
    return next((value[name] for name in names if isinstance(value.get(name), dict)), {})


def first(value: dict[str, Any], *names: str) -> str:
    """What stands under the first of the names that holds something, as text; '' where none does."""
    return next((str(value[name]) for name in names if value.get(name) not in (None, "", [], {})), "")


def when(text: str) -> datetime | None:
    """A time as forges and trackers write it: ISO, `2015-05-17 18:21:36 UTC`, `…+0000`; None for what is none."""
    mended = re.sub(r"\s*UTC$", "+00:00", re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text.strip()))
    try:
        found = datetime.fromisoformat(mended)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def gathered(discussions: Iterable[Discussion]) -> dict[str, Discussion]:
    """Discussions by id, the parts of one from several files put together."""
    found: dict[str, Discussion] = {}
    for one in discussions:
        known = found.setdefault(one.id, one)
        if known is not one:
            known.title, known.url = known.title or one.title, known.url or one.url
            known.comments.update(one.comments)
    return found
