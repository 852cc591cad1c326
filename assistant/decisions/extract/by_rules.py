"""Finds decisions without a language model: cue phrases and the structure of the dialogue, weighed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.decisions import segments
from assistant.decisions.extract import minutes, reasons
from assistant.decisions.extract.cues import ASKS_APPROVAL, DECIDING
from assistant.decisions.extract.features import Said, asks, base, rows, said
from assistant.decisions.extract.halves import Half, halves
from assistant.decisions.extract.statement import heading_of, statement
from assistant.decisions.extract.values import dimension, found, key, ranges
from assistant.decisions.extract.weights import Weights, shipped
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from assistant.model.decisions import Extracted
from assistant.text.words import content_tokens

_HOLDS = re.compile(
    r"\b(?:page|policy|handbook|doc|plan|contract|list|guide|table) (?:says|said|has|asks|gives|wants|reads|allows)\b|"
    r"\bit says\b|\bwe (?:promise|have|say)\b|\bcurrently\b|\bright now\b|\bdown from\b|\bup from\b|\bused to be\b"
    r"|\b(?:limit|threshold|minimum|maximum|cap|policy|rule|practice|deadline|default)\b[^.?!]{0,40}?(?: is| was|:) "
    r"|\b(?:is|it's|at|says) (?=[\w$.,:-]+(?: \w+){0,4} (?:now|today|at the moment|on the (?:page|plan|list)))",
    re.I,
)
"""What holds until now is told after it."""
NEAR = 4
"""Utterances within which a second deciding one only confirms the first."""
_TAKEN_BACK = re.compile(r"\b(?:scrap|forget|drop) (?:the|that|my|what)\b|\bon second thoughts?\b|\bcorrection\b", re.I)


@dataclass(frozen=True, slots=True)
class Found:
    """A deciding utterance and what is known about it."""

    index: int
    topic: int
    """Index of the utterance that opens its topic."""
    by: Speaker


def extract(conversation: Conversation, weights: Weights | None = None) -> tuple[Extracted, ...]:
    """What was settled in the conversation, in the order it was said."""
    if conversation.kind is ConversationKind.MINUTES:
        return minutes.extract(conversation)
    read = said(conversation.utterances)
    if not read:
        return ()
    starts = segments.cut(conversation.utterances)
    chosen = choose(conversation, read, weights or shipped())
    made: list[Extracted] = []
    for index in chosen:
        place = Found(index, segments.topic_of(starts, index), decider(read[index].utterance))
        for half in halves(read, index, place.topic):
            made.append(_extracted(conversation, read, place, half, made))
    return tuple(made)


def choose(conversation: Conversation, read: Sequence[Said], weights: Weights) -> list[int]:
    """Indexes of the deciding utterances: the likeliest, and others that are surer still and no mere confirmation."""
    odds = weights.log_odds(rows(conversation, read))
    taken: list[int] = []
    for index in sorted(range(len(read)), key=lambda i: -odds[i]):
        if read[index].utterance.bot:
            continue
        if odds[index] < (weights.further if taken else weights.first):
            break
        if all(abs(index - other) > NEAR or _sets_another(read, index, other) for other in taken):
            taken.append(index)
    return sorted(taken)


def _sets_another(read: Sequence[Said], index: int, other: int) -> bool:
    """Whether the later one takes the earlier back or names another value: then it is no confirmation of it."""
    if _TAKEN_BACK.search(read[max(index, other)].utterance.text):
        return True
    mine, theirs = set(read[index].values), set(read[other].values)
    return bool(mine) and bool(theirs) and not mine & theirs


def decider(utterance: Utterance) -> Speaker:
    """Who settled it: whoever signed off a proposal that asked for it with a reaction, else who said it."""
    if ASKS_APPROVAL.search(utterance.text) and asks(utterance.text):
        for reaction in utterance.reactions:
            others = [who for who in reaction.by if who != utterance.speaker]
            if base(reaction.name) in DECIDING and others:
                named = [who for who in others if who.name.split()[0] in utterance.text]
                return (named or others)[0]
    return utterance.speaker


def _extracted(
    conversation: Conversation, read: Sequence[Said], place: Found, half: Half, before: Sequence[Extracted]
) -> Extracted:
    own = read[place.index].utterance
    pointed_at = [item.index for item in half.meant]
    value = half.value()
    if value.new and not value.old:
        value = replace(value, old=_value_until_now(read, place, value.new))
    echoes = _first_named(read, place, value.new)
    supporting = sorted({*pointed_at, *echoes})
    told = statement(conversation, read, half.words, place.topic, half.meant)
    return Extracted(
        conversation=conversation.id,
        statement=told,
        utterance=own.id,
        quote=own.text,
        supporting=tuple(read[at].utterance.id for at in supporting),
        decided_by=place.by.name or None,
        decider=place.by.person,
        decided_at=own.at,
        old_value=value.old,
        new_value=value.new,
        topic=_topic(conversation, read, place, told),
        reasons=reasons.reasons(read, place.topic, place.index, supporting),
        alternatives=reasons.alternatives(read, place.topic, place.index, supporting, _keys(value.new)),
        supersedes_utterance=_replaced(read, place, before),
    )


def _keys(value: str | None) -> frozenset[str]:
    return frozenset((key(value),)) if value else frozenset()


def _value_until_now(read: Sequence[Said], place: Found, new: str) -> str | None:
    """The value of the same kind that the talk names as the one that holds today."""
    for item in read[max(0, min(place.topic, place.index - reasons.REACH)) : place.index]:
        text = item.utterance.text
        for held in _HOLDS.finditer(text):
            for quantity in found(text[held.start() : held.end() + 60]):
                other = quantity.key != key(new) or ranges(quantity.text) != ranges(new)
                if other and dimension(quantity.text) == dimension(new):
                    return quantity.text
    return None


def _first_named(read: Sequence[Said], place: Found, new: str | None) -> list[int]:
    """The utterance that brought the value up, where the decider did not."""
    wanted = _keys(new)
    named = [at for at in range(place.topic, place.index) if wanted & set(read[at].values)]
    return named[:1]


def _topic(conversation: Conversation, read: Sequence[Said], place: Found, told: str) -> str:
    """The words it is about, the likeliest to find the section first."""
    opening = read[place.topic].utterance.text
    heading = heading_of(conversation, read, place.topic)
    words: dict[str, str] = {}
    for text in (heading, opening, told, conversation.title):
        for word in re.findall(r"[^\W\d_][\w'’-]+", text):
            tokens = content_tokens(word)
            if tokens and len(word) > 2:
                words.setdefault(tokens[0], word)
    return " ".join(list(words.values())[:24])


def _replaced(read: Sequence[Said], place: Found, before: Sequence[Extracted]) -> str | None:
    """An earlier decision of this talk on the same topic, which this one takes back."""
    own = read[place.index]
    if not before or not own.cues & {"replaced", "settled", "then"}:
        return None
    words = frozenset(content_tokens(own.utterance.text))
    for earlier in reversed(before):
        shared = words & frozenset(content_tokens(earlier.statement))
        if earlier.utterance != own.utterance.id and len(shared) >= 3 and "replaced" in own.cues:
            return earlier.utterance
    return None
