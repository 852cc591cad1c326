"""The endpoint of all webhooks: refuses what is not genuine, queues what is, and never says more than it must."""

import asyncio
import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs

import redis
import structlog
from aiohttp import web

from assistant.errors import Retry
from assistant.settings import Settings, environment_name
from connectors.base.signatures import body_digest
from workers.web.hooks import github, gitlab, zoom
from workers.web.hooks.hook import Hook, Value
from workers.web.intake import Intake

HOOKS = (zoom.HOOK, github.HOOK, gitlab.HOOK)
HEARD = "brain:hook:"
"""Where in the queue's server stands when a webhook was heard last; Zoom alone is heard at least every 72 hours."""
NOTED = 0.3
"""Seconds that noting it may hold up the answer; Zoom waits 3."""
LARGEST = 25 * 2**20
"""Bytes of an event; GitHub's own limit, and the largest of all."""
SMALL = 256 * 2**10
"""Bytes up to which an event is always read; nearly all are smaller."""
TOGETHER = 2 * LARGEST
"""Bytes of larger events, all together, that may be waited for: nobody has proven yet who sends them."""
READING = 10.0
"""Seconds until an event has to be here whole; GitHub itself gives up then."""
HALVES = re.compile(r"\\u[dD][89a-fA-F]")
"""Escapes that may be halves of characters."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One webhook's address."""

    hook: Hook
    settings: Settings
    intake: Intake
    larger: "Larger"

    async def take(self, request: web.Request) -> web.Response:
        """404 where no secret is set, 401 for what is not genuine, 503 while the queue is away, else 200 or 400."""
        name = self.hook.name
        if not self.hook.is_set(self.settings):
            wanted = " or ".join(environment_name(one) for one in self.hook.secrets)
            log.warning("a webhook that is not set up was called", hook=name, remedy=f"set {wanted}")
            return web.Response(status=404)
        try:
            body = await asyncio.wait_for(self.larger.whole(request), READING)
        except (Refused, TimeoutError) as error:
            status = error.status if isinstance(error, Refused) else 408
            log.warning("refused an event that is too large or too slow", hook=name, status=status)
            return web.Response(status=status, headers={"Connection": "close"})
        if not self.hook.genuine(self.settings, request.headers, body, time.time()):
            log.warning("refused an event that its source did not sign", hook=name)
            return web.Response(status=401)
        await self._note()
        return await self._served(body)

    async def _note(self) -> None:
        """Keeps when it was heard, for doctor; where that fails nothing is lost."""
        noted = asyncio.to_thread(self.intake.server.set, f"{HEARD}{self.hook.name}", f"{time.time():.0f}")
        with suppress(redis.RedisError, TimeoutError):
            await asyncio.wait_for(noted, NOTED)

    async def _served(self, body: bytes) -> web.Response:
        try:
            value = read(body)
            reply = self.hook.reply(self.settings, value)
            work = None if reply else self.hook.work(self.settings, value, body_digest(body))
        except ValueError:
            log.warning("a genuine event that is malformed", hook=self.hook.name, bytes=len(body))
            return web.Response(status=202 if self.hook.forgiving else 400)
        if reply:
            return web.json_response(dict(reply))
        if work is None:
            return web.Response(status=202)
        try:
            await self.intake.take(work)
        except Retry:
            return web.Response(status=503, headers={"Retry-After": "30"})
        return web.Response(status=200)


def read(body: bytes) -> Value:
    """An event: a JSON object, by itself or in a form's `payload`. Raises ValueError for anything else."""
    text = body.decode()
    if text.startswith("payload="):
        text = parse_qs(text, max_num_fields=20).get("payload", [""])[0]
    try:
        value = json.loads(text)
        if HALVES.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # fails on halves of characters, which no queue takes
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 what is malformed is a ValueError, whichever way
    return value


class Refused(Exception):
    """An event that is not read to its end."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(slots=True)
class Larger:
    """The events under way that are larger than SMALL."""

    held: int = 0
    """Bytes of all of them, as far as they are here."""

    async def whole(self, request: web.Request) -> bytes:
        """The request's body. Raises Refused (413) where it is too large, (503) where too much is under way."""
        body, counted = bytearray(), 0
        if (request.content_length or 0) > LARGEST:
            raise Refused(413)
        try:
            async for chunk in request.content.iter_chunked(1 << 16):
                body += chunk
                if len(body) > LARGEST:
                    raise Refused(413)
                if len(body) > SMALL:
                    self.held += len(body) - counted
                    counted = len(body)
                    if self.held > TOGETHER:
                        raise Refused(503)
            return bytes(body)
        finally:
            self.held -= counted


def add_hooks(app: web.Application, settings: Settings, intake: Intake) -> None:
    """Every webhook has its address, set up or not: one that is not says so in the log."""
    larger = Larger()
    for hook in HOOKS:
        app.router.add_post(f"/hooks/{hook.name}", Endpoint(hook, settings, intake, larger).take)
