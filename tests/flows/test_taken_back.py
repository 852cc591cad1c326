"""Several commits for a decision, several decisions for a commit; taken back by a revert, and brought back again."""

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.access import at_day, scope_along
from assistant.graph.reading.decisions import DecisionRow, all_decisions, decisions_of_commit
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.model.decisions import DecisionStatus
from assistant.model.times import FOREVER, moment
from tests.fakes.git_history import START
from tests.fakes.handbook import Handbook
from tests.flows.test_reconcile import DAY, NEW, OLD, RAISED, SECOND, say, seen, thread
from workers.deciding import decision_json
from workers.reconcile import reconcile

PART = NEW.replace("on their desk setup", "on their desk setup and a chair")
"""Neither the old nor the decided sentence."""
OTHER = "# Moving\n\nWhoever moves house may spend up to $1,000 on a new desk setup.\n"
RESTORED = thread(
    "restored",
    25,
    "We agreed on $1,500 for the desk setup of new people, but the budget is frozen. Back to $1,000?",
    "Agreed, we scrap the $1,500: let's go back to $1,000 for the desk setup of new people.",
)


@pytest.fixture
def handbook(space: Space, tmp_path: Path) -> Handbook:
    """Carried out six days after it was decided."""
    handbook = Handbook(space, tmp_path)
    edit(handbook, 0, OLD)
    edit(handbook, 16, NEW)
    say(space, RAISED)
    return handbook


def edit(handbook: Handbook, day: float, text: str | None, message: str = "Edit.") -> int:
    """Commits the page."""
    return handbook.commit({"desk.md": text, "log.md": f"{day}"}, message, at=START + int(day * DAY))


def sha(handbook: Handbook, commit: int) -> str:
    handbook.history.write()
    return handbook.history.sha(commit)


def now(handbook: Handbook) -> DecisionRow:
    """What has become of the raise after everything that was written."""
    handbook.commit({"log.md": "end"}, at=START + 400 * DAY)
    handbook.ingest()
    reconcile(handbook.space, days=14)
    assert reconcile(handbook.space, days=14).judged == 0
    return seen(handbook.space)[0]


def on(space: Space, day: float) -> DecisionRow:
    """What a reader is told who stands at a day."""
    scope = at_day(scope_along((), heads(space.reader)), moment(int((START + day * DAY) * SECOND)))
    return all_decisions(space.reader, scope)[0]


def told(row: DecisionRow) -> list[str]:
    return [link.commit.sha for link in row.links]


def test_two_commits_that_each_wrote_it_somewhere_are_both_told(space: Space, tmp_path: Path) -> None:
    handbook = Handbook(space, tmp_path)
    handbook.commit({"desk.md": OLD, "moving.md": OTHER}, at=START)
    first = handbook.commit({"desk.md": NEW}, at=START + 16 * DAY)
    second = handbook.commit({"moving.md": OTHER.replace("1,000", "1,500")}, at=START + 20 * DAY)
    say(space, RAISED)
    row = now(handbook)
    assert told(row) == [sha(handbook, first), sha(handbook, second)]
    assert [link.evidence.added[0] for link in row.links] == ["$1,500", "$1,500"]
    assert {one.path for one in row.sections} == {"desk.md", "moving.md"}
    printed = decision_json(row)
    assert printed["commit"] == sha(handbook, first) and printed["commits"] == told(row)
    assert told(on(space, 17)) == [sha(handbook, first)]


def test_one_commit_that_carried_two_decisions_out_is_told_for_both(space: Space, tmp_path: Path) -> None:
    handbook = Handbook(space, tmp_path)
    late = thread(
        "late",
        11,
        "The kitchen cannot cook for everybody at noon any more. Shall lunch be at 1pm?",
        "Agreed, let's go with 1pm for lunch instead of noon.",
    )
    edit(handbook, 0, OLD)
    both = edit(handbook, 16, NEW.replace("Lunch is at noon.", "Lunch is at 1pm."))
    say(space, RAISED, late)
    now(handbook)
    found = decisions_of_commit(space.reader, scope_along((), heads(space.reader)), sha(handbook, both))
    assert [row.conversation for row in found] == ["raised", "late"]


def test_a_revert_ends_the_link_and_who_stands_before_it_still_sees_it(handbook: Handbook) -> None:
    carried, back = sha(handbook, 2), sha(handbook, edit(handbook, 30, OLD))
    row = now(handbook)
    assert row.status is DecisionStatus.CONFLICT and row.links == () and decision_json(row)["commits"] == []
    [ended] = row.taken_back
    assert (ended.commit.sha, ended.ended_by) == (carried, back)
    then = on(handbook.space, 29)
    assert then.status is DecisionStatus.IMPLEMENTED and told(then) == [carried] and then.taken_back == ()
    assert then.links[0].valid_to == FOREVER and then.links[0].ended_by is None
    assert on(handbook.space, 31).links == ()


def test_a_revert_by_its_words_counts_at_any_time_whatever_else_it_changed(handbook: Handbook) -> None:
    now(handbook)
    back = edit(handbook, 300, PART.replace("1,500", "1,200"), f"Revert\n\nThis reverts commit {sha(handbook, 2)}.")
    row = now(handbook)
    assert row.links == () and row.taken_back[0].ended_by == sha(handbook, back)
    assert told(on(handbook.space, 299)) == [sha(handbook, 2)]


def test_what_is_changed_or_removed_later_was_carried_out_all_the_same(handbook: Handbook) -> None:
    edit(handbook, 40, PART)
    edit(handbook, 60, OLD.split("# Lunch")[1])
    row = now(handbook)
    assert row.status is DecisionStatus.IMPLEMENTED and told(row)[0] == sha(handbook, 2)


def test_the_old_words_a_year_later_are_no_revert(handbook: Handbook) -> None:
    edit(handbook, 380, OLD)
    assert now(handbook).status is DecisionStatus.IMPLEMENTED


def test_what_was_reverted_and_written_again_holds_again(handbook: Handbook) -> None:
    edit(handbook, 30, OLD)
    again = edit(handbook, 200, NEW)
    row = now(handbook)
    assert row.status is DecisionStatus.IMPLEMENTED
    assert told(row) == [sha(handbook, 2), sha(handbook, again)], "the one that did it first comes first"
    assert row.links[1].evidence.added[1] == "New people may spend up to $1,500 on their desk setup."
    assert [told(on(handbook.space, day)) for day in (29, 100)] == [[sha(handbook, 2)], []]


def test_the_revert_of_a_revert_brings_it_back(handbook: Handbook) -> None:
    back = edit(handbook, 30, PART.replace("1,500", "1,000"), f"Revert\n\nThis reverts commit {sha(handbook, 2)}.")
    edit(handbook, 50, PART, f"Reapply\n\nThis reverts commit {sha(handbook, back)}.")
    row = now(handbook)
    assert row.status is DecisionStatus.IMPLEMENTED and told(row)[0] == sha(handbook, 2)
    assert sha(handbook, 2) not in told(on(handbook.space, 40))


def test_a_commit_whose_every_section_is_again_as_before_was_reverted(space: Space, tmp_path: Path) -> None:
    handbook = Handbook(space, tmp_path)
    rule = "Visitors are announced to the reception 3 working days ahead, or they turn up without anybody knowing."
    added = f"{OLD}\n# Visitors to the reception\n\n{rule}\n"
    announced = thread(
        "announced",
        12,
        "Visitors keep turning up without anybody knowing about it at the reception. Should we ask for notice?",
        "Decided: visitors are announced to the reception 3 working days ahead, from next week on.",
    )
    say(space, announced)
    for day, text in ((0, OLD), (16, added), (30, OLD)):
        handbook.commit({"desk.md": text}, at=START + day * DAY)
        handbook.commit({"log.md": f"{day}"}, at=START + (day + 1) * DAY)
    row = now(handbook)
    assert row.status is DecisionStatus.CHAT_ONLY and len(row.taken_back) == 1
    assert on(space, 20).status is DecisionStatus.IMPLEMENTED


def test_carried_out_and_then_decided_otherwise_stays_carried_out(handbook: Handbook) -> None:
    say(handbook.space, RESTORED)
    back = edit(handbook, 30, OLD)
    row = now(handbook)
    assert row.status is DecisionStatus.IMPLEMENTED and len(row.superseded_by) == 1
    assert told(row) == [sha(handbook, 2)] and row.links[0].ended_by == sha(handbook, back)
    assert told(seen(handbook.space)[1]) == [sha(handbook, back)]


def test_a_revert_that_a_rewritten_history_took_out_counts_no_longer(handbook: Handbook) -> None:
    edit(handbook, 300, OLD, f"Revert\n\nThis reverts commit {sha(handbook, 2)}.")
    assert now(handbook).links == ()
    handbook.history.point("main", 2)
    assert told(now(handbook)) == [sha(handbook, 2)]


def test_a_private_talk_is_told_the_same_to_its_members_alone(handbook: Handbook) -> None:
    utterances = tuple(replace(one, id=f"secret/{n}") for n, one in enumerate(RAISED.utterances))
    say(handbook.space, replace(RAISED, id="secret", shown_id="secret", audience="channel:C9", utterances=utterances))
    edit(handbook, 30, OLD)
    public = now(handbook)
    inside = [row for row in seen(handbook.space, "channel:C9") if row.audience == "channel:C9"]
    assert [row.taken_back for row in inside] == [public.taken_back]
    assert [row.audience for row in seen(handbook.space)] == ["public"]
