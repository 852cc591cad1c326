"""A page's sections in reading order: what comes before, after and under each."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from assistant.access import at_day
from assistant.agent.evidence import Arguments, Tool, ToolContext, ToolResult, section_evidence
from assistant.graph.reading.sections import sections_on_page
from assistant.model.sections import SectionVersion


class OutlineOf(Arguments):
    """The page, and as of when."""

    path: str = Field(description="The page's path from the repository's root")
    day: datetime | None = Field(default=None, description="The moment to read at; without it, now")


@dataclass(frozen=True, slots=True)
class Outline:
    """A page's sections in reading order; what stands before the first heading is left out."""

    sections: tuple[SectionVersion, ...]

    def before(self, section: SectionVersion) -> SectionVersion | None:
        """The section above it, of any level."""
        at = self._index(section)
        return self.sections[at - 1] if at > 0 else None

    def after(self, section: SectionVersion) -> SectionVersion | None:
        """The first section below it that is not one of its own."""
        at = self._index(section) + 1 + len(self.under(section, deep=True))
        return self.sections[at] if at < len(self.sections) else None

    def under(self, section: SectionVersion, deep: bool = False) -> tuple[SectionVersion, ...]:
        """The sections that belong to it: its own children, or (deep) theirs too."""
        below: list[SectionVersion] = []
        for other in self.sections[self._index(section) + 1 :]:
            if other.level <= section.level:
                break
            below.append(other)
        top = min((other.level for other in below), default=0)
        return tuple(other for other in below if deep or other.level == top)

    def _index(self, section: SectionVersion) -> int:
        return next(n for n, other in enumerate(self.sections) if other.lineage == section.lineage)


def run(arguments: OutlineOf, context: ToolContext) -> ToolResult[Outline]:
    """The page's sections on the day; an empty outline where there is no such page."""
    scope = at_day(context.scope, arguments.day)
    sections = tuple(s for s in sections_on_page(context.reader, scope, arguments.path) if s.heading)
    return ToolResult(Outline(sections), tuple(section_evidence(section, context.links) for section in sections))


TOOL = Tool(
    "outline",
    "The sections of a page in reading order with their levels: the table of contents, and so what comes before, after "
    "or under a section.",
    OutlineOf,
    run,
)
