"""What a tool hands over, and the notebook of one question in which all of it is kept for the check of the answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from assistant.agent.links import Links
from assistant.embed import Embedder
from assistant.graph.reading.commits import CommitRow
from assistant.graph.reading.decisions import DecisionRow
from assistant.graph.store import Reader
from assistant.model.answers import (
    Citation,
    CommitCitation,
    DecisionCitation,
    OwnerCitation,
    SectionCitation,
    UtteranceCitation,
)
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation, ConversationKind, Utterance
from assistant.model.decisions import FLAGGED
from assistant.model.sections import SectionVersion
from assistant.model.times import moment
from assistant.text.months import MONTH


class Arguments(BaseModel):
    """Base of the tools' arguments: what a model will fill in later."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What every tool may use: reading only, and only within the scope."""

    reader: Reader
    scope: Scope
    embedder: Embedder | None
    links: Links
    latest: Scope | None = None
    """The same Audiences up to now, where all is asked as of an earlier day: to find a rule by what came of it."""

    @property
    def ahead(self) -> Scope:
        """As of now, whatever day is asked about."""
        return self.latest or self.scope


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation that may be made, and the whole source text of which its quote has to be a verbatim part."""

    citation: Citation
    text: str
    source: str = ""
    """Id of the source it came from."""


Args = TypeVar("Args", bound=Arguments)
Found_co = TypeVar("Found_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ToolResult(Generic[Found_co]):
    """What was found, and what may be cited for it."""

    found: Found_co
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool(Generic[Args, Found_co]):
    """A named, read-only way to look something up."""

    name: str
    description: str
    arguments: type[Args]
    run: Callable[[Args, ToolContext], ToolResult[Found_co]]


@dataclass(frozen=True, slots=True)
class Call:
    """One line of the trace: which tool, with what, and how much it brought."""

    tool: str
    arguments: dict[str, Any]
    evidence: int


@dataclass(slots=True)
class Run:
    """One question's notebook: calls tools and keeps what they returned."""

    context: ToolContext
    calls: list[Call] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    _found: dict[tuple[str, Arguments], Any] = field(default_factory=dict)

    def call(self, tool: Tool[Args, Found_co], arguments: Args) -> Found_co:
        """What the tool finds; its evidence is kept. What was looked up before is not looked up again."""
        known = (tool.name, arguments)
        if known not in self._found:
            self._found[known] = self._run(tool, arguments)
        found: Found_co = self._found[known]
        return found

    def _run(self, tool: Tool[Args, Found_co], arguments: Args) -> Found_co:
        result = tool.run(arguments, self.context)
        told = arguments.model_dump(mode="json", exclude_defaults=True)
        self.calls.append(Call(tool.name, told, len(result.evidence)))
        self.evidence += result.evidence
        return result.found

    @property
    def commit_sources(self) -> dict[str, str]:
        """The source of each commit among the evidence, by sha."""
        found = (known for known in self.evidence if isinstance(known.citation, CommitCitation))
        return {known.citation.commit: known.source for known in found if isinstance(known.citation, CommitCitation)}


_MEETING = (
    r"(?:meetings?|committees?|boards?|councils?|assembl(?:y|ies)|teams?|groups?|sync|calls?|weekly|stand-?ups?|"
    r"retrospectives?|retro|reviews?|sessions?|conferences?|workshops?|plenary|panels?|guilds?|leads|leadership|"
    r"management|directors|trustees|parents|members)\b"
)
"""Who or what has minutes."""
_DATED = re.compile(
    r"^\W*(?:meeting (?:minutes|notes) (?:of|from|for) (?:the )?|"
    rf"(?:minutes|notes) (?:of|from|for) (?:the )?(?=[^,;:]*\b{_MEETING}))|"
    r"\W*\b(?:(?:on|of|from|vom|am|du|de|del) )?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|"
    rf"\d{{1,2}}(?:st|nd|rd|th|er|\.)?(?: de)? {MONTH},?(?: del?)? \d{{4}}|"
    rf"{MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})\b",
    re.I,
)
"""What a meeting's name says besides: that these are its minutes, and the day."""


def section_evidence(section: SectionVersion, links: Links) -> Evidence:
    """A version of a section, quotable as a whole or in part."""
    return Evidence(cite_section(section, section.text, links), section.text, section.source)


def cite_section(section: SectionVersion, quote: str, links: Links) -> SectionCitation:
    """The citation of words of a version; its id is given when the answer is put together."""
    return SectionCitation(
        id="",
        version=section.id,
        path=section.path,
        heading_path=section.heading_path,
        quote=quote,
        commit=section.commit,
        merge_request=section.merge_request,
        valid_from=section.since,
        valid_to=section.until,
        url=links.section(section.source, section.commit, section.path, section.anchor),
    )


def cite_commit(commit: CommitRow, links: Links) -> CommitCitation:
    """The citation of a commit."""
    return CommitCitation(
        id="",
        commit=commit.sha,
        merge_request=commit.merge_request,
        at=moment(commit.at),
        author=commit.author,
        subject=commit.subject,
        url=links.merge_request(commit.source, commit.merge_request)
        if commit.merge_request
        else links.commit(commit.source, commit.sha),
    )


def commit_evidence(commit: CommitRow, links: Links) -> Evidence:
    """A commit, quotable in its subject."""
    return Evidence(cite_commit(commit, links), commit.subject, commit.source)


def owner_evidence(path: str, line: str, owners: tuple[str, ...]) -> Evidence:
    """The line of an owners file that decides about a page."""
    return Evidence(OwnerCitation(id="", path=path, quote=line, owners=owners), line)


def cite_decision(decision: DecisionRow) -> DecisionCitation:
    """The citation of the words that settled something."""
    carried = decision.links[0].commit if decision.links else None
    return DecisionCitation(
        id="",
        decision=decision.id,
        place=place_called(decision.kind, decision.place_name, decision.title),
        conversation=decision.shown_id,
        speaker=decision.quote_speaker,
        decided_by=decision.decided_by,
        marked_by=decision.origin.removeprefix(FLAGGED),
        statement=decision.statement if decision.origin else "",
        at=moment(decision.at),
        quote=decision.quote,
        commit=carried.sha if carried else None,
        merge_request=carried.merge_request if carried else None,
        url=decision.url,
    )


def decision_evidence(decision: DecisionRow) -> Evidence:
    """A decision, quotable in its deciding words."""
    return Evidence(cite_decision(decision), decision.quote)


def cite_utterance(talk: Conversation, utterance: Utterance, quote: str) -> UtteranceCitation:
    """The citation of words that somebody said in a conversation."""
    return UtteranceCitation(
        id="",
        utterance=utterance.id,
        place=place_called(talk.kind.value, talk.place_name, talk.title),
        conversation=talk.shown_id,
        speaker=utterance.speaker.name,
        at=moment(utterance.at),
        quote=quote,
        url=utterance.url,
    )


def utterance_evidence(talk: Conversation, utterance: Utterance) -> Evidence:
    """What somebody said, quotable as a whole or in part."""
    return Evidence(cite_utterance(talk, utterance, utterance.text), utterance.text)


def place_called(kind: str, place_name: str, title: str) -> str:
    """What people call the place of a conversation: the channel with its #, the meeting or page by its title.

    An item of minutes is called by its meeting and then by its own heading.
    """
    if kind in (ConversationKind.THREAD, ConversationKind.MAIN_LINE):
        return f"#{place_name}"
    if kind != ConversationKind.MINUTES:
        return title or place_name
    meeting = " ".join(_DATED.sub(" ", place_name).split()).strip(" ,:;()–—-") or place_name
    return f"{meeting}, item {title}" if title and title != place_name else meeting
