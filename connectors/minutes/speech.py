"""What minutes hold under a heading: turns of `Name: text`, and what stands in nobody's name. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

TURN = re.compile(
    r"\s{0,3}(?:[-*] )?(?:\*\*|__)?([^\W\d_][^:*\n|<>\[\]()]{0,48}?)(?:\*\*|__)?:(?:\*\*|__)?(?:\s+|$)(.*)"
)
"""`ABC: words` and `Full Name: words`, the name bold or not."""

INITIALS = re.compile(r"[A-Z][A-Z0-9]{1,3}")
NAME = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*|de|da|van|von|der|den|del|la|le|el|bin|al)(?: |$)")
NO_SPEAKER = re.compile(
    r"(?:presenters?|remote|attendees|present|chairs?|date|time|location|agenda|slides|proposal|note|notes|link|links|"
    r"question|answer|example|todo|pr|issue|url|ps|nb|re|ie|eg|fyi|aka|see|spec|repo|reference|action|"
    r"conclusions?|resolutions?|decisions?|agreed|resolved|outcome|consensus|option \w+|step \w+|stage \w+)\b",
    re.I,
)
"""What stands before a colon and is no name."""

OUTCOME = re.compile(
    r"\s{0,3}(?:[-*] )?(?:\*\*|__)?(?:conclusions?|resolutions?|decisions?|outcome|resolved|agreed|decided)"
    r"(?:\s*/\s*\w+)?(?:\*\*|__)?:(?:\*\*|__)?\s*(.*)",
    re.I,
)
"""A line that states the outcome by itself: `RESOLUTION: …`."""

BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody's turn, or words in nobody's name."""

    number: int
    """Of its first line in the file, from 1."""
    speaker: str
    """As it stands there, '' for nobody."""
    text: str
    concluding: bool = False


def known_speakers(lines: Iterable[str], initials: Mapping[str, str], names: Iterable[str]) -> frozenset[str]:
    """What before a colon is somebody: known initials and names, and what is written like one and comes again."""
    counts = Counter(found[1].strip() for line in lines if (found := TURN.match(line)))
    full = {name.casefold() for name in (*initials.values(), *names)}
    short = sum(count for name, count in counts.items() if INITIALS.fullmatch(name))
    by_initials = 2 * short > sum(counts.values())
    return frozenset(
        name for name, count in counts.items() if name in initials or _is_speaker(name, count, full, by_initials)
    )


def _is_speaker(name: str, count: int, full: set[str], by_initials: bool) -> bool:
    if NO_SPEAKER.match(name):
        return False
    if name.casefold() in full or INITIALS.fullmatch(name):
        return True
    if by_initials:
        return False
    words = name.split()
    like = len(words) <= 4 and all(NAME.match(word) for word in words)
    return like and (count > 1 or len(words) in (2, 3))


def read_lines(lines: Iterable[tuple[int, str]], speakers: frozenset[str]) -> Iterator[Line]:
    """The turns in the numbered lines of an item; what follows a turn without a name goes on with it.

    Before the first turn stand links and the like: each paragraph or list entry is one, in nobody's name.
    """
    found: list[tuple[int, str, list[str], bool]] = []
    blank = True
    for number, line in lines:
        turn, outcome = TURN.match(line), OUTCOME.match(line)
        if turn and turn[1].strip() in speakers:
            found.append((number, turn[1].strip(), [turn[2]], False))
        elif outcome:
            found.append((number, "", [outcome[1]], True))
        elif found and _goes_on(found[-1], line, blank):
            found[-1][2].append(line)
        elif line.strip():
            found.append((number, "", [line], found[-1][3] if found else False))
        blank = not line.strip()
    for number, speaker, words, concluding in found:
        text = "\n".join(words).strip()
        if text.strip("-=_* "):
            yield Line(number, speaker, _unmarked(text) if not speaker else text, concluding)


def _goes_on(last: tuple[int, str, list[str], bool], line: str, blank: bool) -> bool:
    """Whether the line belongs to what stands before it."""
    if last[1]:
        return True
    return bool(line.strip()) and not blank and not BULLET.match(line) and not line.lstrip().startswith("|")


def read_conclusion(lines: Iterable[tuple[int, str]], speakers: frozenset[str]) -> Iterator[Line]:
    """The lines under a conclusion's heading, each paragraph or list entry one, mostly in nobody's name.

    Where somebody dictates it, their turns are the conclusion; who speaks after that only talks on.
    """
    dictating: str | None = None
    for line in read_lines(lines, speakers):
        dictating = line.speaker if dictating in (None, line.speaker) else ""
        yield Line(line.number, line.speaker, line.text, dictating == line.speaker or not line.speaker)


def _unmarked(text: str) -> str:
    """A list entry without the mark before it."""
    return BULLET.sub("", text, count=1) if BULLET.match(text) else text
