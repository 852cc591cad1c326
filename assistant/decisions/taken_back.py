"""For how long a commit's words held: until another commit took them back, and again from when one brought them back.

A commit takes another back where its message says so, or where within months it puts the very words of before in the
place of those that had come, or gives every section that the other changed its text of before. What is merely changed
or removed later was carried out all the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.decisions.link import AFTER
from assistant.decisions.shown import Edit
from assistant.graph.reading.commits import CommitRow, SectionChanged, changed_by, changes_of
from assistant.graph.reading.linking import Reverting
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.sections import ChangeKind
from assistant.model.times import FOREVER

_WHOLE = 20
"""Sections that a commit may have changed for all of them to be compared."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What a commit brought to a section."""

    commit: CommitRow
    lineage: str
    edit: Edit


@dataclass(frozen=True, slots=True)
class Turn:
    """A later commit after which the words stand, or stand no longer."""

    commit: CommitRow
    stand: bool
    section: str | None = None
    """The version that brought them back, where it is known."""


@dataclass(frozen=True, slots=True)
class Held:
    """A stretch of time for which the words stood."""

    since: int
    until: int
    begun: Turn | None
    """What brought them back; None for the commit itself."""
    ended_by: str | None


def held(
    reader: Reader, scope: Scope, carried: Carried, again: Iterable[Turn], reverts: Sequence[Reverting]
) -> list[Held]:
    """The stretches for which a commit's words stood; `again` are turns that other evidence tells of."""
    versions = changes_of(reader, scope, carried.lineage)
    turns = [
        *again,
        *_by_words(carried.commit, reverts),
        *_by_edit(carried, versions),
        *_by_sections(reader, scope, carried, versions),
    ]
    later = [turn for turn in turns if turn.commit.at > carried.commit.at]
    return list(_stretches(carried.commit.at, sorted(later, key=lambda turn: (turn.commit.at, turn.section is None))))


def _stretches(since: int, turns: Iterable[Turn]) -> Iterator[Held]:
    begun: Turn | None = None
    stands = True
    for turn in turns:
        if turn.stand == stands:
            continue
        stands = turn.stand
        if stands:
            since, begun = turn.commit.at, turn
        else:
            yield Held(since, turn.commit.at, begun, turn.commit.sha)
    if stands:
        yield Held(since, FOREVER, begun, None)


def _by_words(commit: CommitRow, reverts: Sequence[Reverting]) -> Iterator[Turn]:
    """What messages say: a commit that takes back the one that took this back brings it back."""
    for one in reverts:
        if one.commit.source != commit.source or one.commit.at <= commit.at:
            continue
        if any(commit.sha.startswith(named) for named in one.of):
            yield Turn(one.commit, stand=False)
            yield from (Turn(turn.commit, not turn.stand) for turn in _by_words(one.commit, reverts))


def _by_edit(carried: Carried, versions: Sequence[SectionChanged]) -> Iterator[Turn]:
    """What later versions say: the words of before again and not those that had come, or the other way round."""
    before, after = carried.edit.before, carried.edit.after
    for version in versions:
        text = _text(version)
        if after in text:
            yield Turn(version.commit, stand=True, section=version.section.id)
        elif before and before in text and version.commit.at <= carried.commit.at + AFTER:
            yield Turn(version.commit, stand=False)


def _by_sections(reader: Reader, scope: Scope, carried: Carried, versions: Sequence[SectionChanged]) -> Iterator[Turn]:
    """Commits after which everything is as it was before the commit."""
    soon = [one for one in versions if carried.commit.at < one.commit.at <= carried.commit.at + AFTER]
    own = _before(carried.commit, versions)
    likely = [one for one in soon if _text(one).strip() == own]
    if not likely:
        return
    changed = {one.section.lineage for one in changed_by(reader, scope, carried.commit)}
    if len(changed) > _WHOLE:
        return
    others = [changes_of(reader, scope, lineage) for lineage in changed - {carried.lineage}]
    for one in likely:
        if all(_after(one.commit, each).get(one.commit.sha) == _before(carried.commit, each) for each in others):
            yield Turn(one.commit, stand=False)


def _before(commit: CommitRow, versions: Sequence[SectionChanged]) -> str:
    """A section's text before a commit, '' where there was none."""
    earlier = [one for one in versions if one.commit.at < commit.at]
    return _text(earlier[-1]).strip() if earlier else ""


def _after(commit: CommitRow, versions: Sequence[SectionChanged]) -> Mapping[str, str]:
    """A section's text after a commit that changed it, by the commit's sha."""
    return {one.commit.sha: _text(one).strip() for one in versions if one.commit.sha == commit.sha}


def _text(version: SectionChanged) -> str:
    return "" if version.kind is ChangeKind.REMOVED else version.section.text
