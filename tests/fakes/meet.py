"""Google Meet, People and token service on loopback, with the shapes of their references."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.serving import served

CLIENT, SECRET, REFRESH = "cl1ent.apps.example", "client-secret", "1//refresh"
Json = dict[str, Any]


@dataclass
class FakeMeet:
    """What one account may read."""

    records: list[Json] = field(default_factory=list)
    transcripts: dict[str, list[Json]] = field(default_factory=dict)
    entries: dict[str, list[Json]] = field(default_factory=dict)
    participants: dict[str, list[Json]] = field(default_factory=dict)
    emails: dict[str, str] = field(default_factory=lambda: {"101": "ada@acme.example", "102": "grace@acme.example"})
    calls: list[str] = field(default_factory=list)
    broken: dict[str, int] = field(default_factory=dict)
    """Conference record → the status that everything below it gives."""
    page: int = 2
    people_refused: bool = False
    url: str = ""

    def settings(self) -> dict[str, str]:
        """What Settings are told of it."""
        told = {"google_client_id": CLIENT, "google_client_secret": SECRET, "google_refresh_token": REFRESH}
        return {**told, "google_api_url": self.url}

    def met(self, name: str, end: str, said: tuple[tuple[str, str], ...] | None, state: str = "FILE_GENERATED") -> str:
        """A conference was held; `said` is who (ada, grace, guest) said what, None where nothing was transcribed."""
        record = f"conferenceRecords/{name}"
        start = f"{end[:11]}00:00:00Z"
        self.records.append(
            {
                "name": record,
                "startTime": start,
                "endTime": end,
                "expireTime": "2030-01-01T00:00:00Z",
                "space": "spaces/s1",
            }
        )
        people = {
            "ada": {"signedinUser": {"user": "users/101", "displayName": "Ada Lovelace"}},
            "grace": {"signedinUser": {"user": "users/102", "displayName": "Grace Hopper"}},
            "guest": {"anonymousUser": {"displayName": "Somebody"}},
        }
        self.participants[record] = [
            {"name": f"{record}/participants/{one}", "earliestStartTime": start, "latestEndTime": end, **marks}
            for one, marks in people.items()
        ]
        if said is None:
            return record
        transcript = f"{record}/transcripts/t1"
        self.transcripts[record] = [
            {
                "name": transcript,
                "state": state,
                "startTime": start,
                "endTime": end,
                "docsDestination": {"document": "d1", "exportUri": "https://docs.google.com/document/d/d1/view"},
            }
        ]
        self.entries[transcript] = [
            {
                "name": f"{transcript}/entries/{n}",
                "participant": f"{record}/participants/{who}",
                "text": text,
                "languageCode": "en-US",
                "startTime": f"{end[:11]}00:0{n}:00.250Z",
                "endTime": f"{end[:11]}00:0{n}:30Z",
            }
            for n, (who, text) in enumerate(said)
        ]
        return record

    async def token(self, request: web.Request) -> web.Response:
        """OAuth by a refresh token."""
        form = await request.post()
        told = (form.get("grant_type"), form.get("client_id"), form.get("client_secret"), form.get("refresh_token"))
        if told != ("refresh_token", CLIENT, SECRET, REFRESH):
            return web.json_response(
                {"error": "invalid_grant", "error_description": "Token has been revoked."}, status=400
            )
        return web.json_response({"access_token": "ya29.x", "expires_in": 3599, "token_type": "Bearer", "scope": "x"})

    async def handle(self, request: web.Request) -> web.Response:
        """Any read of Meet's."""
        self.calls.append(request.path_qs)
        if request.headers.get("Authorization") != "Bearer ya29.x":
            return web.json_response({"error": {"code": 401, "status": "UNAUTHENTICATED"}}, status=401)
        path = request.match_info["path"]
        if status := next((one for name, one in self.broken.items() if path.startswith(f"{name}/")), None):
            return web.json_response({"error": {"code": status}}, status=status)
        if path.startswith("spaces/"):
            code = "abc-mnop-xyz"
            return web.json_response(
                {"name": path, "meetingUri": f"https://meet.google.com/{code}", "meetingCode": code}
            )
        if path == "conferenceRecords":
            after = request.query["filter"].removeprefix('end_time>="').removesuffix('"')
            found = [one for one in self.records if one["endTime"] >= after]
            return self._paged(request, sorted(found, key=lambda one: one["startTime"])[::-1], "conferenceRecords")
        above, _, kind = path.rpartition("/")
        lists = {"transcripts": self.transcripts, "participants": self.participants, "entries": self.entries}
        if kind in lists:
            field_name = "transcriptEntries" if kind == "entries" else kind
            return self._paged(request, lists[kind].get(above, []), field_name)
        for one in self.records:
            if one["name"] == path:
                return web.json_response(one)
        return web.json_response({"error": {"code": 404, "status": "NOT_FOUND"}}, status=404)

    async def person(self, request: web.Request) -> web.Response:
        """One person of the directory."""
        email = self.emails.get(request.match_info["id"])
        if self.people_refused or email is None:
            return web.json_response({"error": {"code": 403, "status": "PERMISSION_DENIED"}}, status=403)
        other = {"value": "old@acme.example", "metadata": {"primary": False}}
        main = {"value": email.upper(), "metadata": {"primary": True, "verified": True}}
        return web.json_response(
            {"resourceName": f"people/{request.match_info['id']}", "emailAddresses": [other, main]}
        )

    def _paged(self, request: web.Request, found: list[Json], name: str) -> web.Response:
        start = int(request.query.get("pageToken", 0))
        following = {"nextPageToken": str(start + self.page)} if start + self.page < len(found) else {}
        part = found[start : start + self.page]
        return web.json_response({**({name: part} if part else {}), **following})

    def application(self) -> web.Application:
        """All of it."""
        app = web.Application()
        app.router.add_post("/token", self.token)
        app.router.add_get("/v1/people/{id}", self.person)
        app.router.add_get("/v2/{path:.+}", self.handle)
        return app


@contextmanager
def running(meet: FakeMeet) -> Iterator[FakeMeet]:
    """It on a free port; `meet.url` is its base."""
    with served(meet.application()) as meet.url:
        yield meet
