"""Claims against evidence: what a claim cites came from a tool in this run and holds all that the claim asserts."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from assistant.agent.draft import Draft, DraftClaim, same_source
from assistant.agent.evidence import Evidence
from assistant.model.answers import (
    Citation,
    CommitCitation,
    DecisionCitation,
    OwnerCitation,
    SectionCitation,
    UtteranceCitation,
)
from assistant.model.times import zone_of
from assistant.text.plain import plain
from assistant.text.spans import is_verbatim, unsupported
from assistant.text.units import units


def verified(draft: Draft, evidence: Sequence[Evidence], zone: tzinfo = UTC) -> Draft:
    """The claims that hold; one that does not is cut whole. Days are those of the zone."""
    return tuple(claim for claim in draft if not faults(claim, evidence, zone))


def faults(claim: DraftClaim, evidence: Sequence[Evidence], zone: tzinfo = UTC) -> list[str]:
    """What is wrong with a claim, in words; empty where it holds."""
    found = [] if claim.citations else ["it cites nothing"]
    words: list[str] = []
    for citation in claim.citations:
        source = source_of(citation, evidence)
        if source is None:
            found.append(f"no tool returned {_name(citation)}")
        elif not is_verbatim(quote_of(citation), source.text):
            found.append(f"not the words of {_name(citation)}: {quote_of(citation)!r}")
        else:
            words += said(citation, source.text, zone)
    found += _day_faults(claim, words, zone)
    found += [f"not in what it cites: {fact}" for fact in sorted(unsupported(claim.text, "\n".join(words)))]
    return found


def source_of(citation: Citation, evidence: Iterable[Evidence]) -> Evidence | None:
    """The evidence that a citation was taken from; None where no tool returned it just so."""
    return next((known for known in evidence if same_source(known.citation, citation)), None)


def quote_of(citation: Citation) -> str:
    """The verbatim words that a citation gives."""
    return citation.subject if isinstance(citation, CommitCitation) else citation.quote


def said(citation: Citation, text: str, zone: tzinfo) -> Iterator[str]:
    """All words that a claim may rest on: the quote as written and as read, with what leads to it, and its fields."""
    match citation:
        case SectionCitation():
            yield from (citation.quote, plain(citation.quote), citation.path, *citation.heading_path)
            yield from moments(zone, citation.valid_from, citation.valid_to)
            yield f"#{citation.merge_request}" if citation.merge_request else ""
            place = text.find(citation.quote)
            for unit in units(text):
                if unit.start < place + len(citation.quote) and unit.end > place:
                    yield from (unit.plain, unit.context)
        case CommitCitation():
            yield from (citation.subject, plain(citation.subject), citation.author, citation.commit)
            yield from moments(zone, citation.at)
            yield f"#{citation.merge_request}" if citation.merge_request else ""
        case OwnerCitation():
            yield from (citation.path, citation.quote, *citation.owners)
        case DecisionCitation():
            yield from (citation.quote, citation.speaker, citation.decided_by or "")
            yield from (citation.marked_by, citation.statement)
            yield from (citation.place, citation.conversation)
            yield from moments(zone_of(citation.at, citation.conversation, zone), citation.at)
            yield f"#{citation.merge_request}" if citation.merge_request else ""
        case UtteranceCitation():
            yield from (citation.quote, citation.speaker, citation.place, citation.conversation)
            yield from moments(zone_of(citation.at, citation.conversation, zone), citation.at)


def moments(zone: tzinfo, *times: datetime | None) -> Iterator[str]:
    """Days as dates, for comparing."""
    for time in times:
        if time is not None:
            yield f"{time.astimezone(zone):%Y-%m-%d}"


def _day_faults(claim: DraftClaim, words: list[str], zone: tzinfo) -> list[str]:
    """A claim about a day may name that day, if each section that it cites held on it."""
    if not claim.holds.startswith("at "):
        return []
    day = claim.holds.removeprefix("at ")
    words.append(day)
    return [
        f"{_name(citation)} did not hold on {day}"
        for citation in claim.citations
        if isinstance(citation, SectionCitation)
        and not held(day, *moments(zone, citation.valid_from, citation.valid_to))
    ]


def held(day: str, first: str, last: str = "9999") -> bool:
    """Whether a day lies between two, which count, too."""
    return first <= day <= last


def _name(citation: Citation) -> str:
    match citation:
        case SectionCitation():
            return f"{citation.path} at {citation.commit[:8]}"
        case CommitCitation():
            return f"commit {citation.commit[:8]}"
        case OwnerCitation():
            return f"the owners of {citation.path}"
        case DecisionCitation() | UtteranceCitation():
            return f"{citation.speaker} in {citation.conversation}"
