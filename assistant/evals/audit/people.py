"""Everybody is called as some source calls them, and private rooms hold just those whom their source lists.

Who may see a private room hangs on this, so what a person may be called by there is checked, too.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.heard import Sources
from assistant.evals.audit.said import Room
from assistant.evals.audit.utterances import called
from assistant.evals.audit.walk import Mainline
from assistant.graph.reading.audit import Channel, Person
from assistant.model.times import FOREVER

Names = frozenset[str]


def check_people(persons: Sequence[Person], lines: Iterable[Mainline], sources: Sources) -> Checked:
    """Counts every person, but for those who merely asked."""
    found = Checked("people")
    records: defaultdict[str, set[Names]] = defaultdict(set)
    for record in known(lines, sources):
        for name in record:
            records[name].add(record)
    for one in persons:
        if one.same_as is None and (one.sources is not None or one.id in records):
            found.look(one.id, _called(one, records))
    return found


def known(lines: Iterable[Mainline], sources: Sources) -> Iterator[Names]:
    """What every source calls somebody."""
    for line in lines:
        for message in line.messages.values():
            name, email = message.name.strip() or message.email.strip() or "unknown", message.email.strip()
            yield frozenset(filter(None, (name.lower(), email.lower() or name.lower())))
    yield from sources.people
    yield from (user for export in sources.exports for user in export.users)
    yield from (names for meeting in sources.meetings.values() for names in meeting.aliases.values())
    for talk in sources.discussions.values():
        yield from (said.names for said in talk.said.values())


def _called(one: Person, records: Mapping[str, set[Names]]) -> Iterator[str]:
    """What is wrong with a person: each name has to come with another one of theirs somewhere."""
    own = called(one)
    for name in own:
        together = any(record & own - {name} or record == {name} for record in records.get(name, ()))
        if not together:
            yield f"{name} is nobody's, or somebody else's"
    if one.sources is None:
        return
    if "@" in one.id and one.id not in (one.emails or ()):
        yield "lacks the address that it is called by"
    wanted = {name.lstrip("@").casefold() for name in (one.id, *(one.emails or ()), *(one.handles or ()))}
    wanted |= {name.partition(":")[2].lstrip("@") for name in wanted if name.partition(":")[2]}
    if sorted(one.keys or ()) != sorted(wanted):
        yield "may be called by other names than theirs"


def check_rooms(channels: Sequence[Channel], persons: Sequence[Person], sources: Sources) -> Checked:
    """Counts every room, and every member that one lacks."""
    found = Checked("rooms")
    names = {one.id: called(one) for one in persons}
    rooms: defaultdict[str, list[Room]] = defaultdict(list)
    for export in sources.exports:
        for name, room in export.rooms.items():
            rooms[name].append(room)
    for name, meeting in sources.meetings.items():
        rooms[name].append(meeting.room)
    for one in channels:
        told = sorted((list(_wrong(one, room, names)) for room in rooms.get(one.id, ())), key=len)
        found.look(one.id, told[0] if told else ["its source is not known to this audit"])
    for name in rooms.keys() - {one.id for one in channels}:
        found.missing(name, "the graph lacks this room")
    return found


def _wrong(one: Channel, room: Room, names: Mapping[str, Names]) -> Iterator[str]:
    """What is wrong with a room, as one source has it."""
    if one.name != room.name:
        yield f"called {one.name}, not {room.name}"
    if one.private != room.private or one.audience != (f"channel:{one.id}" if room.private else "public"):
        yield f"{'private' if one.private else 'open'} before {one.audience}"
    members = room.members if room.private else ()
    listing = room.members is not None
    now = {person: keys for person, _, until, keys in one.members if until == FOREVER}
    for person, since, until, _ in one.members:
        if since > until:
            yield f"{person} left before they came"
    for person, keys in now.items():
        own = names.get(person, frozenset())
        listed = [member for member in members or () if member & own]
        if listing and not listed:
            yield f"{person} is no member"
        elif (
            not keys
            or not set(keys) <= {name.rpartition(":")[2] for names_of in (*listed, own) for name in names_of} | own
        ):
            yield f"{person} is let in under other names"
    for member in members or ():
        here = any(member & names.get(person, frozenset()) for person in now)
        told = any("@" in name or ":" in name for name in member)
        if not here and told:
            yield f"{' or '.join(sorted(member))} is missing"
