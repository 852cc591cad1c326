"""What a channel's people choose: told where it was made, kept with its author, and nothing recorded without it."""

import json
import os
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.chat import journeys, texts
from assistant.errors import Retry
from assistant.graph.consent import OUTSIDERS, Mode, choices, mode_of, set_mode
from assistant.graph.dump import canonical_dump
from assistant.graph.servers import embedded
from assistant.graph.writing.talk import write_conversations
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from assistant.settings import Settings
from connectors.slack.client import Identity
from connectors.slack.surface import SlackSurface
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack, running
from tests.flows.office import mention
from workers import consent, history
from workers import equipment as at_work
from workers.equipment import Equipment
from workers.queue import INGEST, connect, open_queue
from workers.queue.recording import is_off, switch_off

ROOM = "C7ROOM"
MARCH = 1_772_539_200_000_000
"""3 March 2026, noon."""


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    members = ["U01ANA", "U02BEN"]
    people = {"U01ANA": {}, "U02BEN": {}, "U9OUT": {}, "U5GUEST": {"is_restricted": True}}
    rooms = {ROOM: {"members": members}, "C8GUESTS": {"members": [*members, "U5GUEST"]}}
    with running(FakeSlack(users=people, channels=rooms)) as server:
        yield server


@pytest.fixture
def equipment(filled_home: Path, slack: FakeSlack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Equipment]:
    """A worker's equipment, with a graph in which nobody has chosen anything."""
    settings = Settings(home=filled_home, cache=filled_home / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url)
    ready = Equipment(settings, embedded.ensure(settings), Identity(BOT, TEAM), None)
    monkeypatch.setattr(at_work, "_ready", [ready])
    connect(ready.servers.queue_url).flushall()
    yield ready
    with ready.space() as space:
        space.graph.command("GRAPH.QUERY", space.graph.name, "MATCH (n) WHERE n:ConsentChoice OR n:Post DELETE n")


def click(mode: str, user: str = "U01ANA", at: int = MARCH, channel: str = ROOM) -> None:
    consent.chosen({"channel": channel, "user": user, "mode": mode, "at": at, "whispered": False})


def told(slack: FakeSlack, channel: str = ROOM) -> list[str]:
    """What our messages in the channel say, with the labels of their buttons."""
    return [json.dumps(message["blocks"], ensure_ascii=False) for message in slack.by_us(channel)]


def whispered(slack: FakeSlack, channel: str = ROOM) -> list[str]:
    """What was shown to single people there."""
    return [one["text"] for one in slack.messages[channel] if one.get("ephemeral_to")]


def test_invited_it_says_once_what_it_does_and_records_nothing(equipment: Equipment, slack: FakeSlack) -> None:
    slack.lost_replies = 1
    with pytest.raises(Exception, match=r"chat\.postMessage"):
        consent.invited({"channel": ROOM, "at": "100.000001"})
    consent.invited({"channel": ROOM, "at": "100.000001"})
    [said] = told(slack)
    for part in (texts.CONSENT_NONE, texts.CONSENT_ANSWER, texts.CONSENT_RECORD, "/why forget", "/why settings"):
        assert part in said
    with equipment.space() as space:
        assert mode_of(space.reader, ROOM) is Mode.ANSWER


def test_a_choice_is_told_by_that_same_message_with_its_author(equipment: Equipment, slack: FakeSlack) -> None:
    consent.invited({"channel": ROOM, "at": "100.000001"})
    click("record")
    click("record")  # the job, tried again
    click("record", "U02BEN", MARCH + 86_400_000_000)
    [said] = told(slack)
    assert "Recording since 3 March 2026, switched on by <@U01ANA>." in said
    assert "✓ Answer and record" in said
    with equipment.space() as space:
        assert [(one.mode, one.by) for one in choices(space.reader, ROOM)] == [
            (Mode.RECORD, "U01ANA"),
            (Mode.RECORD, "U02BEN"),
        ]
    jobs = open_queue(connect(equipment.servers.queue_url), INGEST).jobs
    assert {(job.func_name, job.args[0]["channel"]) for job in jobs} == {("workers.history.follow", ROOM)}


@pytest.mark.parametrize("user", ["U9OUT", "U5GUEST"])
def test_who_is_no_full_member_of_the_channel_chooses_nothing(
    equipment: Equipment, slack: FakeSlack, user: str
) -> None:
    click("record", user)
    click("record", user, channel="C8GUESTS")
    with equipment.space() as space:
        assert choices(space.reader) == []
    assert whispered(slack) == [texts.CONSENT_NOT_YOURS]
    assert told(slack) == []


def test_nothing_is_recorded_where_guests_read_along(equipment: Equipment, slack: FakeSlack) -> None:
    click("record", channel="C8GUESTS")
    assert whispered(slack, "C8GUESTS") == [texts.CONSENT_OUTSIDERS]
    click("answer", channel="C8GUESTS")
    with equipment.space() as space:
        assert mode_of(space.reader, "C8GUESTS") is Mode.ANSWER


def test_switched_off_it_answers_nothing_there_and_says_how_to_switch_it_on(
    equipment: Equipment, slack: FakeSlack
) -> None:
    click("off")
    for ts in ("200.000001", "200.000002"):
        journeys.answer(mention("What is the trial threshold?", ts=ts, channel=ROOM), equipment.desk())
    assert whispered(slack) == [texts.OFF_HERE, texts.OFF_HERE]
    assert [one for one in told(slack) if "trial" in one.casefold()] == []
    click("answer", at=MARCH + 1)
    journeys.answer(mention("What is the trial threshold?", ts="200.000003", channel=ROOM), equipment.desk())
    assert "31" in slack.by_us(ROOM)[-1]["text"]


def test_settings_show_what_holds_to_one_person_and_a_choice_there_reaches_the_channel(
    equipment: Equipment, slack: FakeSlack
) -> None:
    consent.settings({"channel": ROOM, "user": "U02BEN"})
    [shown] = [one for one in slack.messages[ROOM] if one.get("ephemeral_to")]
    assert texts.CONSENT_NONE in json.dumps(shown["blocks"])
    consent.chosen({"channel": ROOM, "user": "U02BEN", "mode": "off", "at": MARCH, "whispered": True})
    [said] = told(slack)
    assert "Switched off since 3 March 2026 by <@U02BEN>." in said
    assert whispered(slack)[-1] == texts.CONSENT_DONE


def test_where_the_message_was_deleted_the_choice_is_told_anew(equipment: Equipment, slack: FakeSlack) -> None:
    consent.invited({"channel": ROOM, "at": "100.000001"})
    slack.messages[ROOM].clear()
    click("answer")
    [said] = told(slack)
    assert "Answering only since 3 March 2026" in said


def test_settings_of_a_channel_that_we_are_not_in_are_explained_in_private(
    equipment: Equipment, slack: FakeSlack
) -> None:
    slack.errors["chat.postEphemeral"] = "not_in_channel"
    consent.settings({"channel": ROOM, "user": "U01ANA"})
    assert [one["text"] for one in slack.by_us("DU01ANA")] == [texts.SETTINGS_NOT_IN]


def test_recording_stops_by_itself_when_outsiders_come(equipment: Equipment, slack: FakeSlack) -> None:
    click("record")
    consent.watched({"channel": ROOM, "at": "100.000001"})
    assert "Recording since" in told(slack)[0]
    slack.channels[ROOM]["members"].append("U5GUEST")
    connect(equipment.servers.queue_url).flushall()  # the notes of who reads along, as that event drops them
    consent.watched({"channel": ROOM, "at": "100.000002"})
    consent.watched({"channel": ROOM, "at": "100.000002"})
    [said] = told(slack)
    assert "so I stopped recording" in said
    with equipment.space() as space:
        assert [(one.mode, one.by) for one in choices(space.reader, ROOM)][1:] == [(Mode.ANSWER, OUTSIDERS)]


STOPPED = "so I stopped recording"


def outsider_comes(equipment: Equipment, slack: FakeSlack) -> dict[str, str]:
    """A guest comes to the channel, which records; what the job is given."""
    consent.invited({"channel": ROOM, "at": "100.000001"})
    click("record")
    slack.channels[ROOM]["members"].append("U5GUEST")
    connect(equipment.servers.queue_url).flushall()  # with the notes of who reads along, as that event drops them
    return {"channel": ROOM, "at": "100.000002"}


def has_stopped(equipment: Equipment, slack: FakeSlack) -> bool:
    """Whether recording is off everywhere: by choice, at the door, and in what the channel is told."""
    with equipment.space() as space:
        modes = [(one.mode, one.by) for one in choices(space.reader, ROOM)]
    jobs = open_queue(connect(equipment.servers.queue_url), INGEST).jobs
    shut = [job.args[0] for job in jobs if job.func_name == "workers.history.follow"] == [{"channel": ROOM}]
    return modes[1:] == [(Mode.ANSWER, OUTSIDERS)] and shut and [STOPPED in one for one in told(slack)] == [True]


STEPS = {
    "set_mode": consent,
    "follow": consent,
    "enqueue": consent,
    "tell": consent,
    "message": consent.Room,
    "update": SlackSurface,
}
"""The steps of the job, and where each is found."""


def killed_before(step: str, payload: dict[str, str]) -> int:
    """Does the job in a process of its own that kills itself before the step; the signal that it died of."""
    child = os.fork()
    if child == 0:
        setattr(STEPS[step], step, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
        try:
            consent.watched(payload)
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("step", STEPS)
def test_recording_stops_whole_wherever_the_job_is_killed(equipment: Equipment, slack: FakeSlack, step: str) -> None:
    payload = outsider_comes(equipment, slack)
    assert killed_before(step, payload) == signal.SIGKILL
    assert not has_stopped(equipment, slack)
    consent.watched(payload)
    assert has_stopped(equipment, slack)


def test_recording_stops_whole_though_slack_would_not_listen_at_first(equipment: Equipment, slack: FakeSlack) -> None:
    payload = outsider_comes(equipment, slack)
    slack.errors["chat.update"] = "internal_error"
    with pytest.raises(Retry):
        consent.watched(payload)
    slack.errors.clear()
    consent.watched(payload)
    assert has_stopped(equipment, slack)


def test_who_chose_since_outsiders_came_is_not_overruled_by_the_job_tried_again(
    equipment: Equipment, slack: FakeSlack
) -> None:
    payload = outsider_comes(equipment, slack)
    consent.watched(payload)
    with equipment.space() as space:
        set_mode(space.graph, ROOM, Mode.OFF, "U01ANA", datetime.now(UTC))
        consent.watched(payload)
        assert mode_of(space.reader, ROOM) is Mode.OFF


def test_what_was_recorded_stays_until_a_member_has_it_forgotten(equipment: Equipment, slack: FakeSlack) -> None:
    said = Utterance(f"slack:{TEAM}/{ROOM}/1.000001", Speaker("Ana", None), 1_000_001, "Quaggas are billed monthly.")
    place = (ROOM, "room", "", "public", 1_000_001)
    talk = Conversation("slack:T/R/1", "slack:room/1", ConversationKind.MAIN_LINE, *place, (said,))
    with equipment.space() as space:
        write_conversations(space.graph, [talk], 1)
    click("record")
    assert texts.CONSENT_FORGET not in told(slack)[0]
    click("answer", at=MARCH + 1)
    assert texts.CONSENT_FORGET in told(slack)[0]
    assert texts.CONSENT_KEPT in told(slack)[0]
    consent.forgotten({"channel": ROOM, "user": "U9OUT", "at": "300.000001"})
    with equipment.space() as space:
        assert "quagga" in "".join(canonical_dump(space.reader)).casefold()
        consent.forgotten({"channel": ROOM, "user": "U02BEN", "at": "300.000001"})
        consent.forgotten({"channel": ROOM, "user": "U02BEN", "at": "300.000001"})
        assert "quagga" not in "".join(canonical_dump(space.reader)).casefold()
    standing, forgotten = told(slack)
    assert texts.CONSENT_FORGET not in standing
    assert "<@U02BEN> had everything forgotten" in forgotten


def test_the_queue_knows_where_nothing_is_wanted_of_us_whatever_it_lost(equipment: Equipment) -> None:
    server = connect(equipment.servers.queue_url)
    click("off")
    assert is_off(server, ROOM)
    server.flushall()
    switch_off(server, "C8GUESTS", off=True)
    history.take_up({})
    assert (is_off(server, ROOM), is_off(server, "C8GUESTS")) == (True, False)
    click("answer", at=MARCH + 1_000_000)
    assert not is_off(server, ROOM), "at once: else a question would come without its words"


@pytest.mark.parametrize(("older", "newer"), [("off", "answer"), ("answer", "off"), ("off", "record")])
def test_a_click_that_is_tried_again_leaves_the_door_as_the_newest_choice_has_it(
    equipment: Equipment, slack: FakeSlack, older: str, newer: str
) -> None:
    slack.errors["chat.postMessage"] = "internal_error"
    with pytest.raises(Retry):
        click(older)
    slack.errors.clear()
    click(newer, "U02BEN", MARCH + 1_000_000)
    click(older)  # the job, tried again
    with equipment.space() as space:
        assert mode_of(space.reader, ROOM) is Mode(newer)
    assert is_off(connect(equipment.servers.queue_url), ROOM) is (newer == "off")
