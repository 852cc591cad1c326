"""What was said in channels that record, as Slack sent it: kept on the graph's server, in its backups and its one log.

A hash a channel and day of the thread's first message holds the messages by ts, so that a thread lies in one. What is
written twice stays the same, an older edit never replaces a newer one, and a deletion leaves a mark without words, so
that nothing that comes late brings them back. Whatever changes is marked, in the same step, until the graph has it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.graph.recorded_scripts import CLEAN, ERASE, KEEP, LINE, MARK_ALL, NEXT, REACT, REACTIONS
from assistant.graph.store import Graph

CHUNK = 200
"""Messages whose reactions are read at once."""

UTTERANCE = re.compile(r"slack:([^/]+)/([^/]+)/(\d+\.\d+)")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Version:
    """A message as it stood at some moment."""

    ts: str
    root: str
    """Ts of the thread's first message; its own on the main line."""
    edited: int
    """When it was edited last, microseconds; 0 if never."""
    seen: int
    """As of when this is known, microseconds; of two versions of one edit the later counts."""
    body: Json
    reactions: tuple[tuple[str, str], ...] | None = None
    """Emoji and user of every reaction as of then, in order; None where that is not told."""


@dataclass(frozen=True, slots=True)
class Page:
    """How far reading a channel's history has come with the messages that are kept in the same step."""

    state: Json | None = None
    """Of the channel's history; None leaves it."""
    wanted: tuple[str, ...] = ()
    """Roots of threads that are to be read."""
    read: Mapping[str, str | None] = field(default_factory=dict)
    """Threads of which a part was read, by root: the last ts of it, None for one that is read to its end."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A message that changed since the graph was last brought up to it."""

    root: str
    ts: str
    times: str
    """How often it changed, so that a change in between is not overlooked."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The messages of one workspace."""

    graph: Graph
    team: str

    def keep(self, channel: str, versions: Iterable[Version], page: Page = Page()) -> int:
        """Keeps messages, and how far reading the history has come, in one step; how many were new or changed."""
        rows: list[str | int] = []
        for one in versions:
            pairs = "" if one.reactions is None else json.dumps([[*pair] for pair in one.reactions])
            body = json.dumps(one.body, ensure_ascii=False, sort_keys=True)
            rows += [one.ts, one.root, one.edited, one.seen, micros_of(one.ts), body, pairs]
        state = "" if page.state is None else json.dumps(page.state)
        read = json.dumps([[root, last or ""] for root, last in page.read.items()])
        given = (channel, state, json.dumps(page.wanted), read, *rows)
        return int(self._run(KEEP, channel, *given))

    def erase(self, channel: str, ts: str, root: str | None, at: int) -> bool:
        """Takes a message's words and reactions, for good; whether it was there."""
        return bool(self._run(ERASE, channel, channel, ts, root or "", at))

    def bar(self, channel: str, ts: str, at: int) -> None:
        """Lets a message that is not here never come."""
        self._do("HSETNX", self._key(channel, "gone"), ts, at)

    def unbar(self, channel: str, ts: str) -> None:
        """Lets a message come that was taken away or barred."""
        self._do("HDEL", self._key(channel, "gone"), ts)

    def said_by(self, user: str) -> Iterator[tuple[str, str]]:
        """Channel and ts of everything that a user said; goes through all that is kept."""
        for channel, day in self._days():
            values = self._do("HGETALL", self._key(channel, day))
            yield from ((channel, ts) for ts, value in values.items() if is_by(value, user))

    def everything(self) -> dict[str, list[Json]]:
        """All messages that are kept, by channel, with the reactions that stand on them; each once."""
        found: dict[str, dict[str, Json]] = {}
        for channel, day in self._days():
            found.setdefault(channel, {}).update(self._day(channel, int(day)))
        return {channel: self.with_reactions(channel, list(kept.values())) for channel, kept in found.items()}

    def all_gone(self, channel: str) -> list[str]:
        """Every ts of a channel that was deleted or barred."""
        return list(self._do("HKEYS", self._key(channel, "gone")))

    def all_notes(self, kind: str) -> dict[str, Any]:
        """All that is kept under names of a kind."""
        return {name: json.loads(value) for name, value in self._do("HGETALL", self._name(kind)).items()}

    def react(self, channel: str, ts: str, name: str, user: str, at: int, *, on: bool) -> bool:
        """Keeps that somebody put an emoji on a message, or took it off, at that microsecond; whether it is news."""
        return bool(self._run(REACT, channel, channel, ts, name, user, at, int(on)))

    def has(self, channel: str, ts: str) -> bool:
        """Whether a message is kept."""
        if self._do("ZSCORE", self._key(channel, "line"), ts) is not None:
            return True
        return bool(self._do("HEXISTS", self._key(channel, "roots"), ts))

    def root_of(self, channel: str, ts: str) -> str:
        """Ts of the first message of the thread that a message stands in; its own on the main line."""
        return str(self._do("HGET", self._key(channel, "roots"), ts) or ts)

    def is_gone(self, channel: str, ts: str) -> bool:
        """Whether a message was deleted."""
        return bool(self.gone(channel, [ts]))

    def gone(self, channel: str, among: Sequence[str]) -> set[str]:
        """Those of the messages that were deleted."""
        stones = self._do("HMGET", self._key(channel, "gone"), *among) if among else []
        return {ts for ts, stone in zip(among, stones, strict=True) if stone is not None}

    def threads(self, channel: str, roots: Iterable[str]) -> list[Json]:
        """The messages of threads, their first ones included, but none of what nobody answered."""
        answered = self.answers(channel, roots)
        found: list[Json] = []
        for day in sorted({day_of(root) for root in answered}):
            kept = self._day(channel, day)
            found += [one for ts, one in sorted(kept.items()) if ts in answered or one.get("thread_ts") in answered]
        return found

    def answers(self, channel: str, roots: Iterable[str]) -> dict[str, int]:
        """How many answers are kept of those of the threads that have any."""
        asked = list(roots)
        counts = self._do("HMGET", self._key(channel, "threads"), *asked) if asked else []
        return {root: int(count) for root, count in zip(asked, counts, strict=True) if count is not None}

    def answered_since(self, channel: str, ts: str) -> set[str]:
        """Threads that were answered from a ts on, by root; goes through all answers that are kept."""
        roots = self._do("HGETALL", self._key(channel, "roots"))
        return {root for answer, root in roots.items() if micros_of(answer) >= micros_of(ts)}

    def line_between(self, channel: str, start: int, end: int) -> list[str]:
        """Ts of the main line's messages from a moment on and before another, in microseconds; the oldest first."""
        return list(self._do("ZRANGEBYSCORE", self._key(channel, "line"), start, f"({end}"))

    def main_line(self, channel: str, around: Iterable[str], silence: int) -> list[Json]:
        """The main line from the last silence before each of these ts to the next after it.

        `silence` is in microseconds. Where a message was, talk counts as going on, as it did then.
        """
        points = sorted(set(around), key=micros_of)
        names = sorted(self._run(LINE, channel, silence, *points), key=micros_of)
        days = {day: self._day(channel, day) for day in sorted({day_of(ts) for ts in names})}
        return [days[day_of(ts)][ts] for ts in names if ts in days[day_of(ts)]]  # one may have gone just now

    def with_reactions(self, channel: str, messages: Sequence[Json]) -> list[Json]:
        """The messages with the reactions that stand on them now, as Slack lists them."""
        found: list[Json] = []
        for start in range(0, len(messages), CHUNK):
            part = messages[start : start + CHUNK]
            rows = self._run(REACTIONS, channel, *(one["ts"] for one in part))
            for one, pairs in zip(part, rows, strict=True):
                reactions = listed(dict(zip(pairs[::2], pairs[1::2], strict=True)))
                found.append(one | ({"reactions": reactions} if reactions else {}))
        return found

    def waiting(self) -> list[str]:
        """Channels with marks."""
        return sorted(self._do("SMEMBERS", self._name("waiting")))

    def marks(self, channel: str) -> list[Mark]:
        """What changed in a channel and is not in the graph yet, the oldest threads first."""
        rows = self._do("HGETALL", self._key(channel, "marks"))
        found = [Mark(name.partition(" ")[0], name.partition(" ")[2], times) for name, times in rows.items()]
        return sorted(found, key=lambda one: (micros_of(one.root), one.ts))

    def mark_all(self, channel: str) -> None:
        """Marks everything that is kept of a channel."""
        self._run(MARK_ALL, channel, channel)

    def clean(self, channel: str, marks: Iterable[Mark]) -> None:
        """Takes marks away that the graph has caught up with; those that changed meanwhile stay."""
        rows = [word for one in marks for word in (f"{one.root} {one.ts}", one.times)]
        self._run(CLEAN, channel, channel, *rows)

    def wanted(self, channel: str) -> dict[str, str]:
        """Threads that are to be read at Slack, by root, each with the last ts that was read of it, '' for none."""
        return dict(self._do("HGETALL", self._key(channel, "wanted")))

    def histories(self) -> dict[str, Json]:
        """How far reading their history has come, by channel."""
        return {name: json.loads(state) for name, state in self._do("HGETALL", self._name("histories")).items()}

    def forget_history(self, channel: str) -> None:
        """Stops reading a channel's history."""
        self._do("HDEL", self._name("histories"), channel)
        self._do("DEL", self._key(channel, "wanted"))

    def turn(self, kind: str) -> int:
        """The number of the next job of a kind."""
        return int(self._do("HGET", self._name("turns"), kind) or 0)

    def next_turn(self, kind: str, turn: int) -> bool:
        """Ends a turn; False when it had ended before."""
        return bool(self._do("EVAL", NEXT, 1, self._name("turns"), kind, turn))

    def notes(self, kind: str, names: Iterable[str]) -> dict[str, Any]:
        """What was kept under these names; a kind is `users`, `channels`, `pauses`."""
        wanted = sorted(set(names))
        values = self._do("HMGET", self._name(kind), *wanted) if wanted else []
        return {name: json.loads(value) for name, value in zip(wanted, values, strict=True) if value is not None}

    def note(self, kind: str, notes: Mapping[str, Any]) -> None:
        """Keeps something under names, in place of what was there."""
        rows = [word for name, value in notes.items() for word in (name, json.dumps(value, ensure_ascii=False))]
        if rows:
            self._do("HSET", self._name(kind), *rows)

    def _days(self) -> Iterator[tuple[str, str]]:
        """Channels and days that hold messages; goes through the names of all that is kept, and may give one twice."""
        start, cursor = f"{self.graph.name}:recorded:{self.team}/", "0"
        while True:
            cursor, keys = self._do("SCAN", cursor, "MATCH", f"{start}*/[0-9]*", "COUNT", 1000)
            for key in keys:
                channel, _, day = key.removeprefix(start).partition("/")
                if day.isdecimal():
                    yield channel, day
            if int(cursor) == 0:
                return

    def _day(self, channel: str, day: int) -> dict[str, Json]:
        rows = self._do("HGETALL", self._key(channel, str(day)))
        return {name: json.loads(value.split(" ", 2)[2]) for name, value in rows.items()}

    def _run(self, script: str, channel: str, *words: str | int) -> Any:
        keys = (self._key(channel, ""), self._name("waiting"), self._name("histories"))
        return self.graph.command("EVAL", script, len(keys), *keys, *words)

    def _do(self, *words: str | int) -> Any:
        return self.graph.command(*words)

    def _key(self, channel: str, part: str) -> str:
        return f"{self.graph.name}:recorded:{self.team}/{channel}/{part}"

    def _name(self, part: str) -> str:
        return f"{self.graph.name}:recorded:{self.team}:{part}"


def erase_utterances(graph: Graph, utterances: Iterable[str], at: int) -> None:
    """Takes the words of utterances, by their ids, as far as they are recorded; `at` in microseconds."""
    for name in utterances:
        if found := UTTERANCE.fullmatch(name):
            store, channel, ts = Recorded(graph, found[1]), found[2], found[3]
            if store.has(channel, ts):
                store.erase(channel, ts, None, at)
            else:
                store.bar(channel, ts, at)


def is_by(value: str, user: str) -> bool:
    """Whether a message, as it is stored, is by this user."""
    return bool(json.loads(value.split(" ", 2)[2]).get("user") == user)


def workspaces(graph: Graph) -> list[Recorded]:
    """Every workspace of which something was recorded, whatever its channels have chosen since."""
    start, end = f"{graph.name}:recorded:", ":users"
    keys = graph.command("KEYS", f"{start}*{end}")
    return [Recorded(graph, key.removeprefix(start).removesuffix(end)) for key in sorted(keys)]


def listed(stored: Mapping[str, str]) -> list[Json]:
    """Reactions as a message of Slack's lists them, in the order in which they were put on."""
    standing: list[tuple[int, str, str]] = []
    for pair, value in stored.items():
        _, on, order = value.split(" ")
        if on == "1":
            name, user = pair.split(" ")
            standing.append((int(order), name, user))
    found: dict[str, list[str]] = {}
    for _, name, user in sorted(standing):
        found.setdefault(name, []).append(user)
    return [{"name": name, "users": users} for name, users in found.items()]


def micros_of(ts: str) -> int:
    """A ts as microseconds."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * 1_000_000 + int(rest.ljust(6, "0"))


def day_of(ts: str) -> int:
    """The days since 1970 up to that of a ts."""
    return int(ts.partition(".")[0]) // 86_400
