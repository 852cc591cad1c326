"""Every utterance says what its source says, by that person, then and there; and nothing is missing."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.cues import Meeting, Turns
from assistant.evals.audit.heard import Heard, Sources
from assistant.evals.audit.minutes import DAY, MinutesFile
from assistant.evals.audit.said import Room, Said
from assistant.graph.reading.audit import Conversation, Person, Utterance
from assistant.model.ids import digest
from assistant.model.times import moment

HOUR = 3_600_000_000
"""Microseconds."""

NO_ROOM = ("minutes", "discussion")
"""Kinds of conversations that are in no room with members."""

OF_TALK = (
    *("id", "shown_id", "kind", "place", "place_name", "title", "audience", "started_at", "ended_at", "url"),
    "conclusion",
)
OF_UTTERANCE = (
    *("id", "conversation", "number", "speaker", "person", "at", "text", "reply_to", "edited", "bot", "url", "files"),
    *("reactions", "audience", "tokens"),
)
"""What a hash is made of, in order."""


class Listener:
    """Compares utterances with their sources."""

    def __init__(self, sources: Sources, persons: Sequence[Person]) -> None:
        self.sources = sources
        self.called = {one.id: called(one) for one in persons}
        self.found = Checked("utterances")
        self.heard = Heard()

    def check(self, talks: Sequence[Conversation], utterances: Sequence[Utterance]) -> Checked:
        """Counts every conversation, every utterance that has not been forgotten, and whatever the graph lacks."""
        by_talk: defaultdict[str, list[Utterance]] = defaultdict(list)
        said = [one for one in utterances if one.text or one.audience]
        for one in said:
            by_talk[one.conversation].append(one)
        for talk in talks:
            own = sorted(by_talk.pop(talk.id, []), key=lambda one: one.number)
            if own or talk.utterances or talk.hash:
                self._talk(talk, own)
        for rest in by_talk.values():
            for one in rest:
                self.found.missing(one.id, "in no conversation that there is")
        for thing, complaint in self.sources.lacking(said):
            self.found.missing(thing, complaint)
        return self.found

    def _talk(self, talk: Conversation, own: list[Utterance]) -> None:
        room = self.sources.room(talk)
        self.found.look(talk.id, self._placed(talk, own, room))
        if room:
            self.heard.rooms[talk.id] = room
            self.heard.people[talk.id] |= room.people
        meeting = self.sources.meetings.get(talk.id)
        turns = Turns(meeting.cues if meeting else ())
        for one in own:
            said = self._said(talk, one, meeting, turns)
            wrong = list(self._wrong(talk, one, said))
            self.found.look(one.id, wrong)
            if said and not wrong:
                self.heard.texts[one.id] = said.text
            if said:
                self.heard.people[talk.id] |= said.names | self.called.get(one.person or "", frozenset())
        for cue in turns.left() if not self.sources.is_thinned(talk.id) else ():
            if meeting is None or meeting.until is None or cue.at <= meeting.until:
                self.found.missing(f"{talk.id} at {moment(cue.at)}", "a cue that no utterance holds")

    def _placed(self, talk: Conversation, own: list[Utterance], room: Room | None) -> Iterator[str]:
        """What is wrong with the conversation as a whole."""
        if room is None:
            yield "its source is not known to this audit"
            return
        if talk.audience != room.audience:
            yield f"audience {talk.audience}, not {room.audience}"
        if talk.place_name != room.name:
            yield f"in {talk.place_name}, not {room.name}"
        if talk.title != room.title:
            yield f"called {talk.title!r}, not {room.title!r}"
        if sorted(talk.utterances) != sorted(one.id for one in own):
            yield "does not hold just its utterances"
        if talk.rooms not in ([talk.place], []) or (not talk.rooms and talk.kind not in NO_ROOM):
            yield f"tied to rooms {talk.rooms}"
        if own and (talk.started_at > own[0].at or [one.at for one in own] != sorted(one.at for one in own)):
            yield "not in the order of time"
        if talk.hash and talk.hash != seal(talk, own):
            yield "not as it was written"

    def _wrong(self, talk: Conversation, one: Utterance, said: Said | None) -> Iterator[str]:
        """What is wrong with one utterance."""
        if said is None:
            yield "not in the source"
            return
        if one.text != said.text:
            yield "other words than the source's"
        if one.at != said.at:
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

    def _said(self, talk: Conversation, one: Utterance, meeting: Meeting | None, turns: Turns) -> Said | None:
        """The one message, turn, remark or line of the source."""
        kind, _, rest = one.id.partition(":")
        number = rest.rpartition("/")[2]
        if kind == "slack":
            key = (rest.split("/")[1], number)
            for export in self.sources.exports:
                if key in export.said:
                    self.heard.people[talk.id] |= export.reacted.get(key, frozenset())
                    return export.said[key]
                if key in export.gone:
                    return None
        if meeting and number.startswith("chat-"):
            return _written(one, meeting, int(number.removeprefix("chat-")))
        if meeting and (name := turns.take(one.at, one.text)) is not None:
            return Said(one.text, meeting.aliases.get(name.lower(), frozenset()) | {name.lower()}, one.at)
        if discussed := self.sources.discussions.get(talk.id):
            return discussed.said.get(one.id)
        name, _, line = talk.id.partition(":")[2].rpartition("#")
        file = self.sources.minutes.get(name) if kind == "minutes" else None
        if (
            file
            and number.isdigit()
            and line.isdigit()
            and int(line) <= int(number)
            and file.said(int(number), one.text)
        ):
            return self._noted(file, name, one, int(number))
        return None

    def _noted(self, file: MinutesFile, name: str, one: Utterance, number: int) -> Said:
        written = file.speaker(number)
        both = {written.lower(), one.speaker.lower()}
        somebody = one.speaker or (written.isupper() and 2 <= len(written) <= 4 and written in file.explained)
        names = {written.lower()} if somebody else set[str]()
        person = self.called.get(one.person or "", frozenset())
        settled = {written.lower(), f"minutes:{written}".lower()} & person
        told = any(both <= names for names in self.sources.people)
        if one.speaker and (settled or told or file.united(written, one.speaker)):
            names.add(one.speaker.lower())
        day = moment(one.at - number)
        dated = file.dated(name, day.year, day.day) and file.timed(number, (one.at - number) % DAY)
        right = dated or one.at - number == file.changed
        return Said(one.text, frozenset(names), one.at if right else 0)


def _written(one: Utterance, meeting: Meeting, number: int) -> Said | None:
    """A chat line, whose time may be a time of day of an unknown zone."""
    line = meeting.chat[number] if number < len(meeting.chat) else None
    if line is None or not line.text.endswith(one.text):
        return None
    if line.text != one.text and not line.text.startswith("Replying to "):
        return None
    at = meeting.start + line.seconds * 1_000_000
    if line.of_day:
        right = (one.at - line.seconds * 1_000_000) % HOUR == 0 and abs(one.at - meeting.start) <= DAY
        at = one.at if right else meeting.start
    name = line.name.lower()
    return Said(one.text, meeting.aliases.get(name, frozenset()) | {name}, at)


def seal(talk: Conversation, own: Sequence[Utterance]) -> str:
    """What a conversation's hash is if all that stands in the graph of it is what was written."""
    said = [[getattr(one, name) for name in OF_UTTERANCE] for one in own]
    return digest("written", json.dumps([*(getattr(talk, name) for name in OF_TALK), said]))


def called(one: Person) -> frozenset[str]:
    """What somebody may be called, in lower case."""
    names = (one.id, one.name, *(one.emails or ()), *(one.handles or ()), *(one.other_names or ()))
    return frozenset(name.lower() for name in names)
