"""Reading a channel's past, and who and what a workspace's ids stand for. One page a call, as Slack's pace asks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient

from connectors.slack.client import called

HISTORY = "conversations.history"
REPLIES = "conversations.replies"

PAGE = 200
"""Messages of a page at most, Slack's recommendation; apps of the slowest tier are given 15, whatever they ask for."""

LIST = 1000
"""Entries of a page of a list at most."""

PERSON = ("id", "name", "real_name", "team_id", "deleted", "is_restricted", "is_ultra_restricted", "is_bot")
PROFILE = ("real_name", "display_name", "email")
ROOM = ("id", "name", "is_private", "is_mpim", "is_archived", "is_ext_shared", "is_pending_ext_shared", "is_member")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """A page of messages."""

    messages: tuple[Json, ...]
    more: bool
    """Whether there are further ones."""


def history(client: WebClient, channel: str, before: str) -> Batch:
    """The main line before a ts ('': up to now), the newest first. Raises Retry, Closed or Fatal, as all here."""
    return _batch(client, HISTORY, {"channel": channel, "limit": PAGE, **({"latest": before} if before else {})})


def replies(client: WebClient, channel: str, root: str, after: str) -> Batch:
    """A thread after a ts ('': from its first message on), the oldest first; Slack may give the first one each time."""
    given = {"channel": channel, "ts": root, "limit": PAGE, **({"oldest": after} if after else {})}
    found = _batch(client, REPLIES, given)
    return Batch(tuple(one for one in found.messages if not after or one.get("ts") != root), found.more)


def message(client: WebClient, channel: str, ts: str, root: str | None) -> Json | None:
    """One message as it stands now, on the main line or in a thread by its first message; None where it is gone."""
    thread = {"ts": root} if root else {}
    given = {"channel": channel, "oldest": ts, "latest": ts, "inclusive": True, "limit": 2, **thread}
    found = _batch(client, REPLIES if root else HISTORY, given)
    return next((one for one in found.messages if one.get("ts") == ts), None)


def room(client: WebClient, channel: str) -> Json:
    """What a channel is called, and who may read it."""
    found = called(client, "conversations.info", {"channel": channel}).get("channel") or {}
    return chosen(found, ROOM)


def members(client: WebClient, channel: str) -> list[str]:
    """Ids of all members of a channel."""
    found: list[str] = []
    cursor = ""
    while True:
        given = {"channel": channel, "limit": LIST, **({"cursor": cursor} if cursor else {})}
        page = called(client, "conversations.members", given)
        found += [str(one) for one in page.get("members") or ()]
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            return found


def person(client: WebClient, user: str) -> Json:
    """What somebody is called."""
    return known_as(called(client, "users.info", {"user": user}).get("user") or {})


def everybody(client: WebClient, cursor: str) -> tuple[dict[str, Json], str]:
    """What some of the workspace are called, by id, and the cursor of those that follow, '' where none do."""
    page = called(client, "users.list", {"limit": LIST, **({"cursor": cursor} if cursor else {})})
    found = {str(one["id"]): known_as(one) for one in page.get("members") or () if one.get("id")}
    return found, (page.get("response_metadata") or {}).get("next_cursor") or ""


def known_as(user: Mapping[str, Any]) -> Json:
    """Of a user's entry what tells who they are."""
    return chosen(user, PERSON) | {"profile": chosen(user.get("profile") or {}, PROFILE)}


def chosen(value: Mapping[str, Any], names: tuple[str, ...]) -> Json:
    """Those fields that say something."""
    return {name: value[name] for name in names if value.get(name)}


def _batch(client: WebClient, method: str, arguments: Json) -> Batch:
    reply = called(client, method, arguments)
    further = bool(reply.get("has_more") or (reply.get("response_metadata") or {}).get("next_cursor"))
    messages = tuple(one for one in reply.get("messages") or () if isinstance(one, dict))
    return Batch(messages, further and bool(messages))
