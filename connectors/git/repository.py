"""A git repository as a source: its mainline, and for each commit the pages and owner files it changed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from assistant.errors import UserFacing
from assistant.model.revisions import FileChange, Revision
from assistant.text.markdown import decode
from connectors.base import CursorLost, Record
from connectors.git import bundles, commits
from connectors.git.diffs import Difference, Diffs, Side
from connectors.git.mainline import landing, mainline
from connectors.git.objects import Objects, Stored
from connectors.git.paths import Subdir, is_owner_file
from connectors.git.program import complaint, run

LFS = b"version https://git-lfs.github.com/spec/"
"""How a file that lies elsewhere begins."""

AHEAD = 64
"""Commits whose changes are asked for at a time."""


class GitRepository:
    """A clone, a bare repository or a bundle, read by the git program and never written."""

    name = "git"
    scopes: tuple[str, ...] = ()

    def __init__(
        self,
        path: Path,
        *,
        cache: Path,
        ref: str | None = None,
        subdir: str | None = None,
        codeowners: Path | None = None,
    ) -> None:
        """Raises UserFacing where there is no complete repository, no such ref, or the owner file cannot be read.

        `cache` keeps clones of bundles; `codeowners` is a file to use instead of the repository's own.
        """
        self.path = path
        self.folder = git_folder(path, cache)
        self.subdir = Subdir.of(subdir or "")
        self.codeowners = _given(codeowners) if codeowners else None
        """Text of the CODEOWNERS file given."""
        self.codeowners_path = codeowners
        self.branch, self.tip = _tip(self.folder, path, ref)
        self.skipped: Counter[str] = Counter()
        """How many files were left out, by what they are."""

    @cached_property
    def mainline(self) -> tuple[str, ...]:
        """Shas of the whole mainline, oldest first."""
        return tuple(mainline(self.folder, self.tip))

    @cached_property
    def places(self) -> dict[str, int]:
        """Each mainline commit's index."""
        return {sha: n for n, sha in enumerate(self.mainline)}

    @property
    def cursor(self) -> str | None:
        """The mainline's newest commit."""
        return self.tip

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[Revision]]:
        """The revisions after the cursor, a mainline commit's sha. Raises CursorLost where it is none (any more)."""
        for revision in self.revisions(cursor, until):
            yield Record(revision.commit.sha, revision)

    def has_object(self, sha: str) -> bool:
        """Whether the commit lies in the repository at all, be it reachable or not."""
        return run(["cat-file", "-e", f"{sha}^{{commit}}"], self.folder).returncode == 0

    def landing(self, sha: str) -> str:
        """The first mainline commit that contains the one named (in any form git knows). Raises UserFacing."""
        if sha in self.places:
            return sha
        full = _resolve(self.folder, sha)
        at = landing(self.folder, self.mainline, full) if full else None
        if at is None:
            raise UserFacing(f"{self.path}: {sha} is no commit in the history of {self.branch}")
        return self.mainline[at]

    def revisions(self, after: str | None = None, until: str | None = None) -> Iterator[Revision]:
        """Each mainline commit behind `after` up to and including `until`, oldest first, with what it changed.

        Raises CursorLost where `after` is no mainline commit, UserFacing where `until` is none or git fails.
        """
        start = 0 if after is None else self._place(after) + 1
        end = len(self.mainline) if until is None else self.places[self.landing(until)] + 1
        objects, diffs = Objects(self.folder), Diffs(self.folder, self.subdir.pathspecs())
        try:
            for first in range(start, end, AHEAD):
                yield from self._part(objects, diffs, range(first, min(first + AHEAD, end)))
        finally:
            objects.close()
            diffs.close()

    def _place(self, sha: str) -> int:
        try:
            return self.places[sha]
        except KeyError:
            raise CursorLost(f"{self.path}: {sha} is not on the mainline of {self.branch} any more") from None

    def _part(self, objects: Objects, diffs: Diffs, span: range) -> Iterator[Revision]:
        shas = [self.mainline[n] for n in span]
        before = self.mainline[span[0] - 1] if span[0] else None
        asked = [(sha, parent) for parent, sha in pairwise([before, *shas]) if sha]
        infos = [commits.parse(sha, stored.data or b"") for sha, stored in zip(shas, objects.read(shas), strict=True)]
        sorted_out = [self._sorted(differences) for differences in diffs.along(asked)]
        sides = [difference.after for pair in sorted_out for group in pair for difference in group]
        contents = objects.read([side.id for side in sides if side and side.regular])
        for info, (pages, owner_files) in zip(infos, sorted_out, strict=True):
            yield Revision(info, self._changes(contents, pages), self._changes(contents, owner_files))

    def _sorted(self, differences: Sequence[Difference]) -> tuple[list[Difference], list[Difference]]:
        """The differences of pages, and those of owner files; a rename from or to anything else is half of one."""
        pages: list[Difference] = []
        owner_files: list[Difference] = []
        for difference in differences:
            before, after = self._page(difference.before), self._page(difference.after)
            if before or after:
                pages.append(Difference(before, after))
            old, new = _owner_file(difference.before), _owner_file(difference.after)
            if old and (not new or new.path != old.path):
                owner_files.append(Difference(old, None))
            if new:
                owner_files.append(Difference(old if old and old.path == new.path else None, new))
        return pages, owner_files

    def _page(self, side: Side | None) -> Side | None:
        return side if side and self.subdir.has_page(side.path) else None

    def _changes(self, contents: Iterator[Stored], differences: Sequence[Difference]) -> tuple[FileChange, ...]:
        """The differences with the files' texts, which `contents` gives in their order."""
        changes = []
        for difference in differences:
            before, after = difference.before, difference.after
            text = None
            if after and after.regular:
                text = self._text(next(contents).data)
            elif after:
                self.skipped[after.oddity] += 1
            changes.append(FileChange(before.path if before else None, after.path if after else None, text))
        return tuple(changes)

    def _text(self, data: bytes | None) -> str | None:
        """The file as text; None, and counted, where it is none that can be read."""
        if data is None:
            self.skipped["larger than 32 MB"] += 1
            return None
        if data.startswith(LFS):
            self.skipped["stored in LFS"] += 1
            return None
        text = decode(data)
        if text is None:
            self.skipped["binary"] += 1
        return text


def _given(file: Path) -> str:
    try:
        text = decode(file.read_bytes())
    except OSError as error:
        raise UserFacing(f"cannot read the owner file {file}: {error.strerror}") from error
    if text is None:
        raise UserFacing(f"the owner file {file} is not text")
    return text


def _owner_file(side: Side | None) -> Side | None:
    return side if side and is_owner_file(side.path) else None


def git_folder(path: Path, cache: Path) -> Path:
    """The git directory of a clone, a bare repository or a bundle. Raises UserFacing where it is none or not whole."""
    path = path.expanduser().absolute()
    if not path.exists():
        raise UserFacing(f"there is no {path}: name a clone, a bare repository or a .bundle file")
    if path.is_file():
        if not bundles.is_bundle(path):
            raise UserFacing(f"{path} is no git bundle: name a clone, a bare repository or a .bundle file")
        return bundles.cloned(path, cache)
    done = run(["rev-parse", "--absolute-git-dir", "--is-shallow-repository"], cwd=path)
    if done.returncode:
        raise UserFacing(f"{path} is no git repository ({complaint(done.stderr)})")
    folder, shallow = done.stdout.decode("utf-8", "surrogateescape").rstrip("\n").rsplit("\n", 1)
    if shallow == "true":
        raise UserFacing(f"{path} is a shallow clone, its history is cut off: run `git fetch --unshallow` in it first")
    return Path(folder)


def _tip(folder: Path, path: Path, ref: str | None) -> tuple[str, str]:
    """Name and commit of what is read: the ref, else HEAD, else the only branch there is. Raises UserFacing."""
    if ref is not None:
        for name in (ref, f"origin/{ref}"):
            if sha := _resolve(folder, name):
                return re.sub(r"^(?:refs/heads/|(?:refs/remotes/)?origin/)", "", ref), sha
        raise UserFacing(f"{path} has no ref {ref}: it has {_branches(folder) or 'no branches at all'}")
    if sha := _resolve(folder, "HEAD"):
        named = run(["symbolic-ref", "--quiet", "--short", "HEAD"], folder).stdout.decode("utf-8", "replace").strip()
        return named or "HEAD", sha
    names = _branches(folder).split(", ")
    if len(names) == 1 and (sha := _resolve(folder, names[0])):
        return names[0], sha
    if names == [""]:
        raise UserFacing(f"{path} holds no commits yet")
    raise UserFacing(f"HEAD of {path} names no commit: say which of its branches with --ref ({', '.join(names)})")


def _resolve(folder: Path, name: str) -> str | None:
    """Full sha of the commit that a revision names; None where it names none."""
    if "\0" in name:  # no program can be told it
        return None
    done = run(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"], folder)
    return done.stdout.decode().strip() if done.returncode == 0 else None


def _branches(folder: Path) -> str:
    done = run(["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes"], folder)
    return ", ".join(done.stdout.decode("utf-8", "replace").split())
