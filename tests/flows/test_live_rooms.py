"""Channels and people that change: who may see what follows at once, whoever asks and wherever."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import time

import pytest

from assistant.access import scope_for
from assistant.graph.answers import Given, save_answer
from assistant.graph.consent import Mode, set_mode
from assistant.graph.people import GraphMembers
from assistant.graph.reading.conversations import holding
from assistant.graph.reading.decisions import all_decisions
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.settings import Settings
from connectors.slack.members import SlackDirectory, stale_by_person, stale_by_room
from tests.chat.answers import answered
from tests.fakes.slack_server import TEAM, FakeSlack, running
from tests.fakes.slack_talk import NOON, Talk
from tests.flows.listening import hear, hearing, known, record, settle
from tests.flows.test_live import a_talk, imported, two_spaces
from workers import equipment as at_work
from workers.cache import RedisCache
from workers.ear import WATCHED, Ear
from workers.equipment import Equipment
from workers.history import follow_choice, missed, take_up
from workers.queue import INGEST, open_queue
from workers.reconcile import reconcile
from workers.rooms import meet, refresh, turn
from workers.talk import ingest_slack_export

CITE = Query(
    "test_rooms.cite",
    "MATCH (a:Answer {id: $answer}) MATCH (u:Utterance {id: $said}) MERGE (a)-[c:CITES {claim: 'x', quote: 'y'}]->(u)",
)
AUDIENCES = Query(
    "test_rooms.audiences",
    "MATCH (a:Answer {id: $answer}) WITH a MATCH (a)-[n:ANSWERS]->(q) RETURN a.audience AS answer, q.audience AS asked",
)


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as fake:
        yield fake


@pytest.fixture
def ear(space: Space, tmp_path: Path, slack: FakeSlack) -> Iterator[Ear]:
    with hearing(space, tmp_path, slack) as opened:
        yield opened


def recorded(ear: Ear, talk: Talk) -> None:
    """The channel records, and what was said in it is in the graph."""
    record(ear, talk.channel)
    follow_choice(ear, talk.channel)
    hear(ear, talk.events)
    settle(ear)


def seen(ear: Ear, user: str | None, words: str = "seats") -> tuple[int, int]:
    """How many messages that say so, and how many decisions, somebody sees who asks alone."""
    reader = ear.space.reader
    scope = scope_for(Viewer(user), Place(PlaceKind.DM), GraphMembers(reader), {})
    return len(holding(reader, scope, words)), len(all_decisions(reader, scope))


def test_a_channel_made_private_is_its_peoples_own_at_once(
    ear: Ear, slack: FakeSlack, shared_settings: Settings, servers: Servers, tmp_path: Path
) -> None:
    talk = a_talk(slack)
    recorded(ear, talk)
    open_to_all = seen(ear, None)
    assert min(open_to_all) > 0
    answer = answered("31")
    given = Given(answer, "how many?", datetime.now(UTC), "public", None, (), {})
    save_answer(ear.space.graph, given)
    ear.space.graph.write(CITE, answer=answer.answer_id, said=f"slack:{TEAM}/C1/{talk.events[0]['ts']}")
    turn(ear, "C1", closed=True, left=None)  # Slack's own list still says that it is public
    assert seen(ear, None) == (0, 0)
    assert seen(ear, "U1") == open_to_all
    [row] = ear.space.reader.rows(AUDIENCES, answer=answer.answer_id)
    assert row == {"answer": "channel:C1", "asked": "channel:C1"}
    slack.channels["C1"]["is_private"] = talk.private = True
    settle(ear)
    ear.space.graph.write(DROP, answer=answer.answer_id)
    with two_spaces(shared_settings, servers) as (_, other):
        assert known(ear.space) == imported(other, talk, tmp_path / "export")


DROP = Query("test_rooms.drop", "MATCH (a:Answer {id: $answer}) WITH a MATCH (a)-[n:ANSWERS]->(q) DELETE a, q")


def test_a_renamed_channel_is_called_so_everywhere(
    ear: Ear, slack: FakeSlack, shared_settings: Settings, servers: Servers, tmp_path: Path
) -> None:
    talk = a_talk(slack)
    recorded(ear, talk)
    slack.channels["C1"]["name"] = talk.name = "new-rules"
    turn(ear, "C1", closed=False, left=None)
    settle(ear)
    with two_spaces(shared_settings, servers) as (_, other):
        assert known(ear.space) == imported(other, talk, tmp_path / "export")


def test_who_leaves_a_private_channel_or_the_company_has_lost_it(ear: Ear, slack: FakeSlack) -> None:
    talk = a_talk(slack, private=True)
    recorded(ear, talk)
    assert min(seen(ear, "U2")) > 0
    slack.errors["conversations.info"] = "channel_not_found"
    turn(ear, "C1", closed=False, left="U2")
    assert seen(ear, "U2") == (0, 0)
    assert min(seen(ear, "U3")) > 0
    slack.users["U3"]["deleted"] = True
    meet(ear, "U3")
    assert seen(ear, "U3") == (0, 0)
    del slack.errors["conversations.info"]
    slack.channels["C1"]["members"] = ["U1", "U2"]
    turn(ear, "C1", closed=False, left=None)
    assert min(seen(ear, "U2")) > 0


def test_when_we_leave_nobody_is_known_to_be_in_the_channel(ear: Ear, slack: FakeSlack) -> None:
    recorded(ear, a_talk(slack, private=True))
    slack.errors["conversations.info"] = "channel_not_found"
    turn(ear, "C1", closed=False, left=ear.us.bot)
    assert {seen(ear, user) for user in ("U1", "U2", "U3")} == {(0, 0)}


def test_what_a_channel_is_cannot_be_found_out_so_it_is_private(ear: Ear, slack: FakeSlack) -> None:
    talk = a_talk(slack)
    slack.errors["conversations.info"] = "missing_scope"
    record(ear, "C1")
    hear(ear, talk.events)
    settle(ear)
    assert seen(ear, None) == (0, 0)


def watched(ear: Ear) -> list[str]:
    """Channels that are to be looked at now or soon for outsiders."""
    queue = open_queue(ear.server, INGEST)
    later = [queue.fetch_job(name) for name in queue.scheduled_job_registry.get_job_ids()]
    jobs = [one for one in (*queue.jobs, *later) if one is not None and one.func_name == "workers.consent.watched"]
    return sorted(one.args[0]["channel"] for one in jobs)


@pytest.mark.parametrize(
    ("marks", "looks"),
    [
        ({"is_restricted": True}, True),
        ({"is_ultra_restricted": True}, True),
        ({"team_id": "T9OTHER"}, True),
        ({"is_restricted": True, "deleted": True}, False),
        ({"real_name": "Ada King"}, False),
    ],
)
def test_who_becomes_an_outsider_has_every_recording_channel_looked_at(
    ear: Ear, slack: FakeSlack, marks: dict[str, object], looks: bool
) -> None:
    for channel in ("C1", "C2", "C3"):
        record(ear, channel)
    record(ear, "C3", Mode.ANSWER)
    Talk(slack)
    cache = RedisCache(ear.server)
    cache.put("outsiders:C1", "false", 300)
    slack.users["U2"] |= marks
    meet(ear, "U2")
    assert watched(ear) == (["C1", "C2"] if looks else [])
    assert (cache.get("outsiders:C1") is None) == looks


@pytest.mark.parametrize(("job", "payload"), [(take_up, {}), (missed, {"since": 1_772_452_800.0})])
def test_who_came_while_nobody_listened_is_looked_for_at_the_start(
    ear: Ear,
    job: Callable[[dict[str, object]], None],
    payload: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready = Equipment(ear.settings, ear.space.servers, ear.us, None)
    monkeypatch.setattr(at_work, "_ready", [ready])
    with ready.space() as space:
        ear.server.delete(f"{WATCHED}:{space.name}")
        set_mode(space.graph, "C1", Mode.RECORD, "U1", datetime.now(UTC))
        job(payload)
        set_mode(space.graph, "C1", Mode.OFF, "U1", datetime.now(UTC))
    assert watched(ear) == ["C1"]


def test_workers_that_start_one_after_another_look_once(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = Equipment(ear.settings, ear.space.servers, ear.us, None)
    monkeypatch.setattr(at_work, "_ready", [ready])
    with ready.space() as space:
        ear.server.delete(f"{WATCHED}:{space.name}")
        set_mode(space.graph, "C1", Mode.RECORD, "U1", datetime.now(UTC))
        for _ in range(3):
            take_up({})
        assert watched(ear) == ["C1"]
        missed({"since": 1_772_452_800.0})
        set_mode(space.graph, "C1", Mode.OFF, "U1", datetime.now(UTC))
    assert watched(ear) == ["C1", "C1"], "what the web process missed nobody has kept"


@pytest.fixture
def directory(ear: Ear) -> SlackDirectory:
    return SlackDirectory(ear.client, RedisCache(ear.server), TEAM)


def test_notes_of_slack_are_dropped_and_not_taken_again_from_who_asked_before(
    ear: Ear, slack: FakeSlack, directory: SlackDirectory
) -> None:
    slack.channels["C1"] = {"members": ["U1", "U2"], "name": "rules"}
    slack.users |= {"U1": {}, "U2": {}}
    assert directory.channels_of("U2") == {"C1"}
    assert not directory.room("C1").outsiders
    slack.channels["C1"]["members"] = ["U1"]
    assert directory.channels_of("U2") == {"C1"}, "that is what a note is for"
    cache = RedisCache(ear.server)
    cache.drop(stale_by_room("C1", "U2"))
    cache.put("channels:U2", '["C1"]', 300)  # one who had asked Slack before the event, and stores it after
    assert directory.channels_of("U2") == frozenset()
    slack.users["U1"] = {"is_restricted": True}
    assert not directory.room("C1").outsiders or cache.get("outsiders:C1") is None
    cache.drop(stale_by_person("U1"))
    assert directory.room("C1").outsiders
    assert not directory.member("U1")


def test_looking_again_changes_nothing(ear: Ear, slack: FakeSlack) -> None:
    recorded(ear, a_talk(slack, private=True))
    before = known(ear.space)
    refresh(ear, "C1")
    settle(ear)
    assert known(ear.space) == before
    assert not ear.store.waiting()


@pytest.mark.parametrize("live", [True, False])
def test_what_was_said_while_a_channel_was_private_stays_its_peoples_own(
    ear: Ear, slack: FakeSlack, tmp_path: Path, live: bool
) -> None:
    """It is opened, as Slack says or an export; what is said from then on is anybody's."""
    talk = a_talk(slack, private=True)
    recorded(ear, talk)
    inside = seen(ear, "U1")
    assert min(inside) > 0 and seen(ear, None) == (0, 0)
    slack.channels["C1"]["is_private"] = talk.private = False
    if live:
        turn(ear, "C1", closed=False, left=None)
        settle(ear)
    else:
        ingest_slack_export(ear.space, talk.export(tmp_path / "export"))
        reconcile(ear.space, days=14)
    assert seen(ear, None) == (0, 0)
    assert seen(ear, "U1") == inside
    talk.events.clear()
    talk.write(int(time()) - NOON + 60, "U2", "Decided: visitors have seats from May on.")
    if live:
        hear(ear, talk.events)
        settle(ear)
    else:
        ingest_slack_export(ear.space, talk.export(tmp_path / "again"))
        reconcile(ear.space, days=14)
    assert seen(ear, None) == (1, 1)


def test_a_channel_that_could_not_be_looked_into_was_not_private(ear: Ear, slack: FakeSlack) -> None:
    talk = a_talk(slack)
    slack.errors["conversations.info"] = "missing_scope"
    record(ear, "C1")
    hear(ear, talk.events)
    settle(ear)
    assert seen(ear, None) == (0, 0)
    slack.errors.clear()
    turn(ear, "C1", closed=False, left=None)
    settle(ear)
    assert min(seen(ear, None)) > 0
