"""What somebody decided, or what was decided in a stretch of time, whatever it was about."""

from datetime import datetime

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, decision_evidence
from assistant.graph.reading.decisions import DecisionRow, decisions_by
from assistant.model.times import micros


class DecisionsBy(Arguments):
    """Whose decisions, and of what time."""

    person: str = Field(default="", description="Words of the name of who decided; '': anybody")
    start: datetime | None = Field(default=None, description="The stretch of time in which they fell, from here")
    end: datetime | None = Field(default=None, description="up to here; without both, any time")
    limit: int = Field(default=6, ge=1, le=50, description="At most this many decisions")


def run(arguments: DecisionsBy, context: ToolContext) -> ToolResult[tuple[DecisionRow, ...]]:
    """The decisions, latest first."""
    start, end = (None if at is None else micros(at) for at in (arguments.start, arguments.end))
    found = decisions_by(context.reader, context.scope, arguments.person, start, end, arguments.limit)
    return ToolResult(tuple(found), tuple(decision_evidence(decision) for decision in found))


TOOL = Tool(
    "decisions_list",
    "Lists the decisions of one person, or of a stretch of time, or both, latest first, whatever they are about.",
    DecisionsBy,
    run,
)
