"""The trail of an answer: rule → request → when it held → decision → meeting or message, one line a source."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from assistant.model.answers import (
    Answer,
    Citation,
    CommitCitation,
    DecisionCitation,
    OwnerCitation,
    SectionCitation,
    UtteranceCitation,
)
from assistant.model.times import day, whole_day
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
    quotes: tuple[str, ...]
    """The words it rests on, readable, that the answer's text does not show already."""
    decided: tuple["Step", ...] = ()
    """Where what its commit carried out was decided."""


def steps(answer: Answer, zone: tzinfo) -> list[Step]:
    """The sources of an answer in the order its claims rest on them; each version once, with its quotes.

    A commit that a cited version came with is told on the version's line, not again on its own; so is the decision that
    it carried out. What was said besides comes last.
    """
    by_id = {citation.id: citation for citation in answer.citations}
    used = [by_id[name] for name in dict.fromkeys(name for claim in answer.claims for name in claim.citations)]
    used.sort(key=lambda one: isinstance(one, UtteranceCitation))
    authors = {one.commit: one.author for one in used if isinstance(one, CommitCitation)}
    told = {one.commit for one in used if isinstance(one, SectionCitation)}
    said = _bare(answer.text)
    found: dict[str, Step] = {}
    for citation in used:
        if isinstance(citation, CommitCitation) and citation.commit in told:
            continue
        key, step = _step(citation, authors, zone)
        new = [quote for quote in step.quotes if _bare(quote) not in said]
        quotes = dict.fromkeys((*found[key].quotes, *new) if key in found else new)
        found[key] = replace(step, quotes=tuple(quotes))
    return joined(found, used)


def joined(found: dict[str, Step], used: Sequence[Citation]) -> list[Step]:
    """The steps with each decision told on the line of the version or commit that carried it out, if that is there."""
    lines: dict[str, str] = {}
    for citation in used:
        if isinstance(citation, SectionCitation):
            lines.setdefault(citation.commit, citation.version)
        elif isinstance(citation, CommitCitation) and citation.commit in found:
            lines.setdefault(citation.commit, citation.commit)
    for citation in used:
        line = lines.get(citation.commit or "") if isinstance(citation, DecisionCitation) else None
        if isinstance(citation, DecisionCitation) and line is not None and citation.decision in found:
            step = found.pop(citation.decision)
            found[line] = replace(found[line], decided=(*found[line].decided, step))
    return list(found.values())


def _bare(text: str) -> str:
    """Its letters and digits alone: the same words with other marks or in table cells are the same words."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _step(citation: Citation, authors: Mapping[str, str], zone: tzinfo) -> tuple[str, Step]:
    """What it is, so that it is shown once, and how it is shown."""
    match citation:
        case SectionCitation():
            return citation.version, _section(citation, authors.get(citation.commit), zone)
        case CommitCitation():
            made = (f"commit {citation.commit[:8]}", citation.author)
            label = citation.subject or "the change"
            return citation.commit, Step(label, citation.url, citation.merge_request, day(citation.at, zone), made, ())
        case DecisionCitation():
            return citation.decision, _decision(citation, zone)
        case UtteranceCitation():
            said = (citation.speaker,) if citation.speaker else ()
            held = _when(citation, zone)
            return citation.utterance, Step(citation.place, citation.url, None, held, said, (citation.quote,))
        case OwnerCitation():
            owners = ", ".join(citation.owners)
            notes = (f"owned by {owners}",) if owners else ()
            return f"owner {citation.path}", Step(citation.path, None, None, "", notes, (citation.quote,))


def _decision(citation: DecisionCitation, zone: tzinfo) -> Step:
    who = citation.decided_by or citation.speaker
    when = _when(citation, zone)
    held = f"decided by {who}, {when}" if who else f"decided {when}"
    said = (f"in the words of {citation.speaker}",) if citation.decided_by not in (None, citation.speaker) else ()
    return Step(citation.place, citation.url, citation.merge_request, held, said, (citation.quote,))


def _when(citation: DecisionCitation | UtteranceCitation, zone: tzinfo) -> str:
    """When it was said; without a time of day where only the day is known."""
    if whole_day(citation.at, citation.conversation):
        return day(citation.at, UTC)
    return moment(citation.at, zone)


def moment(at: datetime, zone: tzinfo) -> str:
    """A time as a person writes it: 4 March 2020, 09:15."""
    return f"{day(at, zone)}, {at.astimezone(zone):%H:%M}"


def _section(citation: SectionCitation, author: str | None, zone: tzinfo) -> Step:
    name = " › ".join(citation.heading_path) or citation.path
    began = day(citation.valid_from, zone)
    if citation.valid_to is None:
        holds = f"in force since {began}"
    else:
        holds = f"in force {began} to {day(citation.valid_to, zone)}"
    notes = (citation.path, f"commit {citation.commit[:8]}", *([author] if author else []))
    return Step(name, citation.url, citation.merge_request, holds, notes, (plain(citation.quote),))
