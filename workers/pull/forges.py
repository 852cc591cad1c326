"""Discussions of GitHub and GitLab: what an event names is read again as a whole; a poll finds what no event told."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

import redis
import structlog

from assistant.errors import Retry, Skip
from assistant.graph.sources import list_sources
from assistant.graph.space import Space
from assistant.model.audiences import PUBLIC
from assistant.settings import Settings
from connectors.base.forges import Changed, Forge, WholeDiscussion, since, slug
from connectors.base.http import Missing
from connectors.github import api as github
from connectors.gitlab import api as gitlab
from workers import ledger
from workers.catch_up import when_free
from workers.equipment import equipment
from workers.forgetting import forget
from workers.pull import handbook
from workers.pull.job import Payload, pulling
from workers.pull.keeping import desk_or_none, gone_from, judged, written
from workers.queue import connect

FORGES: dict[str, Callable[[Settings, str], Forge]] = {"github": github.connected, "gitlab": gitlab.connected}
AT_ONCE = 20
"""Discussions that one turn reads; whoever waits for the worker comes in between."""
STATE = "brain:pull:"
"""Where in the queue's server a poll's place is kept."""

log = structlog.get_logger()


@pulling
def discussed(payload: Payload) -> None:
    """The job: something was said, edited or deleted; the whole discussion is read again."""
    settings, name = equipment().settings, payload["repository"]
    forge = FORGES[payload["forge"]](settings, name)
    server = connect(equipment().servers.queue_url)
    with equipment().space() as space, alone(server, payload["forge"], name) as held:
        audience = audience_of(space, handbook.address(settings, payload["forge"], name))
        kind, number = payload["kind"], payload["number"]
        try:
            whole = WholeDiscussion(kind, number, forge.whole(kind, number))
        except Missing as error:
            if not payload.get("gone"):
                raise
            log.info("a discussion was deleted", reason=str(error))
            forget_all(space, settings, f"{payload['forge']}:{name}{mark(kind)}{number}", audience)
            return
        check(held)
        keep_whole(space, settings, forge, [whole], audience)
        judged(space, settings)


@contextmanager
def alone(server: redis.Redis, forge: str, repository: str) -> Iterator[Callable[[], bool]]:
    """Nobody else reads this repository inside: who read earlier and wrote later would undo what came between.

    The callable asks whether that still holds: it does for as long as this process lives and is not frozen, however
    long a source takes to answer. Raises Retry while somebody else is at it.
    """
    with ledger.RedisLedger(server).hold(f"read/{forge}:{repository.casefold()}") as held:
        ended = Event()
        keeper = Thread(target=renew, args=(held, ended), daemon=True)
        keeper.start()
        try:
            yield held
        finally:
            ended.set()
            keeper.join()


def renew(held: Callable[[], bool], ended: Event) -> None:
    """Asks for more time again and again, until it has ended or somebody else has come in."""
    while not ended.wait(ledger.HELD / 3):
        try:
            if not held():
                return
        except redis.RedisError as error:
            log.warning("cannot say that a repository is still being read", reason=str(error))


def check(held: Callable[[], bool]) -> None:
    """Raises Retry where what was read is not ours alone any more, and so must not be written."""
    if not held():
        raise Retry("another worker reads this repository", after=2.0)


def keep_whole(space: Space, settings: Settings, forge: Forge, found: Sequence[WholeDiscussion], audience: str) -> None:
    """Writes whole discussions; what was deleted from them is forgotten. Raises Retry, Fatal."""
    told = [one.found() for one in found]
    written(space, "discussions", told, lambda one, naming: one.read(naming, audience))
    for one in found:
        about = one.discussion
        here = [f"{about.id}/{said.id}" for said in about.comments.values() if said.text.strip()]
        missing = gone_from(space, about.id, audience, here)
        gone = [said for said in missing if not forge.stands(one.kind, one.number, said.rpartition("/")[2])]
        forgotten(space, settings, gone, "a deleted comment")


def forget_all(space: Space, settings: Settings, conversation: str, audience: str) -> None:
    """A deleted discussion takes its words with it."""
    forgotten(space, settings, gone_from(space, conversation, audience, []), "a deleted discussion")


def forgotten(space: Space, settings: Settings, gone: Sequence[str], about: str) -> None:
    """Forgets these utterances, after whoever else writes. Raises Retry."""
    if gone:
        when_free(lambda: forget(space, desk_or_none(), gone, about=about, settings=settings))


def poll(forge_name: str, repository: str) -> bool:
    """Reads what changed since the last poll, with or without events about it; whether there is more to read.

    Raises Retry, Fatal.
    """
    settings = equipment().settings
    server = connect(equipment().servers.queue_url)
    with equipment().space() as space, alone(server, forge_name, repository) as held:
        audience = audience_of(space, handbook.address(settings, forge_name, repository))
        forge = FORGES[forge_name](settings, repository)
        key = f"{STATE}{forge_name}:{repository}"
        if (left := catch_up(space, settings, forge, server, key, audience, held)) is None:
            return False
        judged(space, settings)
        return left > 0


def catch_up(
    space: Space,
    settings: Settings,
    forge: Forge,
    server: redis.Redis,
    key: str,
    audience: str,
    held: Callable[[], bool] = lambda: True,
) -> int | None:
    """Reads some of the discussions that changed, and notes how far; how many are left, None where none had changed.

    `held` says whether nobody else reads them. A long past is read in many such turns, so that what people say
    meanwhile need not wait for it. Raises Retry, Fatal.
    """
    state = json.loads(str((server.get(key) or b"{}").decode()))  # type: ignore[union-attr]
    etags = dict(state.get("etags", {}))
    changed = forge.changed(since(state.get("cursor")), etags)
    resumed = state.get("cursor") if state.get("partial") else None
    waiting = [one for one in changed if resumed is None or one.cursor > resumed]
    part = waiting[:AT_ONCE]
    keep_whole(space, settings, forge, list(wholes(forge, part, held)), audience)
    left = len(waiting) - len(part)
    cursor = part[-1].cursor if part else state.get("cursor")
    server.set(key, json.dumps({"cursor": cursor, "partial": left > 0, "etags": {} if left else etags}))
    return left if part else None


def wholes(forge: Forge, changed: Sequence[Changed], held: Callable[[], bool]) -> Iterator[WholeDiscussion]:
    """The discussions as they are now; those that went meanwhile aside. Raises Retry where they are not ours alone."""
    for one in changed:
        try:
            yield WholeDiscussion(one.kind, one.number, forge.whole(one.kind, one.number))
        except Skip:
            continue
        check(held)


def audience_of(space: Space, wanted: str) -> str:
    """Who may see a repository's discussions: whoever may see the handbook in it, else everybody."""
    found = [row.audience for row in list_sources(space.reader) if wanted and slug(row.web_url) == wanted]
    return found[0] if found else PUBLIC


def mark(kind: str) -> str:
    """What stands between a repository and the number of such a discussion."""
    return "!" if kind == "merge_requests" else "#"
