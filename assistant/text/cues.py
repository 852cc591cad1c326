"""Transcripts as WebVTT: cues with their speakers, in all the shapes that Zoom and Teams write. Pure.

webvtt-py splits the blocks and reads times; the speaker (voice tag, `Name: text`, Teams' metadata), tags, entities and
what a cut-off file leaves are read here.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import webvtt
from webvtt.errors import MalformedFileError

from assistant.errors import Skip

PREFIX = re.compile(r"([^\s:][^:\n]{0,59}?): (?=\S)")
"""A speaker's name before the words, as Zoom writes it."""

VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
TAG = re.compile(r"</?(?:c|i|b|u|v|ruby|rt|lang)(?:[.\s][^>]*)?>|<(?:\d+:)?\d\d?:\d\d?\.\d{1,3}>")
NEGATIVE = re.compile(r"(?m)^(\s*)-\d+:\d+:\d+(?:\.\d+)?(?=\s*-->)")
"""Teams starts a cue before the recording now and then."""

NAME_LIKE = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*|de|da|van|von|der|den|del|la|le|el|bin|al)(?: |$)")
NO_NAMES = frozenset("question answer note example so step option update fyi ps todo decision action today".split())


@dataclass(frozen=True, slots=True)
class Cue:
    """What one cue says."""

    start: int
    """Milliseconds from the start of the recording."""
    speaker: str | None
    """The name that stands there; None where there is none."""
    text: str
    """On one line, without tags."""
    at: datetime | None = None
    """When it was said, where the cue itself tells (Teams' metadata)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """All cues of one speaker that follow each other."""

    start: int
    speaker: str | None
    text: str
    """The cues, joined by one space."""
    at: datetime | None = None


def read_turns(text: str, known: Iterable[str] = ()) -> list[Turn]:
    """The turns of a WebVTT file. `known` are names of participants, whose prefix is never taken for words.

    A cue without a name goes on with the speaker before it. Raises Skip for what is no WebVTT.
    """
    turns: list[Turn] = []
    for cue in read_cues(text, known):
        last = turns[-1] if turns else None
        if last and cue.speaker in (None, last.speaker):
            turns[-1] = Turn(last.start, last.speaker, f"{last.text} {cue.text}", last.at)
        else:
            turns.append(Turn(cue.start, cue.speaker, cue.text, cue.at))
    return turns


def read_cues(text: str, known: Iterable[str] = ()) -> list[Cue]:
    """The cues of a WebVTT file that say something, in its order; raises Skip for what is no WebVTT."""
    text = NEGATIVE.sub(r"\g<1>00:00:00.000", text.removeprefix("\ufeff"))
    try:
        captions = webvtt.from_string(text).captions
    except MalformedFileError as error:
        raise Skip("no WebVTT: the first line is not WEBVTT") from error
    raw = [(milliseconds(caption.start), part) for caption in captions for part in voices(caption.raw_text)]
    names = speakers((words for _, (voice, words) in raw if voice is None), known)
    cues = [_cue(start, voice, words, names) for start, (voice, words) in raw]
    return [cue for cue in cues if cue.text]


def voices(raw: str) -> list[tuple[str | None, str]]:
    """A cue's parts by its voice tags: who (None before the first tag) and the raw words."""
    before, *rest = VOICE.split(raw)
    parts: list[tuple[str | None, str]] = [(None, before)] if before.strip() or not rest else []
    return parts + [(clean(name), words) for name, words in zip(rest[::2], rest[1::2], strict=True)]


def clean(raw: str) -> str:
    """The words of a cue on one line, tags taken out and entities decoded."""
    return " ".join(html.unescape(TAG.sub("", raw)).replace("\x00", "\ufffd").split())


def speakers(words: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The prefixes that are names: of participants, of who speaks more than once, or plainly written like a name.

    Where most cues have one, as Zoom writes them, a word or two that came up once are a name, too ("stokes").
    """
    heads = [PREFIX.match(clean(text)) for text in words]
    counts = Counter(head[1] for head in heads if head)
    most = 2 * counts.total() > len(heads)
    participants = {" ".join(name.split()).casefold() for name in known}

    def named(name: str, count: int) -> bool:
        long = len(name.split())
        return name.casefold() not in NO_NAMES and long <= 8 and (count > 1 or name_like(name) or (most and long <= 2))

    return frozenset(name for name, count in counts.items() if name.casefold() in participants or named(name, count))


def name_like(name: str) -> bool:
    """Whether every word of it is written like a name's, aside from what stands in brackets."""
    bare = re.sub(r"\s*[(\[|].*$", "", name)
    return bool(bare) and len(bare.split()) <= 5 and all(NAME_LIKE.match(word) for word in bare.split())


def milliseconds(stamp: str) -> int:
    """`01:02:03.456` or `02:03.456` in milliseconds."""
    *higher, seconds = stamp.split(":")
    hours, minutes = [0, *map(int, higher)][-2:]
    return round((hours * 60 + minutes) * 60_000 + float(seconds) * 1000)


def _cue(start: int, voice: str | None, raw: str, names: frozenset[str]) -> Cue:
    words = clean(raw)
    if voice is None and words.startswith("{") and (cue := _metadata(start, words)):
        return cue
    found = PREFIX.match(words) if voice is None else None
    if found and found[1] in names:
        return Cue(start, found[1], words[found.end() :])
    return Cue(start, voice or None, words)


def _metadata(start: int, words: str) -> Cue | None:
    """Teams' other form: one JSON object a cue."""
    try:
        told = json.loads(words)
        said, speaker = told["spokenText"], told.get("speakerName") or None
    except (ValueError, KeyError, TypeError):
        return None
    return Cue(start, speaker, clean(str(said)), parsed_time(told.get("startDateTime")))


def parsed_time(value: object) -> datetime | None:
    """An ISO time with an offset, to the microsecond; None for what is none."""
    text = re.sub(r"(\.\d{6})\d+", r"\1", str(value or ""))
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
