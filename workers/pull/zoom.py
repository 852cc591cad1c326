"""Zoom's recordings: taken in as soon as their transcript is there; where none comes, their host is told, once."""

import hashlib
from typing import Any

import redis
import structlog

from assistant.chat import texts
from assistant.chat.deliver import Delivery
from assistant.chat.render.mrkdwn import escaped
from assistant.chat.render.slack import words
from assistant.errors import Fatal, Skip
from assistant.graph.space import Space
from assistant.model.times import day
from connectors.base.http import Missing
from connectors.zoom.cloud import ZoomCloud, connected
from connectors.zoom.hook import Told
from connectors.zoom.meetings import ZoomMeeting, age, began, has_transcript, wordy
from workers.cache import RedisCache
from workers.equipment import equipment
from workers.ledger import RedisLedger
from workers.pull.job import Payload, pulling
from workers.pull.keeping import desk_or_none, judged, written
from workers.pull.turns import one_by_one
from workers.queue import INGEST, Work, connect, enqueue

TAKEN = "brain:pull:zoom:"
"""Where in the queue's server which files of a meeting were taken in is kept."""
PATIENCE = 86_400
"""Seconds after which a recording without a transcript gets none: Zoom needs about twice the meeting's length."""
LATELY = 3
"""Days back that a poll looks: longer than PATIENCE, so that every meeting is seen with its transcript or without."""

log = structlog.get_logger()


@pulling
def told(payload: Payload) -> None:
    """The job: an event about a recording. One without transcript yet is looked at again when none will come."""
    meeting = payload["meeting"]
    if payload["told"] == Told.RECORDED:
        about = f"zoom/awaited/{meeting['uuid']}"
        later = Work(INGEST, "workers.pull.zoom.awaited", about, {"meeting": meeting}, 600)
        enqueue(connect(equipment().servers.queue_url), later, after=PATIENCE)
        return
    if not has_transcript(meeting):
        awaited({"meeting": meeting})
        return
    whole = described(cloud(connect(equipment().servers.queue_url)), meeting)
    take_in_alone(whole if has_transcript(whole) else meeting, payload["token"])


@pulling
def awaited(payload: Payload) -> None:
    """The job: by now a recording's transcript is there, or its host is told that there is none."""
    meeting, server = payload["meeting"], connect(equipment().servers.queue_url)
    if server.exists(taken(meeting)):
        return
    whole = described(cloud(server), meeting)
    if not has_transcript(whole):
        tell_host(meeting)
        return
    take_in_alone(whole)


def poll() -> bool:
    """Takes in what no event told of, then tells hosts of what has no transcript; whether there is more to do.

    Raises Retry, Fatal.
    """
    server = connect(equipment().servers.queue_url)
    zoom = cloud(server)
    listed = zoom.lately(LATELY)
    with equipment().space() as space:
        waiting = {one["uuid"]: one for one in listed if has_transcript(one) and server.get(taken(one)) != mark(one)}
        more = one_by_one(
            server,
            "zoom",
            waiting,
            lambda meeting: took_in(space, meeting),
            lambda: judged(space, equipment().settings),
        )
    silent = {one["uuid"]: one for one in listed if not has_transcript(one) and is_overdue(one)}
    untold = {uuid: one for uuid, one in silent.items() if not is_told(server, one)}
    also = one_by_one(server, "zoom hosts", untold, lambda one: tell_host(zoom_host(zoom, one)), lambda: None)
    return more or also


def took_in(space: Space, meeting: dict[str, Any]) -> bool:
    """Takes a meeting in, or leaves it out for good where it cannot be had; whether it was written.

    Raises Retry, Fatal.
    """
    try:
        take_in(space, meeting)
    except Skip as error:
        log.warning("left out", meeting=meeting["uuid"], reason=str(error))
        note_taken(meeting)
        return False
    note_taken(meeting)
    return True


def take_in_alone(meeting: dict[str, Any], token: str = "") -> None:
    """Takes one meeting in and judges what was said; it counts as taken only after both. Raises Skip, Retry, Fatal."""
    with equipment().space() as space:
        take_in(space, meeting, token)
        judged(space, equipment().settings)
    note_taken(meeting)


def take_in(space: Space, meeting: dict[str, Any], token: str = "") -> None:
    """Downloads a meeting's words and writes them; run again it changes nothing. Raises Skip, Retry, Fatal."""
    keep_meeting(space, cloud(connect(equipment().servers.queue_url)).meeting(meeting, token))


def keep_meeting(space: Space, meeting: ZoomMeeting) -> None:
    """Writes one meeting, to be seen by who took part. Raises Retry."""
    report = written(space, "zoom", [meeting], lambda one, naming: one.read(naming))
    log.info("took in a meeting", meeting=meeting.id, utterances=report.utterances, left_out=len(report.skipped))


def described(zoom: ZoomCloud, meeting: dict[str, Any]) -> dict[str, Any]:
    """The meeting as Zoom has it now, all its recordings included; as the event told it where we cannot ask."""
    if zoom.service is None:
        return meeting
    try:
        return {**meeting, **zoom.described(meeting["uuid"])}
    except (Missing, Fatal) as error:
        log.warning("Zoom does not tell of a meeting", reason=str(error))
        return meeting


def zoom_host(zoom: ZoomCloud, meeting: dict[str, Any]) -> dict[str, Any]:
    """The meeting with its host's e-mail, which a list of an account does not tell."""
    return meeting if meeting.get("host_email") else described(zoom, meeting)


def is_overdue(meeting: dict[str, Any]) -> bool:
    """Whether its transcript should have come long ago."""
    return age(meeting) > PATIENCE


def is_told(server: redis.Redis, meeting: dict[str, Any]) -> bool:
    """Whether its host was told that it has no transcript, or was looked for lately in vain; asks nobody."""
    return RedisLedger(server).posted(posted_as(meeting)) is not None or bool(server.exists(hostless(meeting)))


def tell_host(meeting: dict[str, Any]) -> bool:
    """A direct message to the host, found by e-mail, once for each meeting; whether there is one. Raises Retry."""
    desk, email, key = desk_or_none(), str(meeting.get("host_email") or ""), posted_as(meeting)
    if desk and desk.ledger.posted(key):
        return True
    user = desk.directory.by_email(email) if desk and email else None
    if desk is None or user is None:
        log.warning("a recording has no transcript, and its host is nobody we can write to", meeting=meeting["uuid"])
        connect(equipment().servers.queue_url).set(hostless(meeting), 1, ex=PATIENCE)
        return False
    said = texts.no_transcript(escaped(str(meeting.get("topic") or "")), day(began(meeting), desk.zone))
    with desk.ledger.hold(key) as held:
        where = desk.surface.open_dm(user)
        Delivery(desk.surface, desk.ledger, where, key, f"{began(meeting).timestamp():.6f}", held).place(words(said))
    return True


def posted_as(meeting: dict[str, Any]) -> str:
    """The key of the message to a meeting's host."""
    return f"zoom/{hashlib.sha256(meeting['uuid'].encode()).hexdigest()[:20]}"


def hostless(meeting: dict[str, Any]) -> str:
    """Under what it is kept, for a day, that a meeting's host is nobody we can write to."""
    return f"{TAKEN}hostless:{meeting['uuid']}"


def cloud(server: redis.Redis) -> ZoomCloud:
    """The account of the settings."""
    return connected(equipment().settings, RedisCache(server))


def taken(meeting: dict[str, Any]) -> str:
    """Under what it is kept that a meeting was taken in."""
    return f"{TAKEN}{meeting['uuid']}"


def note_taken(meeting: dict[str, Any]) -> None:
    """Remembers which files of a meeting were taken in."""
    connect(equipment().servers.queue_url).set(taken(meeting), mark(meeting))


def mark(meeting: dict[str, Any]) -> bytes:
    """Differs where a meeting has other files with words."""
    return " ".join(sorted(str(one.get("id")) for one in wordy(meeting))).encode()
