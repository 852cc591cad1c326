"""Writing a long history in a process of its own: one processor reads and cuts while another encodes and writes.

The process ends when its pipe does: with the run, or with the death of the process that started it. What it still
writes after that names the fence of a run that is over, and changes nothing once another run has begun.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from assistant.errors import Retry
from assistant.graph.space import Space, connect
from assistant.graph.store import Graph
from assistant.graph.writing.revision import RevisionWriter, Window
from workers.garbage import fewer_collections

Write = Callable[[Window], None]


@contextmanager
def writing_apart(space: Space, source: str, audience: str, fence: int) -> Iterator[Write]:
    """Gives what hands a window to the writing process, once that has written the one before.

    Whatever the writer raises is raised by the next call, or at the end; Retry where its process died.
    """
    spawning = get_context("spawn")
    ours, theirs = spawning.Pipe()
    words = (theirs, space.servers.graph_url, space.graph.name, source, audience, fence)
    process = spawning.Process(target=_serve, args=words, name="revision-writer", daemon=True)
    process.start()
    theirs.close()
    waiting = False

    def settle() -> None:
        nonlocal waiting
        if waiting:
            waiting = False
            try:
                error = ours.recv()
            except (EOFError, OSError):
                raise Retry("the process that writes to the graph died: run this again", after=1.0) from None
            if error is not None:
                raise error

    def write(window: Window) -> None:
        nonlocal waiting
        settle()
        try:
            ours.send(window)
        except OSError:
            raise Retry("the process that writes to the graph died: run this again", after=1.0) from None
        waiting = True

    try:
        yield write
        settle()
    finally:
        ours.close()
        process.join()


def _serve(pipe: Connection, url: str, name: str, source: str, audience: str, fence: int) -> None:
    """The process: writes each window it is sent, and says how that went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the run over there, and then this
    graph = Graph(connect(url), name)
    writer = RevisionWriter(graph, source, audience, fence)
    with fewer_collections():
        while True:
            try:
                window: Window = pipe.recv()
            except (EOFError, OSError):
                return
            try:
                writer.write(window)
            except Exception as error:  # noqa: BLE001 it is raised over there
                pipe.send(error)
            else:
                pipe.send(None)
