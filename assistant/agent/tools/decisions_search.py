"""What was decided about a subject, and when, where and by whom."""

from datetime import datetime

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, decision_evidence
from assistant.decisions.find import Matched, Wanted, matching


class DecisionsAbout(Arguments):
    """What to look for, and from when."""

    query: str = Field(description="What was decided, in words as people ask it")
    start: datetime | None = Field(default=None, description="The stretch of time that the question names, from here")
    end: datetime | None = Field(default=None, description="up to here; without both, any time")
    subject: str = Field(default="", description="What the question is about, without the words that say what is asked")
    ahead: bool = Field(default=False, description="Up to now, whatever day is asked about")
    limit: int = Field(default=8, ge=1, le=50, description="At most this many decisions")


def run(arguments: DecisionsAbout, context: ToolContext) -> ToolResult[tuple[Matched, ...]]:
    """The decisions that fit best, best first."""
    wanted = Wanted(arguments.query, arguments.start, arguments.end, arguments.subject)
    scope = context.ahead if arguments.ahead else context.scope
    found = matching(context.reader, scope, wanted, context.embedder, arguments.limit)
    return ToolResult(tuple(found), tuple(decision_evidence(one.decision) for one in found))


TOOL = Tool(
    "decisions_search",
    "Searches what was decided in channels, meetings and minutes, by words, meaning and time: the deciding words, who "
    "decided, the conversation, what became of it (carried out by which commit, only in chat, against the handbook).",
    DecisionsAbout,
    run,
)
