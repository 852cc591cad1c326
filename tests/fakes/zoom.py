"""A Zoom account on loopback: recordings, who took part, files behind tokens, events as Zoom signs them."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from urllib.parse import unquote

from aiohttp import BasicAuth, web

from connectors.base.signatures import stamped
from tests.fakes.serving import served

SECRET = "zoom-secret"
ACCOUNT, CLIENT, CLIENT_SECRET = "AcC0unt", "cl1ent", "cl1ent-secret"
EVENT_TOKEN = "event-token"
HOST = "ada@acme.example"
Json = dict[str, Any]

WORDS = """WEBVTT

1
00:00:01.000 --> 00:00:04.000
Ada Lovelace: The trial starts at 25 seats from now on.

2
00:00:05.000 --> 00:00:07.000
Grace Hopper: Agreed.
"""


@dataclass
class FakeZoom:
    """One account. Set what it has before or while it runs."""

    meetings: list[Json] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """File id → what its download holds."""
    broken: dict[str, int] = field(default_factory=dict)
    """File id → the status that its download gives instead."""
    participants: dict[str, list[Json]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    lifetime: int = 3600
    """Seconds that it says a token lasts."""
    tokens: list[str] = field(default_factory=list)
    """Those it gave; the last alone is good."""
    too_many: int = 0
    """How many more calls of the API get 429."""
    page: int = 300
    event_token_ends: bool = False
    """Whether the token of events is refused, as a day later."""
    url: str = ""

    def settings(self) -> dict[str, str]:
        """What Settings are told of this account."""
        return {
            "zoom_webhook_secret": SECRET,
            "zoom_account_id": ACCOUNT,
            "zoom_client_id": CLIENT,
            "zoom_client_secret": CLIENT_SECRET,
            "zoom_api_url": f"{self.url}/v2",
            "zoom_token_url": f"{self.url}/oauth/token",
        }

    def records(
        self, uuid: str, start: str = "2026-03-02T14:30:00Z", *, transcript: str | None = WORDS, topic: str = "Growth"
    ) -> Json:
        """A meeting was recorded; with a transcript unless that is None."""
        recorded = {"recording_start": start, "recording_end": start, "status": "completed"}
        files: list[Json] = [
            {"id": f"v{uuid}", "file_type": "MP4", "play_url": f"{self.url}/rec/play/{len(self.meetings)}", **recorded}
        ]
        made = {
            "uuid": uuid,
            "id": 98765 + len(self.meetings),
            "host_id": "h1",
            "topic": topic,
            "type": 2,
            "start_time": start,
            "timezone": "UTC",
            "duration": 30,
            "share_url": f"{self.url}/rec/share/{len(self.meetings)}",
            "recording_count": 1,
            "recording_files": files,
        }
        self.meetings.append(made)
        self.participants.setdefault(
            uuid,
            [
                {"id": "u1", "name": "Ada Lovelace", "user_email": HOST},
                {"id": "u2", "name": "Grace Hopper", "user_email": "grace@acme.example"},
                {"id": "u2", "name": "Grace Hopper", "user_email": "grace@acme.example"},
            ],
        )
        if transcript is not None:
            self.transcribes(made, transcript)
        return made

    def transcribes(self, meeting: Json, text: str = WORDS) -> None:
        """The transcript of the meeting's last recording is there."""
        name = f"t{len(self.texts)}"
        self.texts[name] = text
        start = meeting["recording_files"][-1]["recording_start"]
        meeting["recording_files"].append(
            {
                "id": name,
                "file_type": "TRANSCRIPT",
                "file_extension": "VTT",
                "recording_start": start,
                "recording_end": start,
                "recording_type": "audio_transcript",
                "status": "completed",
                "download_url": f"{self.url}/rec/download/{name}",
                "play_url": f"{self.url}/rec/play/{name}",
            }
        )

    def event(self, name: str, meeting: Json, kinds: tuple[str, ...] = ("TRANSCRIPT",)) -> bytes:
        """An event's body as Zoom words it."""
        files = [one for one in meeting["recording_files"] if one["file_type"] in kinds]
        told = {**meeting, "account_id": ACCOUNT, "host_email": HOST, "password": "123456", "recording_files": files}
        body = {
            "event": name,
            "event_ts": int(time.time() * 1000),
            "payload": {"account_id": ACCOUNT, "object": told},
            "download_token": EVENT_TOKEN,
        }
        return json.dumps(body).encode()

    async def token(self, request: web.Request) -> web.Response:
        """Server-to-Server OAuth."""
        form = await request.post()
        told = BasicAuth.decode(request.headers["Authorization"])
        if (told.login, told.password) != (CLIENT, CLIENT_SECRET) or form.get("account_id") != ACCOUNT:
            return web.json_response(
                {"reason": "Invalid client_id or client_secret", "error": "invalid_client"}, status=400
            )
        assert form.get("grant_type") == "account_credentials"
        self.tokens.append(f"t0ken{len(self.tokens)}")
        given = {"access_token": self.tokens[-1], "token_type": "bearer", "expires_in": self.lifetime}
        return web.json_response({**given, "scope": "cloud_recording:read:list_account_recordings:admin"})

    def refused(self, request: web.Request) -> web.Response | None:
        """What is wrong with a call of the API."""
        self.calls.append(request.raw_path)
        if self.too_many > 0:
            self.too_many -= 1
            return web.json_response({"code": 429}, status=429, headers={"Retry-After": "7"})
        if request.headers.get("Authorization") != f"Bearer {self.tokens[-1] if self.tokens else None}":
            return web.json_response({"code": 124, "message": "Access token is expired."}, status=401)
        return None

    async def recordings(self, request: web.Request) -> web.Response:
        """The account's, of a month at most."""
        if (wrong := self.refused(request)) is not None:
            return wrong
        first, last = request.query["from"], request.query["to"]
        assert date.fromisoformat(last) - date.fromisoformat(first) <= timedelta(days=31), "a month at most"
        found = [one for one in self.meetings if first <= one["start_time"][:10] <= last]
        return web.json_response(self._paged(request, found, "meetings"))

    async def of_meeting(self, request: web.Request) -> web.Response:
        """One meeting's."""
        if (wrong := self.refused(request)) is not None:
            return wrong
        uuid = unquote(request.match_info["uuid"])
        for one in self.meetings:
            if one["uuid"] == uuid:
                return web.json_response({**one, "host_email": HOST})
        return web.json_response({"code": 3301, "message": "This recording does not exist."}, status=404)

    async def took_part(self, request: web.Request) -> web.Response:
        """Who was in a meeting."""
        if (wrong := self.refused(request)) is not None:
            return wrong
        people = self.participants[unquote(request.match_info["uuid"])]
        return web.json_response(self._paged(request, people, "participants"))

    def _paged(self, request: web.Request, found: list[Json], name: str) -> Json:
        start = int(request.query.get("next_page_token") or 0)
        following = str(start + self.page) if start + self.page < len(found) else ""
        return {"next_page_token": following, name: found[start : start + self.page]}

    async def download(self, request: web.Request) -> web.Response:
        """A file, for whoever has a key to it; as Zoom does, by way of another host."""
        self.calls.append(request.path)
        keys = [f"Bearer {one}" for one in self.tokens[-1:]]
        if not self.event_token_ends:
            keys.append(f"Bearer {EVENT_TOKEN}")
        if request.headers.get("Authorization") not in keys:
            return web.json_response({"code": 124}, status=401)
        elsewhere = self.url.replace("127.0.0.1", "localhost")
        raise web.HTTPFound(f"{elsewhere}/cdn/{request.match_info['id']}")

    async def cdn(self, request: web.Request) -> web.Response:
        """Where the file lies: nobody must bring our key there."""
        assert "Authorization" not in request.headers
        if status := self.broken.get(request.match_info["id"]):
            return web.Response(status=status)
        return web.Response(text=self.texts[request.match_info["id"]], content_type="text/vtt")

    def application(self) -> web.Application:
        """The account's API."""
        app = web.Application()
        app.router.add_post("/oauth/token", self.token)
        app.router.add_get("/v2/accounts/me/recordings", self.recordings)
        app.router.add_get("/v2/meetings/{uuid:.+}/recordings", self.of_meeting)
        app.router.add_get("/v2/past_meetings/{uuid:.+}/participants", self.took_part)
        app.router.add_get("/rec/download/{id}", self.download)
        app.router.add_get("/cdn/{id}", self.cdn)
        return app


def signed(body: bytes, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """The headers that Zoom sends with a body."""
    stamp = str(int(time.time() if at is None else at))
    return {
        "Content-Type": "application/json; charset=utf-8",
        "x-zm-request-timestamp": stamp,
        "x-zm-signature": stamped(secret, stamp, body),
    }


@contextmanager
def running(zoom: FakeZoom) -> Iterator[FakeZoom]:
    """The account on a free port; `zoom.url` is its base."""
    with served(zoom.application()) as zoom.url:
        yield zoom
