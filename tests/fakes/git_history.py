"""Real git repositories in a moment: a history is written down commit by commit and handed to `git fast-import`."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from connectors.git.program import command, environment

START = 1_600_000_000
"""Seconds since 1970 of the first commit, where it does not say when it was."""


@dataclass(frozen=True)
class Odd:
    """A tree entry that is no ordinary file: mode 120000 (link to `data`), 160000 (submodule at sha `data`), 100755."""

    mode: str
    data: str


Content = str | bytes | Odd | None
"""What a commit puts at a path; None takes the file away."""


class History:
    """A repository that grows. `commit` writes down, `write` makes it real; both can go on in turns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stream: list[bytes] = []
        self._marks: list[int] = []
        self._count = 0
        self._tips: dict[str, int] = {}
        git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(folder))

    def commit(
        self,
        files: Mapping[str | bytes, Content],
        message: str | bytes = "Edit.",
        *,
        at: int | None = None,
        branch: str = "main",
        parent: int | None = None,
        merge: int | None = None,
        author: str = "Ada Example <ada@example.com>",
        orphan: bool = False,
        header: bytes = b"",
    ) -> int:
        """Notes a commit on a branch, on top of `parent` (default: the branch's last); gives its number."""
        self._count += 1
        seconds = START + 3600 * self._count if at is None else at
        parent = parent or (None if orphan else self._tips.get(branch))
        if parent is None or orphan:
            self._say(f"reset refs/heads/{branch}\n")
        data = message.encode() if isinstance(message, str) else message
        self._say(f"commit refs/heads/{branch}\nmark :{self._count}\n")
        self._say(f"author {author} {seconds} +0000\ncommitter {author} {seconds} +0000\n")
        self._stream.append(header)
        self._data(data)
        if parent:
            self._say(f"from :{parent}\n")
        if merge:
            self._say(f"merge :{merge}\n")
        for path, content in files.items():
            self._file(path, content)
        self._tips[branch] = self._count
        return self._count

    def _file(self, path: str | bytes, content: Content) -> None:
        raw = path.encode() if isinstance(path, str) else path
        quoted = (
            b'"' + b"".join(b"\\%03o" % byte if byte < 32 or byte in b'"\\' else bytes([byte]) for byte in raw) + b'"'
        )
        if content is None:
            self._stream.append(b"D " + quoted + b"\n")
        elif isinstance(content, Odd) and content.mode == "160000":
            self._stream.append(b"M 160000 " + content.data.encode() + b" " + quoted + b"\n")
        else:
            mode, data = (content.mode, content.data) if isinstance(content, Odd) else ("100644", content)
            self._stream.append(f"M {mode} inline ".encode() + quoted + b"\n")
            self._data(data.encode() if isinstance(data, str) else data)

    def _data(self, data: bytes) -> None:
        self._stream += [b"data %d\n" % len(data), data, b"\n"]

    def _say(self, text: str) -> None:
        self._stream.append(text.encode())

    def write(self) -> Path:
        """Makes everything noted so far real; the path of the bare repository."""
        marks = self.folder / "marks"
        words = ["fast-import", "--quiet", "--force", f"--import-marks-if-exists={marks}", f"--export-marks={marks}"]
        subprocess.run(
            command(words, self.folder),
            input=b"".join(self._stream),
            env=environment(),
            check=True,
            capture_output=True,
        )
        self._stream.clear()
        return self.folder

    def sha(self, commit: int) -> str:
        """A written commit's sha."""
        lines = (self.folder / "marks").read_text().split()
        return dict(zip(lines[::2], lines[1::2], strict=True))[f":{commit}"]

    def point(self, branch: str, commit: int) -> None:
        """Moves a branch to another commit, as a force-push does."""
        git(f"--git-dir={self.folder}", "update-ref", f"refs/heads/{branch}", self.sha(commit))
        self._tips[branch] = commit

    def bundle(self, file: Path, *revisions: str) -> Path:
        """The repository as a bundle."""
        git(f"--git-dir={self.folder}", "bundle", "create", "--quiet", str(file), *(revisions or ("HEAD", "--all")))
        return file


def git(*words: str) -> str:
    """Runs git on repositories of our own making."""
    done = subprocess.run(command(words, None), env=environment("file"), check=True, capture_output=True)
    return done.stdout.decode()
