"""The chain of versions: from what holds now and one more revision to what is new, what has ended and what replaced it.

Pure but for `load`, which fetches the pages that the run has not touched yet. Everything gets its id from where it
came up, so that a run that stops and goes on makes the same graph as one that never stopped.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, takewhile
from pathlib import PurePosixPath

from assistant.graph.writing.positions import positions
from assistant.graph.writing.reparse import split_again
from assistant.model import ids
from assistant.model.revisions import CommitInfo, FileChange, Revision
from assistant.model.sections import Block, ChangeKind, PlacedBlock, SectionChange, SectionVersion
from assistant.model.times import FOREVER
from assistant.text.changes import match_sections
from assistant.text.markdown import Page, split_page

FOLDER_PAGES = frozenset({"index", "readme", "_index"})
"""Names of files that stand for their folder."""

SECTION_LINE = re.compile(r"^\^?\[[^\]]+\]", re.MULTILINE)
"""A section of GitLab's CODEOWNERS."""


@dataclass(frozen=True, slots=True)
class Live:
    """A section's version that holds now."""

    id: str
    lineage: str
    position: str


@dataclass(frozen=True, slots=True)
class Old:
    """A version that held before, and the id of its page."""

    page: str
    live: Live


@dataclass(slots=True)
class LivePage:
    """A page as it is now: `live` runs in parallel with its sections."""

    id: str
    path: str
    text: str
    live: Sequence[Live] = ()
    parsed: Page | None = None
    """None until somebody asks: a run touches few of the pages it loads."""

    def sections(self) -> tuple[Block, ...]:
        """Its text, cut."""
        return self.page().blocks

    def page(self) -> Page:
        """Its text, cut, and its title."""
        if self.parsed is None:
            self.parsed = split_page(self.text)
        return self.parsed

    def placed(self, first: int = 0, last: int = 0) -> list[PlacedBlock]:
        """Its sections where they stand, without so many at its start and its end."""
        sections = self.sections()
        return [PlacedBlock(self.path, index, sections[index]) for index in range(first, len(sections) - last)]

    def title(self) -> str:
        """Front matter's title or the first heading, else the file's name, or its folder's where it stands for it."""
        path = PurePosixPath(self.path)
        stem = path.name.split(".")[0] or path.name
        name = path.parent.name if stem.lower() in FOLDER_PAGES and path.parent.name else stem
        return self.page().title or name.replace("-", " ").replace("_", " ")


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be written, and the one it takes the place of."""

    section: SectionVersion
    body: str
    """Its text without heading line and front matter: what search tokens are made of."""
    supersedes: str | None


@dataclass(frozen=True, slots=True)
class PageState:
    """A page as a revision leaves it."""

    id: str
    path: str
    title: str
    valid_from: int | None
    """Set where the page is new."""
    valid_to: int


@dataclass(frozen=True, slots=True)
class OwnerVersion:
    """A version of an owner file."""

    id: str
    path: str
    kind: str
    text: str
    valid_from: int


@dataclass(slots=True)
class Step:
    """What one revision does to the graph."""

    commit: CommitInfo
    at: int
    """Committer time made strictly increasing, microseconds."""
    versions: list[NewVersion] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    """Ids of sections' versions that end and that nothing takes the place of."""
    pages: list[PageState] = field(default_factory=list)
    owner_files: list[OwnerVersion] = field(default_factory=list)
    owner_files_ended: list[str] = field(default_factory=list)
    """Ids of versions that hold no longer."""


Load = Callable[[Sequence[str]], Iterable[LivePage]]


class Chain:
    """What holds now in one source, and how it goes on."""

    def __init__(self, source: str, audience: str, last: int, load: Load, owner_files: Mapping[str, str]) -> None:
        """`last` is the time of the last revision; `load` gives the pages at some paths as that revision left them;
        `owner_files` are the ids of the owner files' versions by path.
        """
        self._source = source
        self._audience = audience
        self._last = last
        self._load = load
        self._pages: dict[str, LivePage | None] = {}
        self._owner_files = dict(owner_files)

    def step(self, revision: Revision) -> Step:
        """Goes on by one revision."""
        self._last = max(self._last + 1, revision.commit.committed_at)
        step = Step(revision.commit, self._last)
        before, after = self._exchange(revision)
        stayed = {page.path: stay(before[page.path], page) for page in after if page.path in before}
        changes = match_sections(
            [section for page in before.values() for section in page.placed(*stayed.get(page.path, (0, 0)))],
            [section for page in after for section in page.placed(*stayed.get(page.path, (0, 0)))],
        )
        old: dict[tuple[str, int], Old] = {}
        for path, page in before.items():
            lead, trail = stayed.get(path, (0, 0))
            for index in range(lead, len(page.live) - trail):
                old[path, index] = Old(page.id, page.live[index])
        groups = {path: list(group) for path, group in groupby(changes, path_after)}
        for page in after:
            lead, trail = stayed.get(page.path, (0, 0))
            was = before[page.path].live if lead or trail else ()
            first, last = was[:lead], was[len(was) - trail :]
            page.live = (*first, *self._go_on(step, page, groups.get(page.path, []), old, first, last), *last)
        step.removed += [
            old[change.before.path, change.before.index].live.id
            for change in changes
            if change.before and change.after is None
        ]
        self._note_pages(step, before, after)
        for file in revision.owner_files:
            self._note_owner_file(step, file)
        return step

    def _exchange(self, revision: Revision) -> tuple[dict[str, LivePage], list[LivePage]]:
        """Takes out the pages as they were, by path, and puts in what they are; those that say the same stay."""
        self._fetch(revision.pages)
        before: dict[str, LivePage] = {}
        changed: list[FileChange] = []
        for file in revision.pages:
            page = self._pages.get(file.old_path) if file.old_path else None
            if page and file.old_path == file.new_path and file.text == page.text:
                continue
            changed.append(file)
            if page:
                before[page.path] = page
                self._pages[page.path] = None
        after = [self._page(revision.commit.sha, file, before) for file in changed if file.text is not None]
        self._pages.update({page.path: page for page in after})
        return before, after

    def _fetch(self, files: Sequence[FileChange]) -> None:
        paths = {path for file in files for path in (file.old_path, file.new_path) if path}
        if unknown := sorted(path for path in paths if path not in self._pages):
            self._pages.update(dict.fromkeys(unknown))
            self._pages.update({page.path: page for page in self._load(unknown)})

    def _page(self, commit: str, file: FileChange, before: Mapping[str, LivePage]) -> LivePage:
        """The page that the file is now: the one it was, where it was one, under whatever name."""
        assert file.new_path is not None
        assert file.text is not None
        old = before.get(file.old_path or "")
        if old is None:
            return LivePage(ids.page_id(self._source, commit, file.new_path), file.new_path, file.text)
        return LivePage(old.id, file.new_path, file.text, parsed=split_again(old.text, old.page(), file.text))

    def _go_on(
        self,
        step: Step,
        page: LivePage,
        changes: Sequence[SectionChange],
        old: Mapping[tuple[str, int], Old],
        first: Sequence[Live],
        last: Sequence[Live],
    ) -> list[Live]:
        """Gives the sections of a page between the first and the last ones, which stay, their ids and positions."""
        was = [old[change.before.path, change.before.index] if change.before else None for change in changes]
        wanted = [
            (was_in.live.position, change.kind is None) if was_in and was_in.page == page.id else (None, False)
            for was_in, change in zip(was, changes, strict=True)
        ]
        floor, ceiling = first[-1].position if first else None, last[0].position if last else None
        title = page.title()
        live: list[Live] = []
        for change, was_in, position in zip(changes, was, positions(wanted, floor, ceiling), strict=True):
            if was_in and was_in.page == page.id and change.kind is None:
                live.append(was_in.live)
            else:
                live.append(self._version(step, page, title, change, was_in.live if was_in else None, position))
        return live

    def _version(
        self, step: Step, page: LivePage, title: str, change: SectionChange, was: Live | None, position: str
    ) -> Live:
        """Adds a new version to the step; gives it as what holds now."""
        assert change.after is not None
        place, block, sha = change.after, change.after.block, step.commit.sha
        lineage = was.lineage if was else ids.lineage_id(self._source, sha, place.path, place.index)
        version = SectionVersion(
            id=ids.version_id(lineage, sha, place.path, place.index),
            lineage=lineage,
            source=self._source,
            page=page.id,
            path=page.path,
            title=title,
            heading=block.heading,
            heading_path=block.heading_path,
            level=block.level,
            anchor=block.anchor,
            position=position,
            text=block.source,
            valid_from=step.at,
            valid_to=FOREVER,
            commit=sha,
            merge_request=step.commit.merge_request,
            change=change.kind or ChangeKind.MOVED,
            audience=self._audience,
        )
        step.versions.append(NewVersion(version, block.body, was.id if was else None))
        return Live(version.id, lineage, position)

    def _note_pages(self, step: Step, before: Mapping[str, LivePage], after: Sequence[LivePage]) -> None:
        known = {page.id for page in before.values()}
        lasting = {page.id for page in after}
        for page in before.values():
            if page.id not in lasting:
                step.pages.append(PageState(page.id, page.path, page.title(), None, step.at))
        for page in after:
            began = None if page.id in known else step.at
            step.pages.append(PageState(page.id, page.path, page.title(), began, FOREVER))

    def _note_owner_file(self, step: Step, file: FileChange) -> None:
        path = file.new_path or file.old_path or ""
        if ended := self._owner_files.pop(path, None):
            step.owner_files_ended.append(ended)
        if file.new_path and file.text is not None:
            version = owner_version(self._source, step.commit.sha, path, file.text, step.at)
            self._owner_files[path] = version.id
            step.owner_files.append(version)


def path_after(change: SectionChange) -> str:
    """The path of the page that a section is on; '' for one that was removed."""
    return change.after.path if change.after else ""


def stay(old: LivePage, new: LivePage) -> tuple[int, int]:
    """How many sections at the start and the end of a page nobody needs to look at, since they are as they were.

    One more on each side is left to be seen: it shows that the page is still there.
    """
    if old.id != new.id:
        return 0, 0
    was, now = old.sections(), new.sections()
    first = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False)))
    rest = min(len(was), len(now)) - first
    ends = zip(reversed(was), reversed(now), strict=False)
    last = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], islice(ends, rest)))
    return max(first - 1, 0), max(last - 1, 0)


def owner_version(source: str, commit: str, path: str, text: str, at: int) -> OwnerVersion:
    """A version of an owner file as a commit wrote it."""
    return OwnerVersion(ids.digest("owners", source, commit, path), path, dialect(path, text), text, at)


def dialect(path: str, text: str) -> str:
    """Whose rules an owner file follows: GitLab's where it lies in GitLab's folder or has sections, else GitHub's."""
    if path.endswith("CODENOTIFY"):
        return "codenotify"
    return "gitlab" if path.startswith(".gitlab/") or SECTION_LINE.search(text) else "github"
