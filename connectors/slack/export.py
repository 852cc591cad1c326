"""A Slack export, folder or zip: threads and stretches of main lines, before anything is written.

Direct messages are never read. What is half there (a day file cut off, a thread whose day is missing) is left out whole
and told; what belongs to no listed channel has no known Audience and is left out, too.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.errors import Skip, UserFacing
from assistant.model.audiences import PUBLIC, channel_audience
from assistant.model.conversations import Channel, Conversation, ConversationKind, Heard, Identity, Speaker
from assistant.model.times import moment
from connectors.slack.archive import Archive, open_archive
from connectors.slack.spoken import ChannelDay, Names, Said, said, sorted_by_time

SILENCE = 3 * 3600 * 1_000_000
"""Microseconds of silence after which a main line's next message begins another stretch: people come back to a question
within an afternoon (up to 140 minutes in the development set), not overnight."""

SPAN = 11 * 3600 * 1_000_000
"""A stretch never lasts longer, in microseconds; one working day."""

LONGEST = 200
"""Messages of a stretch at most."""

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
            reader = ChannelReader(channel, self.team, workspace, messages, days, broken, self.skipped)
            found += reader.conversations()
            covered |= {(channel["id"], day.name) for day in days}
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


@dataclass(frozen=True, slots=True)
class ChannelReader:
    """Cuts one channel into conversations."""

    channel: Mapping[str, Any]
    team: str
    workspace: str | None
    messages: list[Said]
    days: list[ChannelDay]
    broken: set[str]
    skipped: list[str]

    def conversations(self) -> list[Conversation]:
        """Its threads and stretches, by the time they began."""
        roots = {one.thread for one in self.messages if one.thread}
        threads: dict[str, list[Said]] = {root: [] for root in sorted(roots)}
        line = []
        for one in self.messages:
            root = one.thread or (one.ts if one.ts in roots else None)
            if root:
                threads[root].append(one)
            else:
                line.append(one)
        whole = [self._made(ConversationKind.THREAD, ts, part) for ts, part in threads.items() if self._whole(part)]
        if missing := len(threads) - len(whole):
            why = "threads left out, as days of theirs are missing or broken"
            self.skipped.append(f"{self.channel['name']}/: {missing} {why}")
        lines = [self._made(ConversationKind.MAIN_LINE, part[0].ts, part) for part in stretches(line)]
        return sorted(whole + lines, key=lambda one: (one.started_at, one.id))

    def _whole(self, thread: list[Said]) -> bool:
        """Whether every message that the thread names, where its day should be here, is."""
        here = {day.name for day in self.days}
        wanted = {ts for one in thread for ts in (*one.replies, one.thread) if ts}
        missing = {day_of(ts) for ts in wanted} - here
        return not missing & self.broken and not any(min(here) < day < max(here) for day in missing)

    def _made(self, kind: ConversationKind, ts: str, messages: list[Said]) -> Conversation:
        channel = self.channel
        name = f"slack:{self.team}/{channel['id']}/{ts}"
        return Conversation(
            id=name,
            shown_id=f"slack:{channel['name']}/{ts}",
            kind=kind,
            place=channel["id"],
            place_name=channel["name"],
            title="",
            audience=channel_audience(channel["id"]) if channel["private"] else PUBLIC,
            started_at=messages[0].at,
            utterances=tuple(one.utterance(name, self._url(one.ts, one.thread), kind) for one in messages),
            url=self._url(ts, None),
        )

    def _url(self, ts: str, thread: str | None) -> str:
        if self.workspace:
            there = f"{self.workspace.rstrip('/')}/archives/{self.channel['id']}/p{ts.replace('.', '')}"
            return f"{there}?thread_ts={thread}&cid={self.channel['id']}" if thread and thread != ts else there
        room = self.channel["id"]
        return f"https://app.slack.com/client/{self.team}/{room}/thread/{room}-{thread or ts}"


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


def stretches(line: list[Said]) -> Iterator[list[Said]]:
    """A main line cut at silences, and where it grows too long."""
    part: list[Said] = []
    for one in line:
        if part and (one.at - part[-1].at > SILENCE or one.at - part[0].at > SPAN or len(part) >= LONGEST):
            yield part
            part = []
        part.append(one)
    if part:
        yield part


def day_of(ts: str) -> str:
    """The UTC day of a message, as its file is called."""
    return moment(int(ts.partition(".")[0]) * 1_000_000).date().isoformat()
