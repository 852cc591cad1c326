"""Everything together in the foreground: the embedded servers, the web process, answer workers. Ctrl-C ends it all."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.context import SpawnProcess
from types import FrameType

import structlog

from assistant.errors import Fatal, Retry, UserFacing
from assistant.graph.servers.embedded import ensure, stop
from assistant.settings import Settings
from workers.logs import to_stderr

WORKERS = 1
"""Answer workers; each holds the embedding model, some 500 MB."""
LOOK = 0.5
"""Seconds between looks at the children."""
PATIENCE = 15.0
"""Seconds that a child has for its last job."""
SHORT_LIVED = 10.0
"""Seconds; a child that ends sooner than this after its start is started again more and more slowly."""
SLOWEST = 60.0

log = structlog.get_logger()
spawn = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class Child:
    """A process that is started again when it dies."""

    name: str
    main: Callable[[Settings], None]
    settings: Settings
    process: SpawnProcess | None = None
    begun: float = 0.0
    pause: float = field(default=1.0)
    """Seconds before the next start, were it to die at once."""

    def start(self) -> None:
        """Begin."""
        self.begun = time.monotonic()
        self.process = spawn.Process(target=_child, args=(self.main, self.settings, os.getpid()), name=self.name)
        self.process.start()

    def look(self) -> None:
        """Start it again if it died, not too often. Raises UserFacing if it ended because of its settings."""
        if self.process is None or self.process.is_alive():
            return
        if self.process.exitcode == REFUSED:
            raise UserFacing(f"{self.name} could not start; the line above says why")
        lived = time.monotonic() - self.begun
        if lived < self.pause:
            return
        self.pause = 1.0 if lived > SHORT_LIVED else min(self.pause * 2, SLOWEST)
        log.warning("started again after it died", process=self.name, exit=self.process.exitcode)
        self.start()

    def end(self) -> None:
        """Ask it to end in good order."""
        if self.process is not None and self.process.is_alive():
            self.process.terminate()

    def ended(self, until: float) -> None:
        """Wait for its end; at the moment `until` it is killed."""
        if self.process is not None:
            self.process.join(max(0.0, until - time.monotonic()))
            if self.process.is_alive():
                self.process.kill()
                self.process.join()


REFUSED = 2
"""Exit status of a child that cannot work with these settings: starting it again is no use."""


def up(settings: Settings, workers: int = WORKERS) -> None:
    """Run until SIGINT or SIGTERM. Raises UserFacing where something cannot start, or where another `up` runs."""
    to_stderr()
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _setting(stopping))
    servers = ensure(settings, owner=True)
    children = [
        Child("web", _web, settings),
        Child("ingest", _ingest, settings),
        *(Child(f"answer {n}", _answer, settings) for n in range(1, workers + 1)),
    ]
    try:
        for child in children:
            child.start()
        while not stopping.wait(LOOK):
            for child in children:
                child.look()
    finally:
        for child in children:
            child.end()
        until = time.monotonic() + PATIENCE
        for child in children:
            child.ended(until)
        stop(servers)


def _setting(stopping: threading.Event) -> Callable[[int, FrameType | None], None]:
    def handler(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the shape of a signal handler
        stopping.set()

    return handler


def _web(settings: Settings) -> None:
    from workers.web.serve import serve

    serve(settings)


def _answer(settings: Settings) -> None:
    from workers.answer import run

    run(settings)


def _ingest(settings: Settings) -> None:
    from workers.listen import run

    run(settings)


def _child(main: Callable[[Settings], None], settings: Settings, parent: int) -> None:
    """A child's life: deaf to the terminal's Ctrl-C, gone when its parent is."""
    to_stderr()
    os.setsid()
    threading.Thread(target=_outlive_not, args=(parent,), daemon=True).start()
    try:
        main(settings)
    except Retry as error:
        log.warning("ended, to be started again", reason=str(error))
        raise SystemExit(1) from None
    except (UserFacing, Fatal) as error:
        log.error("cannot start", reason=str(error))  # noqa: TRY400 a fault of settings needs no trace
        raise SystemExit(REFUSED) from None


def _outlive_not(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os.kill(os.getpid(), signal.SIGTERM)
