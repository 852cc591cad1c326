"""A Slack export, folder or zip: threads and stretches of main lines, before anything is written.

Direct messages are never read. What is half there (a day file cut off, a thread whose day is missing) is left out whole
and told; what belongs to no listed channel has no known Audience and is left out, too.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from assistant.errors import Skip, UserFacing
from assistant.model.conversations import Channel, Conversation, Heard, Identity, Speaker
from connectors.slack.archive import Archive, open_archive
from connectors.slack.cutting import ChannelReader, day_of
from connectors.slack.spoken import ChannelDay, Names, Said, said, sorted_by_time

KINDS = (("channels.json", False), ("groups.json", True), ("mpims.json", True))
"""Lists of channels and whether they are private."""

Naming = Callable[[Identity], Speaker]


@dataclass(slots=True)
class SlackExport:
    """An export that can be read."""

    archive: Archive
    users: list[dict[str, Any]]
    channels: list[dict[str, Any]]
    """With `private`."""
    team: str
    skipped: list[str] = field(default_factory=list)

    def identities(self) -> list[Identity]:
        """Everybody in users.json."""
        return [identity(user) for user in self.users]

    def read(self, naming: Naming, until: int | None = None, workspace: str | None = None) -> Heard:
        """All conversations up to `until` (microseconds). `workspace` is its address, for links to messages."""
        persons = {one["id"]: identity(one) for one in self.users}
        names = Names(
            {user: who.name for user, who in persons.items()},
            {one["id"]: one["name"] for one in self.channels if not one["private"]},
        )
        known = {user: naming(who) for user, who in persons.items()}
        found: list[Conversation] = []
        rooms = []
        covered = set()
        for channel in self.channels:
            members = tuple(persons[user] for user in channel.get("members") or () if user in persons)
            rooms.append(Channel(channel["id"], channel["name"], channel["private"], members))
            days, broken = self._days(channel)
            messages = sorted_by_time(said(days, names, known, until))
            here = {day.name for day in days}
            reader = ChannelReader(channel, self.team, workspace, messages, partial(is_whole, here=here, broken=broken))
            found += reader.conversations()
            if left_out := reader.left_out():
                why = "threads left out, as days of theirs are missing or broken"
                self.skipped.append(f"{channel['name']}/: {left_out} {why}")
            covered |= {(channel["id"], day) for day in here}
        self._tell_strangers()
        return Heard(tuple(found), tuple(rooms), frozenset(covered), tuple(self.skipped))

    def _days(self, channel: Mapping[str, Any]) -> tuple[list[ChannelDay], set[str]]:
        """The channel's days in order, and those whose file cannot be read."""
        days, broken = [], set()
        for name in self.archive.days(channel["name"], channel["id"]):
            day = name.rpartition("/")[2].removesuffix(".json")
            try:
                days.append(ChannelDay(day, self.archive.records(name)))
            except Skip as error:
                broken.add(day)
                self.skipped.append(str(error))
        return days, broken

    def _tell_strangers(self) -> None:
        listed = {folder for one in self.channels for folder in (one["name"], one["id"])}
        direct = {one.get("id") for one in self.archive.optional("dms.json")}
        for folder in sorted(self.archive.folders() - listed):
            direct_one = folder in direct or folder.startswith("D0")
            why = "direct messages are never read" if direct_one else "in no list of channels, so nobody's to see"
            self.skipped.append(f"{folder}/: {why}")


def is_whole(thread: list[Said], here: AbstractSet[str], broken: AbstractSet[str]) -> bool:
    """Whether every message that the thread names, where its day should be here, is."""
    wanted = {ts for one in thread for ts in (*one.replies, one.thread) if ts}
    missing = {day_of(ts) for ts in wanted} - here
    return not missing & broken and not any(min(here) < day < max(here) for day in missing)


def open_export(path: Path) -> SlackExport:
    """Opens an export; raises UserFacing for what is none."""
    archive = open_archive(path)
    if not archive.has("users.json"):
        raise UserFacing(f"{path} is no Slack export: there is no users.json in it")
    channels: dict[str, dict[str, Any]] = {}
    for name, private in KINDS:
        for one in archive.required(name) if archive.has(name) else []:
            if one.get("id") and one.get("name"):
                channels[one["id"]] = {**one, "private": private or bool(one.get("is_private") or one.get("is_mpim"))}
    if not channels:
        raise UserFacing(f"{path} is no Slack export: it lists no channels")
    users = [one for one in archive.required("users.json") if one.get("id")]
    teams = Counter(str(team) for user in users if (team := user.get("team_id")))
    team = teams.most_common(1)[0][0] if teams else archive.name
    return SlackExport(archive, users, list(channels.values()), team)


def identity(user: Mapping[str, Any]) -> Identity:
    """A user as users.json has them."""
    profile = user.get("profile") or {}
    full = user.get("real_name") or profile.get("real_name") or profile.get("display_name") or user.get("name")
    handles = tuple(dict.fromkeys(filter(None, (user.get("name"), profile.get("display_name")))))
    return Identity("slack", str(full or user["id"]), user["id"], profile.get("email") or None, handles)
