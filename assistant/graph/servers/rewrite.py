"""Having a server write its append-only file anew, so that nothing of what was deleted is left on the disk."""

import shutil
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep, time

import redis

from assistant.errors import Retry
from assistant.graph.servers import launch
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import connect

REWRITING = 600.0
"""Seconds that a rewrite may take."""

QUERIES = "telemetry{*"
"""Streams in which FalkorDB keeps the last queries and their parameters, on servers that were not told to stop it."""

LEFT_OVER = 1800.0
"""Seconds after which a half-written file or a copy for a backup has nobody any more who writes it."""


def rewrite_logs(servers: Servers) -> None:
    """Both servers' files, awaited. Raises Retry where one cannot now; a server without such a file needs nothing."""
    for role, url in ((launch.GRAPH, servers.graph_url), (launch.QUEUE, servers.queue_url)):
        rewrite_log(url)
        if servers.folder is not None and role.name in servers.embedded:
            sweep(servers.folder / role.name, "temp-*")
    if servers.folder is not None:
        sweep(servers.folder, ".backup-*")


def rewrite_log(url: str) -> None:
    """One server's file. One that is being rewritten already is waited for: it may have begun too early."""
    try:
        with closing(connect(url)) as server:
            if keys := list(server.scan_iter(QUERIES)):
                server.execute_command("GRAPH.CONFIG", "SET", "CMD_INFO", "no")  # type: ignore[no-untyped-call]
                server.delete(*keys)
            if not server.info("persistence")["aof_enabled"]:
                return
            end = monotonic() + REWRITING
            while is_rewriting(server, end):
                continue
            server.bgrewriteaof()
            while is_rewriting(server, end):
                continue
            if server.info("persistence")["aof_last_bgrewrite_status"] != "ok":
                raise Retry("the server could not rewrite its append-only file: is the disk full?", after=60.0)
    except redis.RedisError as error:
        raise Retry(f"the server did not rewrite its append-only file: {error}", after=5.0) from error


def is_rewriting(server: redis.Redis, end: float) -> bool:
    """Whether a rewrite runs or is about to, after a short wait; raises Retry at the moment `end`."""
    now = server.info("persistence")
    if not (now["aof_rewrite_in_progress"] or now["aof_rewrite_scheduled"]):
        return False
    if monotonic() > end:
        raise Retry("the rewrite of the append-only file takes too long", after=60.0)
    sleep(0.02)
    return True


def sweep(folder: Path, pattern: str) -> None:
    """Deletes what a killed server or backup left half done long ago: it holds what has been deleted since."""
    for left in folder.glob(pattern):
        if time() - left.stat().st_mtime < LEFT_OVER:
            continue
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)
