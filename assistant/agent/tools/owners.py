"""Who owns a page, by the owner files as of a day."""

from datetime import datetime

from pydantic import Field

from assistant.access import at_day
from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, owner_evidence
from assistant.graph.reading.owners import owners
from assistant.text.codeowners import Ownership


class OwnersOf(Arguments):
    """The page, and as of when."""

    path: str = Field(description="The page's path from the repository's root")
    day: datetime | None = Field(default=None, description="The moment to read at; without it, now")


def run(arguments: OwnersOf, context: ToolContext) -> ToolResult[Ownership | None]:
    """The owners and the line that names them; None where no line does."""
    found = owners(context.reader, at_day(context.scope, arguments.day), arguments.path)
    if found is None:
        return ToolResult(None)
    return ToolResult(found, (owner_evidence(arguments.path, found.line, found.owners),))


TOOL = Tool(
    "owners",
    "Who owns a page, with the line of CODEOWNERS (or CODENOTIFY) that says so, by that file's rules as of a day.",
    OwnersOf,
    run,
)
