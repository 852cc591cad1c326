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


Citation = Annotated[SectionCitation | CommitCitation | OwnerCitation, Field(discriminator="kind")]


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
    conflict: None = None
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
