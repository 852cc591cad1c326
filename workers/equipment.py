"""What a worker's parent gets ready once and its forked children work with."""

from dataclasses import dataclass
from time import sleep

import structlog

from assistant.access import Vouching
from assistant.agent.ask import ask
from assistant.chat.journeys import Desk
from assistant.embed import Embedder
from assistant.errors import Fatal, Retry, UserFacing
from assistant.graph.consent import Mode, mode_of
from assistant.graph.people import GraphMembers
from assistant.graph.posts import keep_post
from assistant.graph.servers.embedded import Servers, ensure
from assistant.graph.space import Space, open_space
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, Viewer
from assistant.model.surfaces import Posted
from assistant.settings import Settings
from connectors.slack.client import Identity, identity, sync_client
from connectors.slack.surface import SlackSurface
from workers.cache import RedisCache
from workers.ledger import RedisLedger
from workers.members import Everywhere
from workers.pace import Pace
from workers.queue import connect

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Equipment:
    """Settings, servers, who we are, and the embedding model, loaded but never used in this process."""

    settings: Settings
    servers: Servers
    us: Identity
    embedder: Embedder | None

    def desk(self) -> Desk:
        """Fresh connections for one job, with all that answering needs."""
        server = connect(self.servers.queue_url)
        client = sync_client(self.settings)

        def met(email: str) -> frozenset[str]:
            with self.space() as space:
                return GraphMembers(space.reader).channels_of(email)

        directory = Everywhere(client, RedisCache(server), self.us.team, met)

        def asked(question: AskedQuestion, viewer: Viewer, place: Place, seen_in: frozenset[str]) -> Answer:
            members = Vouching(directory, viewer.user, seen_in)
            with self.space() as space:
                zone = self.settings.zone
                return ask(question, viewer, place, space, self.embedder, members, event=question.id, zone=zone)

        def shown(answer_id: str, key: str, posted: Posted) -> bool:
            with self.space() as space:
                return keep_post(space.graph, key, posted, answer_id)

        def mode(channel: str) -> Mode:
            with self.space() as space:
                return mode_of(space.reader, channel)

        return Desk(
            SlackSurface(client, self.us.bot, Pace(server)),
            RedisLedger(server),
            directory,
            asked,
            self.settings.zone,
            frozenset(self.settings.allowed_channels),
            shown,
            mode,
        )

    def space(self) -> Space:
        """The handbook's Space, opened in this process."""
        return open_space(self.settings, servers=self.servers)


_ready: list[Equipment] = []


def set_up(settings: Settings, *, embed: bool = True, chat: bool = True) -> Equipment:
    """What this process's children will find. Waits for Slack; raises UserFacing if it refuses our token.

    Without `chat` nobody is asked who we are.
    """
    servers = ensure(settings)
    embedder = Embedder(settings.embedding_model, settings.cache) if embed else None
    if embedder is not None:
        embedder.warm()
    us = _introduced(settings) if chat else Identity("", "")
    made = Equipment(settings, servers, us, embedder)
    _ready[:] = [made]
    return made


def equipped() -> Equipment | None:
    """The equipment, where this process has any: a command of a person's has none."""
    return _ready[0] if _ready else None


def equipment() -> Equipment:
    """The equipment that the parent set up."""
    return _ready[0]


def _introduced(settings: Settings) -> Identity:
    client = sync_client(settings)
    pause = 1.0
    while True:
        try:
            return identity(client)
        except Fatal as error:
            raise UserFacing(str(error)) from error
        except Retry as error:
            log.warning("waiting for Slack", reason=str(error), seconds=pause)
            sleep(pause)
            pause = min(pause * 2, 30.0)
