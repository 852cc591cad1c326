"""What clicks and visits set off: feedback is stored, the App Home is drawn. Run by the answer workers."""

from pathlib import Path
from typing import Any

import structlog

from assistant.access import scope_for
from assistant.chat import texts
from assistant.chat.render.slack import words
from assistant.chat.render.views import SHOWN_QUESTIONS, Handbook, Recent, home_view
from assistant.errors import Fatal
from assistant.graph.answers import recent_questions, record_feedback
from assistant.graph.reading.known import extents
from assistant.graph.sources import heads, list_sources
from assistant.graph.space import Space
from assistant.model.answers import Status
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.protocols import Members
from assistant.model.surfaces import Where
from assistant.model.times import moment
from workers.equipment import equipment

log = structlog.get_logger()


def feedback(payload: dict[str, Any]) -> None:
    """The job: store what somebody thinks of an answer, and thank for praise; who complains was shown a form."""
    desk = equipment().desk()
    with equipment().space() as space:
        record_feedback(space.graph, payload["answer_id"], payload["user"], payload["good"], payload["why"])
    if payload["good"]:
        try:
            desk.surface.whisper(Where(payload["channel"], payload["thread"]), payload["user"], words(texts.THANKS))
        except Fatal as error:
            log.warning("could not thank for feedback", reason=str(error))


def home(payload: dict[str, Any]) -> None:
    """The job: draw one person's App Home. Who is no full member sees that we know nothing."""
    desk = equipment().desk()
    user = payload["user"]
    with equipment().space() as space:
        books = _handbooks(space, user, desk.directory) if desk.directory.member(user) else []
        asked = recent_questions(space.reader, user, SHOWN_QUESTIONS)
    recent = [Recent(one.text, one.at, one.status is Status.ANSWERED) for one in asked]
    desk.surface.home(user, home_view(books, recent, desk.zone))


def _handbooks(space: Space, user: str, members: Members) -> list[Handbook]:
    """The sources that the person may read, with what they see of each."""
    scope = scope_for(Viewer(user), Place(PlaceKind.DM), members, heads(space.reader))
    seen = extents(space.reader, scope)
    return [
        Handbook(Path(row.path).stem, row.web_url, seen[row.id].pages, seen[row.id].sections, moment(row.head))
        for row in list_sources(space.reader)
        if row.id in seen and row.head is not None
    ]
