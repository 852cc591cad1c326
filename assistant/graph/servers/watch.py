"""Ends the embedded servers of a home some time after their last client has gone.

Runs as a file of its own (`python -I watch.py …`), apart from the process that started it, and imports nothing of
ours and little of anybody's, so that it costs next to no memory.
"""

import fcntl
import os
import select
import socket
import sys
import time
from pathlib import Path

ANSWER_TIMEOUT = 5.0
"""Seconds to wait for a server's reply before it counts as busy."""


class Link:
    """A connection to a server that speaks just enough of Redis' protocol, made when needed and kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.socket: socket.socket | None = None
        """Open while there is a connection."""

    def ask(self, *words: str) -> bytes | None:
        """A server's reply to one command: the line without its line end, or a bulk string's content.

        None where nobody is (no socket, a stale one, one that hangs up), b"" where somebody is too busy to answer.
        """
        command = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        try:
            link = self.socket = self.socket or connected(self.path)
            link.sendall(command.encode())
            with link.makefile("rb") as replies:
                line = replies.readline().rstrip(b"\r\n")
                reply = replies.read(int(line[1:]) + 2)[:-2] if line.startswith(b"$") else line
        except TimeoutError:
            self.close()
            return b""
        except OSError:
            self.close()
            return None
        if not reply:
            self.close()
        return reply or None

    def close(self) -> None:
        """Hangs up; the next `ask` connects anew."""
        if self.socket:
            self.socket.close()
        self.socket = None


def connected(path: str) -> socket.socket:
    """A socket connected to a path, with a limit on waiting."""
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.settimeout(ANSWER_TIMEOUT)
    try:
        link.connect(path)
    except OSError:
        link.close()
        raise
    return link


def ask(path: str, *words: str) -> bytes | None:
    """One command and hang up; replies as `Link.ask` gives them."""
    link = Link(path)
    try:
        return link.ask(*words)
    finally:
        link.close()


def clients(link: Link) -> int | None:
    """How many clients a server has beside this one; None where it is gone. One that is too busy to say has some."""
    listed = link.ask("CLIENT", "LIST")
    if listed is None:
        return None
    return listed.count(b"\n") - 1 if listed.startswith(b"id=") else 1


def watch(folder: Path, idle: float, links: list[Link]) -> None:
    """Returns once the servers are gone, or `idle` seconds after their last client, having shut them down.

    A home that was deleted has no clients any more. The links outlive the sockets' names, so it is told even then.
    """
    last = time.time()
    with (folder / "start.lock").open("a") as lock:
        while True:
            rest(links, min(idle / 4, 15.0))
            if folder.exists() and any(clients(link) for link in links):
                last = time.time()
                continue
            fcntl.flock(lock, fcntl.LOCK_EX)  # nobody starts or finds the servers while this decides
            if is_over(folder, links, last, idle):
                for link in links:
                    link.ask("SHUTDOWN")
                return
            fcntl.flock(lock, fcntl.LOCK_UN)


def rest(links: list[Link], seconds: float) -> None:
    """Waits, but no longer than until a server hangs up."""
    select.select([link.socket for link in links if link.socket], [], [], seconds)


def is_over(folder: Path, links: list[Link], last: float, idle: float) -> bool:
    """Whether the servers are gone, or `idle` seconds without a client (`last` seen or since started), or homeless."""
    counts = [clients(link) for link in links]
    try:
        last = max(last, (folder / "used").stat().st_mtime)
    except OSError:
        return True
    return all(count is None for count in counts) or (not any(counts) and time.time() - last >= idle)


def main() -> None:
    """Arguments: the servers' folder, seconds of idleness, the sockets. Returns at once; a child goes on watching."""
    folder, idle, *sockets = sys.argv[1:]
    links = [Link(path) for path in sockets]
    for link in links:
        link.ask("PING")  # connected from here on, whatever becomes of the sockets' names
    if os.fork() == 0:
        os.setsid()
        watch(Path(folder), float(idle), links)


if __name__ == "__main__":
    main()
