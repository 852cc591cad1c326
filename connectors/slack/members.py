"""Who is who in a workspace and who reads along in a channel. What cannot be found out counts as the careful case."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from time import time
from typing import Any, Protocol

import structlog
from slack_sdk import WebClient

from assistant.errors import Fatal
from assistant.model.surfaces import Room
from connectors.slack.client import waited

FRESH = 300
"""Seconds that an answer of Slack's is believed: somebody removed from a channel stops reading it within this time."""

PAGE = 1000
"""Entries a page; the most that Slack gives."""

KEPT = 900
"""Seconds that the pages of a list read so far are kept for the next try; longer than the pause before it."""

WAITING = 20.0
"""Seconds that one answer of Slack's, of however many pages, may wait for rate limits before the job is put back."""

NOT_TOLD = "null"
"""What is noted where Slack would not say."""

FOREIGN = ("is_ext_shared", "is_pending_ext_shared", "is_shared")
"""Marks of a channel that another company is or may soon be in. (`is_shared` also marks channels shared within an
Enterprise Grid; those carry `is_org_shared`.)"""

log = structlog.get_logger()


def stale_by_room(channel: str, user: str | None) -> tuple[str, ...]:
    """Names of notes that no longer hold when a channel changed, or this user came into or left it."""
    rooms = (f"outsiders:{channel}", reading("conversations.members", {"channel": channel}))
    return rooms if user is None else (*rooms, f"channels:{user}", reading("users.conversations", of_user(user)))


def stale_by_person(user: str) -> tuple[str, ...]:
    """Names of notes that no longer hold when somebody came or changed: whoever reads along anywhere may be another."""
    return (f"member:{user}", f"channels:{user}", "insiders", reading("users.list", {}), "outsiders:*")


def reading(method: str, arguments: Mapping[str, str]) -> str:
    """Name of the note of how far a list has been read."""
    return f"read:{method}:{dict(arguments)}"


def of_user(user: str) -> dict[str, str]:
    """What `users.conversations` is asked."""
    return {"user": user, "types": "public_channel,private_channel"}


class Cache(Protocol):
    """Short-lived notes that all processes share."""

    def get(self, name: str) -> str | None:
        """What was put under the name, while it lasts."""
        ...

    def put(self, name: str, value: str, seconds: int) -> None:
        """Keep it for so long."""
        ...


@dataclass(frozen=True, slots=True)
class SlackDirectory:
    """The protocol Directory over Slack's Web API, with a cache."""

    client: WebClient
    cache: Cache
    team: str
    """Id of our workspace; people of other teams are no members."""

    def member(self, user: str) -> bool:
        """Whether the person is a full member. Unknown people are none. Raises Retry while Slack cannot say."""
        known = self.cache.get(f"member:{user}")
        if known is None:
            known = json.dumps(self._member(user))
            self.cache.put(f"member:{user}", known, FRESH)
        return bool(json.loads(known))

    def by_email(self, email: str) -> str | None:
        """Id of the full member with this e-mail; None where there is none, or Slack does not tell. Raises Retry."""
        try:
            person = waited(self.client, "users.lookupByEmail", {"email": email}, time() + WAITING)["user"]
        except (Fatal, KeyError) as error:
            log.warning("cannot find somebody by e-mail", reason=str(error))
            return None
        return str(person["id"]) if self._full(person) else None

    def email_of(self, user: str) -> str | None:
        """The confirmed e-mail of a full member, lower-cased; None where there is none, or Slack does not tell."""
        try:
            person = waited(self.client, "users.info", {"user": user}, time() + WAITING)["user"]
        except (Fatal, KeyError) as error:
            log.warning("cannot tell somebody's e-mail", reason=str(error))
            return None
        email = (person.get("profile") or {}).get("email")
        return str(email).lower() if email and person.get("is_email_confirmed") and self._full(person) else None

    def zone_of(self, user: str) -> str:
        """The time zone that somebody's days are in, as Europe/Berlin; '' where Slack does not tell. Raises Retry."""
        known = self.cache.get(f"zone:{user}")
        if known is None:
            try:
                person = waited(self.client, "users.info", {"user": user}, time() + WAITING)["user"]
            except (Fatal, KeyError) as error:
                log.warning("cannot tell somebody's time zone", reason=str(error))
                person = {}
            known = str(person.get("tz") or "")
            self.cache.put(f"zone:{user}", known, FRESH)
        return known

    def room(self, channel: str) -> Room:
        """The room; a channel that we cannot look into counts as one with outsiders. Raises Retry as `member`."""
        if channel.startswith("D"):
            return Room(channel, direct=True, outsiders=False)
        known = self.cache.get(f"outsiders:{channel}")
        if known is None:
            known = json.dumps(self._outsiders(channel))
            self.cache.put(f"outsiders:{channel}", known, FRESH)
        return Room(channel, direct=False, outsiders=known != "false", told=known != NOT_TOLD)

    def channels_of(self, user: str) -> frozenset[str]:
        """Channels that the person shares with us; none when Slack does not tell. Raises Retry as `member`."""
        known = self.cache.get(f"channels:{user}")
        if known is None:
            known = json.dumps(self._channels(user))
            self.cache.put(f"channels:{user}", known, FRESH)
        return frozenset(json.loads(known) or ())

    def can_tell(self, user: str, channel: str | None) -> bool:
        """Whether Slack told which channels the person shares with us. Raises Retry as `member`."""
        del channel
        self.channels_of(user)
        return self.cache.get(f"channels:{user}") != NOT_TOLD

    def _member(self, user: str) -> bool:
        try:
            return self._full(waited(self.client, "users.info", {"user": user}, time() + WAITING)["user"])
        except (Fatal, KeyError) as error:
            log.warning("cannot tell whether somebody is a member", reason=str(error))
            return False

    def _full(self, person: dict[str, Any]) -> bool:
        home = person.get("team_id") or self.team
        marks = ("is_restricted", "is_ultra_restricted", "is_stranger", "is_bot", "deleted")
        return home == self.team and not any(person.get(mark) for mark in marks)

    def _outsiders(self, channel: str) -> bool | None:
        try:
            info = waited(self.client, "conversations.info", {"channel": channel}, time() + WAITING)["channel"]
            if any(info.get(mark) for mark in FOREIGN) and not info.get("is_org_shared"):
                return True
            insiders = self._insiders()
            return not insiders.issuperset(self._listed("conversations.members", "members", str, channel=channel))
        except (Fatal, KeyError) as error:
            log.warning("cannot tell who reads along in a channel", reason=str(error))
            return None

    def _insiders(self) -> frozenset[str]:
        """Ids of all full members and of our workspace's bots."""
        known = self.cache.get("insiders")
        if known is None:
            known = json.dumps(self._listed("users.list", "members", self._insider))
            self.cache.put("insiders", known, FRESH)
        return frozenset(json.loads(known))

    def _channels(self, user: str) -> list[str] | None:
        try:
            return self._listed("users.conversations", "channels", itemgetter("id"), **of_user(user))
        except (Fatal, KeyError) as error:
            log.warning("cannot tell somebody's channels", reason=str(error))
            return None

    def _insider(self, person: dict[str, Any]) -> str | None:
        full = self._full({**person, "is_bot": False, "deleted": False})
        return str(person["id"]) if full else None

    def _listed(self, method: str, field: str, id_of: Callable[[Any], str | None], **arguments: str) -> list[str]:
        """Ids of all entries of a paginated list, those aside that have none by `id_of`.

        What was read is kept after each page: where Slack's rate limits break it off, the next try goes on from there.
        """
        name = reading(method, arguments)
        ids, cursor = json.loads(self.cache.get(name) or '[[], ""]')
        until = time() + WAITING
        while True:
            reply = waited(self.client, method, {**arguments, "limit": PAGE, "cursor": cursor}, until)
            ids += filter(None, map(id_of, reply[field]))
            cursor = (reply.get("response_metadata") or {}).get("next_cursor") or ""
            self.cache.put(name, json.dumps([ids, cursor]) if cursor else "", KEPT)
            if not cursor:
                return list(ids)
