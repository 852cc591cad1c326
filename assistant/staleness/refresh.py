"""Asking a stale answer's question again."""

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


def refresh(space: Space, embedder: Embedder | None, members: Members, answer_id: str, zone: tzinfo = UTC) -> Answer:
    """The same question, from the same person, for the same place, answered by what holds now instead.

    Raises UserFacing where there is no such answer.
    """
    given = asked(space.reader, answer_id)
    if given is None:
        raise UserFacing(f"there is no answer {answer_id}: `brain answers` lists them")
    question = AskedQuestion(text=given.question)
    answer = ask(question, Viewer(given.viewer), place_of(given.audience), space, embedder, members, zone=zone)
    record_refresh(space.graph, answer.answer_id, answer_id)
    return answer
