"""The audit's own way of reading git: the mainline, raw messages, and what each file held after each commit."""

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import IO

from assistant.errors import UserFacing

LARGEST = 32 * 1024 * 1024
"""Bytes of a page at most."""

FORMAT = "%H%x1f%P%x1f%ct%x1f%an%x1f%ae%x1f%B"


@dataclass(frozen=True, slots=True)
class Message:
    """A commit as `git log` shows it."""

    sha: str
    seconds: int
    """Committer time."""
    name: str
    email: str
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that a commit left different: the id of what it holds since, None where it is no ordinary file."""

    path: str
    blob: str | None


class Repository:
    """A clone, bare repository or bundle (which is cloned for the time of the audit)."""

    def __init__(self, path: Path, tip: str) -> None:
        """Raises UserFacing where `tip`, the last commit the graph knows, is not in it."""
        self._kept: tempfile.TemporaryDirectory[str] | None = None
        if path.is_file():
            self._kept = tempfile.TemporaryDirectory(prefix="brain-audit-")
            clone = Path(self._kept.name) / "clone.git"
            words = ["git", "clone", "--quiet", "--mirror", str(path), str(clone)]
            done = subprocess.run(words, check=False, capture_output=True)
            if done.returncode:
                self.close()
                raise UserFacing(f"{path} cannot be cloned: {done.stderr.decode('utf-8', 'replace').strip()}")
            path = clone
        self.path = path
        self.tip = tip
        done = subprocess.run([*self._git, "cat-file", "-e", f"{tip}^{{commit}}"], check=False, capture_output=True)
        if done.returncode:
            self.close()
            raise UserFacing(f"{path} does not hold {tip[:12]}, up to which the graph was filled: name it with --repo")

    def close(self) -> None:
        """Takes the clone of a bundle away."""
        if self._kept:
            self._kept.cleanup()

    @property
    def _git(self) -> list[str]:
        return ["git", "-C", str(self.path), "-c", "core.quotePath=false", "-c", "i18n.logOutputEncoding=UTF-8"]

    def run(self, *words: str, told: bytes = b"") -> bytes:
        """What git prints; raises UserFacing where it fails."""
        done = subprocess.run([*self._git, *words], input=told, check=False, capture_output=True)
        if done.returncode:
            raise UserFacing(f"git {words[0]}: {done.stderr.decode('utf-8', 'replace').strip()}")
        return done.stdout

    @cached_property
    def mainline(self) -> tuple[str, ...]:
        """Shas, oldest first: first parents; where unrelated histories meet, on along the one with more files."""
        told = self.run("rev-list", "--topo-order", "--parents", self.tip).decode().splitlines()
        parents = {words[0]: words[1:] for words in map(str.split, told)}
        roots: dict[str, frozenset[str]] = {}
        for line in reversed(told):
            sha = line.split()[0]
            above = [roots[parent] for parent in parents[sha]]
            roots[sha] = above[0].union(*above[1:]) if above else frozenset((sha,))
        line_of: list[str] = []
        at: str | None = self.tip
        while at:
            line_of.append(at)
            own = parents[at]
            apart = any(not roots[own[0]] & roots[other] for other in own[1:])
            at = max(own, key=self._files) if apart else next(iter(own), None)
        return tuple(reversed(line_of))

    def _files(self, sha: str) -> int:
        return self.run("ls-tree", "-r", "--name-only", "-z", sha).count(b"\0")

    def messages(self) -> dict[str, Message]:
        """Every mainline commit by its sha."""
        told = "\n".join(self.mainline).encode()
        raw = self.run("log", "--no-walk", "--stdin", "-z", "--no-notes", f"--format={FORMAT}", told=told)
        found = {}
        for record in raw.decode("utf-8", "replace").split("\0"):
            if record:
                sha, _, seconds, name, email, text = record.split("\x1f", 5)
                found[sha] = Message(sha, int(seconds), name, email, text.replace("\r\n", "\n"))
        return found

    def changes(self) -> Iterator[list[Changed]]:
        """For each mainline commit, oldest first, the files that it left different from the one before."""
        line = self.mainline
        asked = [line[0], *(f"{sha} {before}" for before, sha in pairwise(line))]
        raw = self.run(
            *("diff-tree", "--stdin", "-r", "-z", "--root", "--no-renames", "--full-index"),
            told="".join(f"{line}\n" for line in asked).encode(),
        )
        found: dict[str, list[Changed]] = {}
        parts = iter(raw.split(b"\0"))
        own: list[Changed] = []
        for part in parts:
            if part.startswith(b":"):
                _, mode, _, blob, _ = part[1:].decode().split()
                regular = mode.startswith("100")
                path = next(parts).decode("utf-8", "backslashreplace")
                own.append(Changed(path, blob if regular else None))
            elif part:
                own = found.setdefault(part.decode().strip(), [])
        for sha in line:
            yield found.get(sha, [])

    def file(self, sha: str, path: str) -> str:
        """What `git show commit:path` prints."""
        return self.run("show", f"{sha}:{path}").decode("utf-8", "replace")

    def shown(self, sha: str, paths: Sequence[str]) -> tuple[list[str], list[str]]:
        """The lines that `git show` says a commit added to files (all of them if none is named), and took away."""
        words = ("show", "--format=", "--unified=0", "--no-ext-diff", "-m", "--first-parent", "--no-renames", sha, "--")
        lines = self.run(*words, *paths).decode("utf-8", "replace").split("\n")
        added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ ")]
        return added, [line[1:] for line in lines if line.startswith("-") and not line.startswith("--- ")]


class Contents:
    """What files hold, by the ids of their contents."""

    def __init__(self, repository: Repository) -> None:
        words = ["git", "-C", str(repository.path), "cat-file", "--batch"]
        self._git = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self) -> None:
        """Ends git."""
        self._git.communicate()

    def texts(self, blobs: Iterable[str]) -> dict[str, str | None]:
        """Texts by id; None for what is no text: binary, kept elsewhere, or too large."""
        found = {}
        stdin, stdout = self._git.stdin, self._git.stdout
        assert stdin is not None
        assert stdout is not None
        for blob in dict.fromkeys(blobs):
            stdin.write(f"{blob}\n".encode())
            stdin.flush()
            found[blob] = _text(stdout)
        return found


def _text(out: IO[bytes]) -> str | None:
    size = int(out.readline().split()[2])
    data = out.read(size + 1)[:-1]
    if size > LARGEST or data.startswith(b"version https://git-lfs.github.com/spec/"):
        return None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return None if b"\0" in data[:8000] else data.decode("utf-8", "replace")
