"""People in the graph: who is who across sources, and who is in which private room."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from assistant.graph.store import Graph, Query, Reader
from assistant.model.audiences import Place
from assistant.model.conversations import Identity, Person
from assistant.model.times import FOREVER
from assistant.text.people import SETTLED, People, handle_key

ROWS = 500
"""Rows of one write."""

LISTS = ("emails", "handles", "other_names", "likely")

ALL = Query(
    "people.all",
    "MATCH (p:Person) RETURN p.id AS id, p.name AS name, p.emails AS emails, p.handles AS handles, "
    "p.other_names AS other_names, p.likely AS likely, p.sources AS sources, p.same_as AS same_as "
    "ORDER BY p.sources IS NULL, id",
    scans="all people are wanted, to tell who is who",
)
WRITE = Query(
    "people.write",
    "UNWIND $rows AS r MERGE (p:Person {id: r[0]}) ON CREATE SET p.audience = 'public' SET p.name = r[1], "
    "p.emails = r[2], p.handles = r[3], p.other_names = r[4], p.sources = r[5], p.keys = r[6], "
    "p.likely = r[7], p.likely_keys = r[8]",
)
SAME = Query(
    "people.same",
    "UNWIND $rows AS r MATCH (p:Person {id: r[0]}) SET p.same_as = r[1], p.keys = [], "
    "p.sources = [], p.likely_keys = []",
)
RESPOKEN = Query(
    "people.respoken",
    "UNWIND $rows AS r MATCH (p:Person {id: r[0]}) MATCH (k:Person {id: r[1]}) WITH p, k "
    "MATCH (p)<-[s:SPOKEN_BY]-(u) MATCH (u)<-[h:HAS_UTTERANCE]-(c) SET u.person = k.id, u.speaker = k.name, "
    "c.hash = NULL, c.revision = $revision MERGE (u)-[t:SPOKEN_BY]->(k) DELETE s",
)
CALLED = Query(
    "people.called",
    "MATCH (p:Person) WHERE $key IN p.keys RETURN p.id AS id",
    scans="no index serves an entry of a list, and people are few",
)
LIKELY = Query(
    "people.likely",
    "MATCH (p:Person) WHERE $key IN p.keys OR $key IN p.likely_keys RETURN p.id AS id",
    scans="no index serves an entry of a list, and people are few",
)
ONE = Query(
    "people.one",
    "MATCH (p:Person {id: $id}) RETURN p.name AS name, p.emails AS emails, p.handles AS handles, "
    "p.other_names AS other_names, p.likely AS likely, p.sources AS sources",
)
NAMED = Query(
    "people.room_named",
    "MATCH (c:Channel) WHERE c.id = $name OR c.name = $name RETURN c.id AS id ORDER BY c.id = $name DESC, id",
    scans="rooms are few, and which of two names was meant is not known",
)
ROOM_NAME = Query("people.room_name", "MATCH (c:Channel {id: $id}) RETURN c.name AS name")
ROOM_OPEN = Query("people.room_open", "MATCH (c:Channel {id: $id}) RETURN c.private AS private")
ROOMS = Query(
    "people.rooms",
    "MATCH (p:Person {id: $person}) WITH p MATCH (p)-[m:MEMBER_OF]->(c) WHERE m.valid_to = $forever AND $key IN m.keys "
    "RETURN c.id AS channel",
)


def load_people(reader: Reader) -> People:
    """Everybody in the graph: those written by `save_people`, and then the authors of commits."""
    people = People()
    authors = []
    for row in reader.rows(ALL):
        if row["same_as"] is not None:
            continue
        if row["sources"] is None:
            email = row["id"] if "@" in row["id"] else None
            authors.append(Identity("git", row["name"] or row["id"], email=email))
        else:
            lists = (tuple(row[name] or ()) for name in LISTS)
            people.remember(Person(row["id"], row["name"], *lists), row["sources"])
    people.learn(authors)
    return people


def save_people(graph: Graph, people: People, wanted: Iterable[str], revision: int) -> None:
    """Writes the persons with these ids as they are known now, and who turned out to be another one.

    What the other one had said is then the first one's: those conversations count as changed in this `revision`.
    """
    rows = []
    for id in sorted({*wanted, *people.doubted}):  # noqa: A001 it is one
        one = people.persons[id]
        row = [id, one.name, list(one.emails), list(one.handles), list(one.other_names), sorted(people.sources[id])]
        rows.append([*row, keys(one), list(one.likely), spoken_keys(*one.likely)])
    for start in range(0, len(rows), ROWS):
        graph.write(WRITE, rows=rows[start : start + ROWS])
    if people.united:
        rows = [list(pair) for pair in people.united.items()]
        graph.write(SAME, rows=rows)
        graph.write(RESPOKEN, rows=rows, revision=revision)


def keys(person: Person) -> list[str]:
    """What somebody may call the person by: id, e-mails, ids and handles at each source; not what is only likely."""
    return spoken_keys(person.id, *person.emails, *person.handles)


def member_keys(people: People, identity: Identity) -> list[str]:
    """What a member of a room may be called by to be let in: as the room's own source knows them.

    A name that is alike elsewhere lets nobody in; all names do that the people file settled.
    """
    found = people.sure(identity)
    settled = people.persons[found] if found and SETTLED in people.sources[found] else None
    own = spoken_keys(identity.id or "", identity.email or "", *identity.handles)
    return sorted({*own, *(keys(settled) if settled else ())})


def spoken_keys(*names: str) -> list[str]:
    """Names as they are compared, those with a source before a colon without it, too."""
    return sorted({handle_key(one) for name in names for one in (name, name.partition(":")[2]) if one})


def person_called(reader: Reader, user: str) -> str | None:
    """The person whom an id, an e-mail or a handle surely means; None where nobody or more than one is called so."""
    found = [row["id"] for row in reader.rows(CALLED, key=handle_key(user))]
    return found[0] if len(found) == 1 else None


def person_likely(reader: Reader, user: str) -> str | None:
    """The person whose words these are thought to be; a name alone may say so, so it gives no right to anything."""
    found = [row["id"] for row in reader.rows(LIKELY, key=handle_key(user))]
    return found[0] if len(found) == 1 else None


def is_settled(reader: Reader, person: str) -> bool:
    """Whether the people file says who that is."""
    return any(SETTLED in (row["sources"] or ()) for row in reader.rows(ONE, id=person))


def find_person(reader: Reader, name: str) -> Person | None:
    """The person with that id; None where there is none."""
    for row in reader.rows(ONE, id=name):
        lists = (tuple(row[name] or ()) for name in LISTS)
        return Person(name, row["name"] or name, *lists)
    return None


def known_place(reader: Reader, place: Place) -> Place:
    """The place, a channel that was called by its name by its id; one of a name that several have stays as it is."""
    if place.channel is None:
        return place
    found = [row["id"] for row in reader.rows(NAMED, name=place.channel)]
    return replace(place, channel=found[0]) if len(found) == 1 or place.channel in found else place


def room_name(reader: Reader, id: str) -> str | None:  # noqa: A002 it is one
    """What a channel or meeting is called; None where it has no name, or is not known."""
    return next((row["name"] for row in reader.rows(ROOM_NAME, id=id) if row["name"]), None)


@dataclass(frozen=True, slots=True)
class GraphMembers:
    """The protocol Members, from memberships that exports told of.

    Who asks must be called as the room's own source calls its members: that a name is alike lets nobody in.
    """

    reader: Reader

    def channels_of(self, user: str) -> frozenset[str]:
        """Ids of the private rooms that the user is in now; none where it is unsure who that is."""
        person = person_likely(self.reader, user)
        if person is None:
            return frozenset()
        rows = self.reader.rows(ROOMS, person=person, key=handle_key(user), forever=FOREVER)
        return frozenset(row["channel"] for row in rows)

    def can_tell(self, user: str, channel: str | None) -> bool:
        """Whether a channel is open to all members, so that nobody need be known; or else who the user is.

        Of a closed channel that the user is not known to be in no more is told than of one that is unknown.
        """
        if channel is None:
            return person_likely(self.reader, user) is not None
        return any(row["private"] is False for row in self.reader.rows(ROOM_OPEN, id=channel))
