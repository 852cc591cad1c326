"""Runs the web process until it is told to stop."""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator

import redis
import structlog
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from assistant.errors import Retry, UserFacing
from assistant.graph.servers.embedded import ensure
from assistant.settings import Settings
from connectors.slack.client import check_app_token
from workers.logs import to_stderr
from workers.queue import INGEST, Work, answering, enqueue
from workers.queue.recording import taken_last
from workers.web.app import Web, web_app

log = structlog.get_logger()


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises UserFacing where settings are missing or the port is taken, Fatal where Slack refuses the app token.
    """
    to_stderr()
    app, routes = web_app(settings, ensure(settings))
    try:
        check_app_token(settings)
    except Retry as error:
        log.warning("Slack is away; the socket will be tried again", reason=str(error))
    have_missed_read(routes.intake.server)
    asyncio.run(_serve(settings, app, routes))


def have_missed_read(server: redis.Redis) -> None:
    """Has what was said since Slack's last event read as history, as Slack stops sending to who does not answer."""
    with contextlib.suppress(Retry), answering():
        since = taken_last(server)
        if since is not None:
            about = f"missed/{time.time()}"
            enqueue(server, Work(INGEST, "workers.history.missed", about, {"since": since}))


async def _serve(settings: Settings, app: web.Application, routes: Web) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
    except OSError as error:
        await runner.cleanup()
        raise UserFacing(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from error
    log.info("listening", host=settings.host, port=settings.port, socket_mode=bool(settings.slack_app_token))
    async with _socket_mode(settings, routes):
        await stop.wait()
    await runner.cleanup()


@contextlib.asynccontextmanager
async def _socket_mode(settings: Settings, routes: Web) -> AsyncIterator[None]:
    """A connection to Slack while inside, where an app token is set; tried again while Slack is away."""
    if not settings.slack_app_token:
        yield
        return
    routes.socket = handler = AsyncSocketModeHandler(routes.bolt, settings.slack_app_token)
    connecting = asyncio.ensure_future(handler.connect_async())  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        connecting.cancel()
        await asyncio.wait([connecting])
        await handler.close_async()  # type: ignore[no-untyped-call]
