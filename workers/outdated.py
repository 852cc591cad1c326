"""Takes back answers to questions that were deleted or worded anew, wherever they were asked."""

from collections.abc import Sequence
from typing import Any

from assistant.agent.ask import answer_id
from assistant.chat import texts
from assistant.chat.render.slack import words
from assistant.graph import posts
from assistant.graph.writing.forget import questions_of
from assistant.model.surfaces import Posted, Where
from connectors.slack.events import SKEW, Outdated, question_key
from workers.catch_up import when_free
from workers.ear import Ear, listening
from workers.forgetting import forget
from workers.ledger import RedisLedger


def outdated(payload: dict[str, Any]) -> None:
    """The job: what a message asked up to some revision is forgotten, and the answers to it with our posts of them."""
    with listening() as ear:
        gone = Outdated(**payload)
        given = _given(ear, gone)
        if given:
            posts.call_in(ear.space.graph, posts.posts_showing(ear.space.reader, given))
            about = "a deleted question"
            when_free(lambda: forget(ear.space, ear, (), answers=given, about=about, settings=ear.settings))


def _given(ear: Ear, gone: Outdated) -> list[str]:
    """Ids of the answers to it that stand; from now on no more are given. Waits for one that is under way, or Retry."""
    key, ledger = question_key(gone.channel, gone.ts), RedisLedger(ear.server)
    with ledger.hold(key):
        newest = ledger.finished(key) or ""
        if newest < gone.until:
            _end_looking(ear, gone, key)  # first: who is killed here, or is not heard, comes again
            ledger.finish(key, gone.until)
    asked = {answer_id(f"{key}@{revision}") for revision in (gone.ts, gone.before, newest)}
    asked |= set(posts.shown_by(ear.space.reader, key))
    if newest > gone.until:
        asked.discard(answer_id(f"{key}@{newest}"))
    return sorted(one for one in asked if questions_of(ear.space.reader, [one]))


def _end_looking(ear: Ear, gone: Outdated, key: str) -> None:
    """Takes back what says that we are looking it up, where whoever looked was killed: nobody will finish it now.

    An answer to the message as it reads now, should there be one, is written in the same place.
    """
    ledger = RedisLedger(ear.server)
    if posts.find_post(ear.space.reader, key) is not None:
        return  # an answer stood there
    standing: Sequence[Posted] = ()
    if posted := ledger.posted(key):
        standing = (posted,)
    elif ledger.begun(key):
        thread = gone.thread or (None if gone.channel.startswith("D") else gone.ts)
        standing = ear.surface.find(Where(gone.channel, thread), key, f"{float(gone.ts) - SKEW:.6f}")
    for one in standing:
        ear.surface.update(one, words(texts.WITHDRAWN))
