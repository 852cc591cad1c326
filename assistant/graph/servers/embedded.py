"""The two servers that a home brings along: the graph and the queue, shared by all its processes.

The first process starts them, the others find them. What holds this together:
- `start.lock`: one process at a time looks and starts.
- each data folder's `lock` is held by the server itself (it inherits the descriptor), so it is free exactly when no
  server is left, whatever pid files and sockets say; two servers never open one data folder.
- sockets are believed only when something answers on them.
- servers and watcher are sessions of their own, so a Ctrl-C meant for a client does not reach them.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import IO
from urllib.parse import quote

from assistant.errors import Retry, UserFacing
from assistant.graph.servers import launch, sockets
from assistant.graph.servers.watch import ask
from assistant.settings import Settings

IDLE = 600.0
"""Seconds after the last client until the servers end by themselves."""

LOADING = 300.0
"""Seconds to wait for a server that reads its data back in."""


@dataclass(frozen=True, slots=True)
class Servers:
    """Where graph and queue are, as URLs for redis-py; `folder` is the embedded ones' home, None where both are own."""

    graph_url: str
    queue_url: str
    folder: Path | None = None
    embedded: frozenset[str] = frozenset()
    """Which of "graph" and "queue" are the home's own."""
    owner: IO[str] | None = field(default=None, repr=False, compare=False)
    """The open lock of the process that ends them when it ends."""


def ensure(settings: Settings, *, owner: bool = False, idle: float = IDLE) -> Servers:
    """Both servers, running: those the settings name, else the home's own, started if need be.

    With `owner`, this process ends them by `stop` (UserFacing if another one already does); else they end `idle`
    seconds after their last client. Raises UserFacing where they cannot be started, Retry while they load too long.
    """
    roles = [role for role in launch.ROLES if role.url(settings) is None]
    if not roles:
        return Servers(own_url(settings.falkordb_url), own_url(settings.redis_url))
    folder = settings.home.expanduser().resolve() / "servers"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = claim_ownership(folder) if owner else None
        runtime = start(roles, folder, settings, idle)
    except OSError as error:
        reason = f"{error.strerror}; name another with --home or BRAIN_HOME"
        raise UserFacing(f"cannot use the folder {settings.home}: {reason}") from error
    urls = {role: own_url(role.url(settings)) or f"unix://{quote(str(runtime / role.socket))}" for role in launch.ROLES}
    return Servers(urls[launch.GRAPH], urls[launch.QUEUE], folder, frozenset(role.name for role in roles), held)


def own_url(url: str | None) -> str:
    """A server's URL as redis-py reads it; FalkorDB's own scheme is Redis' by another name."""
    return "" if url is None else url.replace("falkor", "redis", 1) if url.startswith("falkor") else url


def stop(servers: Servers) -> None:
    """Ends the embedded servers, their data safely written, and waits until they are gone; others' are left alone."""
    if servers.folder is not None:
        with stopped(servers.folder):
            pass
    if servers.owner is not None:
        servers.owner.close()


@contextmanager
def stopped(folder: Path) -> Iterator[None]:
    """Ends whatever servers run on a folder and lets nobody start them inside; Retry where one does not go."""
    with locked(folder / "start.lock"):
        runtime = sockets.folder(folder)
        for role in launch.ROLES:
            socket = str(runtime / role.socket)
            if ask(socket, "SHUTDOWN"):  # an answer is a refusal: the disk is full, say
                ask(socket, "SHUTDOWN", "FORCE")
            if (folder / role.name).exists():
                launch.claim(folder / role.name).close()
        sockets.discard(folder)
        yield


def start(roles: list[launch.Role], folder: Path, settings: Settings, idle: float) -> Path:
    """Brings up whichever of a home's servers does not answer, and their watcher; gives the folder of their sockets."""
    gone: list[launch.Role] = []
    for _ in range(2):  # a server may go between being found and being used
        with locked(folder / "start.lock"):
            (folder / "used").touch()
            runtime = sockets.folder(folder)
            for role in roles:
                start_one(role, folder / role.name, str(runtime / role.socket), settings)
            launch.watcher(folder, runtime, idle)
        gone = [role for role in roles if not is_loaded(str(runtime / role.socket))]
        if not gone:
            return runtime
    raise UserFacing(launch.why_not(gone[0], folder / gone[0].name))


def start_one(role: launch.Role, data: Path, socket: str, settings: Settings) -> None:
    """Starts a server unless one answers; raises UserFacing where it ends at once, with what its log says."""
    if ask(socket, "PING") is not None:
        return
    data.mkdir(mode=0o700, exist_ok=True)
    with launch.claim(data) as lock:
        launch.server(role, data, socket, lock, settings)
    end = monotonic() + launch.STARTING
    while ask(socket, "PING") is None:
        if monotonic() > end or launch.is_free(data):
            raise UserFacing(launch.why_not(role, data))
        sleep(0.01)


def is_loaded(socket: str) -> bool:
    """True once a server takes commands, False if it goes instead; Retry after LOADING seconds of reading its data."""
    end = monotonic() + LOADING
    while (answer := ask(socket, "PING")) is not None:
        if answer == b"+PONG":
            return True
        if monotonic() > end:
            raise Retry("the embedded server is still reading its data", after=10.0)
        sleep(0.02)
    return False


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a file's lock, against other processes and other threads."""
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def claim_ownership(folder: Path) -> IO[str]:
    """The lock of the one process that ends this home's servers; freed by the system however that process ends."""
    lock = (folder / "owner.lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        pid = lock.read() or "?"
        lock.close()
        raise UserFacing(f"`brain up` already runs on this home (process {pid})") from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
