"""A channel cut into conversations: its threads, and its main line at silences. The same for exports and live talk."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.model.audiences import PUBLIC, channel_audience
from assistant.model.conversations import Conversation, ConversationKind
from assistant.model.times import moment
from connectors.slack.spoken import Said

SILENCE = 3 * 3600 * 1_000_000
"""Microseconds of silence after which a main line's next message begins another stretch: people come back to a question
within an afternoon (up to 140 minutes in the development set), not overnight."""

SPAN = 11 * 3600 * 1_000_000
"""A stretch never lasts longer, in microseconds; one working day."""

LONGEST = 200
"""Messages of a stretch at most."""


@dataclass(frozen=True, slots=True)
class ChannelReader:
    """Cuts one channel into conversations."""

    channel: Mapping[str, Any]
    team: str
    workspace: str | None
    messages: list[Said]
    whole: Callable[[list[Said]], bool] = bool
    """Whether nothing of a thread is missing; one that is not whole is left out."""

    def conversations(self) -> list[Conversation]:
        """Its threads and stretches, by the time they began."""
        threads, line = self._apart()
        whole = [self._made(ConversationKind.THREAD, ts, part) for ts, part in threads.items() if self.whole(part)]
        lines = [self._made(ConversationKind.MAIN_LINE, part[0].ts, part) for part in stretches(line)]
        return sorted(whole + lines, key=lambda one: (one.started_at, one.id))

    def left_out(self) -> int:
        """How many threads are not whole."""
        return sum(not self.whole(part) for part in self._apart()[0].values())

    def _apart(self) -> tuple[dict[str, list[Said]], list[Said]]:
        """The threads by their roots, and the main line."""
        roots = {one.thread for one in self.messages if one.thread}
        threads: dict[str, list[Said]] = {root: [] for root in sorted(roots)}
        line = []
        for one in self.messages:
            root = one.thread or (one.ts if one.ts in roots else None)
            if root:
                threads[root].append(one)
            else:
                line.append(one)
        return threads, line

    def _made(self, kind: ConversationKind, ts: str, messages: list[Said]) -> Conversation:
        channel = self.channel
        room = room_name(self.team, channel["id"])
        return Conversation(
            id=f"{room}/{ts}",
            shown_id=f"slack:{channel['name']}/{ts}",
            kind=kind,
            place=channel["id"],
            place_name=channel["name"],
            title="",
            audience=channel_audience(channel["id"]) if channel["private"] else PUBLIC,
            started_at=messages[0].at,
            utterances=tuple(one.utterance(room, self._url(one.ts, one.thread), kind) for one in messages),
            url=self._url(ts, None),
        )

    def _url(self, ts: str, thread: str | None) -> str:
        if self.workspace:
            there = f"{self.workspace.rstrip('/')}/archives/{self.channel['id']}/p{ts.replace('.', '')}"
            return f"{there}?thread_ts={thread}&cid={self.channel['id']}" if thread and thread != ts else there
        room = self.channel["id"]
        return f"https://app.slack.com/client/{self.team}/{room}/thread/{room}-{thread or ts}"


def room_name(team: str, channel: str) -> str:
    """What the ids of all that was said in a channel begin with."""
    return f"slack:{team}/{channel}"


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
