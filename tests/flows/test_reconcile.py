"""From what was said and committed to what became of decisions: in any order, again and again, and for each reader."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from assistant.access import at_day, scope_along
from assistant.decisions import conflicts
from assistant.graph import schema
from assistant.graph.reading.decisions import (
    DecisionRow,
    all_decisions,
    decisions_about,
    decisions_in,
    decisions_of_commit,
    decisions_of_section,
)
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.graph.writing.talk import forget_deleted, write_conversations
from assistant.graph.writing.writer import sole_writer
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from assistant.model.decisions import DecisionStatus
from assistant.model.times import moment
from connectors.git import GitRepository
from tests.fakes.git_history import START
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from workers.reconcile import reconcile

DAY = 86_400
SECOND = 1_000_000
OLD = "# Desk setup\n\nNew people may spend up to $1,000 on their desk setup.\n\n# Lunch\n\nLunch is at noon.\n"
NEW = OLD.replace("$1,000", "$1,500")
NEWER = OLD.replace("$1,000", "$1,800")


def thread(name: str, day: float, *said: str, audience: str = "public") -> Conversation:
    start = int(START + day * DAY) * SECOND
    people = ("Ada Byron", "Grace Hopper")
    spoken = tuple(
        Utterance(f"{name}/{n}", Speaker(people[n % 2], None), start + n * 60 * SECOND, text)
        for n, text in enumerate(said)
    )
    return Conversation(name, name, ConversationKind.THREAD, "C1", "rules", "", audience, start, spoken)


RAISED = thread(
    "raised",
    10,
    "The $1,000 for the desk setup no longer covers a desk and a chair for new people. Could we make it $1,500?",
    "Agreed, let's go with $1,500 for the desk setup of new people instead of $1,000. I'll change the page.",
)
UNWRITTEN = thread(
    "unwritten",
    12,
    "Visitors keep turning up without anybody knowing about it at the reception. Should we ask for notice?",
    "Decided: visitors are announced to the reception 3 working days ahead, from next week on.",
)


def say(space: Space, *talks: Conversation) -> None:
    with sole_writer(space.graph) as revision:
        write_conversations(space.graph, talks, revision)


def seen(space: Space, *audiences: str) -> list[DecisionRow]:
    return all_decisions(space.reader, scope_along(audiences, heads(space.reader)))


def written(
    space: Space, folder: Path, pages: Sequence[tuple[float, str]] = ((0, OLD), (16, NEW), (60, NEW))
) -> Handbook:
    """A handbook whose page said these things from these days on."""
    handbook = Handbook(space, folder)
    for day, text in pages:
        handbook.commit({"desk.md": text, "log.md": f"{day}"}, at=START + int(day * DAY))
    return handbook


def test_a_decision_is_linked_to_the_commit_that_carried_it_out(space: Space, tmp_path: Path) -> None:
    written(space, tmp_path).ingest()
    say(space, RAISED, UNWRITTEN)
    report = reconcile(space, days=14)
    assert (report.read, report.decisions, report.judged) == (2, 2, 2)
    raised, unwritten = seen(space)
    assert raised.status is DecisionStatus.IMPLEMENTED and raised.quote == RAISED.utterances[1].text
    [link] = raised.links
    assert link.evidence.added[-1] == "New people may spend up to $1,500 on their desk setup."
    assert raised.sections[0].path == "desk.md" and raised.sections[0].heading_path == ("Desk setup",)
    assert unwritten.status is DecisionStatus.CHAT_ONLY and not unwritten.links


def test_it_is_found_by_commit_section_conversation_and_words(space: Space, tmp_path: Path) -> None:
    written(space, tmp_path).ingest()
    say(space, RAISED, UNWRITTEN)
    reconcile(space, days=14)
    scope = scope_along((), heads(space.reader))
    raised, unwritten = seen(space)
    assert decisions_of_commit(space.reader, scope, raised.links[0].commit.sha) == [raised]
    assert decisions_of_section(space.reader, scope, raised.sections[0].lineage) == [raised]
    assert decisions_in(space.reader, scope, "unwritten") == [unwritten]
    assert decisions_about(space.reader, scope, "When must visitors be announced?")[0][0] == unwritten
    assert decisions_about(space.reader, replace(scope, as_of=0), "visitors") == []


def test_a_run_with_nothing_new_changes_nothing(space: Space, tmp_path: Path) -> None:
    handbook = written(space, tmp_path)
    handbook.ingest()
    say(space, RAISED, UNWRITTEN)
    reconcile(space, days=14)
    before = handbook.dump()
    again = reconcile(space, days=14)
    assert (again.read, again.changed, again.judged) == (0, 0, 0)
    assert handbook.dump() == before


def test_what_comes_of_it_does_not_depend_on_the_order_of_ingestion(space: Space, tmp_path: Path) -> None:
    found = []
    for number, order in enumerate(permutations(("git", "raised", "unwritten"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        drop(space.graph)
        schema.migrate(space.graph)
        schema.wait_ready(space.reader)
        for what in order:
            if what == "git":
                written(space, folder).ingest()
            else:
                say(space, RAISED if what == "raised" else UNWRITTEN)
            reconcile(space, days=14)
        found.append(seen(space))
    assert all(rows == found[0] for rows in found)


def test_it_waits_then_stands_against_the_handbook_and_is_linked_when_the_commit_comes(
    space: Space, tmp_path: Path
) -> None:
    handbook = written(space, tmp_path, ((0, OLD), (14, OLD)))
    read_in_part(handbook)
    say(space, RAISED)
    reconcile(space, days=14)
    assert [row.status for row in seen(space)] == [DecisionStatus.PENDING]
    handbook.commit({"log.md": "later"}, at=START + 30 * DAY)
    read_in_part(handbook)
    reconcile(space, days=14)
    [waited] = seen(space)
    assert waited.status is DecisionStatus.CONFLICT and waited.conflict
    assert waited.conflict.quote == "New people may spend up to $1,000 on their desk setup."
    handbook.commit({"desk.md": NEW}, at=START + 31 * DAY)
    read_in_part(handbook)
    reconcile(space, days=14)
    assert [row.status for row in seen(space)] == [DecisionStatus.IMPLEMENTED]


LENT = thread(
    "lent",
    10,
    "People who leave ship their laptop back far too late, seven days is a joke with that courier. Fourteen days?",
    "Agreed, let's go with fourteen days instead of seven days for laptops of people who leave. I stay friendly.",
)


@pytest.mark.parametrize("sections", [12, 0])
def test_what_stands_against_it_is_found_by_the_old_value_where_search_does_not_put_it_forward(
    space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sections: int
) -> None:
    monkeypatch.setattr(conflicts, "_SECTIONS", sections)
    rule = "# Leaving\n\n## Equipment\n\nOn the way out, a laptop has to be shipped back within 7 days.\n"
    handbook = Handbook(space, tmp_path)
    handbook.commit({"leaving.md": rule, "notes.md": "# Notes\n\nPeople who leave get lunch in 7 hours.\n"}, at=START)
    handbook.ingest()
    say(space, LENT)
    reconcile(space, days=14)
    [row] = seen(space)
    assert row.status is DecisionStatus.CONFLICT and row.conflict
    assert row.conflict.quote == "On the way out, a laptop has to be shipped back within 7 days."


def test_another_length_of_time_about_something_else_is_no_conflict(space: Space, tmp_path: Path) -> None:
    leave = "# Leave\n\nAsk your manager two weeks ahead for more than 5 days in a row.\n"
    written(space, tmp_path, ((0, leave),)).ingest()
    say(space, UNWRITTEN)
    reconcile(space, days=14)
    assert [(row.status, row.conflict) for row in seen(space)] == [(DecisionStatus.CHAT_ONLY, None)]


def read_in_part(handbook: Handbook) -> None:
    """Reads up to the last commit there is, as if more might have come since."""
    handbook.ingest(until=GitRepository(handbook.history.write(), cache=handbook.folder / "cache").tip)


@pytest.mark.parametrize(("days", "became"), [(14, DecisionStatus.CHAT_ONLY), (36_500, DecisionStatus.PENDING)])
def test_the_wait_is_over_though_no_commit_ever_comes(
    space: Space, tmp_path: Path, days: int, became: DecisionStatus
) -> None:
    handbook = written(space, tmp_path, ((0, OLD),))
    read_in_part(handbook)
    say(space, UNWRITTEN)
    reconcile(space, days=days)
    assert [row.status for row in seen(space)] == [DecisionStatus.PENDING], "nobody looked since"
    handbook.ingest()
    assert [row.status for row in seen(space)] == [became]
    the_day_after = at_day(scope_along((), heads(space.reader)), moment(UNWRITTEN.utterances[1].at + DAY * SECOND))
    assert [row.status for row in all_decisions(space.reader, the_day_after)] == [DecisionStatus.PENDING]


def test_an_old_copy_tells_nothing_about_what_came_since(space: Space, tmp_path: Path) -> None:
    handbook = written(space, tmp_path, ((0, OLD),))
    old = shutil.copytree(handbook.history.write(), tmp_path / "old.git")
    handbook.commit({"log.md": "later"}, at=START + DAY)
    read_in_part(handbook)
    say(space, UNWRITTEN)
    reconcile(space, days=14)
    handbook.ingest(path=old)
    assert [row.status for row in seen(space)] == [DecisionStatus.PENDING]


def test_a_commit_that_was_reverted_carried_nothing_out(space: Space, tmp_path: Path) -> None:
    written(space, tmp_path, ((0, OLD), (16, NEW), (17, OLD), (60, OLD))).ingest()
    say(space, RAISED)
    reconcile(space, days=14)
    assert [(row.status, row.links) for row in seen(space)] == [(DecisionStatus.CONFLICT, ())]


def test_a_deleted_message_takes_its_decision_with_it(space: Space, tmp_path: Path) -> None:
    written(space, tmp_path).ingest()
    say(space, RAISED)
    reconcile(space, days=14)
    left = replace(RAISED, utterances=RAISED.utterances[:1])
    with sole_writer(space.graph) as revision:
        forget_deleted(space.graph, [left], frozenset({(RAISED.place, "")}), None, revision)
        write_conversations(space.graph, [left], revision)
    reconcile(space, days=14)
    assert seen(space) == []


def test_nothing_private_shows_not_even_in_what_became_of_a_public_decision(space: Space, tmp_path: Path) -> None:
    secret = thread(
        "secret",
        20,
        "We agreed on $1,500 for the desk setup of new people last week. That is too little for a desk and a chair.",
        "Agreed, scrap the $1,500: let's go with $1,800 for the desk setup of new people. Keep it among us.",
        audience="channel:C9",
    )
    written(space, tmp_path, ((0, OLD), (60, OLD + "\nMore.\n"))).ingest()
    say(space, RAISED)
    reconcile(space, days=14)
    alone = seen(space)
    say(space, secret)
    reconcile(space, days=14)
    assert seen(space) == alone and alone[0].status is DecisionStatus.CONFLICT
    inside = seen(space, "channel:C9")
    assert [row.status for row in inside] == [DecisionStatus.SUPERSEDED, DecisionStatus.CONFLICT]
    assert inside[0].superseded_by == (inside[1].id,) and inside[1].supersedes == (inside[0].id,)
