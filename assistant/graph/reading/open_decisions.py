"""Which decisions are open: carried out by no commit and replaced by no later one, as far as a reader may see.

Only ids and what tells openness are read, as a reader may see thousands; `decisions_named` reads those that are shown.
"""

from dataclasses import dataclass

from assistant.graph.reading.decisions import AGAINST, LINKS, REPLACED, TOLD, handbook_known, status, told_params
from assistant.graph.store import Query, Reader, scope_params
from assistant.model.audiences import Scope
from assistant.model.decisions import DecisionStatus
from assistant.model.times import FOREVER

BARE = Query(
    "open_decisions.bare",
    f"MATCH (d:Decision) WHERE d.at >= 0 AND {TOLD} RETURN d.id AS id, d.conversation AS conversation, "
    "d.waits_until AS waits_until, d.origin AS origin ORDER BY d.at DESC, id",
)


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that nobody has written down."""

    id: str
    conversation: str
    opposed: bool
    """Whether the handbook says otherwise."""


def open_decisions(reader: Reader, scope: Scope) -> list[OpenDecision]:
    """Those chat-only or against the handbook, and those that somebody marked and that wait for their commit, newest
    first.
    """
    rows = reader.rows(BARE, **told_params(scope))
    ids = [row["id"] for row in rows]
    carried = {row["id"] for row in reader.rows(LINKS, ids=ids, **scope_params(scope)) if row["holds"]}
    replaced = {row["id"] for row in reader.rows(REPLACED, ids=ids, **told_params(scope))}
    opposed = {row["id"] for row in reader.rows(AGAINST, ids=ids, **scope_params(scope))}
    now = handbook_known(reader, scope)
    found = []
    for row in rows:
        name, waited = row["id"], now >= (row["waits_until"] or FOREVER)
        became = status(name in carried, name in replaced, name in opposed, waited)
        marked = became is DecisionStatus.PENDING and bool(row["origin"])
        if marked or became in (DecisionStatus.CHAT_ONLY, DecisionStatus.CONFLICT):
            found.append(OpenDecision(name, row["conversation"], became is DecisionStatus.CONFLICT))
    return found
