"""What is said in channels: let into the queue where the channel records. Of others no word leaves this process."""

import asyncio
import time
from dataclasses import asdict, replace
from typing import Any

from slack_bolt.async_app import AsyncApp

from connectors.slack.changes import Change, Deleted, Written, change_of
from workers.queue import INGEST, Work, answering
from workers.queue.recording import is_recording, take_note
from workers.web.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to reactions; messages come through `hear`."""

    @app.event("reaction_added")
    @app.event("reaction_removed")
    async def reacted(event: dict[str, Any], body: dict[str, Any]) -> None:
        await hear(event, body, intake)


async def hear(event: dict[str, Any], body: dict[str, Any], intake: Intake) -> None:
    """Queue what the event changes in a channel's talk, if anything. Raises Retry when the queue is gone."""
    change = change_of(event, our_user(body))
    if change is None:
        return
    with answering():
        records = await asyncio.to_thread(is_recording, intake.server, change.channel)
        await asyncio.to_thread(take_note, intake.server, time.time())
    change = change if records else without_words(change)
    if change is not None:
        about = f"heard/{body.get('event_id') or event.get('event_ts')}"
        await intake.take(Work(INGEST, "workers.hear.heard", about, asdict(change)))


def without_words(change: Change) -> Change | None:
    """What matters of a channel that does not record: which words, should we ever have had them, are no more."""
    match change:
        case Written() if change.edited:
            return replace(change, body={})
        case Deleted():
            return change
        case _:
            return None


def our_user(body: dict[str, Any]) -> str | None:
    """Our own user id, as the event names whom it is for."""
    given = body.get("authorizations") or [{}]
    return next((str(one["user_id"]) for one in given if one.get("is_bot") and one.get("user_id")), None)
