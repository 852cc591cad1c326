"""Google Meet's transcripts by its API: conference records, who took part, and what was said entry by entry."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from assistant.errors import Fatal, Skip
from assistant.model.audiences import channel_audience
from assistant.model.conversations import Channel, Conversation, ConversationKind, Heard, Identity, Speaker, Utterance
from assistant.model.times import micros
from assistant.settings import Settings
from assistant.text.cues import parsed_time
from connectors.base import Record
from connectors.base.discussions import first, inner, objects
from connectors.base.http import Missing, Service
from connectors.base.meetings import Listed, Wordless, newest, pulled, sortable
from connectors.base.tokens import Grant, Notes, Tokens

Naming = Callable[[Identity], Speaker]
PAGE = 100
READY = ("ENDED", "FILE_GENERATED")
"""States of a transcript that nothing is added to any more."""
HINT = "set GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_REFRESH_TOKEN to those of an OAuth client"
FIRST = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """What one person said without a break, as Meet cuts it."""

    who: str
    """Name of the participant's resource."""
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class MeetMeeting:
    """A meeting with its words."""

    id: str
    """`meet:<conference record>`."""
    title: str
    people: tuple[tuple[str, Identity], ...]
    """By the name of the participant's resource."""
    said: tuple[Entry, ...]

    def identities(self) -> list[Identity]:
        """Who took part."""
        return list(dict.fromkeys(one for _, one in self.people))

    def read(self, naming: Naming, audience: str | None = None) -> Heard:
        """The meeting; see base.meetings. Entries of one person in a row are one utterance."""
        known = dict(self.people)
        made: list[Utterance] = []
        last = None
        for one in self.said:
            text = one.text.strip()
            if made and one.who == last:
                joined = f"{made[-1].text} {text}"
                made[-1] = Utterance(made[-1].id, made[-1].speaker, made[-1].at, joined)
            else:
                speaker = naming(known.get(one.who, Identity("meet", "")))
                made.append(Utterance(f"{self.id}/{len(made)}", speaker, micros(one.at), text))
            last = one.who
        if not made:
            raise Skip(f"{self.id}: no words in its transcript")
        room = Channel(self.id, self.title, audience is None, tuple(self.identities()))
        talk = Conversation(
            id=self.id,
            shown_id=self.id,
            kind=ConversationKind.MEETING,
            place=self.id,
            place_name=self.title,
            title=self.title,
            audience=audience or channel_audience(self.id),
            started_at=made[0].at,
            utterances=tuple(made),
        )
        return Heard((talk,), (room,), frozenset({(self.id, "")}))


@dataclass(frozen=True, slots=True)
class Meet:
    """The meetings of whoever gave us leave."""

    service: Service
    people: Service
    """Tells e-mails of people by their Google id."""
    since: datetime = FIRST
    name = "meet"
    scopes = (
        "https://www.googleapis.com/auth/meetings.space.readonly",
        "https://www.googleapis.com/auth/directory.readonly",
    )

    @property
    def cursor(self) -> str | None:
        """See Connector. Raises Retry, Fatal."""
        return newest(self)

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[MeetMeeting]]:
        """Meetings with words, by when they were over; see `pulled`."""
        yield from pulled(self, cursor, until)

    def listed(self, start: datetime) -> list[Listed]:
        """See Cloud."""
        asked = {"filter": f'end_time>="{start.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"', "pageSize": PAGE}
        found = self._pages("conferenceRecords", asked, "conferenceRecords")
        return sorted(Listed(at, first(one, "name")) for one in found if (at := sortable(one.get("endTime"))))

    def meeting(self, one: Listed) -> MeetMeeting:
        """See Cloud."""
        told = self._pages(f"{one.id}/transcripts", {"pageSize": PAGE}, "transcripts")
        ready = sorted(
            first(each, "startTime") + " " + first(each, "name") for each in told if each.get("state") in READY
        )
        if not ready:
            raise Wordless(f"{one.id}: no transcript")
        said = [entry for each in ready for entry in self._entries(each.partition(" ")[2])]
        record = self.service.get(one.id).json()
        people = tuple(self._people(one.id))
        return MeetMeeting(f"meet:{one.id.rpartition('/')[2]}", self._title(record), people, tuple(said))

    def _entries(self, transcript: str) -> Iterator[Entry]:
        for one in self._pages(f"{transcript}/entries", {"pageSize": PAGE}, "transcriptEntries"):
            at = parsed_time(one.get("startTime"))
            if at is not None and first(one, "text").strip():
                yield Entry(first(one, "participant"), at, first(one, "text"))

    def _people(self, record: str) -> Iterator[tuple[str, Identity]]:
        for one in self._pages(f"{record}/participants", {"pageSize": PAGE}, "participants"):
            user = inner(one, "signedinUser")
            name = first(user or inner(one, "anonymousUser", "phoneUser"), "displayName")
            number = first(user, "user").rpartition("/")[2]
            email = self._email(number) if number else None
            yield first(one, "name"), Identity("meet", name, number or None, email)

    def _email(self, number: str) -> str | None:
        """The e-mail of a person of ours; None where Google does not tell it: then only their id lets them in."""
        try:
            told = self.people.get(f"people/{number}", {"personFields": "emailAddresses"}).json()
        except (Missing, Fatal):
            return None
        found = objects(told.get("emailAddresses"))
        main = [one for one in found if inner(one, "metadata").get("primary")] or found
        return first(main[0], "value").lower() or None if main else None

    def _title(self, record: Mapping[str, Any]) -> str:
        """Meet knows no topic: the meeting's code, by which people join it."""
        try:
            code = first(self.service.get(first(dict(record), "space")).json(), "meetingCode")
        except (Missing, Fatal):
            code = ""
        return f"Meeting {code}".strip()

    def _pages(self, path: str, asked: Mapping[str, object], field: str) -> Iterator[dict[str, Any]]:
        token = ""
        while True:
            reply = self.service.get(path, {**asked, "pageToken": token} if token else asked).json()
            yield from objects(reply.get(field))
            token = first(reply, "nextPageToken")
            if not token:
                return


def connected(settings: Settings, notes: Notes) -> Meet | None:
    """The meetings that the settings give leave to read; None where they give none."""
    told = (settings.google_client_id, settings.google_client_secret, settings.google_refresh_token)
    if not all(told):
        return None
    client, secret, refresh = (str(one) for one in told)
    base = settings.google_api_url
    form = (
        ("grant_type", "refresh_token"),
        ("client_id", client),
        ("client_secret", secret),
        ("refresh_token", refresh),
    )
    tokens = Tokens(
        Grant("Google", f"{base}/token" if base else "https://oauth2.googleapis.com/token", form, None, HINT), notes
    )
    meet = Service("Google Meet", f"{base}/v2" if base else "https://meet.googleapis.com/v2", tokens, hint=HINT)
    people = Service("Google People", f"{base}/v1" if base else "https://people.googleapis.com/v1", tokens, hint=HINT)
    return Meet(meet, people)
