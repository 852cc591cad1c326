"""What a conversation settled, as people marked it by hand: their marks stand over what was found in the words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.decisions.extract.cues import APPROVING, ASSENT, cues
from assistant.decisions.extract.values import change
from assistant.graph.flags import Flag, FlagKind, message_key
from assistant.model.conversations import Conversation, ConversationKind, Utterance
from assistant.model.decisions import FLAGGED, Extracted

AGREEING, DOUBTING = frozenset({"settled", "yielding"}), frozenset({"refuse", "defer", "joke", "report"})
"""What a reply does that stands by what was said, and what one does that does not."""
AGAINST = re.compile(r"\b(?:no|not|never|nobody|neither|nor|but|however|except|cannot)\b|n['’]t\b|\?", re.I)
"""Whoever says any of this does not just agree; asking, they settle nothing."""


def with_flags(talk: Conversation, found: Sequence[Extracted], flags: Mapping[str, Flag]) -> tuple[Extracted, ...]:
    """The decisions of a conversation: of a marked message what the mark says, of all others what was found.

    `flags` are the marks that count, by message. A mark whose words were forgotten says nothing.
    """
    marked = {
        said.id: (said, flag)
        for said in talk.utterances
        if (flag := flags.get(message_key(talk.place, said.id))) and (flag.statement or flag.kind is not FlagKind.RULE)
    }
    kept = [one for one in found if one.utterance not in marked]
    rules = [
        _ruled(said, flag, talk, next((one for one in found if one.utterance == said.id), None))
        for said, flag in marked.values()
        if flag.kind is FlagKind.RULE
    ]
    return tuple(sorted([*kept, *rules], key=lambda one: one.decided_at))


def decider_of(flag: Flag, *, vouched: bool) -> str:
    """Who decided it: by their name, where they vouched for it; else by who says so. '' where nobody is named."""
    if vouched or not flag.decider_name:
        return flag.decider_name
    return f"{flag.decider_name} (says {flag.by_name})"


def _ruled(said: Utterance, flag: Flag, talk: Conversation, guess: Extracted | None) -> Extracted:
    """The decision that a mark makes of a message; with the reasons and the rest that were found for it, if any.

    Values are those of the mark's own words: another statement's would be told, and sought in commits, as its own.
    """
    value = change(flag.statement)
    vouched = flag.vouched or _stood_by(said, flag, talk)
    one = guess or Extracted(
        conversation=talk.id,
        statement=flag.statement,
        utterance=said.id,
        quote=said.text,
        supporting=(),
        decided_by=None,
        decider=None,
        decided_at=said.at,
        old_value=None,
        new_value=None,
        topic="",
    )
    return replace(
        one,
        statement=flag.statement,
        quote=said.text,
        decided_by=decider_of(flag, vouched=vouched) or said.speaker.name or None,
        decider=flag.decider if vouched else None,
        old_value=value.old,
        new_value=value.new,
        origin=f"{FLAGGED}{flag.by_name}",
    )


def _stood_by(said: Utterance, flag: Flag, talk: Conversation) -> bool:
    """Whether the decider wrote the marked message, or agreed by a reaction, or in its thread from then on.

    Who only talks there, or is against it, does not stand by it.
    """
    thread = talk.kind is ConversationKind.THREAD
    there = [one.speaker for one in talk.utterances if one.id == said.id or (thread and _agrees(one, said))]
    there += [by for reaction in said.reactions if reaction.name in APPROVING for by in reaction.by]
    return flag.decider is not None and flag.decider in {one.person for one in there}


def _agrees(one: Utterance, said: Utterance) -> bool:
    """Whether somebody says yes, or settles it, after something was said."""
    agreed = ASSENT.search(one.text) or cues(one.text) & AGREEING
    doubts = AGAINST.search(one.text) or cues(one.text) & DOUBTING
    return one.at >= said.at and bool(agreed) and not doubts
