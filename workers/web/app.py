"""The one aiohttp application of the web process."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from assistant.errors import UserFacing
from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from connectors.base.signatures import Headers, is_stamped, sole
from workers.queue import connect
from workers.web.hooks.endpoint import add_hooks
from workers.web.intake import Intake
from workers.web.metrics import Metrics
from workers.web.slack.app import bolt_app
from workers.web.slack.faults import MALFORMED, failed, readable

LARGEST = 2**20
"""Bytes of a request; Slack's are far smaller."""
PATIENCE = 2.0
"""Seconds to wait for the queue: Slack itself waits 3."""

log = structlog.get_logger()


@dataclass(slots=True)
class Web:
    """What the routes work with."""

    secret: str | None
    bolt: AsyncApp
    intake: Intake
    socket: AsyncSocketModeHandler | None = None
    """The connection to Slack, in socket mode while the process serves."""

    async def slack(self, request: web.Request) -> web.Response:
        """Anything from Slack: checked on the raw bytes, given to Bolt; a listener that fails makes it 500."""
        began = time.monotonic()
        response = await self._slack(request)
        self.intake.metrics.requests.labels(str(response.status)).inc()
        self.intake.metrics.seconds.observe(time.monotonic() - began)
        return response

    async def _slack(self, request: web.Request) -> web.Response:
        body = await request.read()
        if not is_from_slack(self.secret or "", request.headers, body, time.time()):
            log.warning("refused a request that Slack did not sign", path=request.path)
            return web.Response(status=401, text="not signed by Slack")
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return web.Response(status=400, text="not UTF-8")
        if not readable(text, request.content_type):
            log.warning("refused a signed request that is malformed", path=request.path, bytes=len(body))
            return web.Response(status=400, text="malformed")
        headers: dict[str, str | Sequence[str]] = dict(request.headers.items())
        try:
            told = AsyncBoltRequest(body=text, query=request.query_string, headers=headers)
        except MALFORMED as error:
            return web.Response(status=(await failed(error)).status, text="malformed")
        return await to_aiohttp_response(await self.bolt.async_dispatch(told))

    async def health(self, _: web.Request) -> web.Response:
        """200 while what comes in can be queued; in socket mode also whether the connection to Slack stands."""
        reachable = await self.intake.is_reachable()
        parts = {"queue": reachable}
        if self.socket is not None:
            parts["socket"] = await self.socket.client.is_connected()
        told = {name: "up" if up else "down" for name, up in parts.items()}
        return web.json_response(told, status=200 if reachable else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """Prometheus' text format."""
        return web.Response(body=self.intake.metrics.text(), content_type="text/plain", charset="utf-8")


def is_from_slack(secret: str, headers: Headers, body: bytes, now: float) -> bool:
    """Whether Slack signed it within the last minutes."""
    stamp, claimed = sole(headers, "X-Slack-Request-Timestamp"), sole(headers, "X-Slack-Signature")
    return is_stamped(secret, stamp, claimed, body, now)


def web_app(settings: Settings, servers: Servers) -> tuple[web.Application, Web]:
    """The application and what its routes work with. Raises UserFacing where Slack's settings are missing."""
    if not settings.slack_signing_secret and not settings.slack_app_token:
        raise UserFacing(
            "Slack is not connected: set SLACK_SIGNING_SECRET (events over HTTP) or SLACK_APP_TOKEN (socket mode)"
        )
    intake = Intake(connect(servers.queue_url, PATIENCE), Metrics())
    routes = Web(settings.slack_signing_secret, bolt_app(settings, intake), intake)
    app = web.Application(client_max_size=LARGEST)
    app.router.add_get("/healthz", routes.health)
    app.router.add_get("/metrics", routes.metrics)
    add_hooks(app, settings, intake)
    if settings.slack_signing_secret:
        for path in ("/slack/events", "/slack/commands", "/slack/interactivity"):
            app.router.add_post(path, routes.slack)
    return app, routes
