"""A channel's history: all of it, once, at Slack's pace, whatever is killed, refused or said meanwhile."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic, time

import pytest

from assistant.graph.consent import Mode
from assistant.graph.recorded import Page
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.settings import Settings
from connectors.slack.changes import Written, change_of
from tests.fakes.slack_server import BOT, FakeSlack, running
from tests.fakes.slack_talk import NOON, Talk
from tests.flows.listening import hear, hearing, known, record, settle
from tests.flows.test_live import a_talk, imported, two_spaces
from workers.catch_up import catch_up
from workers.ear import Ear
from workers.hear import take
from workers.history import catch_missed, follow_choice, read, read_on, unread
from workers.queue import INGEST, open_queue
from workers.queue.recording import is_recording
from workers.web.slack.heard import without_words


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as fake:
        yield fake


@pytest.fixture
def ear(space: Space, tmp_path: Path, slack: FakeSlack) -> Iterator[Ear]:
    with hearing(space, tmp_path, slack) as opened:
        yield opened


def long_talk(slack: FakeSlack, threads: int = 12) -> Talk:
    """A main line and threads, all together five messages a thread."""
    talk = Talk(slack)
    for number in range(threads):
        root = talk.write(number * 7000, "U1", f"What about rule {number}?")
        talk.react(root, "U2", "eyes")
        talk.write(number * 7000 + 60, "U2", f"line {number}")
        for answer in range(3):
            talk.write(number * 7000 + 100 + answer, "U3", f"Decided: rule {number} is {answer} days.", thread=root)
    return talk


def test_what_was_said_before_we_came_is_read_with_its_threads(
    ear: Ear, space: Space, slack: FakeSlack, tmp_path: Path, shared_settings: Settings, servers: Servers
) -> None:
    slack.page = 7
    talk = long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    settle(ear)
    assert ear.store.histories()["C1"]["done"]
    with two_spaces(shared_settings, servers) as (_, other):
        assert known(space) == imported(other, talk, tmp_path / "export")


def test_an_answer_to_what_was_said_long_before_brings_the_whole_thread(ear: Ear, slack: FakeSlack) -> None:
    talk = Talk(slack)
    root = talk.write(-21 * 86_400, "U1", "Should the trial need 31 seats?")
    talk.write(-21 * 86_400 + 60, "U2", "I think so.", thread=root)
    record(ear, "C1")
    follow_choice(ear, "C1")
    ear.store.keep("C1", (), Page(state={"before": "1.0", "back_to": "0", "pages": 1, "messages": 0, "done": True}))
    talk.events.clear()
    talk.write(0, "U3", "Decided, then.", thread=root)
    hear(ear, talk.events)
    assert not catch_up(ear)
    assert "I think so." not in "\n".join(known(ear.space))
    settle(ear)
    said = [one for one in known(ear.space) if one.startswith('[["Utterance"]')]
    assert len(said) == 3
    assert all(f'"conversation": "slack:T01TEST/C1/{root}"' in one for one in said)


def test_a_page_that_slack_refuses_is_asked_for_when_slack_says(ear: Ear, slack: FakeSlack) -> None:
    slack.page, slack.retry_after = 15, 60
    slack.pace = {"conversations.history": (1, 60), "conversations.replies": (1, 60)}
    long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    began = time()
    pause = read_on(ear, monotonic() + 3)
    assert pause is not None
    assert 55 < pause <= 60
    assert time() - began < 2
    calls = len(slack.calls)
    assert (read_on(ear, monotonic() + 3) or 0) > 50
    assert len(slack.calls) == calls


def test_reading_again_what_was_read_changes_nothing(ear: Ear, slack: FakeSlack) -> None:
    long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    settle(ear)
    before = known(ear.space)
    ear.store.forget_history("C1")
    follow_choice(ear, "C1")
    while read_on(ear, monotonic() + 5) is not None:
        pass
    assert not ear.store.waiting()
    assert known(ear.space) == before


def test_history_never_undoes_what_events_told_since(ear: Ear, slack: FakeSlack) -> None:
    """A page that was asked for before an edit, a deletion and a reaction comes in after them."""
    talk = a_talk(slack)
    record(ear, "C1")
    hear(ear, talk.events)
    settle(ear)
    before = known(ear.space)
    stale = FakeSlack(page=100)
    earlier = Talk(stale)
    earlier.write(0, "U1", "Should the trial need 31 seats instead of 25?")
    earlier.write(5 * 3600 + 60, "U1", "never mind the walrus")
    yes = earlier.write(300, "U2", "Yes, let's go with 31 seats.", thread=earlier.slack.messages["C1"][0]["ts"])
    earlier.react(yes, "U1", "eyes")
    slack.messages["C1"] = stale.messages["C1"]
    ear.store.forget_history("C1")
    follow_choice(ear, "C1")
    settle(ear)
    assert [one for one in known(ear.space) if "walrus" in one] == []
    assert known(ear.space) == before


def test_nothing_is_read_or_let_in_where_nobody_asked_for_it(ear: Ear, slack: FakeSlack) -> None:
    talk = long_talk(slack)
    for mode in (None, Mode.ANSWER, Mode.OFF):
        if mode is not None:
            record(ear, "C1", mode)
        follow_choice(ear, "C1")
        hear(ear, talk.events)
        settle(ear)
        assert not is_recording(ear.server, "C1")
        assert not slack.made("conversations.history")
        assert not ear.store.waiting()
        assert not known(ear.space)


def test_who_switches_recording_off_stops_the_reading_and_keeps_the_right_to_delete(ear: Ear, slack: FakeSlack) -> None:
    talk = long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    settle(ear)
    assert is_recording(ear.server, "C1")
    record(ear, "C1", Mode.ANSWER)
    follow_choice(ear, "C1")
    assert not is_recording(ear.server, "C1")
    talk.events.clear()
    first, second = (one["ts"] for one in slack.messages["C1"][1:3])
    talk.delete(second)
    talk.edit(first, "something else that nobody may record")
    talk.write(900_000, "U1", "nor this")
    hear(ear, talk.events)
    settle(ear)
    lines = "\n".join(known(ear.space))
    assert f"C1/{first}" not in lines
    assert f"C1/{second}" not in lines
    assert "nor this" not in lines
    assert "nobody may record" not in lines


def test_jobs_of_the_history_put_themselves_back_and_end(ear: Ear, slack: FakeSlack) -> None:
    long_talk(slack, threads=2)
    record(ear, "C1")
    follow_choice(ear, "C1")
    follow_choice(ear, "C1")
    names = [job.func_name for job in open_queue(ear.server, INGEST).jobs]
    assert names == ["workers.history.fill"]


def test_what_was_said_while_nobody_listened_is_read(ear: Ear, slack: FakeSlack) -> None:
    slack.page = 3
    talk = long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    settle(ear)
    talk.clock = int(time())
    now = talk.clock - NOON
    talk.write(now - 7000, "U1", "long heard")
    talk.write(now - 100, "U1", "Decided: missed rules hold, too.")
    calls = len(slack.made("conversations.history"))
    catch_missed(ear, time())
    settle(ear)
    assert "missed rules hold" in "\n".join(known(ear.space))
    assert len(slack.made("conversations.history")) == calls + 1, "no more is read again than may have been missed"


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("fault", [False, True])
def test_what_was_missed_before_the_past_was_read_is_read_with_the_rest_of_it(
    ear: Ear, slack: FakeSlack, times: int, fault: bool
) -> None:
    slack.page = 3
    talk = long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    read_on(ear, monotonic() + 0.01)
    if fault:
        slack.errors["conversations.history"] = "not_in_channel"
        read_on(ear, monotonic() + 0.5)
        del slack.errors["conversations.history"]
        assert "fault" in ear.store.histories()["C1"]
    else:
        assert not ear.store.histories()["C1"]["done"]
    talk.clock = int(time())
    for number in range(times):
        for line in range(5):
            at = talk.clock - NOON - 5000 + number * 1000 + line
            talk.write(at, "U1", f"Decided: missed rule {number} is {line} days.")
        catch_missed(ear, NOON + at)
        read_on(ear, monotonic() + 0.01)
    settle(ear)
    told = "\n".join(known(ear.space))
    assert [one for one in slack.messages["C1"] if one["text"] not in told] == []
    assert ear.store.histories()["C1"]["done"]
    assert "fault" not in ear.store.histories()["C1"]


def test_a_page_that_was_asked_for_before_all_was_begun_anew_does_not_end_it(ear: Ear, slack: FakeSlack) -> None:
    slack.page = 3
    long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    read_on(ear, monotonic() + 0.01)
    [step] = [one for one in unread(ear) if one.root is None]
    catch_missed(ear, time())
    before = ear.store.histories()["C1"]
    read(ear, step)
    assert ear.store.histories()["C1"] == before


def test_a_queue_that_forgot_who_records_is_told_and_the_past_read_again(ear: Ear, slack: FakeSlack) -> None:
    talk = long_talk(slack)
    record(ear, "C1")
    follow_choice(ear, "C1")
    settle(ear)
    ear.server.flushall()
    lost = talk.write(900_000, "U1", "Decided: lost rules hold, too.")
    talk.events.clear()
    talk.edit(lost, "Decided: found rules hold, too.")
    nothing = without_words(change_of(talk.events[0], BOT))
    assert isinstance(nothing, Written)
    assert nothing.body == {}
    take(ear, nothing)
    assert is_recording(ear.server, "C1")
    settle(ear)
    assert "found rules hold" in "\n".join(known(ear.space))


def test_what_is_older_than_words_are_kept_is_not_even_read(ear: Ear, slack: FakeSlack) -> None:
    slack.page = 3
    talk = Talk(slack)
    now = int(time()) - NOON
    for days in range(40):
        talk.write(now - days * 86_400 - 60, "U1", f"said {days} days ago")
    short = replace(ear, settings=ear.settings.model_copy(update={"retention_days": 5}))
    record(short, "C1")
    follow_choice(short, "C1")
    settle(short)
    told = "\n".join(known(ear.space))
    assert "said 4 days ago" in told
    assert "said 5 days ago" not in told
    assert len(slack.made("conversations.history")) == 2


def test_a_channel_that_we_could_not_read_is_read_when_we_are_asked_in_again(ear: Ear, slack: FakeSlack) -> None:
    long_talk(slack, threads=2)
    slack.errors["conversations.history"] = "not_in_channel"
    record(ear, "C1")
    follow_choice(ear, "C1")
    settle(ear)
    assert "not_in_channel" in ear.store.histories()["C1"]["fault"]
    del slack.errors["conversations.history"]
    follow_choice(ear, "C1")
    settle(ear)
    assert "fault" not in ear.store.histories()["C1"]
    assert len(ear.store.histories()) == 1
    assert "Decided: rule 1 is 2 days." in "\n".join(known(ear.space))
