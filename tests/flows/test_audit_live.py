"""`brain audit` on live talk: what Slack sent is the source; what is right passes, and planted faults are found."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest

from assistant.evals.audit.run import Places, audited
from assistant.graph.recorded import workspaces
from assistant.graph.space import Space
from tests.fakes.faults import Fault, Planter
from tests.fakes.slack_server import FakeSlack, running
from tests.fakes.slack_talk import Talk
from tests.flows.listening import hear, hearing, record, settle
from workers.catch_up import catch_up
from workers.ear import Ear
from workers.rooms import refresh
from workers.talk import ingest_slack_export

HOUR = 3600


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as fake:
        yield fake


@pytest.fixture
def ear(space: Space, tmp_path: Path, slack: FakeSlack) -> Iterator[Ear]:
    with hearing(space, tmp_path, slack) as opened:
        yield opened


@pytest.fixture
def talk(ear: Ear, slack: FakeSlack) -> Talk:
    """A private channel's talk, heard and cut: threads, an edit, a deletion, reactions, names, a file, decisions."""
    talk = Talk(slack, private=True, clock=int(time()))
    root = talk.write(0, "U1", "Should the trial need 31 seats instead of 25? &lt;soon&gt; <https://acme.example|page>")
    talk.write(60, "U2", "<@U1> morning, see <#C1>")
    yes = talk.write(300, "U2", "Yes, let's go with 31 seats.", thread=root)
    talk.react(yes, "U3", "white_check_mark")
    talk.edit(yes, "Yes, let's go with 31 active seats instead of 25.")
    lost = talk.write(5 * HOUR, "U1", "never mind the walrus")
    talk.write(6 * HOUR, "U2", "Decided: parking is free from May on.", files=[{"id": "F1", "name": "plan.pdf"}])
    talk.write(6 * HOUR + 60, "U3", "", files=[{"id": "F2", "name": "costs.pdf"}])
    talk.delete(lost)
    talk.write(40 * HOUR, "U1", "Decided: the trial needs 33 active seats instead of 31 from next week on.")
    record(ear, "C1")
    refresh(ear, "C1")
    hear(ear, talk.events)
    settle(ear)
    return talk


def failures(space: Space) -> list[str]:
    return [line for found in audited(space.reader, Places(), workspaces(space.graph)) for line in found.failures]


def test_live_talk_passes_and_all_of_it_is_counted(space: Space, talk: Talk) -> None:
    found = {one.check: one for one in audited(space.reader, Places(), workspaces(space.graph))}
    assert [line for one in found.values() for line in one.failures] == []
    assert found["utterances"].total == 6 + 4
    assert found["decisions"].total >= 2
    assert (found["rooms"].total, found["people"].total) == (1, 3)


def test_planted_faults_are_found_and_named(space: Space, talk: Talk) -> None:
    missed = []
    kinds: Counter[str] = Counter()
    for fault in [fault for seed in range(3) for fault in Planter(space.graph, seed).faults(25)]:
        if unknowable(fault):
            continue
        kinds[fault.kind] += 1
        fault.plant(space.graph)
        if not fault.named(failures(space)):
            missed.append((fault.kind, fault.things))
        fault.mend(space.graph)
    assert missed == []
    assert len(kinds) > 20
    assert failures(space) == []


def unknowable(fault: Fault) -> bool:
    """Who is in a channel is known to Slack alone."""
    return "MEMBER_OF" in fault.kind


def test_what_came_just_now_is_not_missed_yet_but_later(space: Space, ear: Ear, talk: Talk) -> None:
    before = len(talk.events)
    said = talk.write(50 * HOUR, "U3", "as of today it is 33")
    hear(ear, talk.events[before:])
    assert failures(space) == []
    ear.store.clean("C1", ear.store.marks("C1"))
    assert failures(space) == [f"slack:C1/{said}: the graph lacks this message"]


def test_words_that_were_deleted_may_not_stand(space: Space, ear: Ear, talk: Talk, tmp_path: Path) -> None:
    ingest_slack_export(space, talk.export(tmp_path / "export"))
    settle(ear)
    assert failures(space) == []
    [line] = ear.store.line_between("C1", 0, 1 << 60)[-1:]
    ear.store.erase("C1", line, None, 1 << 50)
    assert any(line in told and "not in the source" in told for told in failures(space))
    while catch_up(ear):
        pass
    assert failures(space) == []


def test_an_edit_after_an_import_is_what_counts(space: Space, ear: Ear, talk: Talk, tmp_path: Path) -> None:
    ingest_slack_export(space, talk.export(tmp_path / "export"))
    before, said = len(talk.events), talk.events[1]["ts"]
    talk.edit(said, "<@U1> good evening")
    hear(ear, talk.events[before:])
    settle(ear)
    assert failures(space) == []


def test_without_what_was_recorded_nothing_live_passes(space: Space, talk: Talk) -> None:
    told = [line for found in audited(space.reader, Places()) for line in found.failures]
    assert any("its source is not known" in line for line in told)
