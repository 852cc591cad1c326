"""People talking in a fake Slack: what stands there in the end, and the events that Slack sent on the way."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.fakes.slack_server import TEAM, FakeSlack

Json = dict[str, Any]
NOON = 1_772_452_800
"""2 March 2026, 12:00 UTC."""

PEOPLE = {"U1": ("ada", "Ada Lovelace"), "U2": ("grace", "Grace Hopper"), "U3": ("ben", "Ben Okoro")}


def user(name: str) -> Json:
    """What Slack says of one of the PEOPLE."""
    short, full = PEOPLE[name]
    profile = {"real_name": full, "display_name": short, "email": f"{short}@acme.example"}
    return {"id": name, "team_id": TEAM, "name": short, "real_name": full, "profile": profile}


@dataclass
class Talk:
    """One channel's talk. Times are seconds after noon; every message must have one of its own."""

    slack: FakeSlack
    channel: str = "C1"
    private: bool = False
    name: str = "rules"
    events: list[Json] = field(default_factory=list)
    clock: int = NOON + 10_000_000
    """When all of it happens, by Slack's clock; seconds since 1970."""
    _stamps: int = 0

    def __post_init__(self) -> None:
        self.slack.users |= {one: user(one) for one in PEOPLE}
        about = {"name": self.name, "is_private": self.private, "members": sorted(PEOPLE)}
        self.slack.channels[self.channel] = about

    def write(self, at: int, who: str, text: str, thread: str | None = None, **more: Any) -> str:
        """Somebody writes; the message's ts."""
        message = {"type": "message", "user": who, "text": text, "ts": f"{NOON + at}.000100", **more}
        message |= {"thread_ts": thread} if thread else {}
        self.slack.messages[self.channel].append(message)
        self._tell({**message})
        if thread and (root := self.find(thread)):
            self._change(root, root)
        return str(message["ts"])

    def edit(self, ts: str, text: str, **more: Any) -> None:
        """Its author writes something else instead."""
        message = self.find(ts)
        if message is not None:
            before = {**message}
            message.update(text=text, edited={"user": message["user"], "ts": self._stamp()}, **more)
            self._change(message, before)

    def unfurl(self, ts: str) -> None:
        """Slack adds the preview of a link."""
        message = self.find(ts)
        if message is not None:
            before = {**message}
            message["attachments"] = [{"text": "a preview that nobody said", "from_url": "https://acme.example"}]
            self._change(message, before)

    def delete(self, ts: str) -> None:
        """It is deleted; of a thread's first message a tombstone is left."""
        message = self.find(ts)
        if message is None:
            return
        self.slack.messages[self.channel].remove(message)
        if any(one.get("thread_ts") == ts for one in self.slack.messages[self.channel]):
            stone = {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "ts": ts, "thread_ts": ts}
            self.slack.messages[self.channel].append(stone | {"text": "This message was deleted."})
            self._change(stone, message)
        else:
            self._tell({"type": "message", "subtype": "message_deleted", "deleted_ts": ts, "previous_message": message})

    def react(self, ts: str, who: str, name: str, *, on: bool = True) -> None:
        """An emoji is put on, or taken off."""
        message = self.find(ts)
        if message is None:
            return
        listed = {one["name"]: one["users"] for one in message.get("reactions", ())}
        users = listed.setdefault(name, [])
        if on == (who in users):
            return
        if on:
            users.append(who)
        else:
            users.remove(who)
        standing = [{"name": one, "users": by, "count": len(by)} for one, by in listed.items() if by]
        message.pop("reactions", None)
        message |= {"reactions": standing} if standing else {}
        kind = "reaction_added" if on else "reaction_removed"
        item = {"type": "message", "channel": self.channel, "ts": ts}
        self.events.append({"type": kind, "user": who, "reaction": name, "item": item, "event_ts": self._stamp()})

    def find(self, ts: str) -> Json | None:
        """The message as it stands; tombstones are none."""
        found = (one for one in self.slack.messages[self.channel] if one["ts"] == ts)
        return next((one for one in found if one.get("subtype") != "tombstone"), None)

    def export(self, folder: Path) -> Path:
        """What stands there, as an export."""
        people = [user(name) for name in PEOPLE]
        about = {"id": self.channel, "name": self.name, "members": sorted(PEOPLE)}
        put(folder / "users.json", people)
        put(folder / "channels.json", [] if self.private else [about])
        put(folder / "groups.json", [about] if self.private else [])
        days: dict[str, list[Json]] = defaultdict(list)
        for message in self.slack.messages[self.channel]:
            answers = [one for one in self.slack.messages[self.channel] if one.get("thread_ts") == message["ts"]]
            answered = any(one["ts"] != message["ts"] for one in answers)
            day = datetime.fromtimestamp(float(message["ts"]), UTC).date().isoformat()
            days[day].append(message | ({"thread_ts": message["ts"]} if answered else {}))
        for day, messages in days.items():
            put(folder / self.name / f"{day}.json", sorted(messages, key=lambda one: float(one["ts"])))
        return folder

    def _change(self, message: Json, before: Json) -> None:
        changed = {"subtype": "message_changed", "message": {**message}, "previous_message": before}
        self._tell({"type": "message", **changed})

    def _tell(self, event: Json) -> None:
        kind = "group" if self.private else "channel"
        self.events.append({"channel": self.channel, "channel_type": kind, "event_ts": self._stamp(), **event})

    def _stamp(self) -> str:
        self._stamps += 1
        return f"{self.clock}.{self._stamps:06d}"


def put(file: Path, content: object) -> None:
    """JSON into a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")
