"""One question on its way to an answer: its intent, the tools, and the looking up that all kinds of question share."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from assistant.access import at_day
from assistant.agent.draft import EVENT, NOW, DraftClaim
from assistant.agent.evidence import Run, cite_commit, cite_section
from assistant.agent.links import Links
from assistant.agent.offline.intent import Intent
from assistant.agent.tools import search_sections, section_history
from assistant.agent.tools.search_sections import Found, SearchFor
from assistant.agent.tools.section_history import HistoryOf, Version
from assistant.graph.reading.commits import CommitRow
from assistant.model.answers import Citation
from assistant.model.sections import SectionVersion
from assistant.model.times import day, moment
from assistant.search.passages import Passage
from assistant.text.spans import names

SURE = 0.8
"""Confidence from which words that hold no more are told: there are many more of them, so more look like an answer."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that is being answered."""

    run: Run
    intent: Intent
    text: str
    now: datetime
    """When it is asked, or as of when, in the time zone in which the asker's days begin and end."""

    @property
    def zone(self) -> tzinfo:
        """In which days begin and end."""
        return self.now.tzinfo or UTC

    @property
    def known(self) -> int:
        """The last commit that may be told of, microseconds; 0 without one."""
        return max(self.run.context.scope.days.values(), default=0)

    @property
    def links(self) -> Links:
        return self.run.context.links

    @property
    def day(self) -> datetime | None:
        """The moment that the question itself is about; None: now, or the moment that all of it is asked as of."""
        as_of = self.run.context.scope.as_of
        return self.intent.day or (None if as_of is None else moment(as_of).astimezone(self.zone))

    def date(self, at: datetime | int) -> str:
        """A moment's date, as people write it where the question is asked."""
        return day(at, self.zone)

    @property
    def holds(self) -> str:
        """What a claim about the rule on the asked day holds for."""
        return NOW if self.day is None else f"at {self.day:%Y-%m-%d}"

    def history(self, section: SectionVersion) -> tuple[Version, ...]:
        """All versions of the section, oldest first."""
        return self.run.call(section_history.TOOL, HistoryOf(lineage=section.lineage))

    def history_by_day(self, section: SectionVersion) -> tuple[Version, ...]:
        """As `history`, but only what had come up by the asked day."""
        return tuple(version for version in self.history(section) if version.section.valid_from <= self._until(section))

    def search(self, past: bool = False) -> Found:
        """What speaks to the subject on the asked day, or (past) what did before and no longer does."""
        query = self.intent.subject or self.text
        return self.run.call(search_sections.TOOL, SearchFor(query=query, day=self.intent.day, past=past))

    def topic(self) -> tuple[Found, Passage | None]:
        """The passage that speaks best to the subject: of what holds, else of what held once; None where none does."""
        found = naming(self.search(), self.text)
        if not found.support.answerable:
            past = self.search(past=True)
            if past.support.confidence >= SURE:
                return past, past.passages[0]
        return found, found.passages[0] if found.support.answerable and found.passages else None

    def in_force(self, section: SectionVersion) -> bool:
        """Whether the version still held on the asked day."""
        return section.valid_to > self._until(section)

    def _until(self, section: SectionVersion) -> int:
        """The microsecond up to which the section's source may be told of."""
        return at_day(self.run.context.scope, self.intent.day).days[section.source]

    def section(self, section: SectionVersion, quote: str) -> Citation:
        """A citation of words of a section."""
        return cite_section(section, quote, self.links)

    def commit(self, commit: CommitRow) -> Citation:
        """A citation of a commit."""
        return cite_commit(commit, self.links)


def naming(found: Found, text: str) -> Found:
    """What was found; the second words come first where they, and not the first, have the names of the question.

    Both of one section: there, a name picks the exception out of the rule.
    """
    asked, (first, second) = names(text), (*found.passages[:2], None, None)[:2]
    if not (first and second and asked and first.section.id == second.section.id):
        return found
    if asked & names(f"{first.unit.context} {first.unit.plain}"):
        return found
    if not asked <= names(f"{second.unit.context} {second.unit.plain}"):
        return found
    return replace(found, passages=(replace(second, score=first.score), first, *found.passages[2:]))


def heading_line(section: SectionVersion) -> str:
    """The first line of a section as it is written: what to quote to show that it exists."""
    return next((line.strip() for line in section.text.splitlines() if line.strip()), section.text)


def event(text: str, citations: Iterable[Citation]) -> DraftClaim:
    """A claim about something that happened, which no later change makes untrue."""
    return DraftClaim(text, EVENT, tuple(citations))
