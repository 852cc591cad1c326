"""Decisions as the command line prints them: all of them for who administers the install, or what one viewer sees."""

from typing import Any

from assistant.access import scope_along, scope_for
from assistant.graph.people import GraphMembers
from assistant.graph.reading.decisions import DecisionRow, all_decisions, audiences
from assistant.graph.sources import heads, list_sources
from assistant.graph.space import Space
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.decisions import DecisionStatus
from assistant.model.times import moment


def known_decisions(space: Space, viewer: str | None, *, chat_only: bool = False) -> list[DecisionRow]:
    """Every decision, oldest first; with a viewer only those that this person, reading alone, may see."""
    known = heads(space.reader)
    if viewer is None:
        everybody = {*audiences(space.reader), *(source.audience for source in list_sources(space.reader))}
        scope = scope_along(sorted(everybody), known)
    else:
        scope = scope_for(Viewer(viewer), Place(PlaceKind.DM), GraphMembers(space.reader), known)
    rows = all_decisions(space.reader, scope)
    return [row for row in rows if row.status is DecisionStatus.CHAT_ONLY] if chat_only else rows


def decision_json(row: DecisionRow) -> dict[str, Any]:
    """The object of `brain decisions --json`."""
    commit = row.links[0].commit if row.links else None
    return {
        "id": row.id,
        "statement": row.statement,
        "quote": row.quote,
        "quote_speaker": row.quote_speaker,
        "decided_by": row.decided_by,
        "decided_at": moment(row.at).isoformat(),
        "conversation": row.shown_id,
        "audience": row.audience,
        "status": row.status.value,
        "old_value": row.old_value,
        "new_value": row.new_value,
        "commit": commit.sha if commit else None,
        "merge_request": commit.merge_request if commit else None,
        "commits": list(dict.fromkeys(link.commit.sha for link in row.links)),
        "sections": [{"path": one.path, "heading_path": list(one.heading_path)} for one in row.sections],
        "supersedes": row.supersedes[0] if row.supersedes else None,
        "superseded_by": row.superseded_by[0] if row.superseded_by else None,
    }
