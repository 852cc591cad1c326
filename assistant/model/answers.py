"""Questions, answers, claims and citations: the JSON of `brain ask`, field for field."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """What cannot be changed once made, and has no fields but those it names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Status(StrEnum):
    """How a question was dealt with."""

    ANSWERED = "answered"
    REFUSED = "refused"
    ESCALATED = "escalated"
    """Refused and handed to a named owner."""


class SectionCitation(Frozen):
    """Words of one exact version of a section."""

    kind: Literal["section"] = "section"
    id: str
    version: str = Field(exclude=True)
    """The version's id in the graph."""
    path: str
    heading_path: tuple[str, ...]
    quote: str
    commit: str
    merge_request: str | None
    valid_from: datetime
    valid_to: datetime | None
    url: str | None = None


class CommitCitation(Frozen):
    """A commit: who did what when."""

    kind: Literal["commit"] = "commit"
    id: str
    commit: str
    merge_request: str | None
    at: datetime
    author: str
    subject: str = ""
    url: str | None = None


class OwnerCitation(Frozen):
    """The line of an owners file that names who answers for a page."""

    kind: Literal["owner"] = "owner"
    id: str
    path: str
    quote: str
    owners: tuple[str, ...] = ()


class DecisionCitation(Frozen):
    """Words with which something was settled: one utterance, or a part of it, verbatim."""

    kind: Literal["decision"] = "decision"
    id: str
    decision: str = Field(exclude=True)
    """The Decision's id in the graph."""
    place: str = Field(exclude=True)
    """Where it was said, as people call it: `#rules`, `Support leads weekly`."""
    conversation: str
    speaker: str
    """Who said the quoted words."""
    decided_by: str | None
    """Who settled it, by words, a reaction or a vote; None where it was a body as a whole."""
    marked_by: str = Field(default="", exclude=True)
    """Who marked the words as a rule by hand; '' where the decision was found in them."""
    statement: str = Field(default="", exclude=True)
    """What holds, as who marked it put it; '' likewise."""
    at: datetime
    quote: str
    commit: str | None
    """Of the commit that carried it out, if one did."""
    merge_request: str | None
    url: str | None = None


class UtteranceCitation(Frozen):
    """Words that somebody said, verbatim."""

    kind: Literal["utterance"] = "utterance"
    id: str
    utterance: str = Field(exclude=True)
    """Its id in the graph."""
    place: str = Field(exclude=True)
    conversation: str
    speaker: str
    at: datetime
    quote: str
    url: str | None = None


Citation = Annotated[
    SectionCitation | CommitCitation | OwnerCitation | DecisionCitation | UtteranceCitation,
    Field(discriminator="kind"),
]


class Conflict(Frozen):
    """What the handbook says, against what was decided."""

    path: str
    heading_path: tuple[str, ...]
    handbook_quote: str
    decision_quote: str
    conversation: str


class Claim(Frozen):
    """One statement, what it holds for, and what it rests on."""

    text: str
    holds: str
    """`now`, `at YYYY-MM-DD`, or `event`."""
    citations: tuple[str, ...] = Field(min_length=1)
    """Ids of citations of the same answer."""


class Answer(Frozen):
    """What a person gets, with all that holds it up."""

    id: str | None = None
    """The asker's own id, repeated."""
    answer_id: str
    status: Status
    text: str
    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
    chat_only: bool = False
    """It rests on a decision that no commit has carried out."""
    conflict: Conflict | None = None
    as_of: datetime | None = None
    trace_id: str
    seconds: float
    owners: tuple[str, ...] = Field(default=(), exclude=True)
    """For a refusal: who might know."""


class AskedQuestion(Frozen):
    """A question as it arrives from any surface."""

    text: str
    id: str | None = None
    as_of: datetime | None = None
    """The end of the asked day, or an exact moment; None: now."""
    earlier: tuple[str, ...] = ()
    """Earlier questions of the same thread, oldest first, for what 'it' and 'and before?' mean."""
