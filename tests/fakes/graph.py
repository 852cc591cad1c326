"""Microsoft Graph on loopback: online meetings and their transcripts, with the shapes of its reference."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.serving import served

TENANT, CLIENT, SECRET = "cd6cee19-2d76-4ee0-8f47-9ed12ee44331", "c1", "s3cret"
ADA = "ba321e0d-79ee-478d-8e28-85a19507f456"
GRACE = "1e2a7f6c-0000-4000-8000-000000000002"
Json = dict[str, Any]
WORDS = """WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ada Lovelace>The trial starts at 25 seats.</v>

00:00:05.000 --> 00:00:06.000
<v Grace Hopper>Agreed.</v>
"""


def user(number: str, name: str) -> Json:
    """An identity."""
    return {"user": {"id": number, "displayName": name, "userIdentityType": "aadUser", "tenantId": TENANT}}


@dataclass
class FakeGraph:
    """One tenant."""

    meetings: dict[str, Json] = field(default_factory=dict)
    transcripts: list[Json] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    broken: dict[str, int] = field(default_factory=dict)
    """Transcript → the status that its content gives."""
    calls: list[str] = field(default_factory=list)
    page: int = 2
    url: str = ""

    def settings(self) -> dict[str, Any]:
        """What Settings are told of it."""
        return {
            "microsoft_tenant_id": TENANT,
            "microsoft_client_id": CLIENT,
            "microsoft_client_secret": SECRET,
            "microsoft_token_url": self.url,
            "graph_api_url": f"{self.url}/v1.0",
            "teams_organizers": (ADA,),
        }

    def met(self, name: str, end: str, words: str = WORDS, subject: str = "Growth") -> None:
        """A meeting was held and transcribed."""
        meeting = f"MSo1N2Y5_{name}=="
        people = [
            {"identity": user(GRACE, "Grace Hopper"), "upn": "grace@acme.example", "role": "attendee"},
            {"identity": {"user": None, "phone": {"id": "x"}}, "upn": None},
        ]
        self.meetings[meeting] = {
            "id": meeting,
            "subject": subject,
            "startDateTime": f"{end[:11]}00:00:00Z",
            "endDateTime": end,
            "joinWebUrl": f"https://teams.microsoft.com/l/meetup-join/{name}",
            "joinMeetingIdSettings": {"joinMeetingId": "1234567890", "passcode": "xylophone"},
            "participants": {
                "organizer": {"identity": user(ADA, "Ada Lovelace"), "upn": "ada@acme.example", "role": "presenter"},
                "attendees": people,
            },
        }
        transcript = f"MSMjMCMj_{name}"
        self.words[transcript] = words
        self.transcripts.append(
            {
                "id": transcript,
                "meetingId": meeting,
                "callId": "af630fe0-04d3-4559-8cf9-91fe45e36296",
                "createdDateTime": f"{end[:11]}00:00:00.8968037Z",
                "endDateTime": end,
                "contentCorrelationId": "bc842d7a-2f6e-4b18-a1c7-73ef91d5c8e3",
                "transcriptContentUrl": f"https://graph.microsoft.com/v1.0/$metadata#users('{ADA}')/content",
                "meetingOrganizer": {"application": None, "device": None, **user(ADA, "")},
            }
        )

    async def token(self, request: web.Request) -> web.Response:
        """OAuth of an app."""
        form = await request.post()
        assert form.get("scope") == f"{self.url}/.default"
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT, SECRET):
            return web.json_response({"error": "invalid_client", "error_description": "AADSTS7000215: …"}, status=401)
        return web.json_response({"token_type": "Bearer", "expires_in": 3599, "access_token": "eyJ0"})

    async def handle(self, request: web.Request) -> web.Response:
        """Any read below an organizer's meetings."""
        self.calls.append(request.path_qs)
        if request.headers.get("Authorization") != "Bearer eyJ0":
            return web.json_response({"error": {"code": "InvalidAuthenticationToken"}}, status=401)
        rest = request.match_info["rest"]
        if rest.startswith("getAllTranscripts("):
            return self._all(request, rest)
        meeting, *more = rest.split("/")
        if meeting not in self.meetings:
            return web.json_response({"error": {"code": "NotFound"}}, status=404)
        if not more:
            return web.json_response(self.meetings[meeting])
        [found] = [one for one in self.transcripts if one["id"] == more[1]]
        if more[2:] == ["content"]:
            assert request.query["$format"] == "text/vtt"
            if status := self.broken.get(more[1]):
                return web.json_response({"error": {"code": "Broken"}}, status=status)
            return web.Response(text=self.words[more[1]], content_type="text/vtt")
        return web.json_response(found)

    def _all(self, request: web.Request, rest: str) -> web.Response:
        told = re.fullmatch(
            r"getAllTranscripts\(meetingOrganizerUserId='([^']+)',startDateTime=([^,]+),endDateTime=([^)]+)\)", rest
        )
        assert told
        assert told[1] == request.match_info["user"] == ADA
        found = [one for one in self.transcripts if told[2] <= one["createdDateTime"] <= told[3]]
        start = int(request.query.get("$skiptoken", 0))
        reply: Json = {"@odata.context": "…", "@odata.count": len(found), "value": found[start : start + self.page]}
        if start + self.page < len(found):
            following = request.url.update_query({"$skiptoken": start + self.page})
            reply["@odata.nextLink"] = str(following)
        return web.json_response(reply)

    def application(self) -> web.Application:
        """All of it."""
        app = web.Application()
        app.router.add_post(f"/{TENANT}/oauth2/v2.0/token", self.token)
        app.router.add_get("/v1.0/users/{user}/onlineMeetings/{rest:.+}", self.handle)
        return app


@contextmanager
def running(graph: FakeGraph) -> Iterator[FakeGraph]:
    """It on a free port; `graph.url` is its base."""
    with served(graph.application()) as graph.url:
        yield graph
