"""What a commit did to the answers given before: found, judged and recorded."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby

from assistant.access import scope_beside
from assistant.graph.notices import NewNotice
from assistant.graph.reading.owners import owners
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.graph.staleness import (
    Broken,
    Follow,
    Judged,
    Kept,
    Touched,
    commit_ids,
    judged_up_to,
    next_commit,
    note_judged,
    record,
    touched,
    written,
)
from assistant.graph.store import Reader
from assistant.graph.writing.lost import replace_lost, replacing
from assistant.model.ids import digest
from assistant.model.sections import ChangeKind
from assistant.model.times import micros
from assistant.staleness.judge import UNSURE, Leaning, Reason, Touch, judge, says
from assistant.text.meaning import meaning

TELLING = 6
"""Words that cited words must have at least to be looked for in other sections: fewer may stand anywhere by chance."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An answer that a commit broke or made doubtful, as its reader and the page's owners are told."""

    answer_id: str
    reason: Reason
    old_quote: str
    new_quote: str | None
    """What stands in their place, or came beside them."""
    owners: tuple[str, ...]
    path: str
    commit: str
    """Full sha."""
    at: int
    author: str
    merge_request: str | None


@dataclass(frozen=True, slots=True)
class StaleReport:
    """What a commit did to the answers it touched."""

    invalidated: tuple[Notice, ...] = ()
    unsure: tuple[Notice, ...] = ()
    """Those of which only a person can tell."""
    revalidated: tuple[str, ...] = ()
    """Ids of answers whose cited words it touched and left."""


def check_commit(space: Space, sha: str) -> StaleReport:
    """Judges every stored answer that cites what the commit superseded or removed, and records the outcome.

    Doing it again gives the same. What two sources read of one commit is judged as one. Commits are checked in the
    order of the mainline: citations follow their words from version to version.
    """
    rows = touched(space.reader, commit_ids(heads(space.reader), sha))
    look, named = Elsewhere(space.reader), Named(space.reader)
    outcome = Judged()
    notices: list[Notice] = []
    for answer, group in groupby(sorted(rows, key=lambda row: row.answer), lambda row: row.answer):
        cited = list(group)
        places, found = judged(cited, look)
        if not found:
            outcome.standing += [Kept(answer, commit) for commit in dict.fromkeys(row.commit_id for row in cited)]
            outcome.follow += places
            continue
        row, touch = min(found, key=lambda pair: not pair[1].sure)
        told = notice_of(row, touch, named(row))
        notices.append(told)
        kept = new_notice(row, told, found, touch)
        broken = Broken(answer, row.commit_id, row.path, touch.old_quote, touch.new_quote, kept)
        if touch.sure:
            outcome.broken.append(broken)
        else:
            outcome.doubtful.append(broken)
            outcome.follow += places
    record(space.graph, outcome)
    return StaleReport(
        tuple(notice for notice in notices if notice.reason not in UNSURE),
        tuple(notice for notice in notices if notice.reason in UNSURE),
        tuple(dict.fromkeys(row.answer for row in outcome.standing)),
    )


def check_new(space: Space, source: str, fence: int, start: int, head: int) -> None:
    """Judges the answers given before by the commits read since, in order; `start` is where this run began to read.

    What a run that died had not judged yet is judged by the next.
    """
    after = min(judged_up_to(space.reader, source), start)
    while found := next_commit(space.reader, source, after, head):
        sha, after = found
        check_commit(space, sha)
    note_judged(space.graph, source, fence, head)


def check_lost(space: Space, source: str, fence: int, head: str) -> None:
    """Judges the answers that cite what a rewritten history no longer has by what stands in its place at the head.

    Doing it again changes nothing, so a run that died before it did is made good by the next.
    """
    replace_lost(space.graph, source, fence, head)
    for sha in replacing(space.reader, source):
        check_commit(space, sha)


@dataclass(slots=True)
class Elsewhere:
    """Where else commits put words: the versions that each wrote, read when the first words are missing."""

    reader: Reader
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    """By version, of each commit looked into."""

    def find(self, row: Touched) -> str | None:
        """The version in which the commit put the cited words, saying no more or less there, wherever links lead; None
        where there is none, or the words are too few to tell.
        """
        if len(meaning(row.quote)) < TELLING:
            return None
        if row.commit_id not in self.texts:
            self.texts[row.commit_id] = written(self.reader, row.commit_id)
        for version, text in self.texts[row.commit_id].items():
            if says(text, row.quote):
                touch = judge(Leaning(row.claim, row.quote, ""), ChangeKind.MODIFIED, row.before, text)
                if touch is None or touch.reason is Reason.ADDED:
                    return version
        return None


def judged(rows: list[Touched], look: Elsewhere) -> tuple[list[Follow], list[tuple[Touched, Touch]]]:
    """An answer's touched words: those that stand and where, and those that are gone or doubtful."""
    places: list[Follow] = []
    found: list[tuple[Touched, Touch]] = []
    for row in rows:
        touch = judge(leaning(row), row.kind, row.before, row.after)
        stands = touch is None or touch.reason is Reason.ADDED
        place = row.successor if stands else look.find(row)
        if place is not None:
            places.append(Follow(row.answer, row.claim, row.quote, place))
        if touch is not None and (stands or place is None):
            found.append((row, touch))
    return places, found


def leaning(row: Touched) -> Leaning:
    """The claim and the words it rests on, as the judge takes them."""
    return Leaning(row.claim, row.quote, row.shown)


@dataclass(slots=True)
class Named:
    """The owners of pages as of a commit, each page looked up once."""

    reader: Reader
    found: dict[tuple[str, str, int, str], tuple[str, ...]] = field(default_factory=dict)

    def __call__(self, row: Touched) -> tuple[str, ...]:
        """Those of the page where the words stood."""
        key = row.audience, row.source, row.at, row.path
        if key not in self.found:
            ownership = owners(self.reader, scope_beside(row.audience, row.source, row.at), row.path)
            self.found[key] = ownership.owners if ownership else ()
        return self.found[key]


def notice_of(row: Touched, touch: Touch, named: tuple[str, ...]) -> Notice:
    """What to tell about one touched answer."""
    return Notice(
        row.answer,
        touch.reason,
        touch.old_quote,
        touch.new_quote,
        named,
        row.path,
        row.sha,
        row.at,
        row.author,
        row.merge_request,
    )


def new_notice(row: Touched, told: Notice, found: list[tuple[Touched, Touch]], touch: Touch) -> NewNotice:
    """What is kept for the page's owners, with what a person vouches for who says that the answer holds all the same:
    each touched claim, and the words that stand in the place of those it leant on.
    """
    leans = [
        (one.claim, new.new_quote, one.successor)
        for one, new in found
        if new.new_quote is not None and one.successor is not None and new.reason is not Reason.ADDED
    ]
    claims, words, versions = (tuple(column) for column in zip(*leans, strict=True)) if leans else ((), (), ())
    return NewNotice(
        id=digest("notice", row.answer, row.commit_id),
        answer=row.answer,
        commit=row.commit_id,
        sha=row.sha,
        reason=told.reason.value,
        sure=touch.sure,
        old_quote=told.old_quote,
        new_quote=told.new_quote,
        path=row.path,
        source=row.source,
        audience=row.audience,
        owners=told.owners,
        author=row.author,
        at=row.at,
        merge_request=row.merge_request,
        claim=row.claim,
        noted=micros(datetime.now(UTC)),
        claims=claims,
        words=words,
        versions=versions,
    )
