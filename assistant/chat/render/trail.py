"""The trail of an answer: rule → request → when that version began and ended, one line a source."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo

from assistant.model.answers import Answer, Citation, CommitCitation, OwnerCitation, SectionCitation
from assistant.text.plain import plain


@dataclass(frozen=True, slots=True)
class Step:
    """One source in a person's words. `label` is what a link to it says, `notes` what stands after it."""

    label: str
    url: str | None
    request: str | None
    """Number of the merge or pull request, without a sign."""
    holds: str
    """When this version began and ended, or when the change was made; '' where there is no time to tell."""
    notes: tuple[str, ...]
    quote: str
    """The words it rests on, readable; '' where the label says it all."""


def steps(answer: Answer, zone: tzinfo) -> Iterator[Step]:
    """The sources of an answer in the order its claims rest on them, each once."""
    by_id = {citation.id: citation for citation in answer.citations}
    used = dict.fromkeys(name for claim in answer.claims for name in claim.citations)
    seen: set[Step] = set()
    for name in used or by_id:
        step = _step(by_id[name], zone)
        if step not in seen:
            seen.add(step)
            yield step


def day(moment: datetime, zone: tzinfo) -> str:
    """A date as a person writes it: 4 March 2020."""
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B %Y}"


def _step(citation: Citation, zone: tzinfo) -> Step:
    match citation:
        case SectionCitation():
            return _section(citation, zone)
        case CommitCitation():
            made = (f"commit {citation.commit[:8]}", citation.author)
            label = citation.subject or "the change"
            return Step(label, citation.url, citation.merge_request, day(citation.at, zone), made, quote="")
        case OwnerCitation():
            owners = ", ".join(citation.owners)
            notes = (f"owned by {owners}",) if owners else ()
            return Step(citation.path, None, None, "", notes, quote=citation.quote)


def _section(citation: SectionCitation, zone: tzinfo) -> Step:
    name = " › ".join(citation.heading_path) or citation.path
    began = day(citation.valid_from, zone)
    if citation.valid_to is None:
        holds = f"in force since {began}"
    else:
        holds = f"in force {began} to {day(citation.valid_to, zone)}"
    notes = (citation.path, f"commit {citation.commit[:8]}")
    return Step(name, citation.url, citation.merge_request, holds, notes, quote=plain(citation.quote))
