"""Teams transcripts by Microsoft Graph: all that were made of the meetings of given organizers."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit

from assistant.model.conversations import Heard, Identity, Speaker
from assistant.model.ids import digest
from assistant.settings import Settings
from connectors.base import Record
from connectors.base.discussions import first, inner, objects
from connectors.base.folders import unpacked
from connectors.base.http import Service
from connectors.base.meetings import Listed, Wordless, newest, pulled, sortable
from connectors.base.tokens import Grant, Notes, Tokens
from connectors.teams.transcripts import TeamsFolder, participant

Naming = Callable[[Identity], Speaker]
HINT = (
    "set MICROSOFT_TENANT_ID, MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET to those of an app with the application "
    "permissions OnlineMeetings.Read.All and OnlineMeetingTranscript.Read.All"
)
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
SPLIT = "|"
"""Between organizer, meeting and transcript in a listed one's id."""


@dataclass(frozen=True, slots=True)
class TeamsMeeting:
    """A transcript with what Graph says of it and of its meeting."""

    id: str
    about: str
    """JSON."""
    words: str

    def identities(self) -> list[Identity]:
        """Who was invited."""
        told = inner(json.loads(self.about), "participants")
        people = [inner(told, "organizer"), *objects(told.get("attendees"))]
        return [one for each in people if (one := participant(each))]

    def read(self, naming: Naming, audience: str | None = None) -> Heard:
        """As a folder with its files is read."""
        with unpacked([("transcript.vtt", self.words)]) as folder:
            return TeamsFolder(folder, self.id, json.loads(self.about)).read(naming, audience)


@dataclass(frozen=True, slots=True)
class TeamsCloud:
    """The meetings of the organizers, by their ids in the directory."""

    service: Service
    organizers: tuple[str, ...]
    since: datetime = FIRST
    name = "teams"
    scopes = ("OnlineMeetings.Read.All", "OnlineMeetingTranscript.Read.All")

    @property
    def cursor(self) -> str | None:
        """See Connector. Raises Retry, Fatal."""
        return newest(self)

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[TeamsMeeting]]:
        """Transcripts by when they were made; see `pulled`."""
        yield from pulled(self, cursor, until)

    def listed(self, start: datetime) -> list[Listed]:
        """See Cloud."""
        return sorted(one for organizer in self.organizers for one in self._made_by(organizer, start))

    def _made_by(self, organizer: str, start: datetime) -> Iterator[Listed]:
        begin, end = (f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for at in (start, datetime.now(UTC)))
        told = f"meetingOrganizerUserId='{organizer}',startDateTime={begin},endDateTime={end}"
        for one in self._pages(f"users/{quote(organizer)}/onlineMeetings/getAllTranscripts({told})"):
            at = sortable(one.get("endDateTime")) or sortable(one.get("createdDateTime"))
            if at and first(one, "meetingId") and first(one, "id"):
                yield Listed(at, SPLIT.join((organizer, first(one, "meetingId"), first(one, "id"))))

    def meeting(self, one: Listed) -> TeamsMeeting:
        """See Cloud."""
        organizer, meeting, transcript = one.id.split(SPLIT)
        place = f"users/{quote(organizer)}/onlineMeetings/{quote(meeting)}"
        spoken = f"{place}/transcripts/{quote(transcript)}"
        about = {**_kept(self.service.get(place).json()), **_kept(self.service.get(spoken).json())}
        words = self.service.get(f"{spoken}/content", {"$format": "text/vtt"}).body.decode("utf-8-sig", "replace")
        if "-->" not in words:
            raise Wordless(f"{one.id}: no words in its transcript")
        began = re.sub(r"[^0-9T]", "", first(about, "createdDateTime"))[:15]
        name = f"teams:meetings/{began}-{digest('teams', meeting, transcript)[:10]}"
        return TeamsMeeting(name, json.dumps(about, sort_keys=True), words)

    def _pages(self, path: str) -> Iterator[dict[str, Any]]:
        following: str | None = path
        while following:
            reply = self.service.get(following).json()
            yield from objects(reply.get("value"))
            following = first(reply, "@odata.nextLink") or None


def _kept(told: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a meeting or a transcript: no keys to join it by telephone or chat."""
    names = ("subject", "joinWebUrl", "startDateTime", "createdDateTime", "participants", "meetingOrganizer")
    return {name: told[name] for name in names if told.get(name)}


def connected(settings: Settings, notes: Notes) -> TeamsCloud | None:
    """The meetings that the settings name; None where they name none."""
    told = (settings.microsoft_tenant_id, settings.microsoft_client_id, settings.microsoft_client_secret)
    if not all(told) or not settings.teams_organizers:
        return None
    tenant, client, secret = (str(one) for one in told)
    api = urlsplit(settings.graph_api_url)
    form = (
        ("grant_type", "client_credentials"),
        ("client_id", client),
        ("client_secret", secret),
        ("scope", f"{api.scheme}://{api.netloc}/.default"),
    )
    address = f"{settings.microsoft_token_url.rstrip('/')}/{quote(tenant)}/oauth2/v2.0/token"
    tokens = Tokens(Grant("Microsoft", address, form, None, HINT), notes)
    return TeamsCloud(Service("Microsoft Graph", settings.graph_api_url, tokens, hint=HINT), settings.teams_organizers)
