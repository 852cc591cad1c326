"""Channels and people that change: what we noted of them is dropped before the event is even acknowledged.

So somebody who left a channel has lost it at their next question; the graph follows by a job.
"""

import asyncio
from typing import Any

from slack_bolt.async_app import AsyncApp

from connectors.slack.members import stale_by_person, stale_by_room
from connectors.slack.standing import PEOPLE_EVENTS, ROOM_EVENTS, RoomTurn, person_turn, room_turn
from workers.cache import RedisCache
from workers.queue import INGEST, Work, answering
from workers.web.intake import Intake
from workers.web.slack.consent import joined
from workers.web.slack.heard import our_user

REMEMBERED = 30 * 86_400
"""Seconds for which it is remembered what decided somebody's standing, so that a new picture of them drops nothing."""


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to all such events."""

    async def happened(event: dict[str, Any], body: dict[str, Any]) -> None:
        await turned(event, body, intake)
        await joined(event, body, intake)

    for kind in (*ROOM_EVENTS, *PEOPLE_EVENTS):
        app.event(kind)(happened)


async def turned(event: dict[str, Any], body: dict[str, Any], intake: Intake) -> None:
    """Drop notes and queue a look, if the event tells of a channel or a person. Raises Retry when the queue is gone."""
    about, cache = str(body.get("event_id") or event.get("event_ts")), RedisCache(intake.server)
    if (room := room_turn(event)) is not None:
        with answering():
            await asyncio.to_thread(cache.drop, stale_by_room(room.channel, room.joined or room.left))
        await intake.take(room_work(room, about, our_user(body)))
        if room.joined and room.joined == our_user(body):
            payload = {"channel": room.channel}  # what could not be read while we were away is tried again
            await intake.take(Work(INGEST, "workers.history.follow", f"follow/{room.channel}/{about}", payload))
    elif (person := person_turn(event)) is not None:
        with answering():
            known = await asyncio.to_thread(cache.get, f"marks:{person.user}")
        if known != person.marks:
            with answering():
                await asyncio.to_thread(cache.drop, stale_by_person(person.user))
            await intake.take(Work(INGEST, "workers.rooms.person", f"person/{about}", {"user": person.user}))
            with answering():
                await asyncio.to_thread(cache.put, f"marks:{person.user}", person.marks, REMEMBERED)


def room_work(room: RoomTurn, about: str, us: str | None) -> Work:
    """The look at a channel."""
    left = us if room.left == "" else room.left
    payload = {"channel": room.channel, "private": room.private, "left": left, "joined": room.joined}
    return Work(INGEST, "workers.rooms.room", f"room/{about}", payload)
