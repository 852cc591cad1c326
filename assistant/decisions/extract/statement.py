"""One sentence that says what was settled and stands by itself, made of words that were said."""

import re
from collections.abc import Sequence

from assistant.decisions.extract.cues import cues
from assistant.decisions.extract.features import Said
from assistant.decisions.extract.pointers import Pointed
from assistant.decisions.extract.values import quantities
from assistant.model.conversations import Conversation
from assistant.text.sentences import sentence_spans

_OPENERS = re.compile(
    r"^(?:\W*(?:ok(?:ay)?|alright|all right|right|good|great|fine|so|yes|yeah|no|look|well|perfect|thanks all|"
    r"hm+|um+|uh+)\b(?:[,.:!;]+|(?=\s+then\b)|\s+(?=so\b))\s*)+",
    re.I,
)
_HEADING = re.compile(r"^(?P<name>[^.?!:]{3,48})[.:](?:\s|$)")
_NO_HEADING = re.compile(
    r"\b(?:i|i'\w+|you|we|we'\w+|they|they'\w+|he|she|it|it's|that|that's|there|there'\w*|this|some|yes|no|ooh|"
    r"oh|sorry|let|is|are|was|do|did|can|good|fine|"
    r"honest|right|exactly|true|same|question|earlier|thanks|bye|one|two|three|me)\b|^\W*\w{1,3}\W*$",
    re.I,
)
"""Words that no topic's name has."""
_SMALL = re.compile(
    r"^(?:thanks?|thank you|tell your teams|works for everybody|done|alright|i'?ll|i will|page gets|that's time|"
    r"sorry)\b|"
    r"\b(?:can you|could you|will you|would you)\b|\bplease\b[^.]*\b(?:page|put|write)\b|^[A-Z]\w+,? (?:updates|"
    r"changes|can you|please|will you|you )\b",
    re.I,
)
_MOST = 320
"""Characters of a statement's own words."""


def deciding_words(text: str) -> str:
    """The sentences of a deciding utterance that settle something: without thanks, and work given out at its end."""
    spans = [(start, end) for start, end in sentence_spans(text)]
    keep = [n for n, (start, end) in enumerate(spans) if _settles(text[start:end])]
    if not keep:
        return text.strip()
    return text[spans[keep[0]][0] : spans[keep[-1]][1]].strip()


def _settles(sentence: str) -> bool:
    found = cues(sentence)
    if _SMALL.search(sentence) and not quantities(sentence):
        return False
    return bool(
        found & {"settled", "resolve", "it_is", "rule", "onward", "replaced", "pointer", "everyone", "then"}
    ) or bool(quantities(sentence))


def statement(conversation: Conversation, read: Sequence[Said], own: str, topic: int, meant: Sequence[Pointed]) -> str:
    """What was settled: "Reference calls: Cormac's version — Cormac Daly: “Then give it to me …”."."""
    words = _tidy(own)
    if len(words) > _MOST:
        words = words[:_MOST].rsplit(" ", 1)[0] + "…"
    parts = [words]
    for item in meant:
        speaker = read[item.index].utterance.speaker.name
        parts.append(f"{speaker}: “{_one_line(item.quote)}”")
    heading = heading_of(conversation, read, topic)
    told = f"{heading}: {parts[0]}" if heading and heading.casefold() not in parts[0].casefold() else parts[0]
    return " — ".join([told.rstrip(" .?,") if len(parts) > 1 else told, *parts[1:]])


def heading_of(conversation: Conversation, read: Sequence[Said], topic: int) -> str:
    """What the talk is about, as it calls itself: the words before the opening's first full stop, or the title."""
    opening = re.sub(
        r"^(?:\W*(?:okay|so|then|right|good|hi|hello|hey|morning|and)\b[,. ]*)+",
        "",
        read[topic].utterance.text,
        flags=re.I,
    )
    match = _HEADING.match(opening)
    if match and len(match["name"].split()) <= 6 and len(opening.split()) > 6 and not _NO_HEADING.search(match["name"]):
        return _one_line(match["name"])
    return conversation.title


def _tidy(words: str) -> str:
    rest = _OPENERS.sub("", words).strip() or words
    return _one_line(rest[:1].upper() + rest[1:])


def _one_line(text: str) -> str:
    return " ".join(text.split())
