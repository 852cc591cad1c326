"""Asking a stale answer's question again."""

from collections.abc import Sequence
from datetime import UTC, tzinfo

from assistant.access import place_of
from assistant.agent.ask import ask
from assistant.embed import Embedder
from assistant.errors import UserFacing
from assistant.graph.space import Space
from assistant.graph.staleness import asked, record_refresh
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Viewer
from assistant.model.protocols import Members


def refresh(
    space: Space,
    embedder: Embedder | None,
    members: Members,
    answer_id: str,
    zone: tzinfo = UTC,
    *,
    event: str | None = None,
    earlier: Sequence[str] = (),
) -> Answer:
    """The same question, from the same person, for the same place, answered by what holds now instead.

    `event` names what has it asked again: with the same one the answer given then comes back. `earlier` are questions
    of the same thread. Raises UserFacing where there is no such answer, or nothing can be asked.
    """
    given = asked(space.reader, answer_id)
    if given is None:
        raise UserFacing(f"there is no answer {answer_id}: `brain answers` lists them")
    question = AskedQuestion(text=given.question, earlier=tuple(earlier))
    viewer, place = Viewer(given.viewer), place_of(given.audience)
    answer = ask(question, viewer, place, space, embedder, members, event=event, zone=zone)
    record_refresh(space.graph, answer.answer_id, answer_id)
    return answer
