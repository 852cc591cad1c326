"""What was decided about a section."""

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, decision_evidence
from assistant.graph.reading.decisions import DecisionRow, decisions_of_section


class DecidedAbout(Arguments):
    """The section."""

    lineage: str = Field(description="The section's lineage, as other tools return it")


def run(arguments: DecidedAbout, context: ToolContext) -> ToolResult[tuple[DecisionRow, ...]]:
    """The decisions, oldest first."""
    found = decisions_of_section(context.reader, context.scope, arguments.lineage)
    return ToolResult(tuple(found), tuple(decision_evidence(decision) for decision in found))


TOOL = Tool(
    "decisions_of_section",
    "The decisions that were carried out in a section, in any of its versions, and those that speak against what it "
    "says.",
    DecidedAbout,
    run,
)
