"""What clicks and visits set off: feedback is stored, the App Home is drawn. Run by the answer workers."""

from pathlib import Path
from typing import Any

import structlog

from assistant.access import scope_for
from assistant.agent.evidence import place_called
from assistant.chat import texts
from assistant.chat.render.flags import SHOWN_CONFLICTS, SHOWN_MARKS, SHOWN_RULES, Marked, OpenRule, OpenRules
from assistant.chat.render.slack import section, words
from assistant.chat.render.views import SHOWN_QUESTIONS, Handbook, Recent, home_view
from assistant.decisions.flagged import decider_of
from assistant.errors import Fatal
from assistant.graph.answers import recent_questions, record_feedback
from assistant.graph.flags import flags_by
from assistant.graph.reading.decisions import DecisionRow, decisions_named
from assistant.graph.reading.known import extents
from assistant.graph.reading.open_decisions import OpenDecision, open_decisions
from assistant.graph.sources import heads, list_sources
from assistant.graph.space import Space
from assistant.model.answers import Status
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.decisions import FLAGGED
from assistant.model.protocols import Members
from assistant.model.surfaces import Where
from assistant.model.times import moment
from assistant.text.plain import plain
from workers.equipment import equipment
from workers.noticing import home_blocks

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
        known = _open_rules(space, user, desk.directory) if desk.directory.member(user) else None
        look = home_blocks(user) if desk.directory.member(user) else []
    recent = [Recent(one.text, one.at, one.status is Status.ANSWERED) for one in asked]
    view = home_view(books, recent, desk.zone, known, to_look_at=look)
    if known is not None and not desk.directory.can_tell(user, None):
        view["blocks"].insert(0, section(texts.UNCHECKED_HOME))
    desk.surface.home(user, view)


def _handbooks(space: Space, user: str, members: Members) -> list[Handbook]:
    """The sources that the person may read, with what they see of each."""
    scope = scope_for(Viewer(user), Place(PlaceKind.DM), members, heads(space.reader))
    seen = extents(space.reader, scope)
    return [
        Handbook(Path(row.path).stem, row.web_url, seen[row.id].pages, seen[row.id].sections, moment(row.head))
        for row in list_sources(space.reader)
        if row.id in seen and row.head is not None
    ]


def _open_rules(space: Space, user: str, members: Members) -> OpenRules:
    """What was decided where the person is, and stands in no handbook or against one; and what they marked."""
    scope = scope_for(Viewer(user), Place(PlaceKind.DM), members, heads(space.reader))
    rooms = members.channels_of(user)
    theirs = [one for one in open_decisions(space.reader, scope) if _is_theirs(one, rooms)]
    waiting, against = ([one.id for one in theirs if one.opposed is opposed] for opposed in (False, True))
    shown = waiting[:SHOWN_RULES], against[:SHOWN_CONFLICTS]
    rules, conflicts = (map(_open_rule, decisions_named(space.reader, scope, ids)) for ids in shown)
    flags = flags_by(space.reader, user, scope.audiences, SHOWN_MARKS)
    marks = [Marked(one.id, one.statement, moment(one.at), decider_of(one, vouched=one.vouched)) for one in flags]
    return OpenRules(tuple(rules), tuple(conflicts), marks, len(waiting), len(against))


def _is_theirs(one: OpenDecision, rooms: frozenset[str]) -> bool:
    """Whether it was decided in a channel that the person is in, or in a meeting or minutes that they may read."""
    source, _, rest = one.conversation.partition(":")
    return source != "slack" or rest.split("/")[1] in rooms


def words_of(quote: str) -> str:
    """Words of the handbook as a person reads them, the cells of a row side by side."""
    return plain(" · ".join(cell.strip() for cell in quote.strip().strip("|").split("|")))


def _open_rule(row: DecisionRow) -> OpenRule:
    against = row.conflict
    return OpenRule(
        row.statement,
        row.decided_by,
        moment(row.at),
        place_called(row.kind, row.place_name, row.title),
        row.url,
        f"marked by {row.origin.removeprefix(FLAGGED)}" if row.origin else "",
        words_of(against.quote) if against else "",
        " › ".join(against.section.heading_path) if against else "",
    )
