"""Running the git program on repositories nobody vouches for: no shell, no hooks, no configuration that executes,
no network, none of our environment.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Self

from assistant.errors import Fatal, UserFacing

OVERRIDES = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.alternateRefsCommand": "",
    "core.quotePath": "false",
    "safe.directory": "*",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "diff.renames": "true",
}
"""What a repository's own configuration must not decide. `safe.directory` is open because, with these, another user's
repository can make git do nothing but read."""

CHUNK = 1 << 16

BUFFER = 1 << 20
"""Bytes read from git at a time: each read lets another thread have Python, and it takes a while to come back.
As many fit into the pipe where that can be chosen, so that git reads on while earlier pages are cut."""

LINUX_PIPE_SIZE: int | None = getattr(fcntl, "F_SETPIPE_SZ", None)


@cache
def executable() -> str:
    """Full path of git. Raises Fatal where there is none."""
    found = shutil.which("git")
    if found is None:
        raise Fatal("the git program is not installed: install git 2.31 or newer")
    return found


def environment(protocols: str = "none", ceiling: str = "/") -> dict[str, str]:
    """The whole environment of a git process; `protocols` are the transports it may use, `none` being no transport."""
    git = executable()
    return {
        "PATH": os.pathsep.join([str(Path(git).parent), os.defpath]),
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": ceiling,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_GRAFT_FILE": f"{os.devnull}/none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


def command(words: Sequence[str], folder: Path | None) -> list[str]:
    """The argument list; `folder` is the git directory itself."""
    options = [word for key, value in OVERRIDES.items() for word in ("-c", f"{key}={value}")]
    where = [f"--git-dir={folder}"] if folder else []
    return [executable(), "--no-pager", *where, *options, *words]


def run(
    words: Sequence[str],
    folder: Path | None = None,
    *,
    protocols: str = "none",
    cwd: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """One short git command, its output whole; whether it went well is the caller's to ask.

    `settings` of git's are for this command alone and not seen by other users, as its words would be.
    """
    ceiling = str(cwd.parent) if cwd else "/"
    told = {"GIT_CONFIG_COUNT": str(len(settings or {}))}
    for number, (name, value) in enumerate((settings or {}).items()):
        told |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return subprocess.run(
        command(words, folder),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**environment(protocols, ceiling), **told},
        cwd=cwd,
        check=False,
    )


def output(words: Sequence[str], folder: Path) -> bytes:
    """What a git command prints. Raises UserFacing with git's own words when it fails."""
    done = run(words, folder)
    if done.returncode:
        raise UserFacing(f"git cannot read {folder}: {complaint(done.stderr)}")
    return done.stdout


def complaint(stderr: bytes) -> str:
    """The last line that git said, for a person."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].removeprefix("fatal: ").removeprefix("error: ") if lines else "it gave no reason"


def lines(words: Sequence[str], folder: Path, end: bytes = b"\n") -> Iterator[bytes]:
    """The parts of a git command's output one by one, never more than one chunk in memory. Raises UserFacing."""
    with LongLived(words, folder) as process:
        rest = b""
        while chunk := process.out.read1(CHUNK):  # type: ignore[attr-defined]
            *whole, rest = (rest + chunk).split(end)
            yield from whole
        if rest:
            yield rest
        process.finish()


class LongLived:
    """A git process that is spoken to for as long as a run lasts."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            command(words, folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=BUFFER,
            env=environment(),
        )
        if LINUX_PIPE_SIZE is not None:
            with suppress(OSError):  # it is a wish: a user may have few pages for pipes left
                fcntl.fcntl(self.out, LINUX_PIPE_SIZE, BUFFER)

    @property
    def out(self) -> IO[bytes]:
        assert self.process.stdout
        return self.process.stdout

    def say(self, text: bytes) -> None:
        """Hands over a request. Raises UserFacing when git has gone."""
        assert self.process.stdin
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise UserFacing(f"git stopped reading {self.folder}: is the repository damaged? try `git fsck`") from error

    def finish(self) -> None:
        """Waits for the end. Raises UserFacing where git did not end well."""
        if self.process.wait():
            raise UserFacing(f"git cannot read {self.folder}: is the repository damaged? try `git fsck`")

    def close(self) -> None:
        """Ends the process whatever it does."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
