"""A folder that recordings are put into: each meeting is taken in when its folder has stopped growing."""

import json
import time
from dataclasses import dataclass
from pathlib import Path

import redis
import structlog

from assistant.errors import Retry, Skip, UserFacing
from assistant.graph.space import Space
from assistant.graph.writing.talk import remember_origin
from assistant.model.ids import digest
from assistant.settings import Settings
from connectors.zoom.recordings import MeetingFolder, about, place_id
from workers.pull.keeping import written
from workers.reconcile import reconcile_as_set

QUIET = 30.0
"""Seconds that nothing in a folder may change before it counts as whole."""
UNFINISHED = (".part", ".partial", ".crdownload", ".download", ".tmp", ".zoom")
"""How files end that something is still written to: by browsers, by copying programs, by Zoom before it converts."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a meeting's folder."""

    mark: str
    """Differs where any of its files does."""
    since: float
    """When it was first seen like that, in seconds since 1970."""
    taken: str = ""
    """The mark as of which it was taken in."""


def look(space: Space, server: redis.Redis, root: Path, now: float, audience: str | None = None) -> list[str]:
    """Takes in the meetings below `root` that are whole and new or changed; names of those. Raises UserFacing, Retry.

    What was seen is kept in the queue's server, so that any process may look.
    """
    if not root.is_dir():
        raise UserFacing(f"{root} is no folder of recordings")
    key = f"brain:watch:{digest('watch', str(root.resolve()), audience or '')}"
    taken = []
    for folder, mark in sorted(marks(root).items()):
        name = place_id(root.resolve(), folder)
        before = _known(server, key, name)
        seen = before if before and before.mark == mark else Seen(mark, now, before.taken if before else "")
        if is_whole(folder) and now - seen.since >= QUIET and seen.taken != mark:
            _take_in(space, folder, name, audience)
            seen = Seen(mark, seen.since, mark)
            taken.append(name)
            log.info("took in a meeting", folder=digest(name))
        if seen != before:
            server.hset(key, name, json.dumps([seen.mark, seen.since, seen.taken]))
    if taken:
        remember_origin(space.graph, "zoom", root, audience)
    return taken


def marks(root: Path) -> dict[Path, str]:
    """The folders that hold a transcript, each with what its files look like now."""
    top = root.resolve()
    found: dict[Path, str] = {}
    for file in top.rglob("*.vtt"):
        folder = file.parent
        if folder not in found and file.resolve().is_relative_to(top):
            found[folder] = digest("folder", *(_state(one) for one in sorted(folder.iterdir()) if one.is_file()))
    return found


def is_whole(folder: Path) -> bool:
    """Whether no file in it says that it is still written to."""
    return not any(one.name.lower().endswith(UNFINISHED) for one in folder.iterdir())


def watch(
    space: Space, server: redis.Redis, settings: Settings, root: Path, audience: str | None, every: float
) -> None:
    """Looks again and again, until it is interrupted. Raises UserFacing where there is no such folder."""
    while True:
        try:
            if look(space, server, root, time.time(), audience):
                reconcile_as_set(space, settings)
        except (Retry, Skip) as error:
            log.warning("looked in vain", reason=str(error))
        time.sleep(every)


def _take_in(space: Space, folder: Path, name: str, audience: str | None) -> None:
    meeting = MeetingFolder(folder, name, about(folder))
    report = written(space, "zoom", [meeting], lambda one, naming: one.read(naming, audience))
    for line in report.skipped:
        log.warning("left out", folder=digest(name), reason=unnamed(line, folder))


def unnamed(line: str, folder: Path) -> str:
    """A line for the log, without the names of a folder and its files: they are what people call their meetings."""
    for one in sorted({folder.name, *(file.name for file in folder.iterdir())}, key=len, reverse=True):
        line = line.replace(one, digest(one))
    return line


def _known(server: redis.Redis, key: str, name: str) -> Seen | None:
    told = server.hget(key, name)
    return Seen(*json.loads(told)) if isinstance(told, bytes) else None


def _state(file: Path) -> str:
    try:
        state = file.stat()
    except OSError as error:  # it went meanwhile
        raise Skip(f"{digest(file.name)}: {error.strerror}") from error
    return f"{file.name} {state.st_size} {state.st_mtime_ns}"
