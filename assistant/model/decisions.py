"""Decisions: what was settled, by whom, in which words; and the commits that carried it out."""

from dataclasses import dataclass
from enum import StrEnum


class DecisionStatus(StrEnum):
    """What became of it, as `brain decisions` prints it."""

    IMPLEMENTED = "implemented"
    PENDING = "pending"
    CHAT_ONLY = "chat_only"
    """Carried out by no commit for longer than the settable time."""
    CONFLICT = "conflict"
    """Goes against what the handbook says."""
    SUPERSEDED = "superseded"
    """Replaced before it was carried out."""


FLAGGED = "flagged by "
"""How the origin of a decision begins that somebody marked as a rule by hand; their name follows."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A decision as an extractor finds it in one conversation."""

    conversation: str
    statement: str
    """One sentence that stands by itself, with the new value where there is one."""
    utterance: str
    """Id of the deciding utterance."""
    quote: str
    """Verbatim words of that one utterance."""
    supporting: tuple[str, ...]
    """Ids of utterances that carry the value or the reason."""
    decided_by: str | None
    """Full name of who settled it, by words or by a reaction; None where it was a body as a whole."""
    decider: str | None
    """Id of that Person where known."""
    decided_at: int
    """Microseconds since 1970."""
    old_value: str | None
    new_value: str | None
    topic: str
    """The words it is about, for finding the section."""
    reasons: tuple[str, ...] = ()
    """Verbatim words that say why, each of one utterance."""
    alternatives: tuple[str, ...] = ()
    """What was proposed and not taken, verbatim."""
    supersedes_utterance: str | None = None
    """Deciding utterance, in this conversation, of the decision that this one replaces."""
    origin: str = ""
    """`flagged by NAME` where a person marked the message as a rule; '' where it was found in the words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a commit is held to have carried a decision out: what of it the diff really shows."""

    added: tuple[str, ...]
    """Decided values or wording that stand in added lines."""
    removed: tuple[str, ...]
    """Old values or wording that the commit took away."""
    reference: str | None
    """An explicit mention either way: a request's number or link, a message's link."""
    author_spoke: bool
    """The commit's author was in the conversation."""
    section: str
    """Id of the section version that the commit made."""
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """Decision → commit, IMPLEMENTED_BY, for as long as the commit's words stood."""

    decision: str
    commit: str
    evidence: Evidence
    first: bool
    """Whether it is the commit that is told as the one: it brought what was decided first, and in full."""
    valid_from: int
    valid_to: int
    """FOREVER until a commit takes it back."""
    ended_by: str | None
    """Sha of the commit that took it back."""
