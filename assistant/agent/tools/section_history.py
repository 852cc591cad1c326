"""Every version of a section, and the commits that made them."""

from dataclasses import dataclass

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, commit_evidence, section_evidence
from assistant.graph.reading.commits import CommitRow, changes_of
from assistant.model.sections import ChangeKind, SectionVersion


class HistoryOf(Arguments):
    """The section."""

    lineage: str = Field(description="The section's lineage, as other tools return it")


@dataclass(frozen=True, slots=True)
class Version:
    """One version, the commit that made it, and the one that ended it if no other version took over."""

    section: SectionVersion
    commit: CommitRow
    removed_by: CommitRow | None


def run(arguments: HistoryOf, context: ToolContext) -> ToolResult[tuple[Version, ...]]:
    """The versions that the reader may know of, oldest first."""
    changes = changes_of(context.reader, context.scope, arguments.lineage)
    removed = {change.section.id: change.commit for change in changes if change.kind is ChangeKind.REMOVED}
    found = tuple(
        Version(change.section, change.commit, removed.get(change.section.id))
        for change in changes
        if change.kind is not ChangeKind.REMOVED
    )
    evidence = [section_evidence(version.section, context.links) for version in found]
    evidence += [commit_evidence(change.commit, context.links) for change in changes]
    return ToolResult(found, tuple(evidence))


TOOL = Tool(
    "section_history",
    "Every version of a section through edits, moves and renames, oldest first, each with the commit that made it; "
    "for a removed section also the commit that removed it. For: since when, what before, by whom, which request.",
    HistoryOf,
    run,
)
