"""Written minutes: what stands under "Conclusion" is the chair's summary, and that decides."""

import re
from collections.abc import Sequence

from assistant.decisions.extract.cues import cues
from assistant.decisions.extract.settling import bare, settling
from assistant.decisions.extract.values import change
from assistant.model.conversations import Conversation, Utterance
from assistant.model.decisions import Extracted
from assistant.text.words import content_tokens

_STAGE = re.compile(r"\bstage\s*(?P<stage>\d(?:\.\d+)?)(?![\d.]*\d)", re.I)
_OTHER_STAGE = re.compile(
    r"\bstages?\s*\d(?:\.\d+)?\s*(?:reviewers?|concerns?|blockers?|(?:\w+ )?criteria|requirements?)|\b(?:before|until|"
    r"prior to|towards?|since|asking for|ask for|seek|seeking|requesting?) stages?\s*\d(?:\.\d+)?",
    re.I,
)
_REVIEWERS = re.compile(
    r"^\W*(?:stage\s*\d(?:\.\d+)?\s*)?(?:spec(?:ification)? )?(?:reviewers?|editors?|champions?|scribes?|notes?)\b|"
    r"\breviewers?\b\s*[:=]|\b(?:as|are|is) (?:stage \d\S* )?reviewers?\b|\bto review\b",
    re.I,
)
_REACHED = re.compile(
    r"\b(?:accept\w*|advanc\w+|reach\w*|approv\w+|consensus|proceed\w*|moves?|moved|moving|promot\w+|demot\w+|"
    r"support|achieved|granted|agreed|adopted|to stage|now|has|have|at stage|is stage|are stage)\b|"
    r"^\W*stage\s*\d|:\s*stage\s*\d",
    re.I,
)
_HELD = re.compile(
    r"\bnot\b|n['’]t\b|\bno consensus\b|\bno (?:advance\w*|stage|conclusion|decision|objection to continu)|"
    r"\b(?:remain|stay|hold)(?:s|ing|ed)?\b|\bblock(?:ed|s|ing)?\b|\bwithout consensus\b|\bfail\w*|\bunable\b|"
    r"\black of\b|"
    r"\b(?:will|would|to) (?:be )?(?:revisit\w*|return|come back|discuss\w*|continue|request|seek|ask|propose|"
    r"present)\b|\bcontinu(?:e|ed|es|ing|ation)\b|\bdefer\w*|\bpostpone\w*|\bschedule\b|\brevisit\b|"
    r"\bnext meeting\b|\bfurther (?:discussion|work|investigation|feedback)\b|\bneeds?\b|\bneeded\b|\bawait\w*|"
    r"\btimebox\b|\bask(?:ing)? (?:again|for)\b|\bpursue\b|\bstill\b|^\W*no (?:for|to)\b",
    re.I,
)
_SETTLED = re.compile(
    r"\b(?:agree[sd]?|agreement|approv\w+|accept\w*|adopt\w*|consensus|decided?|decision|merge[ds]?|resolved|"
    r"withdrawn?|rejected|land(?:ed)?|will be|ratified|elected|passed|carried)\b",
    re.I,
)
_MARKS = re.compile(
    r"^#+ [^\n]*\n\s*|^\W*(?:[-*•+]+|\d+[.)])\s*|^(?:conclusions?|resolutions?|decisions?|resolved)\s*:\s*", re.I
)
_ASKED = re.compile(
    r"[,:(]?\s*(?:\b(?:for|to|at|update and request for)\s+)?\(?stages?\s*\d(?:\.\d+)?(?:\s*(?:or|,|/|"
    r"and)\s*(?:stage\s*)?\d(?:\.\d+)?)*\)?\??|\((?:cont\w*|part \d\s*\??)\)",
    re.I,
)

_ENGLISH = frozenset("the and is that it for with we this be are not have you was if they there which".split())
_ENOUGH, _SHARE = 25, 0.02
"""Words that tell a language, and the share of those that every English text has."""


def extract(conversation: Conversation) -> tuple[Extracted, ...]:
    """One decision for everything that the conclusion settles; nothing where it says that nothing changes."""
    lines = [item for item in conversation.utterances if item.text in conversation.conclusion]
    stages = [(line, stage) for line in lines if (stage := reached(line.text))]
    if stages:
        own = _one_a_subject(stages)
        return tuple(_told(conversation, lines, line, stage, apart=len(own) > 1) for line, stage in own)
    if any(_HELD.search(line.text) for line in lines):
        return ()
    foreign = _foreign(conversation)
    settled = [line for line in lines if (foreign or _SETTLED.search(line.text)) and not _REVIEWERS.search(line.text)]
    return tuple(_told(conversation, lines, line, None) for line in settled[:1])


def _foreign(conversation: Conversation) -> bool:
    """Whether it is written in another language than the phrases above: there the heading alone says what came out."""
    words = re.findall(r"[^\W\d_]+", " ".join(said.text for said in conversation.utterances).casefold())
    strange = sum(word[0] > "\u024f" for word in words)
    if 2 * strange > len(words):
        return True
    return len(words) >= _ENOUGH and sum(word in _ENGLISH for word in words) < _SHARE * len(words)


def reached(line: str) -> str | None:
    """The stage that the line says was reached: `Stage 3`, None where it says none was."""
    if _REVIEWERS.match(line):
        return None
    for sentence in re.split(r"(?<=[.;!])\s+|\n", _OTHER_STAGE.sub(" ", line)):
        match = _STAGE.search(sentence)
        if (
            match
            and not _HELD.search(sentence[: match.end() + 12])
            and (_REACHED.search(sentence) or len(sentence.split()) < 6)
        ):
            return f"Stage {_last_reached(sentence)}"
    return None


def _last_reached(sentence: str) -> str:
    """Of "to Stage 2 from Stage 3" the 2, of "Stage 2 to Stage 3" the 3."""
    stages = [(m["stage"], sentence[max(0, m.start() - 12) : m.start()].casefold()) for m in _STAGE.finditer(sentence)]
    return next((stage for stage, lead in stages if re.search(r"\b(?:to|for)\s*$", lead)), stages[0][0])


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
    title = re.sub(r"\s+", " ", _ASKED.sub("", re.sub(r"^\d+(?:\.[\da-z]+)*[.)]?\s+", "", conversation.title))).strip(
        " ,:-"
    )
    words = " ".join(_MARKS.sub("", line.text).split())
    value = stage or ("withdrawn" if re.search(r"\bwithdrawn\b", words, re.I) else change(words).new)
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


def _deciding(
    conversation: Conversation, lines: Sequence[Utterance], line: Utterance, title: str, value: str | None
) -> Utterance:
    """The line itself; where it is bare and nobody's, the words of the talk that it records, if there are any."""
    if line.speaker.name or not bare(_MARKS.sub("", line.text), title):
        return line
    recorded = {each.id for each in lines}
    return settling([said for said in conversation.utterances if said.id not in recorded], title, value) or line
