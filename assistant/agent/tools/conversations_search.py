"""Where something was talked about, whether or not anything was decided."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, utterance_evidence
from assistant.decisions.find import Wanted, talks
from assistant.graph.reading.conversations import conversations
from assistant.model.conversations import Conversation, Utterance


class TalkAbout(Arguments):
    """What to look for, and from when."""

    query: str = Field(description="What was talked about, in words as people ask it")
    start: datetime | None = Field(default=None, description="The stretch of time that the question names, from here")
    end: datetime | None = Field(default=None, description="up to here; without both, any time")
    limit: int = Field(default=3, ge=1, le=20, description="At most this many conversations")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A conversation and the utterances in it that speak most to the question, best first."""

    conversation: Conversation
    utterances: tuple[Utterance, ...]
    covered: float
    """Share of the question's words, by weight, that is said in it."""


def run(arguments: TalkAbout, context: ToolContext) -> ToolResult[tuple[Spoken, ...]]:
    """The conversations that fit best, best first."""
    wanted = Wanted(arguments.query, arguments.start, arguments.end)
    best = talks(context.reader, context.scope, wanted, arguments.limit)
    whole = {one.id: one for one in conversations(context.reader, context.scope, [talk.conversation for talk in best])}
    found = []
    for talk in best:
        if talk.conversation in whole:
            said = {one.id: one for one in whole[talk.conversation].utterances}
            held = tuple(said[name] for name in talk.utterances if name in said)
            found.append(Spoken(whole[talk.conversation], held, talk.covered))
    evidence = [utterance_evidence(one.conversation, said) for one in found for said in one.utterances]
    return ToolResult(tuple(found), tuple(evidence))


TOOL = Tool(
    "conversations_search",
    "Searches everything that was said in channels, meetings and minutes by words and time, and returns the "
    "conversations with the utterances that say most about it. For: where was it discussed, was anything decided.",
    TalkAbout,
    run,
)
