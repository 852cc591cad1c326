"""Every utterance says what export, transcript or minutes say, by that person, at that time, in that room."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.minutes import MinutesFile
from assistant.evals.audit.said import Room, Said
from assistant.evals.audit.slack import Export
from assistant.evals.audit.zoom import Cue, Meeting
from assistant.graph.reading.audit import Conversation, Person, Utterance
from assistant.model.times import moment

DAY = 86_400_000_000
"""Microseconds."""


@dataclass(slots=True)
class Sources:
    """What people said, as the sources have it."""

    exports: list[Export] = field(default_factory=list)
    meetings: dict[str, Meeting] = field(default_factory=dict)
    minutes: dict[str, MinutesFile] = field(default_factory=dict)

    def room(self, talk: Conversation) -> Room | None:
        """Where a conversation took place."""
        kind, _, rest = talk.id.partition(":")
        if kind == "slack":
            return next((one.rooms[place] for one in self.exports if (place := rest.split("/")[1]) in one.rooms), None)
        if kind == "zoom":
            meeting = self.meetings.get(rest)
            return meeting.room if meeting else None
        if kind == "minutes" and (file := self.minutes.get(rest.rpartition("#")[0])):
            named = file.named(rest.rpartition("#")[0], talk.place_name)
            return Room(file.audience, frozenset(), talk.place_name if named else "what the file calls itself")
        return None


@dataclass(slots=True)
class Heard:
    """What the check of utterances learned for those that rest on it."""

    texts: dict[str, str] = field(default_factory=dict)
    """By utterance, the words of the source; only of those that have nothing wrong."""
    people: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By conversation, what those may be called, in lower case, who were in it."""
    rooms: dict[str, Room] = field(default_factory=dict)


class Listener:
    """Compares utterances with their sources."""

    def __init__(self, sources: Sources, persons: Sequence[Person]) -> None:
        self.sources = sources
        self.called = {one.id: _called(one) for one in persons}
        self.found = Checked("utterances")
        self.heard = Heard()

    def check(self, talks: Sequence[Conversation], utterances: Sequence[Utterance]) -> Checked:
        """Counts every conversation and every utterance that has not been forgotten."""
        by_talk: defaultdict[str, list[Utterance]] = defaultdict(list)
        for one in utterances:
            if one.text or one.audience:
                by_talk[one.conversation].append(one)
        for talk in talks:
            own = sorted(by_talk.pop(talk.id, []), key=lambda one: one.number)
            if own or talk.utterances:
                self._talk(talk, own)
        for rest in by_talk.values():
            for one in rest:
                self.found.missing(one.id, "in no conversation that there is")
        return self.found

    def _talk(self, talk: Conversation, own: list[Utterance]) -> None:
        room = self.sources.room(talk)
        self.found.look(talk.id, self._placed(talk, own, room))
        if room:
            self.heard.rooms[talk.id] = room
            self.heard.people[talk.id] |= room.people
        turns = dict(self._turns(talk, own))
        for one in own:
            said = turns.get(one.id) or self._said(talk, one)
            wrong = list(self._wrong(talk, one, said))
            self.found.look(one.id, wrong)
            if said and not wrong:
                self.heard.texts[one.id] = said.text
            if said:
                self.heard.people[talk.id] |= said.names | self.called.get(one.person or "", frozenset())

    def _placed(self, talk: Conversation, own: list[Utterance], room: Room | None) -> Iterator[str]:
        """What is wrong with the conversation as a whole."""
        if room is None:
            yield "its source is not known to this audit"
            return
        if talk.audience != room.audience:
            yield f"audience {talk.audience}, not {room.audience}"
        if talk.place_name != room.name:
            yield f"in {talk.place_name}, not {room.name}"
        if sorted(talk.utterances) != sorted(one.id for one in own):
            yield "does not hold just its utterances"
        if talk.rooms not in ([talk.place], []) or (not talk.rooms and talk.kind != "minutes"):
            yield f"tied to rooms {talk.rooms}"
        if own and talk.started_at > own[0].at:
            yield "begins after its first words"

    def _wrong(self, talk: Conversation, one: Utterance, said: Said | None) -> Iterator[str]:
        """What is wrong with one utterance."""
        if said is None:
            yield "not in the source"
            return
        if one.text != said.text:
            yield "other words than the source's"
        if abs(one.at - said.at) > said.slack:
            yield f"at {moment(one.at)}, not {moment(said.at)}"
        if one.audience != talk.audience:
            yield f"audience {one.audience}"
        if one.persons != ([one.person] if one.person else []):
            yield f"spoken by {one.persons}"
        person = self.called.get(one.person or "", frozenset())
        if one.person and not person & said.names:
            yield f"spoken by {one.person}, not {' or '.join(sorted(said.names))}"
        if (one.speaker or said.names) and one.speaker.lower() not in said.names | person:
            yield f"spoken by {one.speaker!r}, not {' or '.join(sorted(said.names)) or 'anybody'}"

    def _said(self, talk: Conversation, one: Utterance) -> Said | None:
        """The one message or line of the source."""
        kind, _, rest = one.id.partition(":")
        number = rest.rpartition("/")[2]
        if kind == "slack":
            key = (rest.split("/")[1], number)
            for export in self.sources.exports:
                if key in export.said:
                    self.heard.people[talk.id] |= export.reacted.get(key, frozenset())
                    return export.said[key]
        if kind == "zoom" and number.startswith("chat-"):
            return self._written(one, self.sources.meetings.get(talk.id.partition(":")[2]))
        if kind == "minutes" and number.isdigit():
            return self._noted(talk, one, int(number))
        return None

    def _written(self, one: Utterance, meeting: Meeting | None) -> Said | None:
        """A chat line, whose time may be a time of day of an unknown zone."""
        if meeting is None or any(line.strip() not in meeting.chat for line in one.text.split("\n")):
            return None
        names = {one.speaker.lower()} if one.speaker and one.speaker in meeting.chat else set[str]()
        names |= meeting.aliases.get(one.speaker.lower(), frozenset())
        return Said(one.text, frozenset(names), meeting.start, DAY)

    def _noted(self, talk: Conversation, one: Utterance, number: int) -> Said | None:
        name = talk.id.partition(":")[2].rpartition("#")[0]
        file = self.sources.minutes.get(name)
        if file is None or not file.said(number, one.text):
            return None
        written = file.speaker(number)
        names = {written.lower()} if one.speaker or self._is_somebody(file, written) else set[str]()
        person = self.called.get(one.person or "", frozenset())
        settled = {written.lower(), f"minutes:{written}".lower()} & person
        if one.speaker and (settled or file.united(written, one.speaker)):
            names.add(one.speaker.lower())
        day = moment(one.at - number)
        right = file.dated(name, day.year, day.day) and (one.at - number) % DAY == 0
        return Said(one.text, frozenset(names), one.at if right else 0)

    def _is_somebody(self, file: MinutesFile, written: str) -> bool:
        """Whether what stands before a colon is initials that a table explains."""
        return written.isupper() and 2 <= len(written) <= 3 and any(written in line for line in file.tables)

    def _turns(self, talk: Conversation, own: list[Utterance]) -> Iterator[tuple[str, Said]]:
        """The turns of a meeting: each is all cues in a row of one speaker. What no turn holds is missing."""
        meeting = self.sources.meetings.get(talk.id.removeprefix("zoom:")) if talk.id.startswith("zoom:") else None
        if meeting is None:
            return
        at = 0
        for one in own:
            if one.id.rpartition("/")[2].startswith("chat-"):
                continue
            first = next((n for n in range(at, len(meeting.cues)) if meeting.cues[n].at == one.at), None)
            taken = 0 if first is None else taken_by(one.text, meeting.cues[first:])
            if first is None or not taken:
                continue
            for cue in meeting.cues[at:first]:
                self.found.missing(f"{talk.id} at {moment(cue.at)}", "a cue that no utterance holds")
            at = first + taken
            name = meeting.cues[first].name.lower()
            yield one.id, Said(one.text, meeting.aliases.get(name, frozenset()) | {name}, one.at)
        for cue in meeting.cues[at:]:
            self.found.missing(f"{talk.id} at {moment(cue.at)}", "a cue that no utterance holds")


def taken_by(text: str, cues: Sequence[Cue]) -> int:
    """How many cues in a row, of one speaker, are the whole text; 0 where they are not."""
    rest = text
    for number, cue in enumerate(cues):
        other = number and cue.name not in ("", cues[0].name)
        words = cue.whole if other else cue.text
        if not rest.startswith(words):
            words = cue.whole
        if not rest.startswith(words):
            return 0
        rest = rest[len(words) :]
        if not rest:
            following = cues[number + 1] if number + 1 < len(cues) else None
            return 0 if following and following.name in ("", cues[0].name) else number + 1
        rest = rest.removeprefix(" ")
    return 0


def _called(one: Person) -> frozenset[str]:
    names = (one.id, one.name, *(one.emails or ()), *(one.handles or ()), *(one.other_names or ()))
    return frozenset(name.lower() for name in names)
