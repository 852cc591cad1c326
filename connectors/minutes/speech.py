"""What minutes hold under a heading: turns of `Name: text`, and what stands in nobody's name. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from connectors.minutes.outline import CONCLUSION, LABEL, OUTCOMES, code_in

CLOCK = r"(?:[\[(]?(?P<clock>\d{1,2}:\d\d(?::\d\d)?)[\])]?\s+)?"
TURN = re.compile(
    rf"\s{{0,3}}(?:[-*] )?{CLOCK}(?:\*\*|__)?"
    r"(?P<name>\?{1,3}|[^\W\d_][^:：*\n|<>\[\]()]{0,48}?(?: \([^:()\n]{1,30}\))?)"
    r"(?:\*\*|__)?\s?(?P<colon>::?|：)(?:\*\*|__)?(?P<gap>\s+|$)?(?P<words>.*)"
)
"""`ABC: words` and `Full Name (Company): words`, the name bold or not, the time of day before it or not."""

TALKED = re.compile(r"(?![/\\=|])(?!\d\S*(?:$|\s*[^\s\w]))")
"""How words may begin that follow a colon without a space: not as addresses, code, times and ratios go on."""

CHATTED = re.compile(rf"\s{{0,3}}{CLOCK}<(?P<name>[^<>\s][^<>]{{0,48}})>\s+(?P<words>.*)")
"""`<name> words`, as chat is logged."""

MARKUP = frozenset("a b i u s p br hr li ul ol td tr th h1 h2 h3 em div pre sub sup code span table details".split())
"""What stands in angle brackets and is no name."""

INITIALS = re.compile(r"[A-Z][A-Z0-9]{1,3}")
NAME = re.compile(
    r"(?:[^\W\d_a-z][\w.'’-]*|[dlo]['’][^\W\d_][\w'’-]*|de|da|do|dos|di|du|van|von|vom|der|den|del|ter|ten|zu|zur|la|le|"
    r"el|bin|ibn|al|al-\w+|y|e|af|av)(?: |$)"
)
JOINED = re.compile(r"\s*[/,&+]\s*|\s+and\s+")
"""Between the names of those who say something together."""
NO_SPEAKER = re.compile(
    r"(?:presenters?|remote|attendees|present|chairs?|date|time|location|agenda|slides|proposal|note|notes|link|links|"
    r"motions?|votes?|moved|mover|proposed|proposer|seconded|seconder|abstentions?|antrag|abstimmung|vorschlag|"
    r"question|answer|example|todo|pr|issue|url|uri|api|id|ps|nb|re|ie|eg|fyi|aka|see|spec|repo|reference|action|warning|"
    rf"option \w+|step \w+|stage \w+|{OUTCOMES}|"
    r"anwesend\w*|teilnehmer\w*|datum|zeit|ort|thema|hinweis|frage|antwort|présents?|lieu|sujet|remarque|"
    r"asistentes|fecha|lugar|tema|nota|presenti|luogo|aanwezig\w*|"
    r"出席\w*|参加者|日時|日期|时间|時間|场所|場所|地点|议题|議題|主题|注意|备注|備考)\b",
    re.I,
)
"""What stands before a colon and is no name."""

OUTCOME = re.compile(
    r"\s{0,8}(?:(?:[-*•>+]|\d+[.)]|[-=]+>|[^\w\s*_|#<>`\[({:.,]{1,2})\s+)?(?:\*\*|__)?"
    rf"{LABEL}(?:\s*/\s*\w+)?"
    r"(?:(?:\*\*|__)?(?:\s?[:：]|\s+[–—-](?=\s))(?:\*\*|__)?\s*(.*)|(?:\*\*|__)\s*$)",
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


def tight(turn: re.Match[str]) -> bool:
    """Whether the words follow the colon without a space, as in `ABC:words`, but also in `http://` and `key:value`."""
    return turn.re is TURN and turn["colon"] != "：" and turn["gap"] is None


def known_speakers(lines: Sequence[str], initials: Mapping[str, str], names: Iterable[str]) -> frozenset[str]:
    """What before a colon is somebody: known initials and names, and what is written like one and comes again.

    Where no space follows the colon, that alone makes nobody a speaker: it takes a table, another turn, or a name.
    """
    turns = [found for _, found in talk_in(enumerate(lines)) if found]
    chatted = Counter(found["name"] for found in turns if found.re is CHATTED)
    counts = Counter(found["name"].strip() for found in turns if not tight(found))
    close = Counter(found["name"].strip() for found in turns if tight(found) and " " in found["words"].strip())
    full = {name.casefold() for name in (*initials.values(), *names)}
    counts += Counter({name: count for name, count in close.items() if _may_stand_close(name, count, counts, full)})
    short = sum(count for name, count in counts.items() if INITIALS.fullmatch(name))
    by_initials = 2 * short > sum(counts.values())
    return frozenset(
        name
        for name, count in counts.items()
        if name in initials or _is_speaker(name, count, full, by_initials) or (chatted[name] > 1 and name not in MARKUP)
    ) | (frozenset(close) & frozenset(initials))


def _may_stand_close(name: str, count: int, counts: Mapping[str, int], full: set[str]) -> bool:
    """Whether a name before a colon without a space may be somebody's."""
    again = count > 1 and (" " in name or INITIALS.fullmatch(name) is not None)
    return again or name in counts or name.casefold() in full


def talk_in(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, re.Match[str] | None]]:
    """Each line's number and what may be a turn in it; in fenced code and in `http://` and the like there is none."""
    numbered = list(lines)
    code = code_in([line for _, line in numbered])
    for n, (number, line) in enumerate(numbered):
        found = None if n in code else turn_in(line)
        if found and tight(found) and (found["colon"] == "::" or not TALKED.match(found["words"])):
            found = None
        yield number, found


def speaker_in(turn: re.Match[str] | None, speakers: frozenset[str]) -> str:
    """Who speaks, as it stands there, also if the writer was unsure (`??`, `ABC?`) or heard several; '' for nobody."""
    name = turn["name"].strip() if turn else ""
    sure = name.rstrip("?")
    if not sure or sure in speakers or all(part in speakers for part in JOINED.split(sure)):
        return name
    return ""


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


@dataclass(slots=True)
class _Block:
    """A turn or paragraph while it is read."""

    number: int
    speaker: str
    words: list[str]
    concluding: bool = False
    heads: str = ""
    """Of an outcome: the mark of the list that it is in or `?` where what comes next is it, `.` where nothing
    does, '' without a list."""


def read_lines(lines: Iterable[tuple[int, str]], speakers: frozenset[str]) -> Iterator[Line]:
    """The turns in the numbered lines of an item; what follows a turn without a name goes on with it.

    Before the first turn stand links and the like: each paragraph or list entry is one, in nobody's name.
    """
    found: list[_Block] = []
    clocks: dict[int, int] = {}
    blank = True
    body = list(lines)
    for n, ((number, line), (_, turn)) in enumerate(zip(body, talk_in(body), strict=True)):
        stated = outcome_in(line) if OUTCOME.match(line) else "" if _heads_list(body[n : n + 3], blank=blank) else None
        if turn and (speaker := speaker_in(turn, speakers)):
            found.append(_Block(number, speaker, [turn["words"]]))
            if turn["clock"]:
                clocks[number] = seconds(turn["clock"])
        elif stated is not None:
            found.append(_Block(number, "", [stated], True, _headed(line, stated)))
        elif found and _goes_on(found[-1], line, blank):
            found[-1].words.append(line)
        elif line.strip():
            heads = _still_heads(found[-1], line, blank=blank) if found else None
            found.append(_Block(number, "", [line], heads is not None, heads or ""))
        blank = not line.strip()
    for block in found:
        text = "\n".join(block.words).strip()
        if text.strip("-=_* "):
            own = text if block.speaker else _unmarked(text)
            yield Line(block.number, block.speaker, own, block.concluding, clocks.get(block.number))


def outcome_in(line: str) -> str:
    """The words behind the label of an outcome; '' where it only heads the lines below."""
    found = OUTCOME.match(line)
    return (found[1] or "") if found else ""


def _headed(line: str, stated: str) -> str:
    """What a labelled line heads: `?` anything where it says nothing itself, `.` nothing where it is in a list."""
    if stated.strip(" *_")[-1:] in ("", ":"):
        return "?"
    return "." if BULLET.match(line) else ""


def _heads_list(lines: Sequence[tuple[int, str]], *, blank: bool) -> bool:
    """Whether the first of the lines stands alone like a heading, says `Decisions`, and a list follows."""
    title = lines[0][1].strip()
    after = next((line for _, line in lines[1:] if line.strip()), "")
    return blank and title[:1].isupper() and bool(CONCLUSION.match(title) and BULLET.match(after))


def _still_heads(last: _Block, line: str, *, blank: bool) -> str | None:
    """How the line goes on with the outcome before it: the mark of its list, '' for none; None where it does not."""
    if not last.concluding or last.speaker or last.heads == ".":
        return None
    bullet = BULLET.match(line)
    mark = ("1" if line.strip()[0].isdigit() else "-") if bullet else ""
    if last.heads == "?" or not blank:
        return mark
    return mark if mark and mark == last.heads else None


def seconds(clock: str) -> int:
    """`14:30` or `14:30:05` as seconds of the day."""
    hours, minutes, *rest = map(int, clock.split(":"))
    return hours * 3600 + minutes * 60 + sum(rest)


def _goes_on(last: _Block, line: str, blank: bool) -> bool:
    """Whether the line belongs to what stands before it."""
    if last.speaker:
        return True
    if last.heads == "?":
        return False
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
