"""What minutes hold under a heading: turns of `Name: text`, and what stands in nobody's name. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

CLOCK = r"(?:[\[(]?(?P<clock>\d{1,2}:\d\d(?::\d\d)?)[\])]?\s+)?"
TURN = re.compile(
    rf"\s{{0,3}}(?:[-*] )?{CLOCK}(?:\*\*|__)?"
    r"(?P<name>[^\W\d_][^:*\n|<>\[\]()]{0,48}?(?: \([^:()\n]{1,30}\))?)(?:\*\*|__)?:(?:\*\*|__)?(?:\s+|$)(?P<words>.*)"
)
"""`ABC: words` and `Full Name (Company): words`, the name bold or not, the time of day before it or not."""

CHATTED = re.compile(rf"\s{{0,3}}{CLOCK}<(?P<name>[^<>\s][^<>]{{0,48}})>\s+(?P<words>.*)")
"""`<name> words`, as chat is logged."""

MARKUP = frozenset("a b i u s p br hr li ul ol td tr th h1 h2 h3 em div pre sub sup code span table details".split())
"""What stands in angle brackets and is no name."""

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
    r"(?:\s*/\s*\w+)?(?:(?:\*\*|__)?:(?:\*\*|__)?\s*(.*)|(?:\*\*|__)\s*$)",
    re.I,
)
"""A line that states the outcome by itself, `RESOLUTION: …`, or in bold heads the lines that do."""

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
    clock: int | None = None
    """Seconds of the day, where the line tells."""


def turn_in(line: str) -> re.Match[str] | None:
    """Who says something in the line, what and when, where it may be a turn."""
    return CHATTED.match(line) or TURN.match(line)


def known_speakers(lines: Sequence[str], initials: Mapping[str, str], names: Iterable[str]) -> frozenset[str]:
    """What before a colon is somebody: known initials and names, and what is written like one and comes again."""
    counts = Counter(found["name"].strip() for line in lines if (found := turn_in(line)))
    chatted = Counter(found["name"] for line in lines if (found := CHATTED.match(line)))
    full = {name.casefold() for name in (*initials.values(), *names)}
    short = sum(count for name, count in counts.items() if INITIALS.fullmatch(name))
    by_initials = 2 * short > sum(counts.values())
    return frozenset(
        name
        for name, count in counts.items()
        if name in initials or _is_speaker(name, count, full, by_initials) or (chatted[name] > 1 and name not in MARKUP)
    )


def _is_speaker(name: str, count: int, full: set[str], by_initials: bool) -> bool:
    if NO_SPEAKER.match(name):
        return False
    if name.casefold() in full or INITIALS.fullmatch(name):
        return True
    if by_initials:
        return False
    words = re.sub(r" \(.*\)$", "", name).split()
    like = len(words) <= 4 and all(NAME.match(word) for word in words)
    return like and (count > 1 or len(words) in (2, 3))


def read_lines(lines: Iterable[tuple[int, str]], speakers: frozenset[str]) -> Iterator[Line]:
    """The turns in the numbered lines of an item; what follows a turn without a name goes on with it.

    Before the first turn stand links and the like: each paragraph or list entry is one, in nobody's name.
    """
    found: list[tuple[int, str, list[str], bool]] = []
    clocks: dict[int, int] = {}
    blank = True
    for number, line in lines:
        turn, outcome = turn_in(line), OUTCOME.match(line)
        if turn and turn["name"].strip() in speakers:
            found.append((number, turn["name"].strip(), [turn["words"]], False))
            if turn["clock"]:
                clocks[number] = seconds(turn["clock"])
        elif outcome:
            found.append((number, "", [outcome[1] or ""], True))
        elif found and _goes_on(found[-1], line, blank):
            found[-1][2].append(line)
        elif line.strip():
            found.append((number, "", [line], found[-1][3] if found else False))
        blank = not line.strip()
    for number, speaker, words, concluding in found:
        text = "\n".join(words).strip()
        if text.strip("-=_* "):
            yield Line(number, speaker, text if speaker else _unmarked(text), concluding, clocks.get(number))


def seconds(clock: str) -> int:
    """`14:30` or `14:30:05` as seconds of the day."""
    hours, minutes, *rest = map(int, clock.split(":"))
    return hours * 3600 + minutes * 60 + sum(rest)


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
        yield replace(line, concluding=dictating == line.speaker or not line.speaker)


def _unmarked(text: str) -> str:
    """A list entry without the mark before it."""
    return BULLET.sub("", text, count=1) if BULLET.match(text) else text
