"""What is deleted or forgotten in a channel that records leaves every byte, and nothing late or anew brings it back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.graph.servers import embedded
from assistant.graph.space import open_space
from assistant.settings import Settings
from tests.fakes.slack_server import TEAM, FakeSlack, running
from tests.fakes.traces import gone_from, uncompressed
from tests.flows.listening import hear, hearing, record, settle
from workers.ear import Ear
from workers.forgetting import forget, lift
from workers.history import follow_choice
from workers.whose import words_by, words_in

ROOM, ANA, BEN = "C1", "U1", "U2"
OLD = {"U1": {"real_name": "Ana Lindt"}, "U2": {"real_name": "Ben Ode"}}


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack(users=dict(OLD), channels={ROOM: {"members": [ANA, BEN], "name": "rules"}})) as fake:
        yield fake


@pytest.fixture
def ear(settings: Settings, tmp_path: Path, slack: FakeSlack) -> Iterator[Ear]:
    """An ear in a home of its own, whose bytes can be searched."""
    servers = embedded.ensure(settings)
    uncompressed(servers)
    with open_space(settings, servers=servers) as space, hearing(space, tmp_path, slack) as opened:
        yield opened
    embedded.stop(servers)


def said(slack: FakeSlack, user: str, text: str, ts: str, thread: str | None = None) -> dict[str, Any]:
    """Somebody says something; its event."""
    slack.said(ROOM, user, text, ts, thread)
    event = {"type": "message", "channel": ROOM, "channel_type": "channel", "user": user, "text": text, "ts": ts}
    return {**event, "event_ts": ts} | ({"thread_ts": thread} if thread else {})


def deleted(slack: FakeSlack, event: dict[str, Any]) -> dict[str, Any]:
    """It is deleted; the event of that."""
    slack.messages[ROOM] = [one for one in slack.messages[ROOM] if one["ts"] != event["ts"]]
    more = {"subtype": "message_deleted", "deleted_ts": event["ts"], "previous_message": event}
    return {"type": "message", "channel": ROOM, "channel_type": "channel", "event_ts": "1790000000.000001", **more}


def test_a_deleted_message_is_gone_and_its_late_duplicate_does_not_bring_it_back(
    ear: Ear, slack: FakeSlack, settings: Settings
) -> None:
    record(ear, ROOM)
    events = [
        said(slack, ANA, "How many seats has a trial? Zanzibàr says thirty.", "1780000000.000100"),
        said(slack, BEN, "Decided: a trial has 31 seats, as Quaggatown asked.", "1780000060.000100"),
    ]
    hear(ear, events)
    settle(ear)
    assert gone_from("quaggatown", settings.home, patience=0.0)
    hear(ear, [deleted(slack, events[1])])
    settle(ear)
    assert gone_from("quaggatown", settings.home) == []
    hear(ear, events)
    settle(ear)
    assert gone_from("quaggatown", settings.home) == []
    assert gone_from("zanzib", settings.home, patience=0.0), "what others said stays"


def test_a_conversation_that_is_gone_is_lifted_by_the_name_it_was_printed_with(
    ear: Ear, slack: FakeSlack, settings: Settings
) -> None:
    """By its id, too, and also where it was forgotten before any conversation was cut of it."""
    record(ear, ROOM)
    follow_choice(ear, ROOM)
    root, line = "1780000000.000100", "1780050000.000100"
    question = said(slack, ANA, "How many seats has a trial? Zanzibàr says thirty.", root)
    reply = said(slack, BEN, "Decided: a trial has 31 seats.", "1780000060.000100", root)
    alone = said(slack, BEN, "Decided: lunch is at noon from now on.", line)
    for number, (cut, name) in enumerate(
        [(True, "slack:rules/{}"), (True, f"slack:{TEAM}/{ROOM}/{{}}"), (False, "slack:rules/{}")]
    ):
        hear(ear, [question, reply, alone])
        if cut:
            settle(ear)
        heard = [f"slack:{TEAM}/{ROOM}/{one['ts']}" for one in (question, reply, alone)]
        forget(ear.space, ear, heard, about=f"time {number}", settings=ear.settings)
        settle(ear)
        assert [lift(ear.space, name.format(ts)) for ts in (root, line)] == [2, 1]
        assert lift(ear.space, name.format(root)) == 0
    hear(ear, [question, reply, alone])
    settle(ear)
    found = words_in(ear.space, f"slack:rules/{root}")
    assert found is not None
    assert len(found.utterances) == 2


def test_own_words_are_gone_and_no_history_brings_them_back(ear: Ear, slack: FakeSlack, settings: Settings) -> None:
    record(ear, ROOM)
    events = [
        said(slack, ANA, "How many seats has a trial? Zanzibàr says thirty.", "1780000000.000100"),
        said(slack, BEN, "Decided: a trial has 31 seats, as Quaggatown asked.", "1780000060.000100"),
    ]
    hear(ear, events)
    settle(ear)
    own = words_by(ear.space, BEN, TEAM)
    assert len(own.utterances) == 1
    forget(ear.space, ear, own.utterances, answers=own.answers, by=BEN, about="own words", settings=ear.settings)
    settle(ear)
    assert gone_from("quaggatown", settings.home) == []
    ear.store.forget_history(ROOM)
    follow_choice(ear, ROOM)
    hear(ear, events)
    settle(ear)
    assert gone_from("quaggatown", settings.home) == []
    assert words_by(ear.space, BEN, TEAM).utterances == ()
    assert words_by(ear.space, ANA, TEAM).utterances == (f"slack:{TEAM}/{ROOM}/1780000000.000100",)
