"""One section as it stood on a day, by page and heading, by heading alone, or by lineage."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from assistant.access import at_day
from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, section_evidence
from assistant.graph.reading.commits import changes_of
from assistant.graph.reading.sections import (
    sections_on_page,
    sections_once_on_page,
    sections_once_under,
    sections_under,
)
from assistant.model.sections import SectionVersion


class SectionAsOf(Arguments):
    """The section, and as of when."""

    path: str = Field(default="", description="The page's path from the repository's root")
    heading: str = Field(default="", description="The heading, or headings from the top joined by ' > '")
    lineage: str = Field(default="", description="Instead of both: the section's lineage, as other tools return it")
    day: datetime | None = Field(default=None, description="The moment to read at; without it, now")


@dataclass(frozen=True, slots=True)
class Placed:
    """The sections that fit, best first. `gone`: none stood there on the day, these stood there earlier."""

    sections: tuple[SectionVersion, ...]
    gone: bool = False


def run(arguments: SectionAsOf, context: ToolContext) -> ToolResult[Placed]:
    """The section on the day; where it is gone, the last version before."""
    placed = _find(arguments, context)
    return ToolResult(placed, tuple(section_evidence(section, context.links) for section in placed.sections))


def _find(arguments: SectionAsOf, context: ToolContext) -> Placed:
    scope, reader = at_day(context.scope, arguments.day), context.reader
    if arguments.lineage:
        last = [change.section for change in changes_of(reader, scope, arguments.lineage)][-1:]
        return Placed(tuple(last), gone=any(not section.current for section in last))
    heading = re.split(r"\s+>\s+", arguments.heading)[-1]
    here = sections_on_page(reader, scope, arguments.path) if arguments.path else sections_under(reader, scope, heading)
    if found := fitting(here, arguments.heading):
        return Placed(found)
    if arguments.path:
        once = sections_once_on_page(reader, scope, arguments.path)
    else:
        once = sections_once_under(reader, scope, heading)
    return Placed(fitting(once, arguments.heading)[:1], gone=True)


def fitting(sections: Iterable[SectionVersion], heading: str) -> tuple[SectionVersion, ...]:
    """Those of that heading path; without any, those whose path ends so; without any, those of that last heading."""
    sections, wanted = tuple(sections), words_of(heading)
    paths = [words_of(" > ".join(section.heading_path)) for section in sections]
    whole = tuple(section for section, path in zip(sections, paths, strict=True) if path == wanted)
    ends = tuple(
        section for section, path in zip(sections, paths, strict=True) if wanted and f" {path}".endswith(f" {wanted}")
    )
    last = words_of(re.split(r"\s+>\s+", heading)[-1])
    return whole or ends or tuple(s for s in sections if s.heading_path and words_of(s.heading) == last)


def words_of(heading: str) -> str:
    """A heading's words and signs that tell headings apart, whatever its case, markup and spacing."""
    return " ".join(re.findall(r"\w+|[^\w\s>*_`~\\\"'“”‘’:.,?!()\[\]{}#-]", heading.casefold()))


TOOL = Tool(
    "section_as_of",
    "The full text of one section as it stood on a day (default: now), by page path and heading path, by a heading "
    "that only one page has, or by lineage. If it is gone, the last version before that, marked so.",
    SectionAsOf,
    run,
)
