"""An answer before it is checked: claims with their citations, or what to say when there are none."""

from dataclasses import dataclass

from assistant.model.answers import (
    Citation,
    CommitCitation,
    Conflict,
    DecisionCitation,
    OwnerCitation,
    SectionCitation,
    UtteranceCitation,
)

NOW = "now"
EVENT = "event"


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One statement and what it rests on. `text` is what a person reads, in order with the other claims."""

    text: str
    holds: str
    """`now`, `at YYYY-MM-DD` or `event`."""
    citations: tuple[Citation, ...]
    """Their ids are given when the answer is put together."""
    chat_only: bool = False
    """It tells of something that was only said, and stands in no handbook."""
    conflict: Conflict | None = None
    """What the handbook says against it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer: what was looked for, and who might know."""

    text: str
    owners: tuple[str, ...] = ()


Draft = tuple[DraftClaim, ...]


def same_source(one: Citation, other: Citation) -> bool:
    """Whether two citations differ in nothing but their id and the words they quote."""
    return one.model_copy(update={"id": "", **_unquoted(one)}) == other.model_copy(
        update={"id": "", **_unquoted(other)}
    )


def _unquoted(citation: Citation) -> dict[str, str]:
    """An owner's quote is a line of its own, and no part of a longer text."""
    match citation:
        case SectionCitation() | DecisionCitation() | UtteranceCitation():
            return {"quote": ""}
        case CommitCitation() | OwnerCitation():
            return {}


def numbered(draft: Draft) -> tuple[dict[str, Citation], list[tuple[DraftClaim, tuple[str, ...]]]]:
    """The citations, each once, by the ids c1, c2, …, and each claim with the ids it rests on."""
    names: dict[Citation, str] = {}
    claims = []
    for claim in draft:
        ids = tuple(dict.fromkeys(names.setdefault(citation, f"c{len(names) + 1}") for citation in claim.citations))
        claims.append((claim, ids))
    return {name: citation.model_copy(update={"id": name}) for citation, name in names.items()}, claims


def readable(draft: Draft) -> str:
    """The claims' texts as one: list entries on lines of their own, sentences after one another."""
    text = ""
    for claim in draft:
        separator = "" if not text else "\n" if claim.text.startswith("• ") or "\n" in claim.text else " "
        text += separator + claim.text
    return text
