"""Transcripts read for the audit: cues with their times and voices, and which of them an utterance is made of."""

import html
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.evals.audit.said import Room

TIMES = re.compile(r"(-?)(?:(\d+):)?(\d+):(\d+)\.(\d{1,3})\s+-->")
VOICE = re.compile(r"<v(?:\.\S+)?\s+([^>]+)>")
NAMED = re.compile(r"([^\s:][^:\n]{0,59}?): (?=\S)")
OFFSET = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: when, who as it stands there ('' where nobody does), and the words, without the name and with it."""

    at: int
    name: str
    text: str
    whole: str
    opens: bool = False
    """The first of its file: nobody goes on from the file before."""


@dataclass(frozen=True, slots=True)
class Written:
    """A chat line to everyone: who, the words, and seconds of the recording or of the day."""

    name: str
    text: str
    seconds: int
    of_day: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """One folder."""

    room: Room
    cues: tuple[Cue, ...]
    start: int
    aliases: Mapping[str, frozenset[str]]
    """By the name that stands in the transcript, in lower case: what else the participant may be called."""
    chat: tuple[Written, ...] = ()
    until: int | None = None
    """Up to which microsecond it was read; None for all of it."""

    def chatted(self) -> Iterator[int]:
        """Numbers of the chat lines that are words of their own, no reactions to others'."""
        for number, line in enumerate(self.chat if self.until is None else ()):
            if not re.match(r"Reacted to .* with |Removed a .* reaction from ", line.text, re.S):
                yield number


def read_cues(text: str, start: int) -> list[Cue]:
    """The cues that say something, in the file's order; `start` in microseconds."""
    found: list[Cue] = []
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        if times := TIMES.search(block):
            hours, minutes, seconds = (int(part or 0) for part in times.groups()[1:4])
            offset = ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(times[5].ljust(3, "0"))
            at = start + (0 if times[1] else offset * 1000)
            found += (cue for cue in _voices(block[times.end() :].partition("\n")[2], at) if cue.text)
    return [replace(cue, opens=number == 0) for number, cue in enumerate(found)]


def _voices(words: str, at: int) -> Iterator[Cue]:
    """A cue's words by whose they are: Teams' metadata, voice tags, or a name before a colon."""
    if words.lstrip().startswith("{") and (told := _object(words)) and "spokenText" in told:
        said = _clean(str(told["spokenText"]))
        when = micros(told.get("startDateTime"))
        name = str(told.get("speakerName") or "")
        yield Cue(at if when is None else when, name, said, f"{name}: {said}" if name else said)
        return
    before, *tagged = VOICE.split(words)
    for name, part in zip(tagged[::2], tagged[1::2], strict=True):
        yield Cue(at, _clean(name), _clean(part), f"{_clean(name)}: {_clean(part)}")
    if not tagged:
        named = NAMED.match(_clean(before))
        whole = _clean(before)
        yield Cue(at, named[1] if named else "", whole[named.end() :] if named else whole, whole)
    elif _clean(before):
        yield Cue(at, "", _clean(before), _clean(before))


def _clean(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"</?[a-z][^>]*>|<[\d:.]+>", "", text)).split())


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(" ".join(text.split("\n")))
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def micros(told: object) -> int | None:
    """An ISO time with an offset in microseconds since 1970; None for what is none."""
    text = str(told or "").strip()
    if not OFFSET.search(text):
        return None
    when = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text))
    return (when - datetime(1970, 1, 1, tzinfo=UTC)) // when.resolution


def file_time(file: Path) -> int:
    """When a file was written, in whole seconds as microseconds."""
    return int(file.stat().st_mtime) * 1_000_000


class Turns:
    """The cues of a meeting, each used up by the one utterance that it is part of."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.cues = cues
        self.free = [True] * len(cues)
        self.by_time: defaultdict[int, list[int]] = defaultdict(list)
        for number, cue in enumerate(cues):
            self.by_time[cue.at].append(number)

    def take(self, at: int, text: str) -> str | None:
        """Who said that then, '' for nobody that is named; None where no cues in a row of one speaker are the text."""
        for first in self.by_time.get(at, ()):
            count = taken_by(text, self.cues[first:]) if self.free[first] else 0
            if count and all(self.free[first : first + count]):
                self.free[first : first + count] = [False] * count
                cue = self.cues[first]
                return "" if cue.whole != cue.text and text.startswith(cue.whole) else cue.name
        return None

    def left(self) -> list[Cue]:
        """The cues that nothing has taken."""
        return [cue for cue, free in zip(self.cues, self.free, strict=True) if free]


def taken_by(text: str, cues: Sequence[Cue]) -> int:
    """How many cues in a row, of one speaker, are the whole text; 0 where they are not."""
    rest = text
    name = cues[0].name
    if cues[0].whole != cues[0].text and rest.startswith(cues[0].whole):
        name = ""
    for number, cue in enumerate(cues):
        if number and cue.opens:
            return 0
        words = cue.whole if number and cue.name not in ("", name) else cue.text
        if not rest.startswith(words) or (not number and not name):
            words = cue.whole
        if not rest.startswith(words):
            return 0
        rest = rest[len(words) :]
        if not rest:
            return number + 1 if _ends(name, cues[number + 1 : number + 2]) else 0
        rest = rest.removeprefix(" ")
    return 0


def _ends(name: str, following: Sequence[Cue]) -> bool:
    """Whether a turn is over before the next cue, if there is one."""
    return not following or following[0].opens or following[0].name not in ("", name)
