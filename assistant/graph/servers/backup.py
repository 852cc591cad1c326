"""Everything of a home in one file, taken while it runs, and back."""

import hashlib
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

import redis

from assistant.errors import Retry, UserFacing
from assistant.graph.servers import embedded, launch
from assistant.graph.space import Space, connect

FORMAT = 1
"""Of the file: a tar with manifest.json first (format, when, each file's SHA-256), then the files of a home."""

MANIFEST = "manifest.json"
SNAPSHOT = "appendonly.aof.1.base.rdb"
PARTS = f"file {SNAPSHOT} seq 1 type b\n"
"""Redis' own list of the parts of an append-only file: a snapshot to start from, nothing written since."""

SAVING = 600.0
"""Seconds a server may take to write its snapshot."""


def check_target(file: Path, *, force: bool) -> None:
    """Raises UserFacing where no backup can go: a folder, nowhere, or, without `force`, over what is there."""
    if file.is_dir():
        raise UserFacing(f"{file} is a folder: name a file in it")
    if not file.parent.is_dir():
        raise UserFacing(f"there is no folder {file.parent} to write the backup to: make it first")
    if file.exists() and not force:
        raise UserFacing(f"{file} is there already: name another file, or replace it with --force")


def backup(space: Space, file: Path, *, force: bool = False) -> int:
    """Writes a home's servers and files to `file` (whole or not at all) while they run; gives its size in bytes.

    Each server's snapshot is of one moment. The graph's is taken first: what its outbox hands on in between is in both
    and deduped, never in neither. Raises UserFacing for servers of one's own, a disk that cannot take it, and, without
    `force`, a file that is there.
    """
    check_target(file, force=force)
    servers = space.servers
    if servers.folder is None or len(servers.embedded) < len(launch.ROLES):
        raise UserFacing(
            "FALKORDB_URL or REDIS_URL names a server of your own: back it up there (BGSAVE, then keep its dump.rdb)"
        )
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=servers.folder) as folder:
            staged = Path(folder, "home")
            shutil.copytree(servers.folder.parent, staged, ignore=all_but(servers.folder))
            stage(servers.graph_url, servers.folder / launch.GRAPH.name, staged / "servers" / launch.GRAPH.name)
            stage(servers.queue_url, servers.folder / launch.QUEUE.name, staged / "servers" / launch.QUEUE.name)
            pack(staged, file)
    except OSError as error:
        raise UserFacing(f"cannot write the backup {file}: {error.strerror or error}") from error
    return file.stat().st_size


def all_but(left_out: Path) -> Callable[[str, list[str]], set[str]]:
    """For copytree: leaves one folder out."""
    return lambda folder, names: {name for name in names if Path(folder, name) == left_out}


def stage(url: str, data: Path, target: Path) -> None:
    """Takes a server's snapshot and lays it out as the append-only files that a server starts from."""
    parts = target / "appendonlydir"
    parts.mkdir(parents=True)
    snapshot(url, data / "dump.rdb")
    (data / "dump.rdb").replace(parts / SNAPSHOT)
    (parts / "appendonly.aof.manifest").write_text(PARTS)


def snapshot(url: str, file: Path) -> None:
    """Has a server write all its data as of one moment to `file`, its dump.rdb, without holding it up."""
    file.unlink(missing_ok=True)
    server = connect(url)
    try:
        server.bgsave(schedule=True)  # after a rewrite of the log that may be under way
        end = monotonic() + SAVING
        while not file.exists():  # it gets its name when it is whole
            now = server.info("persistence")
            busy = now["rdb_bgsave_in_progress"] or now["aof_rewrite_in_progress"]
            if now["rdb_last_bgsave_status"] != "ok" and not busy:
                raise UserFacing("the server could not write its snapshot: is the disk full?")
            if monotonic() > end:
                raise Retry("the server's snapshot takes too long", after=60.0)
            sleep(0.02)
    except redis.RedisError as error:
        raise Retry(f"the server gave no snapshot: {error}", after=5.0) from error
    finally:
        server.close()


def pack(staged: Path, file: Path) -> None:
    """Packs a folder with a manifest; `file` appears only when all of it is on the disk."""
    names = sorted(str(path.relative_to(staged)) for path in staged.rglob("*") if path.is_file())
    manifest = {
        "format": FORMAT,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {name: checksum(staged / name) for name in names},
    }
    (staged / MANIFEST).write_text(json.dumps(manifest, indent=1))
    partial = file.with_name(f"{file.name}.partial")
    try:
        with partial.open("wb") as out:
            os.fchmod(out.fileno(), 0o600)
            with tarfile.open(fileobj=out, mode="w") as tar:
                for name in (MANIFEST, *names):
                    tar.add(staged / name, name)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def restore(file: Path, home: Path, *, force: bool = False) -> None:
    """Makes `home` what it was when `file` was written, wholly or not at all.

    Raises UserFacing for a file that is damaged or no backup, and for a home that holds something already, unless
    `force`; then its servers are ended and it is replaced.
    """
    home = home.expanduser().resolve()
    if home.exists() and not home.is_dir():
        raise UserFacing(f"{home} is a file: name a folder with --home")
    if home.exists() and any(home.iterdir()) and not force:
        raise UserFacing(f"{home} is not empty: restore to another folder with --home, or replace it with --force")
    check_source(file)
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{home.name}-", dir=home.parent) as folder:
            fresh, former = Path(folder, "fresh"), Path(folder, "former")
            unpack(file, fresh)
            with set_aside(home, former):
                fresh.rename(home)
    except OSError as error:
        reason = error.strerror or error
        raise UserFacing(f"cannot write to {home}: {reason}; name another folder with --home") from error


def check_source(file: Path) -> None:
    """Raises UserFacing for what cannot be read, and for what is no archive with a manifest at its beginning."""
    if file.is_dir():
        raise UserFacing(f"{file} is a folder: name the file that `brain backup` wrote")
    try:
        with tarfile.open(file, "r:") as tar:
            first = tar.next()
    except FileNotFoundError:
        raise UserFacing(f"there is no file {file}") from None
    except OSError as error:
        raise UserFacing(f"cannot read {file}: {error.strerror or error}") from error
    except tarfile.TarError:
        first = None
    if first is None or first.name != MANIFEST:
        raise UserFacing(f"{file} is not a backup: name a file that `brain backup` wrote")


@contextmanager
def set_aside(home: Path, former: Path) -> Iterator[None]:
    """Moves a home away, if there is one, its servers ended; brings it back where what follows fails."""
    if not home.exists():
        yield
        return
    with ExitStack() as held:
        if (home / "servers").exists():
            held.enter_context(embedded.claim_ownership(home / "servers"))
            held.enter_context(embedded.stopped(home / "servers"))
        home.rename(former)
        try:
            yield
        except BaseException:  # a Ctrl-C, too: `former` goes with the temporary folder
            if not home.exists():
                former.rename(home)
            raise


def unpack(file: Path, target: Path) -> None:
    """Unpacks a backup and checks every file's checksum; raises UserFacing for what is damaged or no backup."""
    target.mkdir(mode=0o700)
    try:
        with tarfile.open(file, "r:") as tar:
            tar.extractall(target, filter="data")
    except tarfile.TarError as error:
        raise UserFacing(f"{file} is damaged or cut short ({error}): take another copy of it") from error
    try:
        manifest = json.loads((target / MANIFEST).read_text())
        files: dict[str, str] = dict(manifest["files"])
        known = manifest["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError):
        raise UserFacing(f"{file} is not a backup: name a file that `brain backup` wrote") from None
    if not known:
        raise UserFacing(f"{file} was written by another version (format {manifest['format']}): use that one")
    (target / MANIFEST).unlink()
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_symlink() or not path.is_dir()}
    for name in sorted(found | files.keys()):
        if name not in found or not is_plain(target / name) or checksum(target / name) != files.get(name):
            raise UserFacing(f"{file} is damaged: {name} is missing or not what was backed up; take another copy")


def is_plain(path: Path) -> bool:
    """Whether it is a file and no link, which no backup of ours holds."""
    return path.is_file() and not path.is_symlink()


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
