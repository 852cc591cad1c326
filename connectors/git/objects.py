"""Reading objects by their ids through one long-lived `git cat-file --batch`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import UserFacing
from connectors.git.program import LongLived

LARGEST = 32 * 1024 * 1024
"""Bytes of the largest file that is read; a page of 5 MB is a large one."""

AT_ONCE = 256
"""Requests sent ahead of reading: their ids (65 bytes each at most) fit into a pipe that nobody empties (64 KiB on
Linux, 16 KiB where it is smallest), so that neither side waits for the other for ever."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An object as git has it; `data` is None where it is larger than LARGEST."""

    kind: str
    data: bytes | None


class Objects:
    """All objects of one repository."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git = LongLived(["cat-file", "--batch"], folder)

    def read(self, ids: Sequence[str]) -> Iterator[Stored]:
        """The objects in the order asked. Raises UserFacing where one is missing (a partial clone)."""
        for start in range(0, len(ids), AT_ONCE):
            part = ids[start : start + AT_ONCE]
            self._git.say("".join(f"{sha}\n" for sha in part).encode())
            for sha in part:
                yield self._next(sha)

    def _next(self, sha: str) -> Stored:
        words = self._git.out.readline().split()
        if len(words) != 3:
            raise UserFacing(
                f"{self._folder} lacks the object {sha}: fetch it whole (`git fetch --refetch` in a partial clone)"
            )
        size = int(words[2])
        if size > LARGEST:
            self._skip(size + 1)
            return Stored(words[1].decode(), None)
        data = self._git.out.read(size + 1)
        if len(data) != size + 1:
            raise UserFacing(f"git stopped in the middle of {sha} in {self._folder}: try `git fsck`")
        return Stored(words[1].decode(), data[:-1])

    def _skip(self, size: int) -> None:
        while size:
            gone = len(self._git.out.read(min(size, LARGEST)))
            if not gone:
                raise UserFacing(f"git stopped in the middle of a large file in {self._folder}: try `git fsck`")
            size -= gone

    def close(self) -> None:
        """Ends git."""
        self._git.close()
