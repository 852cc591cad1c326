"""What changed between two moments, in all or about a page or a topic."""

from datetime import datetime

from pydantic import Field

from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, commit_evidence, section_evidence
from assistant.graph.reading.commits import Changes, changed_between
from assistant.model.sections import SectionVersion
from assistant.model.times import micros
from assistant.text.words import content_tokens


class ChangesBetween(Arguments):
    """The stretch of time, and what about."""

    after: datetime = Field(description="Changes after this moment")
    until: datetime = Field(description="and up to this one")
    topic: str = Field(default="", description="Only sections that name all of these words")
    path: str = Field(default="", description="Only this page, or the pages below this folder")


def run(arguments: ChangesBetween, context: ToolContext) -> ToolResult[Changes]:
    """The changes that fit, latest first, and after which moment they are all that do."""
    words = frozenset(content_tokens(arguments.topic))
    changes = changed_between(context.reader, context.scope, micros(arguments.after), micros(arguments.until))
    fitting = tuple(c for c in changes.found if c.section.path.startswith(arguments.path) and about(c.section, words))
    commits = {change.commit.sha: change.commit for change in fitting}
    evidence = [commit_evidence(commit, context.links) for commit in commits.values()]
    evidence += [section_evidence(change.section, context.links) for change in fitting]
    return ToolResult(Changes(fitting, changes.after), tuple(evidence))


def about(section: SectionVersion, words: frozenset[str]) -> bool:
    """Whether the section, with its page's title and headings, names every one of these search tokens."""
    if not words:
        return True
    return words <= frozenset(content_tokens(" ".join((section.title, *section.heading_path, section.text))))


TOOL = Tool(
    "recent_changes",
    "The sections that were added, modified, moved or removed between two moments, latest first, optionally only those "
    "of a page or folder or about a topic.",
    ChangesBetween,
    run,
)
