"""chat.txt of a meeting: what was written while others spoke. What was written to one person is never read."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from assistant.model.conversations import Reaction, Speaker, Utterance
from assistant.model.times import micros

CLOUD = re.compile(r"(\d\d):(\d\d):(\d\d)\t([^\t\n]+?):\t(.*)")
"""`00:12:02<TAB>Name:<TAB>text`, the time since the recording began."""

LOCAL = re.compile(r"(?:\d{4}-\d\d-\d\d )?(\d\d):(\d\d):(\d\d)\s+From\s+(.+?)(?:\s+to\s+(.+?))?\s*:\s*(.*)", re.I)
"""`17:03:11 From Name to Everyone: text`, the time of day."""

REACTED = re.compile(r"Reacted to [\"“]?(.*?)[\"”]? with [\"“]?([^\"“”]+)[\"”]?$", re.S)
REMOVED = re.compile(r"Removed a .* reaction from ")
REPLYING = re.compile(r"Replying to [\"“](.*?)(?:\.\.\.|…)?[\"”]\s*(.*)", re.S)
PRIVATE = re.compile(r"direct message|privately|^me\b", re.I)


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One message."""

    seconds: int
    """Since the recording began, or of the day."""
    of_day: bool
    name: str
    text: str


def read_chat(text: str) -> list[ChatLine]:
    """The messages to everyone, in the file's order; lines without a time go on with the message before."""
    found: list[ChatLine] = []
    heard = False
    for line in text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        cloud, local = CLOUD.fullmatch(line), LOCAL.fullmatch(line)
        if cloud or local:
            start = cloud or local
            assert start is not None
            hours, minutes, seconds, name = *map(int, start.groups()[:3]), start[4]
            heard = bool(cloud) or not PRIVATE.search(start[5] or "")
            if heard:
                at = hours * 3600 + minutes * 60 + seconds
                found.append(ChatLine(at, local is not None, name, start.groups()[-1]))
        elif heard:
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n{line.strip()}")
    return [replace(one, text=one.text.strip()) for one in found if one.text.strip()]


def uttered(
    lines: list[ChatLine], conversation: str, start: datetime | None, speaker: Callable[[str], Speaker]
) -> list[Utterance]:
    """The messages as utterances; reactions sit on what they are put on. Nothing without the recording's start."""
    made: list[Utterance] = []
    for number, line in enumerate(lines if start else ()):
        assert start is not None
        reacted = REACTED.match(line.text)
        if reacted:
            _react(made, reacted[1], Reaction(reacted[2], (speaker(line.name),)))
        elif not REMOVED.match(line.text):
            reply = REPLYING.match(line.text)
            answered = _find(made, reply[1]) if reply else None
            at = _moment(line, start) if line.of_day else start + timedelta(seconds=line.seconds)
            text = reply[2] if reply and reply[2] else line.text
            to = made[answered].id if answered is not None else None
            made.append(Utterance(f"{conversation}/chat-{number}", speaker(line.name), micros(at), text, reply_to=to))
    return made


def _moment(line: ChatLine, start: datetime) -> datetime:
    """A time of day near the start; which zone's it is the file does not say, so the nearest whole hours are tried."""
    day = start.replace(hour=0, minute=0, second=0, microsecond=0)
    at = day + timedelta(seconds=line.seconds)
    hours = round((start - at).total_seconds() / 3600 - 0.5)
    return at + timedelta(hours=hours + 1 if at + timedelta(hours=hours) < start - timedelta(minutes=5) else hours)


def _react(made: list[Utterance], start: str, reaction: Reaction) -> None:
    found = _find(made, start)
    if found is not None:
        made[found] = replace(made[found], reactions=(*made[found].reactions, reaction))


def _find(made: list[Utterance], start: str) -> int | None:
    """The last message that begins so."""
    words = start.removesuffix("...").removesuffix("…").strip()
    numbers: Iterator[int] = (n for n in range(len(made) - 1, -1, -1) if made[n].text.startswith(words))
    return next(numbers, None) if words else None
