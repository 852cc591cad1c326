"""What each commit left different, through one long-lived `git diff-tree --stdin`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import UserFacing
from connectors.git import paths
from connectors.git.program import CHUNK, LongLived

AT_ONCE = 64
"""Commits asked ahead of reading: 130 bytes each at most, which a pipe takes without a reader."""

END = b"end of part"
"""Git echoes a line that names no commit, and flushes: so the end of a part's answers is known."""

RENAME_LIMIT = 2000
"""Added files times deleted ones, square root of: beyond it git pairs only files whose content is the same."""


@dataclass(frozen=True, slots=True)
class Side:
    """A file before or after."""

    path: str
    mode: str
    id: str

    @property
    def regular(self) -> bool:
        return self.mode.startswith("100")

    @property
    def oddity(self) -> str:
        """What it is, where it is no regular file."""
        return {"120000": "symbolic link", "160000": "submodule"}.get(self.mode, "odd file mode")


@dataclass(frozen=True, slots=True)
class Difference:
    """One file: `before` is None where it is new, `after` None where it is gone."""

    before: Side | None
    after: Side | None


class Diffs:
    """The differences along a line of commits."""

    def __init__(self, folder: Path, pathspecs: Sequence[str]) -> None:
        self._git = LongLived(
            [
                *("diff-tree", "--stdin", "-r", "-z", "--raw", "--root", "--always", "--no-abbrev", "--no-ext-diff"),
                *("--no-textconv", "--ignore-submodules=none", "-M", f"-l{RENAME_LIMIT}", "--", *pathspecs),
            ],
            folder,
        )

    def along(self, commits: Sequence[tuple[str, str | None]]) -> Iterator[list[Difference]]:
        """The differences of each (commit, the one before it on the line; None: it is the first), in order."""
        for start in range(0, len(commits), AT_ONCE):
            part = commits[start : start + AT_ONCE]
            asked = "".join(f"{sha} {before}\n" if before else f"{sha}\n" for sha, before in part)
            self._git.say(asked.encode() + END + b"\n")
            yield from self._part(len(part))

    def _part(self, count: int) -> Iterator[list[Difference]]:
        """Git separates by NUL: a commit's id, then per file `:modes ids status`, path, then another if renamed."""
        tokens = self._tokens()
        found: list[Difference] | None = None
        seen = 0
        for token in tokens:
            if token == END:
                break
            if not token.startswith(b":"):
                if found is not None:
                    yield found
                found, seen = [], seen + 1
                continue
            assert found is not None
            old_mode, new_mode, old_id, new_id, status = token[1:].decode().split(" ")
            old_path = new_path = paths.name(next(tokens))
            if status[0] in "RC":
                new_path = paths.name(next(tokens))
            before = None if status[0] in "AC" else Side(old_path, old_mode, old_id)
            after = None if status[0] == "D" else Side(new_path, new_mode, new_id)
            found.append(Difference(before, after))
        if seen != count or found is None:
            raise UserFacing("git stopped in the middle of a commit: is the repository damaged? try `git fsck`")
        yield found

    def _tokens(self) -> Iterator[bytes]:
        """What git says, cut at its NULs; the echo of END ends in a newline and comes last."""
        rest = b""
        while chunk := self._git.out.read1(CHUNK):  # type: ignore[attr-defined]
            *whole, rest = (rest + chunk).split(b"\0")
            yield from whole
            if rest == END + b"\n":
                yield END
                return

    def close(self) -> None:
        """Ends git."""
        self._git.close()
