"""What a conversation settled, as people marked it by hand: their marks stand over what was found in the words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.decisions.extract.values import change
from assistant.graph.flags import Flag, FlagKind, message_key
from assistant.model.conversations import Conversation, Utterance
from assistant.model.decisions import FLAGGED, Extracted


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


def _ruled(said: Utterance, flag: Flag, talk: Conversation, guess: Extracted | None) -> Extracted:
    """The decision that a mark makes of a message; with the reasons and the rest that were found for it, if any."""
    value = change(flag.statement)
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
        decided_by=flag.decider_name or said.speaker.name or None,
        decider=flag.decider,
        old_value=value.old or one.old_value,
        new_value=value.new or one.new_value,
        origin=f"{FLAGGED}{flag.by_name}",
    )
