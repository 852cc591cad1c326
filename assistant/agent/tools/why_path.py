"""The path of a decision: what was said before, what settled it, what it replaced, which commit carried it out."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from assistant.agent.evidence import (
    Arguments,
    Evidence,
    Tool,
    ToolContext,
    ToolResult,
    commit_evidence,
    decision_evidence,
    section_evidence,
    utterance_evidence,
)
from assistant.graph.reading.commits import SectionChanged, changes_of
from assistant.graph.reading.conversations import conversation
from assistant.graph.reading.decisions import DecisionRow, decisions_named
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation
from assistant.model.sections import SectionVersion


class PathOf(Arguments):
    """The decision."""

    decision: str = Field(description="The decision's id, as other tools return it")
    ahead: bool = Field(default=False, description="Up to now, whatever day is asked about")


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What the best commit did to the section that shows it."""

    change: SectionChanged
    before: SectionVersion | None
    """The version before; for a removal, the one that it ended."""


@dataclass(frozen=True, slots=True)
class Path:
    """A decision with all that led to it and came of it, as far as the reader may see."""

    decision: DecisionRow
    talk: Conversation | None
    replaced: tuple[DecisionRow, ...]
    """The earlier decisions that it replaced, oldest first."""
    replaced_by: tuple[DecisionRow, ...]
    """The later ones that replaced it, first one first."""
    carried_out: CarriedOut | None
    against: SectionVersion | None
    """The section that says otherwise."""


def run(arguments: PathOf, context: ToolContext) -> ToolResult[Path | None]:
    """The path; None where the reader may not know of the decision."""
    reader, scope = context.reader, context.ahead if arguments.ahead else context.scope
    found = decisions_named(reader, scope, [arguments.decision])
    if not found:
        return ToolResult(None)
    [decision] = found
    path = Path(
        decision,
        conversation(reader, scope, decision.conversation),
        tuple(sorted(decisions_named(reader, scope, decision.supersedes), key=lambda one: one.at)),
        tuple(decisions_named(reader, scope, decision.superseded_by)),
        _carried_out(decision, reader, scope),
        _against(decision, reader, scope),
    )
    return ToolResult(path, tuple(_evidence(path, context)))


def _carried_out(decision: DecisionRow, reader: Reader, scope: Scope) -> CarriedOut | None:
    """The change of the best link, in the history of the section that it made or ended."""
    if not decision.links:
        return None
    link = decision.links[0]
    sections = sorted(decision.sections, key=lambda one: one.id != link.evidence.section)
    for section in sections:
        changes = changes_of(reader, scope, section.lineage)
        for number, change in enumerate(changes):
            if change.commit.sha == link.commit.sha:
                return CarriedOut(change, changes[number - 1].section if number else None)
    return None


def _against(decision: DecisionRow, reader: Reader, scope: Scope) -> SectionVersion | None:
    if decision.conflict is None:
        return None
    changes = changes_of(reader, scope, decision.conflict.section.lineage)
    return next((c.section for c in reversed(changes) if c.section.id == decision.conflict.section.id), None)


def _evidence(path: Path, context: ToolContext) -> Iterator[Evidence]:
    for decision in (path.decision, *path.replaced, *path.replaced_by):
        yield decision_evidence(decision)
        for link in decision.links:
            yield commit_evidence(link.commit, context.links)
    if path.talk:
        for said in path.talk.utterances:
            yield utterance_evidence(path.talk, said)
    if path.carried_out:
        yield commit_evidence(path.carried_out.change.commit, context.links)
        for section in (path.carried_out.change.section, path.carried_out.before):
            if section:
                yield section_evidence(section, context.links)
    if path.against:
        yield section_evidence(path.against, context.links)


TOOL = Tool(
    "why_path",
    "From a decision to everything around it: the conversation in which it fell, the decisions it replaced or was "
    "replaced by, the commit that carried it out with the section before and after, and what in the handbook says "
    "otherwise. For: why, who, when, where, what was the alternative, which request.",
    PathOf,
    run,
)
