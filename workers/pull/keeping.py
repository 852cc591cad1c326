"""What a source told is written, and the decisions in it are brought up to date."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from assistant.access import scope_along
from assistant.chat.journeys import Desk
from assistant.graph.reading.conversations import conversations
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.model.conversations import Heard, Identity, Speaker
from assistant.settings import Settings
from workers.catch_up import when_free
from workers.equipment import equipped
from workers.reconcile import reconcile_as_set
from workers.talk import Readable, TalkReport, keep, known_people, readable

Naming = Callable[[Identity], Speaker]
T = TypeVar("T", bound=Readable)


def written(space: Space, kind: str, sources: Sequence[T], read: Callable[[T, Naming], Heard]) -> TalkReport:
    """Reads the sources and writes what they hold, after whoever else writes; one that cannot be read is left out.

    Raises Retry.
    """
    known = known_people(space, None, sources)
    heard, skipped = readable(lambda one: read(one, known.speaker), sources)
    reports: list[TalkReport] = []
    when_free(lambda: reports.append(keep(space, kind, known, heard, None, None, skipped)))
    return reports[0]


def judged(space: Space, settings: Settings) -> None:
    """Brings the decisions up to date, after whoever else writes. Raises Retry."""
    when_free(lambda: reconcile_as_set(space, settings))


def gone_from(space: Space, conversation: str, audience: str, here: Sequence[str]) -> list[str]:
    """Ids of what the conversation held and the source holds no more."""
    scope = scope_along((audience,), heads(space.reader))
    known = next(conversations(space.reader, scope, [conversation]), None)
    kept = set(here)
    return [said.id for said in known.utterances if said.id not in kept] if known else []


def desk_or_none() -> Desk | None:
    """A desk to write to people from; None where no chat is connected, or no worker is at work."""
    ready = equipped()
    return ready.desk() if ready and ready.settings.slack_bot_token else None
