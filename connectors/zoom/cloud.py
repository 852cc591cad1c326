"""Zoom's cloud recordings by its API: month by month, on from where the last run stopped."""

from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import Request

import structlog

from assistant.errors import Fatal, Retry, Skip
from assistant.settings import Settings
from connectors.base import CursorLost, Record
from connectors.base.discussions import first, objects
from connectors.base.http import Missing, Reply, Service, checked, sent
from connectors.base.tokens import Grant, Notes, Tokens
from connectors.zoom.meetings import (
    ZoomMeeting,
    began,
    described,
    file_name,
    folder_name,
    has_transcript,
    is_transcript,
    wordy,
)

PAGE = 300
"""Entries a page; the most that Zoom gives."""
HOSTS = ("zoom.us", "zoom.com", "zoomgov.com", "zoom.com.cn")
"""Where Zoom keeps recordings; we send our tokens nowhere else."""
HINT = "set ZOOM_ACCOUNT_ID, ZOOM_CLIENT_ID and ZOOM_CLIENT_SECRET to those of a Server-to-Server OAuth app"

log = structlog.get_logger()


class Unready(Retry):
    """What should be a transcript is none, as yet or for good."""


@dataclass(frozen=True, slots=True)
class ZoomCloud:
    """An account's recordings. Without a service only what events bring can be downloaded."""

    service: Service | None
    home: str = ""
    """Host of Zoom's API, which may be another one in tests."""
    since: date = date(2020, 1, 1)
    """The first day that is asked for."""
    name = "zoom"
    scopes = (
        "cloud_recording:read:list_account_recordings:admin",
        "cloud_recording:read:list_recording_files:admin",
        "meeting:read:list_past_participants:admin",
    )

    @property
    def cursor(self) -> str | None:
        """The newest meeting that has a transcript. Raises as `pull`."""
        for first_day, last in reversed(list(months(self.since, today()))):
            if found := self._month(first_day, last):
                return place(found[-1])
        return None

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[ZoomMeeting]]:
        """Meetings that have a transcript, by when they began; a cursor is a meeting's start and id.

        One that cannot be had is left out. What became ready late, behind the cursor, is for events and `lately`.
        Raises CursorLost, Retry, Fatal.
        """
        start = self.since if cursor is None else day_of(cursor)
        for first_day, last in months(start, today()):
            for meeting in self._month(first_day, last):
                if until is not None and place(meeting) > until:
                    return
                if cursor is None or place(meeting) > cursor:
                    yield from self._record(meeting)

    def lately(self, days: int) -> list[dict[str, Any]]:
        """What Zoom says of all recordings of the last days, with or without transcripts. Raises Retry, Fatal."""
        return list(self._listed(today() - timedelta(days=days), today()))

    def described(self, uuid: str) -> dict[str, Any]:
        """What Zoom says of one meeting's recordings. Raises Missing where there are none, Retry, Fatal."""
        found = self._asked(f"meetings/{coded(uuid)}/recordings", {}).json()
        return found if isinstance(found, dict) else {}

    def meeting(self, told: Mapping[str, Any], token: str = "") -> ZoomMeeting:
        """The meeting with its files, downloaded by the event's token, else by ours.

        Raises Missing where they are gone, Skip where they lie elsewhere, Unready, Retry, Fatal.
        """
        files, names = [], {}
        for one in wordy(told):
            name = file_name(one)
            text = self._downloaded(first(one, "download_url"), token)
            if not is_transcript(name, text):
                raise Unready("Zoom gave no transcript where there should be one", after=60.0)
            files.append((name, text))
            names[first(one, "id")] = name
        people = self._participants(str(told["uuid"])) if self.service else []
        return ZoomMeeting(folder_name(told), described(told, people, names), tuple(files))

    def _record(self, meeting: dict[str, Any]) -> Iterator[Record[ZoomMeeting]]:
        try:
            found = self.meeting(meeting)
        except (Skip, Unready) as error:
            log.warning("left out", meeting=meeting["uuid"], reason=str(error))
            return
        yield Record(place(meeting), found)

    def _month(self, first_day: date, last: date) -> list[dict[str, Any]]:
        found = [one for one in self._listed(first_day, last) if has_transcript(one)]
        return sorted(found, key=place)

    def _listed(self, first_day: date, last: date) -> Iterator[dict[str, Any]]:
        asked = {"from": first_day.isoformat(), "to": last.isoformat(), "page_size": PAGE}
        yield from (one for one in self._pages("accounts/me/recordings", asked, "meetings") if one.get("uuid"))

    def _participants(self, uuid: str) -> list[dict[str, Any]]:
        """Who took part, each once; nobody where Zoom does not tell any more."""
        try:
            found = self._pages(f"past_meetings/{coded(uuid)}/participants", {"page_size": PAGE}, "participants")
            told = [{name: one[name] for name in ("id", "name", "user_email") if one.get(name)} for one in found]
        except Missing:
            return []
        return [one for n, one in enumerate(told) if one and one not in told[:n]]

    def _pages(self, path: str, asked: Mapping[str, object], field: str) -> Iterator[dict[str, Any]]:
        token = ""
        while True:
            reply = self._asked(path, {**asked, "next_page_token": token} if token else asked).json()
            yield from objects(reply.get(field))
            token = first(reply, "next_page_token")
            if not token:
                return

    def _asked(self, path: str, asked: Mapping[str, object]) -> Reply:
        if self.service is None:
            raise Fatal(f"Zoom cannot be asked: {HINT}")
        return self.service.get(path, asked)

    def _downloaded(self, address: str, token: str) -> str:
        host = urlsplit(address).hostname or ""
        ours = urlsplit(address).scheme == "https" and any(host == one or host.endswith(f".{one}") for one in HOSTS)
        if not ours and urlsplit(address).netloc != self.home:
            raise Skip("a recording that does not lie at Zoom, left out")
        reply = None
        if token:
            reply = fetched(address, f"Bearer {token}")
        if (reply is None or reply.status in (401, 403)) and self.service and self.service.authorize:
            reply = fetched(address, self.service.authorize(False))
            if reply.status == 401:
                reply = fetched(address, self.service.authorize(True))
        if reply is None:
            raise Fatal(f"no key to a recording's files: {HINT}")
        return checked("Zoom", "download", reply, HINT).body.decode("utf-8", "replace")


def fetched(address: str, authorization: str) -> Reply:
    """A file, by one key to it."""
    return sent("Zoom", Request(address, headers={"Authorization": authorization}))  # noqa: S310 checked above


def connected(settings: Settings, notes: Notes, since: date | None = None) -> ZoomCloud:
    """The account that the settings name."""
    home = urlsplit(settings.zoom_api_url).netloc
    told = (settings.zoom_account_id, settings.zoom_client_id, settings.zoom_client_secret)
    service = None
    if all(told):
        account, client, secret = (str(one) for one in told)
        form = (("grant_type", "account_credentials"), ("account_id", account))
        tokens = Tokens(Grant("Zoom", settings.zoom_token_url, form, (client, secret), HINT), notes)
        service = Service("Zoom", settings.zoom_api_url, tokens, hint=HINT)
    return ZoomCloud(service, home, **({"since": since} if since else {}))


def months(start: date, end: date) -> Iterator[tuple[date, date]]:
    """First and last days of the months from one day to another: Zoom lists a month at most."""
    while start <= end:
        last = start.replace(day=monthrange(start.year, start.month)[1])
        yield start, min(last, end)
        start = last + timedelta(days=1)


def place(meeting: Mapping[str, Any]) -> str:
    """A meeting as a cursor: sorts by when it began."""
    return f"{began({'start_time': meeting.get('start_time')}):%Y-%m-%dT%H:%M:%S} {meeting['uuid']}"


def day_of(cursor: str) -> date:
    """The day on which the cursor's meeting began. Raises CursorLost for what is no cursor."""
    try:
        return date.fromisoformat(cursor[:10])
    except ValueError:
        raise CursorLost(f"{cursor[:40]!r} is no place in Zoom's recordings") from None


def coded(uuid: str) -> str:
    """A meeting's id in an address; one with a slash has to be coded twice."""
    once = quote(uuid, safe="")
    return quote(once, safe="") if "/" in uuid else once


def today() -> date:
    """Today in UTC, as Zoom counts days."""
    return datetime.now(UTC).date()
