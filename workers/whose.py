"""Whose words are meant, and where they stand: one's own, a colleague's, or a whole conversation's."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.graph.people import find_person, person_called
from assistant.graph.reading.whose import asked_by, conversation_of, conversations_named, marked_by, said_by, said_in
from assistant.graph.recorded import UTTERANCE, Recorded
from assistant.graph.space import Space

MENTION = re.compile(r"<@(\w+)(?:\|[^>]*)?>")
MAIL = re.compile(r"(?:<mailto:)?([^\s<>|@]+@[^\s<>|@]+\.\w+)(?:\|[^>]*>)?")
LINK = re.compile(r"<?https://[^/\s]+/archives/(\w+)/p(\d+)(\d{6})[^>\s]*>?")


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody said, asked and marked, or what was said in a conversation."""

    name: str
    """Of the person or the conversation, for people."""
    utterances: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """To what was asked."""
    marks: tuple[str, ...] = ()
    """Made by hand."""
    places: tuple[tuple[str, str, int], ...] = ()
    """Audience and name of each place, and how many messages stand there."""

    @property
    def any(self) -> bool:
        """Whether there is anything to forget."""
        return bool(self.utterances or self.answers or self.marks)


def words_by(space: Space, user: str, team: str = "") -> Words:
    """What a person said and asked, by a user id of a `team`'s chat, or by an e-mail.

    Where it is unsure who that is, only what is recorded or was asked under that very name counts.
    """
    person = person_called(space.reader, f"slack:{user}" if team else user)
    known = find_person(space.reader, person) if person else None
    said = said_by(space.reader, person) if person else []
    handles = known.handles if known else ()
    users = {*([user] if team else ()), *(one.removeprefix("slack:") for one in handles if one.startswith("slack:"))}
    teams = {*([team] if team else ()), *(found[1] for one in said if (found := UTTERANCE.fullmatch(one.id)))}
    recorded = [
        f"slack:{one}/{channel}/{ts}"
        for one in sorted(teams)
        for each in sorted(users)
        for channel, ts in Recorded(space.graph, one).said_by(each)
    ]
    places = Counter((one.audience, one.place) for one in said)
    return Words(
        known.name if known else user,
        tuple(dict.fromkeys([*(one.id for one in said), *recorded])),
        tuple(asked_by(space.reader, sorted({user, *users, *({person} if person else ())}))),
        tuple(marked_by(space.reader, sorted(users))),
        tuple((audience, place, count) for (audience, place), count in sorted(places.items())),
    )


def words_in(space: Space, name: str, team: str = "") -> Words | None:
    """What was said in a conversation, by its id, as the command line prints it, or by a link to a message of it."""
    link = LINK.fullmatch(name)
    if link:
        found = conversation_of(space.reader, f"slack:{team}/{link[1]}/{link[2]}.{link[3]}")
        ids: Sequence[str] = [found] if found else []
    else:
        ids = conversations_named(space.reader, name)
    said = said_in(space.reader, ids)
    return Words(name, tuple(said)) if said else None


def person_meant(text: str) -> str | None:
    """The user id or e-mail in what somebody typed; None where it is neither."""
    found = MENTION.fullmatch(text) or MAIL.fullmatch(text)
    return found[1] if found else None
