"""Ends the embedded servers of a home some time after their last client has gone.

Runs as a file of its own (`python -I watch.py …`), apart from the process that started it, and imports nothing of
ours and little of anybody's, so that it costs next to no memory. `ask` speaks just enough of Redis' protocol.
"""

import fcntl
import os
import socket
import sys
import time
from pathlib import Path

ANSWER_TIMEOUT = 5.0
"""Seconds to wait for a server's reply before it counts as busy."""


def ask(path: str, *words: str) -> bytes | None:
    """A server's reply to one command: the line without its line end, or a bulk string's content.

    None where nothing listens (no socket, a stale one), b"" where it is there but does not answer in time.
    """
    command = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(ANSWER_TIMEOUT)
        try:
            link.connect(path)
        except TimeoutError:
            return b""
        except OSError:
            return None
        try:
            link.sendall(command.encode())
            with link.makefile("rb") as replies:
                line = replies.readline().rstrip(b"\r\n")
                return replies.read(int(line[1:])) if line.startswith(b"$") else line
        except OSError:
            return b""


def clients(path: str) -> int | None:
    """How many clients a server has beside this one; None where it is gone. One that is too busy to say has some."""
    listed = ask(path, "CLIENT", "LIST")
    if listed is None:
        return None
    return listed.count(b"\n") - 1 if listed.startswith(b"id=") else 1


def watch(folder: Path, idle: float, sockets: list[str]) -> None:
    """Returns once the servers are gone, or `idle` seconds after their last client, having shut them down."""
    lock = (folder / "start.lock").open("a")
    last = time.time()
    while True:
        time.sleep(min(idle / 4, 15.0))
        counts = [clients(path) for path in sockets]
        if any(counts):
            last = time.time()
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)  # nobody starts or finds the servers while this decides
        counts = [clients(path) for path in sockets]
        if all(count is None for count in counts):
            return
        if not any(counts) and time.time() - max(last, (folder / "used").stat().st_mtime) >= idle:
            for path in sockets:
                ask(path, "SHUTDOWN")
            return
        fcntl.flock(lock, fcntl.LOCK_UN)


def main() -> None:
    """Arguments: the servers' folder, seconds of idleness, the sockets. Returns at once; a child goes on watching."""
    folder, idle, *sockets = sys.argv[1:]
    if os.fork() == 0:
        os.setsid()
        watch(Path(folder), float(idle), sockets)


if __name__ == "__main__":
    main()
