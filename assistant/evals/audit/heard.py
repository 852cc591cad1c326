"""Everything that sources say was said, found again by the ids that the graph gives it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from assistant.evals.audit.cues import Meeting
from assistant.evals.audit.discussions import Discussed
from assistant.evals.audit.minutes import MinutesFile
from assistant.evals.audit.said import Room
from assistant.evals.audit.slack import Export
from assistant.graph.reading.audit import Conversation, Utterance


@dataclass(slots=True)
class Sources:
    """What people said, as the sources have it."""

    exports: list[Export] = field(default_factory=list)
    meetings: dict[str, Meeting] = field(default_factory=dict)
    """By conversation."""
    minutes: dict[str, MinutesFile] = field(default_factory=dict)
    """By file."""
    discussions: dict[str, Discussed] = field(default_factory=dict)
    """By conversation."""
    people: list[frozenset[str]] = field(default_factory=list)
    """What the files that settle who is who call each person, in lower case."""
    forgotten: set[str] = field(default_factory=set)
    """What may not come back: ids of utterances, or in Slack team, room and message."""

    def room(self, talk: Conversation) -> Room | None:
        """Where a conversation took place."""
        kind, _, rest = talk.id.partition(":")
        if kind == "slack":
            return next((one.rooms[place] for one in self.exports if (place := rest.split("/")[1]) in one.rooms), None)
        if meeting := self.meetings.get(talk.id):
            return meeting.room
        if discussed := self.discussions.get(talk.id):
            return Room(discussed.room.audience, discussed.reacted, discussed.room.name, title=discussed.title)
        name, _, line = rest.rpartition("#")
        if kind == "minutes" and (file := self.minutes.get(name)):
            named = file.named(name, talk.place_name)
            headed = line.isdigit() and file.headed(int(line), talk.title)
            place = talk.place_name if named else "what the file calls itself"
            return Room(file.audience, frozenset(), place, title=talk.title if headed else "what the heading says")
        return None

    def lacking(self, known: list[Utterance]) -> Iterator[tuple[str, str]]:
        """What was said but is not in the graph: ids, and what to say of them. A meeting's cues are counted apart."""
        here = {one.id for one in known}
        talks = {one.conversation for one in known}
        gone = {_told(one) for one in self.forgotten}
        for name, meeting in self.meetings.items():
            if name not in talks and not self.is_thinned(name):
                yield name, "a meeting that the graph lacks"
            lines = (f"{name}/chat-{number}" for number in meeting.chatted() if name in talks)
            yield from ((line, "the graph lacks this line") for line in lines if line not in here and line not in gone)
        yield from ((name, told) for name, told in self._unheard(here) if name not in gone)

    def is_thinned(self, talk: str) -> bool:
        """Whether something of a conversation has been forgotten: which of a meeting's cues, no tombstone tells."""
        return any(one.startswith(f"{talk}/") for one in self.forgotten)

    def _unheard(self, here: set[str]) -> Iterator[tuple[str, str]]:
        """The same of messages, remarks and lines of minutes."""
        messages = {(parts[1], parts[-1]) for name in here if name.startswith("slack:") and (parts := name.split("/"))}
        for export in self.exports:
            others = [one for one in self.exports if one is not export]
            for key in export.wanted():
                if key not in messages and not any(one.covers(key) and key not in one.said for one in others):
                    yield f"slack:{'/'.join(key)}", "the graph lacks this message"
        for talk in self.discussions.values():
            yield from ((name, "the graph lacks this remark") for name in talk.said if name not in here)
        lines = defaultdict(set)
        for name in here:
            place, _, rest = name.partition(":")[2].rpartition("#")
            lines[place].add(rest.rpartition("/")[2])
        for name, file in self.minutes.items():
            for number in file.turns() if file.until is None else ():
                if str(number) not in lines[name]:
                    yield f"minutes:{name}:{number}", "the graph lacks this turn"


def _told(tombstone: str) -> str:
    """A tombstone as `lacking` names what it stands for: messages by room and ts, turns of minutes by their line."""
    kind, _, rest = tombstone.partition(":")
    parts = rest.split("/")
    if kind == "slack":
        return f"slack:{'/'.join(parts[-2:])}"
    if kind == "minutes" and "#" in rest:
        return f"minutes:{rest.rpartition('#')[0]}:{parts[-1]}"
    return tombstone


@dataclass(slots=True)
class Heard:
    """What the check of utterances learned for those that rest on it."""

    texts: dict[str, str] = field(default_factory=dict)
    """By utterance, the words of the source; only of those that have nothing wrong."""
    people: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By conversation, what those may be called, in lower case, who were in it."""
    rooms: dict[str, Room] = field(default_factory=dict)
