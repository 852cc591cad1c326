"""Recorded messages that were deleted at Slack while nobody listened: what Slack does not give any more is erased."""

import time
from collections.abc import Iterable

from connectors.slack.history import Batch, message
from connectors.slack.spoken import micros_of
from workers.ear import Ear


def erase_missing(ear: Ear, channel: str, names: Iterable[str], root: str | None) -> tuple[str, ...]:
    """Erases those of the messages that are gone; each is asked for by itself, as nothing brings words back.

    Messages of the thread of `root`, or of the main line. Gives the ts of those that are gone. Raises Retry, Fatal.
    """
    gone = []
    for ts in names:
        found = message(ear.client, channel, ts, root)
        if found is None or is_tombstone(found):
            erase(ear, channel, [ts], root)
            gone.append(ts)
    return tuple(gone)


def erase(ear: Ear, channel: str, names: Iterable[str], root: str | None) -> None:
    """Takes the words of messages that are known to be gone."""
    for ts in names:
        ear.store.erase(channel, ts, root or ts, time.time_ns() // 1000)


def unlisted_on_line(ear: Ear, channel: str, batch: Batch, since: int, until: int) -> list[str]:
    """Recorded messages of the main line that a page of it should hold, but does not.

    The page was asked for before `until`; nothing that was said before `since` is looked at. Both in microseconds.
    """
    oldest = min((micros_of(one["ts"]) for one in batch.messages), default=until) if batch.more else since
    here = standing(batch)
    return [ts for ts in ear.store.line_between(channel, max(since, oldest), until) if ts not in here]


def unlisted_in_thread(ear: Ear, channel: str, root: str, batch: Batch, since: int, until: int) -> list[str]:
    """The same of a thread; the page tells of what was said after `since`, and up to `until` if it is the last one."""
    last = max((micros_of(one["ts"]) for one in batch.messages), default=since) if batch.more else until
    here, recorded = standing(batch), ear.store.threads(channel, [root])
    return [one["ts"] for one in recorded if since < micros_of(one["ts"]) <= last and one["ts"] not in here]


def standing(batch: Batch) -> set[str]:
    """Ts of the messages of a page that are not deleted."""
    return {str(one["ts"]) for one in batch.messages if not is_tombstone(one)}


def is_tombstone(one: dict[str, object]) -> bool:
    """Whether it only stands for a deleted message that was answered."""
    return one.get("subtype") == "tombstone"
