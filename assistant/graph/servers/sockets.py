"""Where a home's sockets lie: in the home itself, or in a short folder elsewhere where the home's path is too long."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

from assistant.errors import UserFacing

LONGEST = 100
"""Bytes a socket's path may have: the system's limit is 104 on macOS and 108 on Linux, end mark included."""

ROOM = len("/graph.sock")


def folder(servers: Path) -> Path:
    """The folder, 0700 and ours, for the sockets of the servers under `servers`; call it under the start lock.

    A short one elsewhere is remembered by a link in the home, so that every process finds it, whatever its TMPDIR. One
    that is no longer ours (a cleaned temp folder, another user's by now) is replaced.
    """
    own = servers / "sockets"
    if own.is_symlink():
        target = own.readlink()
        if is_private(target):
            return target
        own.unlink()
    if fits(own):
        own.mkdir(mode=0o700, exist_ok=True)
        own.chmod(0o700)
        return own
    target = short_folder()
    if own.is_dir():
        own.rmdir()
    own.symlink_to(target)
    return target


def discard(servers: Path) -> None:
    """Takes a short folder elsewhere away again, once no server uses it."""
    own = servers / "sockets"
    if own.is_symlink():
        if is_private(own.readlink()):
            shutil.rmtree(own.readlink(), ignore_errors=True)
        own.unlink()


def fits(path: Path) -> bool:
    """Whether sockets in a folder have paths the system takes."""
    return len(os.fsencode(path)) + ROOM <= LONGEST


def is_private(path: Path) -> bool:
    """Whether a path is a real folder, ours, that nobody else may enter."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def short_folder() -> Path:
    """A new private folder with a short path; raises UserFacing where there is none to be had."""
    for base in (f"/run/user/{os.getuid()}", tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp makes it private
        if fits(Path(base, "brain-12345678")) and os.access(base, os.W_OK):
            return Path(tempfile.mkdtemp(prefix="brain-", dir=base))
    raise UserFacing(f"the path of {tempfile.gettempdir()} is too long for a socket; set BRAIN_HOME to a shorter one")
