"""Written minutes: what stands under "Conclusion" is the chair's summary, and that decides."""

import re
from collections.abc import Sequence

from assistant.decisions.extract.cues import cues
from assistant.decisions.extract.outcomes import settles
from assistant.decisions.extract.settling import bare, settling
from assistant.decisions.extract.values import change
from assistant.model.conversations import Conversation, Utterance
from assistant.model.decisions import Extracted
from assistant.text.months import MONTH
from assistant.text.reported import telling
from assistant.text.staged import reached
from assistant.text.words import content_tokens

_MARKS = re.compile(r"^#+ [^\n]*\n\s*|^\W*(?:[-*•+]+|\d+[.)])\s*")
_LABEL = re.compile(
    r"(?:^|.*?[.!?]\s+(?-i:(?=[A-Z])))\W*(?:\w+ )?"
    r"(?:conclusions?|resolutions?|decisions?|resolved|decided|agreed|beschl(?:uss|üsse)|beschlossen|entscheidung|fazit|"
    r"ergebnis|d[ée]cision|d[ée]cid[ée]|résolution|decisión|acuerdo|acordado|conclusión)(?: (?:taken|made|reached))?"
    r"(?: ?(?:no\.?|nr\.?|#)? ?\d[\d./-]*)?[*_]*\s?[:：][*_]*\s*(?=\S)",
    re.I | re.S,
)
"""Up to the label of an outcome within what somebody says."""
_ASKED = re.compile(
    r"[,:(]?\s*(?:\b(?:for|to|at|update and request for)\s+)?\(?stages?\s*\d(?:\.\d+)?(?:\s*(?:or|,|/|"
    r"and)\s*(?:stage\s*)?\d(?:\.\d+)?)*\)?\??|\((?:cont\w*|part \d\s*\??)\)",
    re.I,
)


_DAY = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d\d)?|"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.|er|º)? (?:of |de )?{MONTH}(?:,? (?:de |del )?\d{{4}})?|"
    rf"{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,? \d{{4}})?|"
    rf"{MONTH}(?: (?:de )?\d{{4}})?|(?:20|19)\d\d(?![\d.,]*\d))"
)
_SINCE = re.compile(
    rf"\b(?:from|as of|as from|starting(?: on| from)?|effective(?: from| on)?|since|by|on|in|until|till|before|after|"
    r"zum|ab(?: dem)?|seit(?: dem)?|bis(?: zum)?|am|im|vom|à partir du|à compter du|dès le|le|en|jusqu['’]au|avant le|"
    rf"a partir del?|desde el|el|hasta el|antes del)\s+(?:(?:the|end of|start of|1er) )?{_DAY}|"
    rf"\b(?:fiscal year |FY |year )?(?:20|19)\d\d\b(?= [a-zäöü])",
    re.I,
)
"""When it holds, or by when something is done."""


def extract(conversation: Conversation) -> tuple[Extracted, ...]:
    """One decision for each line that settles something; nothing where the conclusion says that nothing changes."""
    lines = [item for item in conversation.utterances if item.text in conversation.conclusion]
    stages = [(line, stage) for line in lines if (stage := reached(line.text))]
    if stages:
        own = _one_a_subject(stages)
        return tuple(_told(conversation, lines, line, stage, apart=len(own) > 1) for line, stage in own)
    settled = _once([line for line in lines if settles(_words(line))])
    return tuple(_told(conversation, _beside(lines, line, settled), line, None) for line in settled)


def _once(lines: Sequence[Utterance]) -> list[Utterance]:
    """The lines without those that only say again what one before them says."""
    told: list[frozenset[str]] = []
    found = []
    for line in lines:
        own = frozenset(content_tokens(_words(line)))
        if not own or not any(own <= earlier for earlier in told):
            found.append(line)
        told.append(own)
    return found


def _beside(lines: Sequence[Utterance], line: Utterance, settled: Sequence[Utterance]) -> list[Utterance]:
    """The line with those that settle nothing themselves."""
    return [other for other in lines if other is line or other not in settled]


def _one_a_subject(stages: list[tuple[Utterance, str]]) -> list[tuple[Utterance, str]]:
    """Several lines count only where each names a subject of its own."""
    named = [(line, stage) for line, stage in stages if len(_subject(line.text)) > 0]
    return named if len(named) > 1 else stages[:1]


def _subject(line: str) -> str:
    """What a line such as "Intl.Locale to Stage 3" is about: `Intl.Locale`; '' where it names nothing."""
    match = re.match(
        r"^\W*(?P<name>[`A-Z][\w.`()/ -]{2,60}?)\s*(?::| to| for| reaches| has| is|"
        r" advances)\s*(?:\w+ ){0,3}(?i:stage)\s*\d",
        line,
    )
    match = match or re.match(
        r"^\W*(?:conditional )?stage\s*\d(?:\.\d+)?\s*(?:\w+ )?for (?P<name>[\w`.+ ()/-]{2,60})", line, re.I
    )
    name = match["name"].strip() if match else ""
    return (
        ""
        if re.match(
            r"(?:consensus|approv|accept|advanc|proceed|stage|demot|mov|support|the|this|conditional|proposal)",
            name,
            re.I,
        )
        else name
    )


def _told(
    conversation: Conversation, lines: Sequence[Utterance], line: Utterance, stage: str | None, *, apart: bool = False
) -> Extracted:
    """The decision that a line records; APART where it is one of several, each with a subject of its own."""
    named = "" if conversation.title == conversation.place_name else conversation.title
    title = re.sub(r"\s+", " ", _ASKED.sub("", re.sub(r"^\d+(?:\.[\da-z]+)*[.)]?\s+", "", named))).strip(" ,:-")
    words = _words(line)
    value = stage or ("withdrawn" if re.search(r"\bwithdrawn\b", words, re.I) else change(undated(words)).new)
    tokens = {
        t: w for w in re.findall(r"[\w.]+", f"{_subject(line.text)} {title} {words}") for t in content_tokens(w)[:1]
    }
    own = _deciding(conversation, lines, line, title, value)
    return Extracted(
        conversation=conversation.id,
        statement=f"{title}: {words}" if title and not apart else words,
        utterance=own.id,
        quote=own.text,
        supporting=tuple(other.id for other in lines if other.id != own.id),
        decided_by=line.speaker.name or None,
        decider=line.speaker.person,
        decided_at=own.at,
        old_value=None,
        new_value=value,
        topic=" ".join(tokens.values()),
        reasons=tuple(other.text for other in lines if "because" in cues(other.text))[:2],
    )


def _words(line: Utterance) -> str:
    """What a line says, without its mark and what stands before a label such as `Decision:`; a row as `A: b`.

    Of several sentences that one which tells what was settled, where one does.
    """
    own = _MARKS.sub("", line.text)
    words = " ".join((_LABEL.sub("", own, count=1) if _LABEL.match(own) else telling(own) or own).split())
    cells = [cell.strip() for cell in words.split("|")] if " | " in words else []
    return f"{cells[0]}: {cells[-1]}" if cells else words


def undated(words: str) -> str:
    """The words without the days from or by which they hold: these are no values."""
    return _SINCE.sub(lambda found: " " * len(found[0]), words)


def _deciding(
    conversation: Conversation, lines: Sequence[Utterance], line: Utterance, title: str, value: str | None
) -> Utterance:
    """The line itself; where it is bare and nobody's, the words of the talk that it records, if there are any."""
    if line.speaker.name or not bare(_MARKS.sub("", line.text), title):
        return line
    recorded = {each.id for each in lines}
    return settling([said for said in conversation.utterances if said.id not in recorded], title, value) or line
