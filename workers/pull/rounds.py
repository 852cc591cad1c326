"""Polls: every few minutes each source is asked what is new, so that what no event told of is there soon all the same.

A round queues the next one before it does anything, by a name that holds the time: however many workers begin, and
however often they are killed, there is one round at a time for each source.
"""

import time

import redis
import structlog

from assistant.errors import BrainError
from assistant.settings import Settings
from workers.equipment import equipment
from workers.pull import drive, forges, handbook, meetings, zoom
from workers.pull.job import Payload, pulling
from workers.pull.keeping import judged
from workers.queue import INGEST, Work, connect, enqueue
from workers.watch_folder import look

EVERY = 300
"""Seconds between two rounds: a lost event is made up for within this time, three times as often as promised."""
OFTEN = 15
"""Seconds between two looks into a folder."""

log = structlog.get_logger()


def sources(settings: Settings) -> list[str]:
    """What is polled: `github acme/handbook`, `gitlab acme/handbook`, `zoom`, `meet`, `drive <folder>`, `watch`."""
    found = [f"github {one}" for one in settings.github_repositories]
    found += [f"gitlab {one}" for one in settings.gitlab_projects]
    if settings.zoom_account_id and settings.zoom_client_id and settings.zoom_client_secret:
        found.append("zoom")
    found += meetings.set_up(settings)
    found += [f"drive {one}" for one in settings.drive_folders]
    return [*found, "watch"] if settings.watch else found


def pause(name: str) -> int:
    """Seconds between two rounds of a source."""
    return OFTEN if name == "watch" else EVERY


def begin(server: redis.Redis, settings: Settings) -> None:
    """Queues this time's round of every source. Raises Retry while the queue is away."""
    for name in sources(settings):
        _queue(server, name, int(time.time() // pause(name)), 0.0)


@pulling
def round_of(payload: Payload) -> None:
    """The job: asks one source; what fails is for the next round."""
    name, now = payload["source"], time.time()
    if name not in sources(equipment().settings):
        return
    number, server = int(now // pause(name)), connect(equipment().servers.queue_url)
    _queue(server, name, number + 1, (number + 1) * pause(name) - now)
    try:
        more = _ask(name, first=not payload.get("turn"))
    except BrainError as error:
        log.warning("a source could not be asked", source=name, reason=str(error))
        return
    if more:
        _queue(server, name, number, 0.0, payload.get("turn", 0) + 1)


def _ask(name: str, *, first: bool) -> bool:
    """Asks a source for what is new; whether there is more. Raises Skip, Retry, Fatal, UserFacing."""
    kind, _, place = name.partition(" ")
    if kind == "zoom":
        return zoom.poll()
    if kind == "watch":
        _look()
        return False
    if kind in meetings.CLOUDS:
        return meetings.poll(kind)
    if kind == "drive":
        with equipment().space() as space:
            report = drive.poll(space, equipment().settings, place)
        handbook.embed_news(equipment().settings, report.versions if report else 0)
        return report is not None and report.commits >= drive.AT_ONCE
    if first:
        _follow(kind, place)
    return forges.poll(kind, place)


def _follow(kind: str, place: str) -> None:
    """Reads the handbook on; where that fails, discussions are read all the same."""
    try:
        with equipment().space() as space:
            handbook.follow(space, equipment().settings, kind, place)
    except BrainError as error:
        log.warning("a handbook could not be read on", source=f"{kind} {place}", reason=str(error))


def _look() -> None:
    settings = equipment().settings
    assert settings.watch is not None
    with equipment().space() as space:
        if look(space, connect(equipment().servers.queue_url), settings.watch, time.time()):
            judged(space, settings)


def _queue(server: redis.Redis, name: str, number: int, after: float, turn: int = 0) -> None:
    """A round, or one more turn of one that has more to read than one turn may take."""
    about = f"poll/{name}/{number}" + (f"/{turn}" if turn else "")
    payload = {"source": name, "turn": turn}
    enqueue(server, Work(INGEST, "workers.pull.rounds.round_of", about, payload, 1800), after)
