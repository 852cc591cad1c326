"""What a commit carried out."""

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, decision_evidence
from assistant.graph.reading.decisions import DecisionRow, decisions_of_commit


class CarriedOutBy(Arguments):
    """The commit."""

    commit: str = Field(description="The commit's full sha, as other tools return it")


def run(arguments: CarriedOutBy, context: ToolContext) -> ToolResult[tuple[DecisionRow, ...]]:
    """The decisions, oldest first."""
    found = decisions_of_commit(context.reader, context.scope, arguments.commit)
    return ToolResult(tuple(found), tuple(decision_evidence(decision) for decision in found))


TOOL = Tool(
    "decisions_of_commit",
    "The decisions that a commit carried out: who settled what where and when, in which words.",
    CarriedOutBy,
    run,
)
