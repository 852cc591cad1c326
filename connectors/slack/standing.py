"""What an event says of channels and people themselves: renamed, closed, joined, left, deactivated. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.model.ids import digest

Event = Mapping[str, Any]

ROOM_EVENTS = (
    *("channel_rename", "channel_archive", "channel_unarchive", "channel_deleted", "channel_left", "channel_shared"),
    *("channel_unshared", "group_rename", "group_archive", "group_unarchive", "group_deleted", "group_left"),
    *("member_joined_channel", "member_left_channel"),
)
"""What happens to channels and who is in them."""
PEOPLE_EVENTS = ("user_change", "team_join")

MARKS = ("deleted", "is_restricted", "is_ultra_restricted", "is_stranger", "is_bot")
"""What makes somebody no full member."""

CLOSED, OPENED = "channel_convert_to_private", "channel_convert_to_public"
"""Messages by which Slack tells that a channel was made private, or public."""
TURNS = (CLOSED, OPENED, "channel_name", "group_name", "channel_archive", "channel_unarchive")
"""Kinds of messages that tell of a channel itself."""


@dataclass(frozen=True, slots=True)
class RoomTurn:
    """Something happened to a channel."""

    channel: str
    private: bool = False
    """It was made private."""
    left: str | None = None
    """This user is in it no longer; '' for us."""
    joined: str | None = None
    """This user is in it now."""


@dataclass(frozen=True, slots=True)
class PersonTurn:
    """Somebody came, or is another than before."""

    user: str
    marks: str
    """Stands for all that decides who they are and what they may see: the same marks, nothing that matters changed."""


def room_turn(event: Event) -> RoomTurn | None:
    """What happened to a channel; None where nothing did."""
    kind, channel = event.get("type"), event.get("channel")
    name = str(channel.get("id") or "") if isinstance(channel, dict) else str(channel or "")
    if not name:
        return None
    match kind:
        case "message" if event.get("subtype") in TURNS:
            return RoomTurn(name, private=event["subtype"] == CLOSED)
        case "member_joined_channel":
            return RoomTurn(name, joined=str(event.get("user") or ""))
        case "member_left_channel":
            return RoomTurn(name, left=str(event.get("user") or ""))
        case "channel_left" | "group_left":
            return RoomTurn(name, left="")
        case _:
            return RoomTurn(name) if kind in ROOM_EVENTS else None


def person_turn(event: Event) -> PersonTurn | None:
    """Who came or changed; None where nobody did."""
    user = event.get("user")
    if event.get("type") not in PEOPLE_EVENTS or not isinstance(user, dict) or not user.get("id"):
        return None
    profile = user["profile"] if isinstance(user.get("profile"), dict) else {}
    told = (user.get("team_id"), *(bool(user.get(mark)) for mark in MARKS), profile.get("email"), user.get("real_name"))
    return PersonTurn(str(user["id"]), digest("marks", repr(told)))
