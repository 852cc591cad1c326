"""`/why forget`: what is recorded of somebody is told to them alone, and goes everywhere when they say so."""

import time
from dataclasses import dataclass
from typing import Any

from assistant.access import audiences_for
from assistant.chat import texts
from assistant.chat.deliver import Delivery
from assistant.chat.journeys import Desk
from assistant.chat.render.forget import others_form, own_form
from assistant.chat.render.forms import note_view
from assistant.chat.render.mrkdwn import escaped
from assistant.chat.render.slack import words
from assistant.graph.space import Space
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.surfaces import Json
from connectors.slack.client import sync_client
from connectors.slack.events import SKEW
from connectors.slack.members import SlackDirectory
from workers.cache import RedisCache
from workers.equipment import Equipment, equipment
from workers.forgetting import forget
from workers.queue import ACT, Work, connect, enqueue
from workers.whose import Words, person_meant, words_by, words_in


@dataclass(frozen=True, slots=True)
class Asking:
    """One job's connections, who asks, and whose words are meant: '' for one's own."""

    ready: Equipment
    desk: Desk
    space: Space
    user: str
    target: str

    def email(self) -> str | None:
        """The asker's confirmed e-mail."""
        cache = RedisCache(connect(self.ready.servers.queue_url))
        return SlackDirectory(sync_client(self.ready.settings), cache, self.ready.us.team).email_of(self.user)

    def is_admin(self) -> bool:
        """Whether the asker may forget what others said."""
        return (self.email() or "") in {one.lower() for one in self.ready.settings.admins}

    def found(self) -> Words | None:
        """What is meant; None where there is no such person or conversation."""
        team = self.ready.us.team
        if not self.target:
            return words_by(self.space, self.user, team)
        who = person_meant(self.target)
        if who is None:
            return words_in(self.space, self.target, team)
        found = words_by(self.space, who, "" if "@" in who else team)
        return found if found.any else None


def look(payload: dict[str, Any]) -> None:
    """The job: fill in the form `view` for a `user`, with what is recorded of the `target`."""
    ready = equipment()
    with ready.space() as space:
        asking = Asking(ready, ready.desk(), space, payload["user"], payload["target"])
        asking.desk.surface.refill(payload["view"], payload["hash"], form(asking))


def form(asking: Asking) -> Json:
    """What is recorded and whether to forget it; or why there is nothing to forget, or not by this person."""
    if asking.target and not asking.is_admin():
        return note_view(texts.FORGET_TITLE, texts.FORGET_ADMINS_ONLY)
    found = asking.found()
    if found is None:
        return note_view(texts.FORGET_TITLE, texts.FORGET_NONE_SUCH.format(name=escaped(asking.target)))
    if not found.any:
        return note_view(texts.FORGET_TITLE, texts.FORGET_NOTHING)
    if asking.target:
        return others_form(found.name, len(found.utterances), len(found.answers), asking.target)
    seen = open_to(asking)
    places = [(place, count) for audience, place, count in found.places if audience in seen]
    return own_form(places, len(found.answers), len(found.marks), len(found.reasons))


def open_to(asking: Asking) -> frozenset[str]:
    """The Audiences of the places that the asker can open now, meetings that they took part in among them."""
    if not asking.desk.directory.member(asking.user):
        return frozenset()
    return frozenset(audiences_for(Viewer(asking.user), Place(PlaceKind.DM), asking.desk.directory))


def sure(payload: dict[str, Any]) -> None:
    """The job: a `user` sent the form `view`: forget what is meant, and tell them when it is done."""
    ready = equipment()
    with ready.space() as space:
        asking = Asking(ready, ready.desk(), space, payload["user"], payload["target"])
        if asking.target and not asking.is_admin():
            return
        found = asking.found() or Words(asking.target)  # tried again, there may be nothing left but to finish
        forget(
            space,
            asking.desk,
            found.utterances,
            answers=found.answers,
            marks=found.marks,
            reasons=found.reasons,
            by=asking.user,
            about=asking.target or "own words",
            settings=ready.settings,
        )
        name = escaped(found.name)
        said = texts.FORGET_ADMIN_DONE.format(name=name) if asking.target else texts.FORGET_DONE
        key = f"forgot/{payload['view']}"
        with asking.desk.ledger.hold(key) as held:
            where = asking.desk.surface.open_dm(asking.user)
            desk = asking.desk
            since = f"{float(payload['at']) - SKEW:.6f}"
            Delivery(desk.surface, desk.ledger, where, key, since, held).finish([words(said)])
    _have_home_drawn(asking)


def _have_home_drawn(asking: Asking) -> None:
    """The App Home lists what somebody asked and marked."""
    server = connect(asking.ready.servers.queue_url)
    about = f"home/{asking.user}/{time.time()}"
    enqueue(server, Work(ACT, "workers.act.home", about, {"user": asking.user}))
    server.close()
