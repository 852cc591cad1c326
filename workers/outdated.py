"""Takes back answers to questions that were deleted or worded anew, wherever they were asked."""

from typing import Any

from assistant.agent.ask import answer_id
from assistant.graph import posts
from assistant.graph.writing.forget import questions_of
from connectors.slack.events import Outdated, question_key
from workers.catch_up import when_free
from workers.ear import Ear, listening
from workers.forgetting import forget
from workers.ledger import RedisLedger


def outdated(payload: dict[str, Any]) -> None:
    """The job: what a message asked up to some revision is forgotten, and the answers to it with our posts of them."""
    with listening() as ear:
        given = _given(ear, Outdated(**payload))
        if not given:
            return
        posts.call_in(ear.space.graph, posts.posts_showing(ear.space.reader, given))
        about = "a deleted question"
        when_free(lambda: forget(ear.space, ear, (), answers=given, about=about, settings=ear.settings))


def _given(ear: Ear, gone: Outdated) -> list[str]:
    """Ids of the answers to it that stand; from now on no more are given. Waits for one that is under way, or Retry."""
    key, ledger = question_key(gone.channel, gone.ts), RedisLedger(ear.server)
    with ledger.hold(key):
        newest = ledger.finished(key) or ""
        if newest < gone.until:
            ledger.finish(key, gone.until)
    asked = {answer_id(f"{key}@{revision}") for revision in (gone.ts, gone.before, newest)}
    asked |= set(posts.shown_by(ear.space.reader, key))
    if newest > gone.until:
        asked.discard(answer_id(f"{key}@{newest}"))
    return sorted(one for one in asked if questions_of(ear.space.reader, [one]))
