"""What a connector hands over for one commit of a handbook's mainline."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """A commit of the mainline."""

    sha: str
    author_name: str
    author_email: str
    committed_at: int
    """Committer time, microseconds since 1970, as git has it (not yet made increasing)."""
    subject: str
    body: str
    merge_request: str | None
    """Number of the merge or pull request that brought it, without # or !."""
    reverts: tuple[str, ...] = ()
    """Shas, as its message writes them, of the commits that it says it takes back."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that a commit left different.

    `old_path` is None for a new file, `new_path` for a deleted one; both differ for a rename that git itself sees.
    `text` is the content afterwards, decoded; None when deleted or binary.
    """

    old_path: str | None
    new_path: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit: the pages it changed and the owner files (CODEOWNERS, CODENOTIFY) it changed."""

    commit: CommitInfo
    pages: tuple[FileChange, ...]
    owner_files: tuple[FileChange, ...]
