"""What can be told of every utterance of a conversation without understanding it: a row of numbers each."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.decisions.extract.cues import (
    APPROVING,
    ASKS_APPROVAL,
    ASSENT,
    CUES,
    DECIDING,
    OBJECTION,
    TAKES_WORK,
    cues,
)
from assistant.decisions.extract.values import quantities
from assistant.model.conversations import Conversation, ConversationKind, Utterance

BEFORE, AFTER = 10, 3
"""Utterances looked at on either side."""

SHORT_ANSWER = 10
"""Words below which an utterance after a question is merely the answer to it."""

_SENTENCE = re.compile(r"[.!?…]+(?:\s|$)")

_SHAPE = (
    "length", "sentences", "asks", "ends_asking", "quantities", "work_given", "settle_count", "settles_and_gives",
    "then_resolve", "settle_plain", "approvals", "signed_off", "asks_signed", "reacted", "assent_after", "taken_up",
    "objection_after", "question_after", "bot", "start", "middle", "end", "opened_talk", "share", "speakers",
    "answers", "proposed_before", "value_before", "echo_before", "asked_before", "assent_before",
    "pointer_to_value", "threaded", "meeting",
    "short_talk", "value_and_then", "last_words",
)  # fmt: skip
_SETTLES = ("settled", "resolve", "it_is", "then", "rule", "onward", "replaced", "pointer", "yielding")
NAMES: tuple[str, ...] = (*(f"says_{name}" for name in CUES), *_SHAPE)
"""The columns."""


@dataclass(frozen=True, slots=True)
class Said:
    """An utterance with what its words alone tell."""

    utterance: Utterance
    cues: frozenset[str]
    values: tuple[str, ...]
    """Quantities it names, normalised."""
    words: int
    asks: bool


def asks(text: str) -> bool:
    """Whether something is asked in it."""
    return "?" in text or "？" in text


def said(utterances: Sequence[Utterance]) -> tuple[Said, ...]:
    """Each utterance read once."""
    return tuple(Said(u, cues(u.text), quantities(u.text), len(u.text.split()), asks(u.text)) for u in utterances)


def rows(conversation: Conversation, read: Sequence[Said]) -> list[list[float]]:
    """One row of len(NAMES) an utterance."""
    if not read:
        return []
    spoke = Counter(item.utterance.speaker.name for item in read if not item.utterance.bot)
    return [_row(conversation, read, index, spoke) for index in range(len(read))]


def _row(conversation: Conversation, read: Sequence[Said], index: int, spoke: Counter[str]) -> list[float]:
    own = read[index]
    found = {f"says_{name}": 1.0 for name in own.cues}
    found |= _words(own)
    found |= _reactions(own.utterance)
    found |= _place(conversation, read, index, spoke)
    found |= _before(read, index)
    found |= _after(read, index)
    return [float(found.get(name, 0.0)) for name in NAMES]


def _words(own: Said) -> dict[str, float]:
    text = own.utterance.text
    settles = sum(name in own.cues for name in _SETTLES)
    gives = "work" in own.cues or "given" in own.cues
    hedged = bool(own.cues & {"propose", "defer", "refuse"})
    return {
        "length": math.log1p(own.words),
        "sentences": math.log1p(len(_SENTENCE.findall(text))),
        "asks": own.asks,
        "ends_asking": text.rstrip().endswith("?"),
        "quantities": min(len(own.values), 4),
        "work_given": "work" in own.cues and "given" in own.cues,
        "settle_count": settles,
        "settles_and_gives": settles >= 2 and gives,
        "then_resolve": "then" in own.cues and bool(own.cues & {"resolve", "it_is", "pointer"}),
        "settle_plain": settles >= 2 and not hedged and not own.asks,
        "value_and_then": bool(own.values) and "then" in own.cues,
        "bot": own.utterance.bot,
    }


def _reactions(utterance: Utterance) -> dict[str, float]:
    others = [
        (reaction.name, speaker.name)
        for reaction in utterance.reactions
        for speaker in reaction.by
        if speaker != utterance.speaker
    ]
    approvals = {who for name, who in others if base(name) in APPROVING}
    signed = {who for name, who in others if base(name) in DECIDING}
    return {
        "approvals": math.log1p(len(approvals)),
        "signed_off": math.log1p(len(signed)),
        "reacted": math.log1p(len(others)),
        "asks_signed": bool(signed) and bool(ASKS_APPROVAL.search(utterance.text)) and asks(utterance.text),
    }


def base(reaction: str) -> str:
    """The emoji's name without its skin tone."""
    return reaction.partition("::")[0]


def _place(conversation: Conversation, read: Sequence[Said], index: int, spoke: Counter[str]) -> dict[str, float]:
    total, meeting = len(read), conversation.kind in (ConversationKind.MEETING, ConversationKind.MINUTES)
    where = index / max(1, total - 1)
    name = read[index].utterance.speaker.name
    return {
        "start": max(0.0, 1 - index / 4),
        "middle": 4 * where * (1 - where),
        "end": max(0.0, 1 - (total - 1 - index) / 4),
        "opened_talk": name == read[0].utterance.speaker.name,
        "share": spoke[name] / max(1, sum(spoke.values())),
        "speakers": math.log(max(1, len(spoke))),
        "threaded": conversation.kind is ConversationKind.THREAD,
        "meeting": meeting,
        "short_talk": total < 5,
        "last_words": not meeting and all(item.words < 12 for item in read[index + 1 : index + 4]),
    }


def _before(read: Sequence[Said], index: int) -> dict[str, float]:
    own, past = read[index], read[max(0, index - BEFORE) : index]
    asked = bool(past) and past[-1].utterance.text.rstrip().endswith("?")
    named = {value for item in past for value in item.values}
    proposed = sum("propose" in item.cues for item in past)
    return {
        "answers": asked and own.words < SHORT_ANSWER and "onward" not in own.cues,
        "proposed_before": math.log1p(proposed),
        "value_before": math.log1p(len(named)),
        "echo_before": bool(named & set(own.values)),
        "asked_before": math.log1p(sum(item.asks for item in past)),
        "assent_before": math.log1p(sum(bool(ASSENT.match(item.utterance.text)) for item in past[-5:])),
        "pointer_to_value": "pointer" in own.cues and bool(named),
    }


def _after(read: Sequence[Said], index: int) -> dict[str, float]:
    speaker = read[index].utterance.speaker
    future = [item for item in read[index + 1 : index + 1 + AFTER] if item.utterance.speaker != speaker][:2]
    texts = [item.utterance.text for item in future]
    return {
        "assent_after": bool(texts) and bool(ASSENT.match(texts[0])),
        "taken_up": any(TAKES_WORK.search(text) for text in texts),
        "objection_after": bool(texts) and bool(OBJECTION.search(texts[0])),
        "question_after": bool(texts) and texts[0].rstrip().endswith("?"),
    }
