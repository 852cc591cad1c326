"""Taking forgotten words out of jobs, waiting or done. Their ids stay, so that what was done is not done again."""

import json
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import redis
from rq import get_current_job
from rq.job import JobStatus

from workers.queue import answering

PREFIX = b"rq:job:"
RESULTS = b"rq:results:"
READ = 500
"""Jobs of one look."""

DONE = tuple(one.value.encode() for one in (JobStatus.FINISHED, JobStatus.FAILED, JobStatus.CANCELED))

WAITING = tuple(one.value.encode() for one in (JobStatus.QUEUED, JobStatus.SCHEDULED, JobStatus.DEFERRED))

NOTHING = zlib.compress(json.dumps(["workers.queue.purge.nothing", None, [{}], {}]).encode())
"""What is left of a job: a call that does nothing."""


@dataclass(frozen=True, slots=True)
class Traces:
    """By what forgotten words are known in a job."""

    messages: Collection[tuple[str, str]]
    """Channel and ts of messages."""
    texts: Collection[str]
    """Longer texts, verbatim; not looked for in what still waits."""
    keys: Collection[str] = ()
    """Of questions whose answers were taken back."""
    marks: Collection[tuple[str, str, str]] = ()
    """Channel and ts of messages that somebody put into words of their own, and who did."""

    def are_in(self, call: Any, status: bytes) -> bool:
        """Whether a job that makes this call holds any.

        One that waits is only emptied where it is about the forgotten thing itself: what only repeats its words, or
        stands in its thread, somebody else has said, and it is still to be done.
        """
        if status in WAITING or self._are_meant(call):
            return self._are_meant(call)
        strings = frozenset(_strings(call))
        if status in DONE and any(key in strings for key in self.keys):
            return True
        if any(channel in strings and ts in strings for channel, ts in self.messages):
            return True
        return any(text in one for text in self.texts for one in strings)

    def _are_meant(self, value: Any) -> bool:
        match value:
            case list():
                return any(map(self._are_meant, value))
            case dict():
                return self._is_named_by(value) or any(map(self._are_meant, value.values()))
        return False

    def _is_named_by(self, value: dict[str, Any]) -> bool:
        match value:
            case {"picked": {"channel": str(channel), "ts": str(ts), "user": str(user)}} if self.marks:
                return (channel, ts, user) in self.marks
            case {"channel": str(channel), "ts": str(ts)}:
                return (channel, ts) in self.messages
        return False


def nothing(payload: dict[str, Any]) -> None:
    """The job that is left where words were taken out."""


@answering()
def purge(server: redis.Redis, traces: Traces) -> int:
    """Empties every job that holds the words; how many are left as they are under way, and write it all at their end.

    The job that calls this is left alone. Raises Retry when the queue does not answer.
    """
    ours = get_current_job()
    running = 0
    for key, data, status in _jobs(server):
        if (ours is not None and key == PREFIX + ours.id.encode()) or not traces.are_in(_call(data), status):
            continue
        if status == JobStatus.STARTED.value.encode():
            running += 1
            continue
        with server.pipeline() as pipe:
            pipe.hset(key, "data", NOTHING)
            pipe.hdel(key, "result", "exc_info")
            pipe.delete(RESULTS + key.removeprefix(PREFIX))
            pipe.execute()
    return running


def _call(data: bytes) -> Any:
    """What a job calls; None where it cannot be read."""
    try:
        return json.loads(zlib.decompress(data))
    except (zlib.error, ValueError):
        return None


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from _strings(one)
        case dict():
            for one in value.values():
                yield from _strings(one)


def _jobs(server: redis.Redis) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Every job: its key, what it calls, its status."""
    found: list[bytes] = []
    for key in server.scan_iter(PREFIX + b"*", count=READ):
        found.append(key)
        if len(found) == READ:
            yield from _read(server, found)
            found = []
    yield from _read(server, found)


def _read(server: redis.Redis, keys: list[bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    with server.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.hmget(key, "data", "status")
        for key, (data, status) in zip(keys, pipe.execute(), strict=True):
            if data is not None:
                yield key, data, status or b""
