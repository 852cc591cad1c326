"""The states a repository goes through: its mainline, and where on it a commit landed."""

from collections.abc import Sequence
from pathlib import Path

from connectors.git.program import lines, output, run


def mainline(folder: Path, tip: str) -> list[str]:
    """Shas, oldest first: the first-parent history; where a merge joins histories that share no commit, it goes on
    along the parent that holds more files (the first of them where two hold as many).
    """
    reached = _roots_reached(folder, tip) if len(_roots(folder, tip)) > 1 else {}
    line: list[str] = []
    start: str | None = tip
    while start:
        start = _follow(folder, start, reached, line)
    line.reverse()
    return line


def _follow(folder: Path, start: str, reached: dict[bytes, int], line: list[str]) -> str | None:
    """Appends first parents, newest first, up to a merge of unrelated histories that is left by another parent,
    which is returned.
    """
    for words in lines(["rev-list", "--first-parent", "--parents", start, "--"], folder):
        sha, *parents = words.decode().split()
        line.append(sha)
        if reached and len(parents) > 1 and _unrelated(parents, reached):
            larger = max(parents, key=lambda parent: _files(folder, parent))
            if larger != parents[0]:
                return larger
    return None


def _unrelated(parents: Sequence[str], reached: dict[bytes, int]) -> bool:
    """Two commits share a commit exactly when they share a root."""
    masks = [reached[bytes.fromhex(parent)] for parent in parents]
    return any(not masks[0] & mask for mask in masks[1:])


def _roots(folder: Path, tip: str) -> list[str]:
    return output(["rev-list", "--max-parents=0", tip, "--"], folder).decode().split()


def _roots_reached(folder: Path, tip: str) -> dict[bytes, int]:
    """For each commit the roots it comes from, as a set of bits."""
    reached: dict[bytes, int] = {}
    bit = 1
    for words in lines(["rev-list", "--topo-order", "--reverse", "--parents", tip, "--"], folder):
        sha, *parents = (bytes.fromhex(word) for word in words.decode().split())
        mask = 0
        for parent in parents:
            mask |= reached[parent]
        if not parents:
            mask, bit = bit, bit << 1
        reached[sha] = mask
    return reached


def _files(folder: Path, commit: str) -> int:
    return sum(1 for _ in lines(["ls-tree", "-r", "-z", "--name-only", commit], folder, b"\0"))


def landing(folder: Path, line: Sequence[str], sha: str) -> int | None:
    """Index of the first commit of the mainline that contains it (itself, if it is on it); None: none does."""
    if not line or not is_ancestor(folder, sha, line[-1]):
        return None
    low, high = 0, len(line) - 1
    while low < high:
        middle = (low + high) // 2
        if is_ancestor(folder, sha, line[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def is_ancestor(folder: Path, sha: str, other: str) -> bool:
    """Whether `other` contains `sha`; a commit contains itself."""
    return run(["merge-base", "--is-ancestor", sha, other], folder).returncode == 0
