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
    key = " ".join("".join(c for c in folded if not unicodedata.combining(c)).replace(".", " ").split())
    return key if key == name else name_key(key)  # what folding brings up, `⑴` as `(1)`, is set aside, too


def handle_key(handle: str) -> str:
    """A handle as it is compared."""
    return handle.lstrip("@").casefold()


@dataclass(slots=True)
class People:
    """Everybody known so far. Learn all identities first, then ask who a speaker is.

    A source's own id or an e-mail settles who somebody is. A full name that exactly one person bears, and a handle of
    the people file, tell who said what; but anybody can choose a name, so what is joined by them is only `likely` a
    person's: it opens no room, forgets nothing and is sent nothing. A single word ("stokes") is nobody's full name, and
    a handle of one place is nobody's in another: `sam` on Slack need not be `sam` on GitHub.
    """

    persons: dict[str, Person] = field(default_factory=dict)
    """By id."""
    sources: dict[str, set[str]] = field(default_factory=dict)
    """Of each person the sources that know them."""
    united: dict[str, str] = field(default_factory=dict)
    """Ids of persons that the people file showed to be another one, and that one's."""
    doubted: set[str] = field(default_factory=set)
    """Ids of persons who lost something that was likely theirs."""
    _by_email: dict[str, str] = field(default_factory=dict)
    _by_handle: dict[str, set[str]] = field(default_factory=dict)
    _by_name: dict[str, set[str]] = field(default_factory=dict)
    _by_likely: dict[str, str] = field(default_factory=dict)

    def learn(self, identities: Iterable[Identity]) -> None:
        """Takes in what a source says about people; a mere name makes nobody a person.

        Those who are known come first, so that no namesake takes their place.
        """
        told = list(identities)
        for _ in told:  # who lost what was likely theirs to somebody surer is somebody of their own
            before = dict(self.persons)
            self._learn(told)
            if self.persons == before:
                return

    def _learn(self, told: list[Identity]) -> None:
        for identity in sorted(told, key=lambda one: self.sure(one) is None):
            if identity.source == SETTLED:
                self._unite(identity)
            known = self.sure(identity)
            like = self._like(identity) if known is None else None
            if like is not None and not (identity.source == SETTLED and self._names_only(identity)):
                self._suppose(like, identity)
            elif known or like or identity.email or identity.id:
                self._keep(known or like or own_id(identity), identity)

    def speaker(self, identity: Identity) -> Speaker:
        """Who that is; an unsure match stays the name as it stands."""
        found = self.sure(identity) or self._like(identity)
        if found is None:
            return Speaker(identity.name, None)
        return Speaker(self.persons[found].name or identity.name, found)

    def remember(self, person: Person, sources: Iterable[str]) -> None:
        """Takes in a person as they were written earlier."""
        self.persons[person.id] = person
        self.sources.setdefault(person.id, set()).update(sources)
        self._index(person)

    def sure(self, identity: Identity) -> str | None:
        """Who that is by what is nobody else's: the source's id, an e-mail."""
        email = (identity.email or "").lower()
        noreply = NOREPLY.match(email)
        forge = [f"{noreply[2]}:{noreply[1]}"] if noreply else []
        for handle in (*own_handles(identity), *forge):
            if found := self._only(self._by_handle, handle_key(handle)):
                return found
        return self._by_email.get(email)

    def _like(self, identity: Identity) -> str | None:
        """Who that is likely to be: as was thought before, by a handle that the people file gives to one, by name."""
        email = (identity.email or "").lower()
        for key in (*own_handles(identity), email):
            found = self._by_likely.get(handle_key(key))
            if found and not self._is_second(found, identity):
                return found
        noreply = NOREPLY.match(email)
        for handle in [noreply[1]] if noreply else [] if email else identity.handles:
            found = self._only(self._by_handle, handle_key(handle))
            if found and not self._is_second(found, identity):
                return found
        found = self._only(self._by_name, name_key(identity.name))
        if found is None or not (identity.id or email):
            return found
        return found if self._may_be_namesake(identity) and not self._is_second(found, identity) else None

    def _is_second(self, person: str, identity: Identity) -> bool:
        """Whether the person has another id already at a source that gives this one its own."""
        one = self.persons[person]
        return clash(own_handles(identity), (*one.handles, *one.likely))

    def _names_only(self, identity: Identity) -> bool:
        """Whether the people file says nothing of somebody but what they are called."""
        return not identity.email and not any(":" in handle for handle in identity.handles)

    def _unite(self, identity: Identity) -> None:
        """Makes one of all persons whom the people file gives one's e-mail and handles; one of like name may be it."""
        found = [self._only(self._by_handle, handle_key(handle)) for handle in own_handles(identity)]
        found += [self._by_email.get((identity.email or "").lower())]
        first, *others = dict.fromkeys(filter(None, found)) or [None]
        for other in others:
            if first and other:
                self._absorb(first, other, sure=True)
        like = self._only(self._by_name, name_key(identity.name)) if self._may_be_namesake(identity) else None
        if like is None or like == first or self._names_only(identity) or not (first or identity.email or identity.id):
            return
        theirs = self.persons[first].handles if first else ()
        if clash((*own_handles(identity), *theirs), self.persons[like].handles):
            return
        if first is None:
            self._keep(first := own_id(identity), identity)
        self._absorb(first, like, sure=False)

    def _absorb(self, kept: str, other: str, *, sure: bool) -> None:
        """Makes another person one with a person; where it is not `sure`, what they are called by is only likely."""
        one, gone = self.persons[kept], self.persons.pop(other)
        self.united[other] = kept
        if other in self.doubted:
            self.doubted = self.doubted - {other} | {kept}
        for index in (self._by_handle, self._by_name):
            for ids in index.values():
                ids.discard(other)
        self._by_email = {email: kept if who == other else who for email, who in self._by_email.items()}
        self._by_likely = {key: kept if who == other else who for key, who in self._by_likely.items()}
        if not sure:
            self._by_email = {email: who for email, who in self._by_email.items() if email not in gone.emails}
            gone = replace(gone, emails=(), handles=(), likely=(*gone.emails, *gone.handles, *gone.likely))
        person = replace(
            one,
            emails=united(one.emails, gone.emails),
            handles=united(one.handles, gone.handles),
            likely=united(one.likely, gone.likely),
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
        """Takes in what is surely a person's; whoever else was likely to be them, or to have it, is not."""
        person = self.persons.get(known) or Person(known, identity.name)
        if known in self.persons and any(self._differs(one, identity) for one in person.likely):
            person = self._doubt(person, person.likely)
        for key in (*own_handles(identity), (identity.email or "").lower()):
            holder = self._by_likely.get(handle_key(key))
            if holder and holder != known:
                self._doubt(self.persons[holder], (key,))
        own = (f"{identity.source}:{identity.id}",) if identity.id else ()
        names = () if name_key(identity.name) == name_key(person.name) else (identity.name,)
        person = replace(
            person,
            name=identity.name if identity.source == SETTLED else person.name,
            emails=united(person.emails, (identity.email.lower(),) if identity.email else ()),
            handles=united(person.handles, (*own, *identity.handles)),
            other_names=united(person.other_names, names),
        )
        sure = {handle_key(one) for one in (*person.handles, *person.emails)}
        person = replace(person, likely=tuple(one for one in person.likely if handle_key(one) not in sure))
        self.remember(person, [identity.source])

    def _suppose(self, like: str, identity: Identity) -> None:
        """Takes in what is likely a person's."""
        person = self.persons[like]
        told = united(own_handles(identity), ((identity.email or "").lower(), *identity.handles))
        sure = {handle_key(one) for one in (*person.handles, *person.emails)}
        likely = united(person.likely, tuple(one for one in told if handle_key(one) not in sure))
        self.remember(replace(person, likely=likely), [identity.source])

    def _differs(self, likely: str, identity: Identity) -> bool:
        """Whether what is likely a person's is another id at a source than the one that surely is."""
        key, own = handle_key(likely), handle_key(f"{identity.source}:{identity.id}")
        return identity.id is not None and key.startswith(f"{identity.source}:") and key != own

    def _doubt(self, person: Person, likely: Iterable[str]) -> Person:
        """Takes from a person what turned out to be likely theirs no more."""
        gone = {handle_key(one) for one in likely}
        for key in gone:
            self._by_likely.pop(key, None)
        left = tuple(one for one in person.likely if handle_key(one) not in gone)
        self.persons[person.id] = replace(person, likely=left)
        self.doubted.add(person.id)
        return self.persons[person.id]

    def _index(self, person: Person) -> None:
        for email in person.emails:
            self._by_email.setdefault(email, person.id)
        settled = SETTLED in self.sources[person.id]
        for handle in (one for one in person.handles if settled or ":" in one):
            self._by_handle.setdefault(handle_key(handle), set()).add(person.id)
        for one in person.likely:
            if ":" in one or "@" in one:
                self._by_likely.setdefault(handle_key(one), person.id)
        for name in (person.name, *person.other_names):
            if " " in (key := name_key(name)):
                self._by_name.setdefault(key, set()).add(person.id)


def clash(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether some source gives each of the two an id that the other has not."""
    these, those = ({handle_key(key) for key in keys if ":" in key} for keys in (one, other))
    return bool({key.partition(":")[0] for key in these - those} & {key.partition(":")[0] for key in those - these})


def own_id(identity: Identity) -> str:
    """What somebody is called as a person whom no other source knows."""
    return (identity.email or f"{identity.source}:{identity.id}").lower()


def own_handles(identity: Identity) -> tuple[str, ...]:
    """What a source alone calls somebody by: `slack:U01AB`."""
    own = (f"{identity.source}:{identity.id}",) if identity.id else ()
    return (*own, *(handle for handle in identity.handles if ":" in handle))


def united(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Both, each entry once, in the order they came."""
    return tuple(dict.fromkeys(entry for entry in (*one, *other) if entry))
