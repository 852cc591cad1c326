"""Finds decisions with a language model, and believes nothing it says that does not stand in the conversation."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, Field

from assistant.decisions import segments
from assistant.llm import LLM
from assistant.model.conversations import Conversation, Speaker, Utterance
from assistant.model.decisions import Extracted
from assistant.text.spans import is_verbatim, unsupported

LONGEST = 120
"""Utterances a question holds; longer talk is cut between topics."""
MOST = 20
"""Decisions taken from one answer."""


class Claim(BaseModel):
    """A decision as the model tells it."""

    utterance: int
    quote: str
    statement: str
    decided_by: str | None = None
    supporting: list[int] = Field(default_factory=list)
    old_value: str | None = None
    new_value: str | None = None
    topic: str = ""
    reasons: list[str] = Field(default_factory=list)
    alternatives: list[str] = Field(default_factory=list)
    replaces: int | None = None


class Claims(BaseModel):
    """The model's answer."""

    decisions: list[Claim]


@dataclass(slots=True)
class ByModel:
    """An Extractor; raises what its LLM raises."""

    llm: LLM
    rejected: list[str] = field(default_factory=list)
    """What the model told and the conversation does not hold."""

    def __call__(self, conversation: Conversation) -> tuple[Extracted, ...]:
        """See Extractor."""
        found: dict[str, Extracted] = {}
        for start, end in pieces(conversation.utterances):
            answer = self.llm.answer(prompt(), told(conversation, start, end), Claims)
            for claim in answer.decisions[:MOST]:
                made = self._checked(conversation, claim)
                if made is not None:
                    found.setdefault(f"{made.utterance} {made.statement}", made)
        order = {item.id: at for at, item in enumerate(conversation.utterances)}
        return tuple(sorted(found.values(), key=lambda made: order[made.utterance]))

    def _checked(self, conversation: Conversation, claim: Claim) -> Extracted | None:
        """The claim with only what stands in the conversation; None where its quote does not."""
        spoken = conversation.utterances
        if not 0 <= claim.utterance < len(spoken) or not is_verbatim(claim.quote, spoken[claim.utterance].text):
            self.rejected.append(f"{conversation.id}: not said there: {claim.quote!r}")
            return None
        own = spoken[claim.utterance]
        if own.bot:
            self.rejected.append(f"{conversation.id}: said by a program: {claim.quote!r}")
            return None
        supporting = [
            spoken[n] for n in dict.fromkeys(claim.supporting) if 0 <= n < len(spoken) and n != claim.utterance
        ]
        evidence = "\n".join([own.text, *(item.text for item in supporting)])
        by = _decider(own, claim.decided_by)
        replaced = claim.replaces
        return Extracted(
            conversation=conversation.id,
            statement=self._statement(conversation, claim, evidence),
            utterance=own.id,
            quote=claim.quote.strip(),
            supporting=tuple(item.id for item in supporting),
            decided_by=by.name or None,
            decider=by.person,
            decided_at=own.at,
            old_value=_said(claim.old_value, "\n".join(item.text for item in spoken)),
            new_value=_said(claim.new_value, evidence),
            topic=" ".join(claim.topic.split()[:24]),
            reasons=tuple(_verbatim(claim.reasons, spoken)),
            alternatives=tuple(_verbatim(claim.alternatives, spoken)),
            supersedes_utterance=spoken[replaced].id
            if replaced is not None and 0 <= replaced < claim.utterance
            else None,
        )

    def _statement(self, conversation: Conversation, claim: Claim, evidence: str) -> str:
        """The model's sentence, or the quote where the sentence holds numbers, names or links that nobody said."""
        words = " ".join(claim.statement.split())
        known = f"{evidence}\n{conversation.title}\n" + "\n".join(item.speaker.name for item in conversation.utterances)
        invented = unsupported(words, known) if words else {"nothing"}
        linked = "://" in words and not is_verbatim(words, evidence)
        if invented or linked:
            self.rejected.append(f"{conversation.id}: nobody said {sorted(invented)} of {words!r}")
            return " ".join(claim.quote.split())
        return words


@cache
def prompt() -> str:
    """What the model is told to do."""
    return (files("assistant.decisions") / "prompts" / "extract.md").read_text(encoding="utf-8")


def told(conversation: Conversation, start: int, end: int) -> str:
    """A stretch of the conversation as JSON: nothing in it can end the document it stands in."""
    utterances = [
        {"n": n, "speaker": item.speaker.name, "text": item.text, **_reactions(item)}
        for n, item in enumerate(conversation.utterances[start:end], start)
    ]
    return json.dumps({"title": conversation.title, "utterances": utterances}, ensure_ascii=False)


def _reactions(item: Utterance) -> dict[str, dict[str, list[str]]]:
    marks = {reaction.name: [who.name for who in reaction.by] for reaction in item.reactions}
    return {"reactions": marks} if marks else {}


def pieces(utterances: Sequence[Utterance]) -> Iterator[tuple[int, int]]:
    """Start and end of stretches of whole topics, as long as a question may be; a longer topic stands alone."""
    if not utterances:
        return
    starts = [*segments.cut(utterances), len(utterances)]
    begin = 0
    for at, following in zip(starts[1:], [*starts[2:], None], strict=True):
        if following is None or following - begin > LONGEST:
            yield begin, at
            begin = at


def _decider(own: Utterance, name: str | None) -> Speaker:
    """Who settled it: the speaker, or somebody whose reaction is on the message."""
    reacted = [who for reaction in own.reactions for who in reaction.by]
    return next((who for who in reacted if who.name == name), own.speaker)


def _said(value: str | None, text: str) -> str | None:
    return value if value and is_verbatim(value.casefold(), text.casefold()) else None


def _verbatim(quotes: Sequence[str], spoken: Sequence[Utterance]) -> Iterator[str]:
    for quote in dict.fromkeys(quotes):
        if any(is_verbatim(quote, item.text) for item in spoken):
            yield quote
