"""Who is who across sources: by id, e-mail and handle, then by full name where only one person bears it. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from assistant.model.conversations import Identity, Person, Speaker

ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|[|/].*)\s*$")
"""What people put behind their name: a company in brackets, or behind a bar."""

NOREPLY = re.compile(r"(?:\d+[+-])?([\w.-]+)@users\.noreply\.(github|gitlab)\.\w+$")
"""The address that a forge writes into commits instead of the person's own; it holds the handle."""

SETTLED = "people"
"""The source of a people file: what it says holds."""


def name_key(name: str) -> str:
    """A name as it is compared: case, accents, dots and what stands in brackets behind it set aside."""
    folded = unicodedata.normalize("NFKD", ASIDE.sub("", name)).casefold()
    return " ".join("".join(c for c in folded if not unicodedata.combining(c)).replace(".", " ").split())


def handle_key(handle: str) -> str:
    """A handle as it is compared."""
    return handle.lstrip("@").casefold()


@dataclass(slots=True)
class People:
    """Everybody known so far. Learn all identities first, then ask who a speaker is.

    A source's own id, an e-mail or a handle of the people file settles who somebody is; a full name does where exactly
    one person bears it. A single word ("stokes") is nobody's full name, and a handle of one place is nobody's in
    another: `sam` on Slack need not be `sam` on GitHub.
    """

    persons: dict[str, Person] = field(default_factory=dict)
    """By id."""
    sources: dict[str, set[str]] = field(default_factory=dict)
    """Of each person the sources that know them."""
    united: dict[str, str] = field(default_factory=dict)
    """Ids of persons that the people file showed to be another one, and that one's."""
    _by_email: dict[str, str] = field(default_factory=dict)
    _by_handle: dict[str, set[str]] = field(default_factory=dict)
    _by_name: dict[str, set[str]] = field(default_factory=dict)

    def learn(self, identities: Iterable[Identity]) -> None:
        """Takes in what a source says about people; a mere name makes nobody a person."""
        for identity in identities:
            if identity.source == SETTLED:
                self._unite(identity)
            known = self._find(identity)
            if known is None and self._may_be_namesake(identity):
                known = self._only(self._by_name, name_key(identity.name))
            if known is None and (identity.email or identity.id):
                known = (identity.email or f"{identity.source}:{identity.id}").lower()
            if known is not None:
                self._keep(known, identity)

    def speaker(self, identity: Identity) -> Speaker:
        """Who that is; an unsure match stays the name as it stands."""
        found = self._find(identity) or self._only(self._by_name, name_key(identity.name))
        if found is None:
            return Speaker(identity.name, None)
        return Speaker(self.persons[found].name or identity.name, found)

    def remember(self, person: Person, sources: Iterable[str]) -> None:
        """Takes in a person as they were written earlier."""
        self.persons[person.id] = person
        self.sources.setdefault(person.id, set()).update(sources)
        self._index(person)

    def _find(self, identity: Identity) -> str | None:
        """By what is nobody else's: the source's id, an e-mail, a handle that the people file gives to one person."""
        email = (identity.email or "").lower()
        noreply = NOREPLY.match(email)
        own = [f"{identity.source}:{identity.id}"] if identity.id else []
        own += [handle for handle in identity.handles if ":" in handle]
        for handle in own:
            if found := self._only(self._by_handle, handle_key(handle)):
                return found
        if email in self._by_email:
            return self._by_email[email]
        settled = [noreply[1], f"{noreply[2]}:{noreply[1]}"] if noreply else [] if email else identity.handles
        return next(filter(None, (self._only(self._by_handle, handle_key(handle)) for handle in settled)), None)

    def _unite(self, identity: Identity) -> None:
        """Makes one of all persons whom the people file gives one's e-mail, handles and name."""
        own = (f"{identity.source}:{identity.id}", *(handle for handle in identity.handles if ":" in handle))
        found = [self._only(self._by_handle, handle_key(handle)) for handle in own]
        found += [self._by_email.get((identity.email or "").lower())]
        if self._may_be_namesake(identity):
            found += [self._only(self._by_name, name_key(identity.name))]
        first, *others = dict.fromkeys(filter(None, found)) or [None]
        for other in others:
            if first and other:
                self._absorb(first, other)

    def _absorb(self, kept: str, other: str) -> None:
        one, gone = self.persons[kept], self.persons.pop(other)
        self.united[other] = kept
        for index in (self._by_handle, self._by_name):
            for ids in index.values():
                ids.discard(other)
        self._by_email = {email: kept if who == other else who for email, who in self._by_email.items()}
        person = replace(
            one,
            emails=united(one.emails, gone.emails),
            handles=united(one.handles, gone.handles),
            other_names=united(one.other_names, (gone.name, *gone.other_names)),
        )
        self.remember(person, self.sources.pop(other))

    def _may_be_namesake(self, identity: Identity) -> bool:
        """Whether a like name may make two identities one.

        Not where a source tells the two apart itself, nor where one company gave them two addresses. In git one person
        has many addresses, so there a name is enough.
        """
        found = self._only(self._by_name, name_key(identity.name))
        if found is None or identity.source == "git" or self.sources[found] == {"git"}:
            return found is not None
        domain = (identity.email or "").lower().partition("@")[2]
        known = {email.partition("@")[2] for email in self.persons[found].emails}
        return identity.source not in self.sources[found] and not (domain and domain in known)

    def _only(self, index: dict[str, set[str]], key: str) -> str | None:
        found = index.get(key, set())
        return next(iter(found)) if len(found) == 1 else None

    def _keep(self, known: str, identity: Identity) -> None:
        person = self.persons.get(known) or Person(known, identity.name)
        own = (f"{identity.source}:{identity.id}",) if identity.id else ()
        names = () if name_key(identity.name) == name_key(person.name) else (identity.name,)
        person = replace(
            person,
            name=identity.name if identity.source == SETTLED else person.name,
            emails=united(person.emails, (identity.email.lower(),) if identity.email else ()),
            handles=united(person.handles, (*own, *identity.handles)),
            other_names=united(person.other_names, names),
        )
        self.remember(person, [identity.source])

    def _index(self, person: Person) -> None:
        for email in person.emails:
            self._by_email.setdefault(email, person.id)
        settled = SETTLED in self.sources[person.id]
        for handle in (one for one in person.handles if settled or ":" in one):
            self._by_handle.setdefault(handle_key(handle), set()).add(person.id)
        for name in (person.name, *person.other_names):
            if " " in (key := name_key(name)):
                self._by_name.setdefault(key, set()).add(person.id)


def united(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Both, each entry once, in the order they came."""
    return tuple(dict.fromkeys(entry for entry in (*one, *other) if entry))
