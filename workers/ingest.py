"""Filling a Space from a git handbook: revision by revision, on from where the last run stopped."""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from assistant.errors import UserFacing
from assistant.graph import sources
from assistant.graph.sources import SourceRow
from assistant.graph.space import Space
from assistant.graph.writing import current
from assistant.graph.writing.chain import Chain
from assistant.graph.writing.owner_override import override_owner_files
from assistant.graph.writing.revision import RevisionWriter, Window
from assistant.graph.writing.talk import remember_origin
from assistant.graph.writing.undo import undo_beyond
from assistant.graph.writing.writer import sole_writer
from assistant.model import ids
from assistant.model.audiences import PUBLIC
from assistant.model.revisions import Revision
from assistant.model.times import micros
from assistant.staleness.check import check_lost, check_new
from connectors.base import Connector
from connectors.git import GitRepository
from connectors.git.paths import CODENOTIFY
from workers.apart import writing_apart
from workers.garbage import fewer_collections

WINDOW = 4000
"""Versions that become visible at once, more or less: few enough to lose in a crash, enough that most of a long
history's versions end in the window in which they began."""

LONG = 500
"""Commits from which on it is worth a process to write them: starting one takes half a second."""

Progress = Callable[[int, int], None]
"""Told how many commits are done, and of how many."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What a run did."""

    source: str
    """The source's id."""
    head: int | None
    """Microseconds up to which the source is complete now; None while it has no revision."""
    cursor: str | None
    """The mainline commit at the head."""
    commits: int = 0
    """Commits read."""
    versions: int = 0
    """Versions of sections that they made."""
    sections_changed: int = 0
    """Sections that they added, changed, moved or removed."""
    rewound: bool = False
    """Whether the history was found rewritten, and what had come from the old one taken back."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Files that could not be read as pages, by what they are."""


def ingest_git(
    space: Space,
    repo: GitRepository,
    *,
    until: str | None = None,
    web_url: str | None = None,
    audience: str | None = None,
    progress: Progress | None = None,
) -> IngestReport:
    """Reads the repository's mainline into the Space, on from where the last run stopped, up to `until` or its end.

    What is not given (`web_url`, `audience`, the repository's owner file) stays as it was; at first the audience is
    public. Read to its end, it is known up to now, though its last commit be old. Raises UserFacing for what cannot be
    read or does not fit what is there, Retry while another process is at it.
    """
    if audience and not re.fullmatch(r"public|channel:\S+", audience):
        raise UserFacing(f"no audience {audience!r}: it is `public` or `channel:ID`")
    last, now = repo.landing(until) if until else repo.tip, micros(datetime.now(UTC))
    with sole_writer(space.graph) as fence:
        known = _known(space, repo)
        start = _start(space, repo, known)
        source = replace(known, audience=audience or known.audience, web_url=web_url or known.web_url)
        sources.save_source(space.graph, source, fence)
        sources.move_to_audience(space.graph, source, fence)
        if start != source.cursor:
            source = _rewound(space, source, fence, start)
        undo_beyond(space.graph, source, fence)
        if repo.codeowners is not None:
            source = override_owner_files(space.graph, source, fence, repo.codeowners)
            assert repo.codeowners_path is not None
            remember_origin(space.graph, "codeowners", repo.codeowners_path)
            sources.save_source(space.graph, source, fence)
        report = _fill(space, repo, source, fence, last, progress)
        if report.cursor and report.head is not None:
            check_lost(space, source.id, fence, report.cursor)
            check_new(space, source.id, fence, -1 if source.head is None else source.head, report.head)
        if until is None and report.cursor == repo.tip:
            sources.read_to_its_end(space.graph, source.id, fence, now)
        return replace(report, rewound=start != known.cursor)


def _known(space: Space, repo: GitRepository) -> SourceRow:
    """The source that the repository is in this Space: by its first commit, so that clones and bundles are the same.

    Raises UserFacing where its pages would be in the Space twice.
    """
    root = repo.mainline[0]
    source = SourceRow(
        id=ids.digest("source", "git", root, repo.subdir.path),
        kind="git",
        root=root,
        path=str(repo.path.absolute()),
        ref=repo.branch,
        subdir=repo.subdir.path,
        audience=PUBLIC,
    )
    for other in sources.list_sources(space.reader):
        if other.id == source.id:
            return replace(other, path=source.path)
        if other.root == root and _overlap(other.subdir, source.subdir):
            there = f"--subdir {other.subdir}" if other.subdir else "without --subdir"
            raise UserFacing(
                f"this repository is here already, {there}: ingest it like that, or into another home (--home)"
            )
    return source


def _overlap(one: str, other: str) -> bool:
    """Whether one folder of a repository lies in the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/") or not one or not other


def _start(space: Space, repo: GitRepository, source: SourceRow) -> str | None:
    """The commit after which to go on: the cursor, or an earlier one where the repository's history was rewritten.

    A repository that merely ends earlier is an old copy, unless the newer commits are there but off its branch.
    Raises UserFacing where another branch was asked for, which has parted from what was read.
    """
    if source.cursor is None or source.cursor in repo.places:
        return source.cursor
    read = [sha for sha, _ in current.commits(space.reader, source.id)]
    common = next(sha for sha in reversed(read) if sha in repo.places)
    if common == repo.tip and not repo.has_object(source.cursor):
        return source.cursor
    if repo.branch != source.ref:
        if common == repo.tip:
            return source.cursor
        raise UserFacing(
            f"what is here follows the branch {source.ref}, from which {repo.branch} has parted: "
            f"ingest {source.ref} (--ref), or use another home (--home)"
        )
    return common


def _rewound(space: Space, source: SourceRow, fence: int, cursor: str | None) -> SourceRow:
    head = dict(current.commits(space.reader, source.id)).get(cursor or "")
    return sources.rewind(space.graph, source, fence, head, cursor)


def _fill(
    space: Space, repo: GitRepository, source: SourceRow, fence: int, last: str, progress: Progress | None
) -> IngestReport:
    """Reads and writes; of a long history at the same time: while one window is written, the next is made."""
    report = IngestReport(source.id, source.head, source.cursor)
    start = repo.places.get(source.cursor, len(repo.mainline)) + 1 if source.cursor else 0
    end = repo.places[last] + 1
    if start >= end:
        return report
    commits = end - start
    apart = writing_apart(space, source.id, source.audience, fence) if commits >= LONG else None
    here = RevisionWriter(space.graph, source.id, source.audience, fence)
    with fewer_collections(), apart or nullcontext(here.write) as write:
        for window in windows(space, repo, source, last):
            write(window)
            report = counted(report, window)
            if progress:
                progress(report.commits, commits)
    return replace(report, skipped=dict(repo.skipped))


def counted(report: IngestReport, window: Window) -> IngestReport:
    """The report with one more window in it."""
    versions = sum(len(step.versions) for step in window.steps)
    return replace(
        report,
        head=window.steps[-1].at,
        cursor=window.steps[-1].commit.sha,
        commits=report.commits + len(window.steps),
        versions=report.versions + versions,
        sections_changed=report.sections_changed + versions + sum(len(step.removed) for step in window.steps),
    )


def windows(space: Space, connector: Connector[Revision], source: SourceRow, last: str | None) -> Iterator[Window]:
    """The revisions behind the source's cursor, up to `last`, in windows."""
    chain = Chain(
        source.id,
        source.audience,
        -1 if source.head is None else source.head,
        lambda paths: current.pages_at(space.reader, source.id, paths) if source.cursor else (),
        current.owner_files(space.reader, source.id),
    )
    window = Window()
    for record in connector.pull(source.cursor, last):
        revision = record.value
        window.add(chain.step(revision if source.own_codeowners else _without_codeowners(revision)))
        if window.size >= WINDOW:
            yield window
            window = Window()
    if window.steps:
        yield window


def _without_codeowners(revision: Revision) -> Revision:
    """The revision as it counts where a CODEOWNERS file was given by hand."""
    kept = (file for file in revision.owner_files if (file.new_path or file.old_path or "").endswith(CODENOTIFY))
    return replace(revision, owner_files=tuple(kept))
