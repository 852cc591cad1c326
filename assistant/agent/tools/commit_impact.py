"""What a commit, or the commits of a merge or pull request, did to sections."""

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, commit_evidence, section_evidence
from assistant.graph.reading.commits import SectionChanged, changed_by, commits_named, commits_of_request


class ImpactOf(Arguments):
    """The commit or request."""

    commit: str = Field(default="", pattern="^[0-9a-f]{0,40}$", description="A sha or the first digits of one")
    merge_request: str = Field(default="", description="Instead: the number of a merge or pull request")


def run(arguments: ImpactOf, context: ToolContext) -> ToolResult[tuple[SectionChanged, ...]]:
    """Its changes; empty where no such commit is known or it changed nothing that may be seen."""
    if arguments.commit:
        named = commits_named(context.reader, context.scope, arguments.commit)
    else:
        named = commits_of_request(context.reader, context.scope, arguments.merge_request.lstrip("#!"))
    changes = tuple(change for commit in named for change in changed_by(context.reader, context.scope, commit))
    evidence = [commit_evidence(commit, context.links) for commit in named]
    evidence += [section_evidence(change.section, context.links) for change in changes]
    return ToolResult(changes, tuple(evidence))


TOOL = Tool(
    "commit_impact",
    "What a commit or a merge request changed: the sections it added, modified, moved or removed.",
    ImpactOf,
    run,
)
