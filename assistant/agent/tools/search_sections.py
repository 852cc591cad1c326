"""The words of the handbook that answer a question best."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from assistant.access import at_day
from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, section_evidence
from assistant.search.hybrid import Hit, search, search_past
from assistant.search.passages import Passage, best_passages
from assistant.search.support import Support, supported


class SearchFor(Arguments):
    """What to look for, and as of when."""

    query: str = Field(description="What is looked for, in words as people ask it")
    day: datetime | None = Field(default=None, description="The moment to read at; without it, now")
    past: bool = Field(default=False, description="Instead: what held before that day and no longer on it")
    limit: int = Field(default=8, ge=1, le=50, description="At most this many sections")


@dataclass(frozen=True, slots=True)
class Found:
    """The sections that fit best, the words in them that do, and whether these answer the question."""

    hits: tuple[Hit, ...]
    passages: tuple[Passage, ...]
    support: Support


def run(arguments: SearchFor, context: ToolContext) -> ToolResult[Found]:
    """Searches as of the day, by words, headings and meaning; in the past by words and headings."""
    scope = at_day(context.scope, arguments.day)
    if arguments.past:
        hits = search_past(context.reader, scope, arguments.query, arguments.limit)
    else:
        hits = search(context.reader, scope, arguments.query, context.embedder, arguments.limit)
    passages = best_passages(arguments.query, hits, context.embedder)
    support = supported(arguments.query, passages)
    evidence = tuple(section_evidence(hit.section, context.links) for hit in hits)
    return ToolResult(Found(tuple(hits), tuple(passages), support), evidence)


TOOL = Tool(
    "search_sections",
    "Searches the handbook as of a day (default: now) by words, headings and meaning, and returns the sentences, list "
    "items and table rows that answer best, with their sections; with `past`, what held earlier and no longer does.",
    SearchFor,
    run,
)
