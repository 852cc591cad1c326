"""A question as people and scripts type it → question, viewer and place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.errors import UserFacing
from assistant.model.answers import AskedQuestion
from assistant.model.audiences import Place, PlaceKind, Viewer

PUBLIC_WORD = "public"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, who asks it, and where the answer is read."""

    question: AskedQuestion
    viewer: Viewer
    place: Place


class AskedRow(BaseModel):
    """One question of `brain ask --from` or of a replay; fields of its own are left to whoever wrote the file."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    question: str
    id: str | None = None
    as_of: str | None = None
    viewer: str = PUBLIC_WORD
    asked_in: str | None = None

    def asked(self, zone: tzinfo) -> Asked:
        """The row understood; raises UserFacing for a date or words that cannot be."""
        words = self.question.strip()
        if not words:
            raise UserFacing("the question is empty: write what you want to know")
        as_of = None if self.as_of is None else moment_asked(self.as_of, zone)
        question = AskedQuestion(text=words, id=self.id, as_of=as_of)
        return Asked(question, viewer_named(self.viewer), place_named(self.asked_in))


def read_questions(path: Path, zone: tzinfo) -> list[Asked]:
    """The questions of a JSON-lines file in order; raises UserFacing naming the first line that is none."""
    return [read_row(line, f"{path}:{number}").asked(zone) for number, line in numbered_lines(path)]


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file that say something, with their numbers from 1; raises UserFacing if it can't be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserFacing(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserFacing(f"cannot read {path}: it is no text in UTF-8") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def read_row(line: str, where: str) -> AskedRow:
    """One JSON object with a question; raises UserFacing that says where."""
    try:
        return AskedRow.model_validate_json(line)
    except ValidationError as error:
        raise UserFacing(f"{where}: {reason(error)}") from error


def reason(error: ValidationError) -> str:
    """The first fault in one line: the field, and what is wrong with it."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else first["msg"]


def viewer_named(word: str) -> Viewer:
    """USER of the contract: `public`, or an id, an e-mail or a handle with or without its @."""
    word = word.strip()
    return Viewer() if word in ("", PUBLIC_WORD) else Viewer(user=word.removeprefix("@"))


def place_named(word: str | None) -> Place:
    """Where the answer is read: `public` or nothing, `dm`, or a channel's id or name with or without its #."""
    match (word or PUBLIC_WORD).strip():
        case "" | "public":
            return Place()
        case "dm":
            return Place(PlaceKind.DM)
        case channel:
            return Place(PlaceKind.CHANNEL, channel=channel.removeprefix("#"))


def moment_asked(text: str, zone: tzinfo) -> datetime:
    """An ISO time as it is, an ISO date as the end of that day, `yesterday` and `today` likewise; else UserFacing."""
    word = text.strip()
    days_back = {"today": 0, "yesterday": 1}.get(word.lower())
    if days_back is not None:
        return end_of_day(datetime.now(zone).date() - timedelta(days=days_back), zone)
    try:
        if re.fullmatch(r"\d{4}-?\d{2}-?\d{2}", word):
            moment = end_of_day(date.fromisoformat(word), zone)
        else:
            moment = datetime.fromisoformat(word)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        moment.astimezone(UTC).astimezone(zone)  # a day at either end of the calendar may lie beyond it there
    except (ValueError, OverflowError) as error:
        raise UserFacing(f"no date: {text!r}; write it as 2026-07-31 or 2026-07-31T12:00:00+00:00") from error
    return moment


def end_of_day(day: date, zone: tzinfo) -> datetime:
    """The last microsecond of a day."""
    return datetime.combine(day, time.max, tzinfo=zone)
