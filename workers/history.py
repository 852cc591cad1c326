"""A channel's history, read page by page at Slack's pace, in short jobs that put themselves back.

How far it has come is kept with each page in one step, so that a kill anywhere costs one page read again. All channels
are read in one chain of jobs, as Slack's limits count a method's calls whatever the channel.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import structlog

from assistant.errors import Fatal, Retry
from assistant.graph.consent import Mode, choices, mode_of
from assistant.graph.recorded import Page, Version
from connectors.slack import history
from connectors.slack.changes import reactions_of, users_in, written
from connectors.slack.history import HISTORY, REPLIES, Batch
from connectors.slack.spoken import TS, micros_of
from workers import missing
from workers.ear import Ear, listening
from workers.queue.recording import is_recording, let_in, recording, switch_off, switched_off
from workers.rooms import refresh

METHODS = (HISTORY, REPLIES)

GONE = "thread_not_found"
"""What Slack says of a thread of which nothing is left."""

SLICE = 2.5
"""Seconds that one job reads; then others have their turn."""

DOUBT = 60.0
"""Seconds that a page may be older than we think, by clocks that differ: what events tell of that time counts more."""

OVERLAP = 600.0
"""Seconds before Slack's last event from which on others may have been missed: it delivers up to five minutes later."""

STARTS = 600
"""Seconds in which workers that start have channels looked at once: what they missed waits in the queue."""

LOOK_BACK = 30 * 86_400.0
"""Seconds before that from which on a history is read again, for what was edited, deleted and answered meanwhile."""

Json = dict[str, Any]
log = structlog.get_logger()


def follow(payload: dict[str, Any]) -> None:
    """The job: begin or go on to read a `channel` that records, and stop where it does not (any more).

    To be queued whenever a channel's people chose anew.
    """
    with listening() as ear:
        follow_choice(ear, payload["channel"])


def fill(payload: dict[str, Any]) -> None:
    """The job: read on for a moment, then have the next job go on."""
    turn = payload["turn"]
    with listening() as ear:
        if ear.store.turn("fill") != turn:
            ear.ask_to_fill()  # this job's end was lost with its worker
            return
        pause = read_on(ear, time.monotonic() + SLICE)
        ear.store.next_turn("fill", turn)
        if pause is not None or next(unread(ear), None) is not None:
            ear.ask_to_fill(pause or 0.0)
        if ear.store.waiting():
            ear.ask_to_cut()


def follow_choice(ear: Ear, channel: str) -> None:
    """Lets a channel's messages in, and reads its history, as its people chose; or neither. Raises Retry."""
    switch_off(ear.server, channel, off=mode_of(ear.space.reader, channel) is Mode.OFF)
    if not ear.records(channel):
        let_in(ear.server, channel, words=False)
        ear.store.forget_history(channel)
        return
    state = ear.store.histories().get(channel)
    known = state is not None and "fault" not in state and is_recording(ear.server, channel)
    let_in(ear.server, channel, words=True)
    if not known:
        refresh(ear, channel)
        begin(ear, channel)
    ear.ask_to_fill()


def begin(ear: Ear, channel: str) -> None:
    """A history is to be read, from now back."""
    state = {"before": "", "back_to": f"{oldest(ear):.6f}", "pages": 0, "messages": 0, "done": False}
    ear.store.keep(channel, (), Page(state=state))


def take_up(payload: dict[str, Any]) -> None:  # noqa: ARG001 the shape of a job
    """The job when a worker starts: whatever was under way goes on, also where the queue has forgotten of it.

    What came in while there was no worker waits in the queue.
    """
    with listening() as ear:
        chosen = {one.channel: one.mode for one in choices(ear.space.reader)}
        wanted = {channel for channel, mode in chosen.items() if mode is Mode.RECORD}
        off = {channel for channel, mode in chosen.items() if mode is Mode.OFF}
        known = recording(ear.server) & ear.store.histories().keys()
        for channel in sorted(((wanted | recording(ear.server)) - (wanted & known)) | (off ^ switched_off(ear.server))):
            follow_choice(ear, channel)
        for kind in ("fill", "cut"):
            ear.store.next_turn(kind, ear.store.turn(kind))
        ear.ask_to_fill()
        ear.ask_to_cut()
        ear.ask_to_watch(every=STARTS)


def missed(payload: dict[str, Any]) -> None:
    """The job when the web process starts, which took its last event `since` then, in seconds since 1970."""
    with listening() as ear:
        catch_missed(ear, payload["since"])
        ear.ask_to_fill()
        ear.ask_to_watch()


def catch_missed(ear: Ear, since: float) -> None:
    """What was said while nobody listened is read as history; Slack does not send such events again for long."""
    missed_from = since - OVERLAP
    start = max(missed_from - LOOK_BACK, oldest(ear))
    for channel, state in ear.store.histories().items():
        begun = with_missed(state, f"{start:.6f}", f"{missed_from:.6f}")
        older = [root for root in ear.store.answered_since(channel, begun["back_to"]) if is_older(root, begun)]
        ear.store.keep(channel, (), Page(state=begun, wanted=tuple(older)))


def with_missed(state: Json, back_to: str, missed: str) -> Json:
    """A history that is first read from now back to a ts, for what came since the ts `missed`; then its rest, if any.

    Recorded messages from `compare` on, in it and in threads, are compared with what Slack gives.
    """
    open_still, rest = not state["done"] or "fault" in state, state.get("rest")
    if open_still and state.get("missed"):  # what was missed before has not been read to its end
        back_to = min(back_to, state["back_to"], key=micros_of)
        missed = min(missed, state["missed"], key=micros_of)
    elif open_still:
        rest = {"before": state["before"], "back_to": state["back_to"], "missed": None}
    counts = {"pages": state["pages"], "messages": state["messages"], "done": False}
    return {"before": "", "back_to": back_to, "missed": missed, "compare": back_to, "rest": rest, **counts}


def is_older(root: str, state: Json) -> bool:
    """Whether a thread began before what is read of the main line."""
    return micros_of(root) < micros_of(state["back_to"])


@dataclass(frozen=True, slots=True)
class Step:
    """One page to read."""

    channel: str
    root: str | None
    """Of a thread; None for the main line."""
    at: str
    """Where to go on: the ts after which, on the main line before which."""

    @property
    def method(self) -> str:
        """Slack's method that gives it."""
        return HISTORY if self.root is None else REPLIES


@dataclass(slots=True)
class Pauses:
    """Until when each method must not be called, in seconds since 1970."""

    ear: Ear
    until: dict[str, float]

    def wait(self, method: str) -> float:
        """Seconds from now."""
        return max(0.0, self.until.get(method, 0.0) - time.time())

    def pause(self, methods: tuple[str, ...], seconds: float) -> None:
        """Keep from calling these for so long."""
        for method in methods:
            self.until[method] = time.time() + seconds
        self.ear.store.note("pauses", {method: self.until[method] for method in methods})


def read_on(ear: Ear, end: float) -> float | None:
    """Reads pages until the moment `end`; the seconds that Slack wants to be left alone, None where it does not."""
    pauses = Pauses(ear, ear.store.notes("pauses", METHODS))
    while time.monotonic() < end:
        waits, pages = [], 0
        for step in unread(ear):
            if time.monotonic() > end:
                return None
            if not pauses.wait(step.method):
                pages += take(ear, step, pauses)
            waits.append(pauses.wait(step.method))
        if not pages:
            wait = min(waits, default=None)
            if wait is None or time.monotonic() + wait > end:
                return wait
            time.sleep(wait)
    return None


def take(ear: Ear, step: Step, pauses: Pauses) -> bool:
    """Reads one page, or learns why not; whether that was done with."""
    try:
        ear.meet_everybody()
        read(ear, step)
    except Retry as error:
        pauses.pause((step.method,) if step.method in str(error) else METHODS, error.after)
        return False
    except Fatal as error:
        give_up(ear, step, error)
    return True


def unread(ear: Ear) -> Iterator[Step]:
    """Pages that are to be read, a page of each thread and each channel in turn; none of what does not record."""
    histories = ear.store.histories()
    for channel in sorted(histories, key=lambda name: int(histories[name]["pages"])):
        if not ear.records(channel):
            ear.store.forget_history(channel)
            continue
        for root, after in ear.store.wanted(channel).items():
            yield Step(channel, root, after)
        if not histories[channel]["done"]:
            yield Step(channel, None, histories[channel]["before"])


def read(ear: Ear, step: Step) -> None:
    """Reads one page and keeps it, with where to go on; erases what it no longer holds. Raises Retry, Fatal."""
    seen = int((time.time() - DOUBT) * 1_000_000)
    state = ear.store.histories().get(step.channel, {})
    since = micros_of(state["compare"]) if state.get("compare") else seen
    if step.root is None:
        batch = history.history(ear.client, step.channel, step.at)
        until = min(seen, micros_of(step.at)) if step.at else seen
        unlisted = missing.unlisted_on_line(ear, step.channel, batch, since, until)
        gone = missing.erase_missing(ear, step.channel, unlisted, None)
        threads = (*_answered(ear, step.channel, batch, state), *ear.store.answers(step.channel, gone))
        page = Page(state=_state(ear, step, batch), wanted=threads)
    else:
        batch = history.replies(ear.client, step.channel, step.root, step.at)
        since = max(since, micros_of(step.at)) if step.at else since
        unlisted = missing.unlisted_in_thread(ear, step.channel, step.root, batch, since, seen)
        missing.erase_missing(ear, step.channel, unlisted, step.root)
        last = max((str(one.get("ts")) for one in batch.messages), default=step.at)
        page = Page(read={step.root: last if batch.more else None})
    kept = [one for message in batch.messages if (one := _version(step.channel, message, seen, ear.us.bot))]
    found = [one for one in kept if micros_of(one.ts) >= oldest(ear) * 1_000_000]
    reactors = {user for one in found for _, user in one.reactions or ()}
    ear.people(reactors.union(*(users_in(one.body) for one in found)))
    ear.store.keep(step.channel, found, page)


def oldest(ear: Ear) -> float:
    """Seconds since 1970 from which on words are kept at all."""
    days = ear.settings.retention_days
    return time.time() - days * 86_400 if days else 0.0


def give_up(ear: Ear, step: Step, error: Fatal) -> None:
    """A thread that is gone is erased, and no longer waited for; a channel that we may not read is left."""
    log.warning("cannot read history", channel=step.channel, reason=str(error))
    if step.root is not None:
        compare = ear.store.histories()[step.channel].get("compare")
        if compare and GONE in str(error):
            recorded = [one["ts"] for one in ear.store.threads(step.channel, [step.root])]
            missing.erase(ear, step.channel, [ts for ts in recorded if ts >= compare], step.root)
        ear.store.keep(step.channel, (), Page(read={step.root: None}))
    else:
        state = ear.store.histories()[step.channel]
        ear.store.keep(step.channel, (), Page(state={**state, "done": True, "fault": str(error)}))


def _state(ear: Ear, step: Step, batch: Batch) -> dict[str, Any] | None:
    state = ear.store.histories().get(step.channel)
    if state is None or state["before"] != step.at:
        return None  # begun anew while Slack was asked, or no longer to be read
    before = min((str(one["ts"]) for one in batch.messages if TS.fullmatch(str(one.get("ts")))), default=step.at)
    done = not batch.more or before == step.at or micros_of(before) < micros_of(state["back_to"])
    told = {"pages": state["pages"] + 1, "messages": state["messages"] + len(batch.messages)}
    rest = state.get("rest") if done else None
    log.info("read history", channel=step.channel, done=done and not rest, **told)
    if rest:
        return {**state, **rest, "rest": None, **told}
    return {**state, "before": before, "done": done, **told}


def _answered(ear: Ear, channel: str, batch: Batch, state: Json) -> tuple[str, ...]:
    """Roots of the threads on a page that are to be read: all, or those with answers since what was missed.

    Where Slack counts other answers than are recorded, some were deleted; or they are no people's, or forgotten.
    """
    found = {str(one["ts"]): one for one in batch.messages if one.get("reply_count") and one.get("ts")}
    missed = state.get("missed")
    if not missed:
        return tuple(found)
    known = ear.store.answers(channel, found)

    def differs(root: str, one: Json) -> bool:
        return str(one.get("latest_reply") or "") >= missed or bool(one["reply_count"] != known.get(root))

    return tuple(root for root, one in found.items() if differs(root, one))


def _version(channel: str, message: dict[str, Any], seen: int, bot: str) -> Version | None:
    one = written(channel, message, seen, bot)
    if one is None:
        return None
    return Version(one.ts, one.root, one.edited, one.seen, one.body, reactions_of(message))
