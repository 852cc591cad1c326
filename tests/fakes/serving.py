"""An aiohttp application on loopback in a thread of its own, for fakes of what cannot run here."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web


@contextmanager
def served(app: web.Application) -> Iterator[str]:
    """The application on a free port; gives its base, without a slash at the end."""
    loop = asyncio.new_event_loop()
    started, stop = threading.Event(), asyncio.Event()
    told: list[str] = []

    async def serve() -> None:
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        told.append(f"http://127.0.0.1:{runner.addresses[0][1]}")
        started.set()
        await stop.wait()
        await runner.cleanup()

    def run() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield told[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(5)
