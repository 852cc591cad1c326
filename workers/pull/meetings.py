"""Meetings of Google Meet and Teams: a poll takes in what got its transcript lately; `fill` reads all there are."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import redis
import structlog

from assistant.errors import Skip
from assistant.graph.space import Space
from assistant.settings import Settings
from connectors.base import Connector, CursorLost
from connectors.base.meetings import Cloud, Listed, Meeting, moment_of
from connectors.base.tokens import Notes
from connectors.meet import transcripts as meet
from connectors.teams import graph as teams
from workers.cache import RedisCache
from workers.equipment import equipment
from workers.pull.keeping import judged, written
from workers.pull.turns import AT_ONCE, one_by_one
from workers.queue import connect

CLOUDS: dict[str, Callable[[Settings, Notes], Cloud[Meeting] | None]] = {
    "meet": meet.connected,
    "teams": teams.connected,
}
LATELY = timedelta(days=2)
"""How far back a poll looks; a transcript comes within hours."""
REMEMBERED = 7 * 86_400
"""Seconds that it is remembered that a meeting was looked at."""
STATE = "brain:pull:"
"""Where in the queue's server a fill's place is kept, and which meetings were looked at."""
AGAIN = 600
"""Seconds after which a meeting that was over lately is looked at again for its transcript."""

log = structlog.get_logger()


def set_up(settings: Settings) -> list[str]:
    """Names of the clouds that the settings give keys to."""
    return [name for name, connected in CLOUDS.items() if connected(settings, _Nothing()) is not None]


def poll(name: str) -> bool:
    """Takes in the meetings that got their words lately; whether there is more to look at. Raises Retry, Fatal."""
    server = connect(equipment().servers.queue_url)
    cloud = CLOUDS[name](equipment().settings, RedisCache(server))
    if cloud is None:
        return False
    now = datetime.now(UTC)
    listed = {one.id: one for one in cloud.listed(now - LATELY) if not server.exists(f"{STATE}{name}:{one.id}")}
    with equipment().space() as space:
        return one_by_one(
            server,
            name,
            listed,
            lambda one: take_in(space, server, name, cloud, one, now),
            lambda: judged(space, equipment().settings),
        )


def take_in(space: Space, server: redis.Redis, name: str, cloud: Cloud[Meeting], one: Listed, now: datetime) -> bool:
    """Writes one meeting, where it has words by now; whether it was written. Raises Retry, Fatal."""
    key = f"{STATE}{name}:{one.id}"
    try:
        meeting = cloud.meeting(one)
    except Skip:
        old = now - moment_of(one.cursor) > LATELY / 2
        server.set(key, "no words", ex=REMEMBERED if old else AGAIN)
        return False
    report = written(space, name, [meeting], lambda each, naming: each.read(naming))
    server.set(key, "taken", ex=REMEMBERED)
    log.info("took in a meeting", source=name, utterances=report.utterances, left_out=len(report.skipped))
    return True


def fill(space: Space, connector: Connector[Meeting], server: redis.Redis, told: Callable[[int], None]) -> int:
    """Reads all meetings of a source, on from where the last fill stopped; how many those were. Raises Retry, Fatal.

    `told` hears how many are done. What was read is noted part by part, so that a killed run loses little.
    """
    key = f"{STATE}{connector.name}:fill"
    known = server.get(key)
    cursor = known.decode() if isinstance(known, bytes) else None
    done = 0
    part: list[Meeting] = []
    try:
        for record in connector.pull(cursor):
            part.append(record.value)
            cursor = record.cursor
            if len(part) == AT_ONCE:
                done += _written(space, connector.name, part, server, key, cursor)
                told(done)
                part = []
    except CursorLost:
        server.delete(key)
        raise
    return done + (_written(space, connector.name, part, server, key, cursor or "") if part else 0)


def _written(space: Space, name: str, part: list[Meeting], server: redis.Redis, key: str, cursor: str) -> int:
    written(space, name, part, lambda one, naming: one.read(naming))
    server.set(key, cursor)
    return len(part)


class _Nothing:
    """Notes that keep nothing."""

    def get(self, name: str) -> str | None:  # noqa: ARG002 the shape of Notes
        return None

    def put(self, name: str, value: str, seconds: int) -> None:
        """Keeps nothing."""
