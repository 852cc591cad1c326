"""Whose words are meant, and where they stand: one's own, a colleague's, or a whole conversation's."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.graph.people import GraphMembers, find_person, is_settled, person_called, person_likely
from assistant.graph.reading.whose import (
    OwnWords,
    asked_by,
    conversation_of,
    conversations_named,
    judged_by,
    marked_by,
    said_by,
    said_in,
)
from assistant.graph.recorded import UTTERANCE, Recorded
from assistant.graph.space import Space
from assistant.text.people import handle_key

BY_ID = ("slack", "github", "gitlab", "jira")
"""Sources that tell by an id of their own who said each thing."""

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
    reasons: tuple[str, ...] = ()
    """Typed for judging answers."""
    places: tuple[tuple[str, str, int], ...] = ()
    """Audience and name of each place, and how many messages stand there."""

    @property
    def any(self) -> bool:
        """Whether there is anything to forget."""
        return bool(self.utterances or self.answers or self.marks or self.reasons)


@dataclass(frozen=True, slots=True)
class Author:
    """Somebody as they are surely known: by the ids and e-mails that are theirs, never by a name that is alike."""

    own: frozenset[str]
    """What they are called by, as handles are compared."""
    ids: frozenset[str]
    """All ids that what the person of this name said may stand under, theirs or a namesake's."""
    rooms: frozenset[str]
    """Those that they are known in by what is their own."""
    settled: bool
    """Whether the people file says that the name is theirs."""

    def said(self, one: OwnWords) -> bool:
        """Whether words that are thought to be theirs surely are."""
        source = one.id.partition(":")[0]
        at_source = {key for key in self.ids if key.startswith(f"{source}:")}
        if source in BY_ID:
            return bool(at_source) and at_source <= self.own
        return one.room in self.rooms or (self.settled and at_source <= self.own)


def words_by(space: Space, user: str, team: str = "") -> Words:
    """What a person said and asked, by a user id of a `team`'s chat, or by an e-mail.

    A name that is alike makes nobody's words theirs. Where it is unsure who that is, only what is recorded or was asked
    under that very name counts.
    """
    called = f"slack:{user}" if team else user
    sure = person_called(space.reader, called)
    person = sure or person_likely(space.reader, called)
    known = find_person(space.reader, person) if person else None
    own = {called, *((*known.handles, *known.emails) if known and sure else ())}
    author = Author(
        frozenset(handle_key(one) for one in own),
        frozenset(handle_key(one) for one in ((*known.handles, *known.likely) if known else ()) if ":" in one),
        frozenset().union(*(GraphMembers(space.reader).channels_of(one) for one in own)),
        sure is not None and is_settled(space.reader, sure),
    )
    said = [one for one in said_by(space.reader, person) if author.said(one)] if person else []
    users = {*([user] if team else ()), *(one.removeprefix("slack:") for one in own if one.startswith("slack:"))}
    teams = {*([team] if team else ()), *(found[1] for one in said if (found := UTTERANCE.fullmatch(one.id)))}
    recorded = [
        f"slack:{one}/{channel}/{ts}"
        for one in sorted(teams)
        for each in sorted(users)
        for channel, ts in Recorded(space.graph, one).said_by(each)
    ]
    places = Counter((one.audience, one.place) for one in said)
    return Words(
        known.name if known and sure else user,
        tuple(dict.fromkeys([*(one.id for one in said), *recorded])),
        tuple(asked_by(space.reader, sorted({user, *users, *({sure} if sure else ())}))),
        tuple(marked_by(space.reader, sorted(users))),
        tuple(judged_by(space.reader, sorted(users))),
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
