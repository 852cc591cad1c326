"""Open decisions are told by the same rule as all of what became of a decision, for every reader."""

from pathlib import Path

import pytest

from assistant.access import scope_along
from assistant.decisions.extract.by_rules import extract
from assistant.graph.flags import save_flag
from assistant.graph.reading.decisions import all_decisions
from assistant.graph.reading.open_decisions import open_decisions
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.graph.writing import deciding
from assistant.model.decisions import DecisionStatus
from tests.flows.test_reconcile import NEW, OLD, RAISED, UNWRITTEN, say, thread, written
from tests.graph.test_flags import mark
from workers.reconcile import reconcile

OPEN = (DecisionStatus.CHAT_ONLY, DecisionStatus.CONFLICT)
SECRET = thread(
    "secret",
    20,
    "We agreed on $1,500 for the desk setup of new people last week. That is too little for a desk and a chair.",
    "Agreed, scrap the $1,500: let's go with $1,800 for the desk setup of new people. Keep it among us.",
    audience="channel:C9",
)


@pytest.mark.parametrize("audiences", [(), ("channel:C9",)])
@pytest.mark.parametrize("pages", [((0, OLD), (60, OLD + "\nMore.\n")), ((0, OLD), (16, NEW), (60, NEW))])
def test_they_are_those_that_all_of_it_says_are_open(
    space: Space, tmp_path: Path, pages: tuple[tuple[float, str], ...], audiences: tuple[str, ...]
) -> None:
    written(space, tmp_path, pages).ingest()
    say(space, RAISED, UNWRITTEN, SECRET)
    reconcile(space, days=14)
    scope = scope_along(audiences, heads(space.reader))
    rows = [row for row in all_decisions(space.reader, scope)[::-1] if row.status in OPEN]
    found = open_decisions(space.reader, scope)
    assert rows and [one.id for one in found] == [row.id for row in rows]
    assert [one.opposed for one in found] == [row.status is DecisionStatus.CONFLICT for row in rows]


def test_what_somebody_marked_is_open_before_it_has_waited(space: Space) -> None:
    say(space, UNWRITTEN)
    reconcile(space, days=14)
    scope = scope_along((), {})
    assert open_decisions(space.reader, scope) == []
    save_flag(space.graph, mark(UNWRITTEN, 1))
    reconcile(space, days=14)
    assert [one.conversation for one in open_decisions(space.reader, scope)] == ["unwritten"]


def test_what_was_found_and_not_judged_yet_can_be_read_and_waits(space: Space) -> None:
    say(space, UNWRITTEN)
    deciding.write_decisions(space.graph, {UNWRITTEN.id: (UNWRITTEN, extract(UNWRITTEN))})
    scope = scope_along((), {})
    assert [row.status for row in all_decisions(space.reader, scope)] == [DecisionStatus.PENDING]
    assert open_decisions(space.reader, scope) == []
