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
            members = tuple(persons[user] for user in channel["members"] if user in persons)
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
        claimed = Counter(folder for one in self.channels for folder in {one["name"], one["id"]})
        if claimed[channel["name"]] > 1:
            self.skipped.append(f"{channel['name']}/: several channels are called so, so it is nobody's to see")
        own = (folder for folder in (channel["name"], channel["id"]) if claimed[folder] == 1 or folder == channel["id"])
        for name in self.archive.days(*own):
            day = name.rpartition("/")[2].removesuffix(".json")
            try:
                days.append(ChannelDay(day, self.archive.records(name)))
            except Skip as error:
                broken.add(day)
                self.skipped.append(str(error))
        return days, broken

    def _tell_strangers(self) -> None:
        listed = {folder for one in self.channels for folder in (one["name"], one["id"])}
        direct = {text_in(one, "id") for one in self.archive.optional("dms.json")}
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
            if (id := text_in(one, "id")) and (called := text_in(one, "name")):  # noqa: A001 it is one
                closed = private or bool(one.get("is_private") or one.get("is_mpim"))
                members = [user for user in listed(one.get("members")) if isinstance(user, str)]
                channels[id] = {"id": id, "name": called, "members": members, "private": closed}
    if not channels:
        raise UserFacing(f"{path} is no Slack export: it lists no channels")
    users = [one for one in archive.required("users.json") if text_in(one, "id")]
    teams = Counter(team for user in users if (team := text_in(user, "team_id")))
    team = teams.most_common(1)[0][0] if teams else archive.name
    return SlackExport(archive, users, list(channels.values()), team)


def identity(user: Mapping[str, Any]) -> Identity:
    """A user as users.json has them."""
    told = user.get("profile")
    profile = told if isinstance(told, dict) else {}
    called, shown = text_in(user, "name"), text_in(profile, "display_name")
    full = text_in(user, "real_name") or text_in(profile, "real_name") or shown or called or user["id"]
    return Identity(
        "slack", full, user["id"], text_in(profile, "email"), tuple(dict.fromkeys(filter(None, (called, shown))))
    )


def text_in(one: Mapping[str, Any], name: str) -> str | None:
    """A field where it holds words: apps and hands write odd things into exports."""
    value = one.get(name)
    return value.strip() or None if isinstance(value, str) else None


def listed(value: object) -> list[Any]:
    """A field that should be a list."""
    return value if isinstance(value, list) else []
