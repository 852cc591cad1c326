"""Live talk: whatever comes in whichever order, the graph is the one that an export of the same talk gives."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.graph.reading.decisions import all_decisions
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.model.audiences import PUBLIC, Scope
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.slack_server import FakeSlack, running
from tests.fakes.slack_talk import PEOPLE, Talk
from tests.flows.listening import hear, hearing, known, record, settle
from workers.catch_up import catch_up
from workers.ear import Ear
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export

HOUR = 3600
PUBLIC_SCOPE = Scope((PUBLIC,))
TEXTS = ("Decided: the trial needs 31 seats.", "25 -> 31?", "Yes, let's do it.", "ok", "no, wait", "<@U2> thanks")
Deed = tuple[str, int, str, str, int]


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as fake:
        yield fake


@pytest.fixture
def ear(space: Space, tmp_path: Path, slack: FakeSlack) -> Iterator[Ear]:
    with hearing(space, tmp_path, slack) as opened:
        yield opened


@contextmanager
def two_spaces(settings: Settings, servers: Servers) -> Iterator[list[Space]]:
    """Empty ones, for live talk and for its export."""
    opened = [open_space(settings, name=f"{kind}-{next(_numbers)}", servers=servers) for kind in ("live", "import")]
    yield opened
    for space in opened:
        drop(space.graph)
        space.close()


@pytest.fixture
def other(shared_settings: Settings, servers: Servers) -> Iterator[Space]:
    """A second Space, for the export."""
    with two_spaces(shared_settings, servers) as (_, opened):
        yield opened


_numbers = itertools.count(1)


def imported(space: Space, talk: Talk, folder: Path) -> list[str]:
    """What is known from an export of the talk."""
    ingest_slack_export(space, talk.export(folder))
    reconcile(space, days=14)
    return known(space)


def a_talk(slack: FakeSlack, *, private: bool = False) -> Talk:
    """Threads, a main line with silences, an edit, a deletion, reactions, a broadcast, a file."""
    talk = Talk(slack, private=private, clock=int(time()))
    root = talk.write(0, "U1", "Should the trial need 31 seats instead of 25?")
    talk.write(60, "U2", "morning all")
    talk.write(120, "U3", "hi :wave:")
    yes = talk.write(300, "U2", "Yes, let's go with 31 seats.", thread=root)
    talk.react(yes, "U3", "white_check_mark")
    talk.react(yes, "U1", "eyes")
    talk.react(yes, "U1", "eyes", on=False)
    talk.edit(yes, "Yes, let's go with 31 active seats.")
    talk.write(5 * HOUR, "U3", "<@U1> see https://acme.example")
    lost = talk.write(5 * HOUR + 60, "U1", "never mind the walrus")
    talk.write(6 * HOUR, "U2", "Decided: parking is free from May on.", files=[{"id": "F1", "name": "plan.pdf"}])
    talk.delete(lost)
    talk.write(21 * 86_400, "U3", "as of today it is 31", thread=root, subtype="thread_broadcast")
    return talk


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(
            ["write", "write", "write", "answer", "answer", "edit", "unfurl", "delete", "react", "unreact"]
        ),
        st.integers(0, 11),
        st.sampled_from(sorted(PEOPLE)),
        st.sampled_from(TEXTS),
        st.sampled_from([60, 600, 2 * HOUR, 4 * HOUR]),
    ),
    max_size=14,
)


@settings(max_examples=12, deadline=None, database=None)
@given(deeds=DEEDS, private=st.booleans(), dice=st.randoms(use_true_random=False))
def test_whatever_the_order_it_is_the_same_graph(
    shared_settings: Settings, servers: Servers, deeds: list[Deed], private: bool, dice: Random
) -> None:
    """Events come shuffled, some of them twice, the graph is brought up to them at any moment."""
    with (
        two_spaces(shared_settings, servers) as (live, other),
        running(FakeSlack()) as slack,
        hearing(live, shared_settings.home, slack) as ear,
        TemporaryDirectory() as folder,
    ):
        talk = spoken(slack, deeds, private)
        record(ear, "C1")
        events = [*talk.events, *dice.sample(talk.events, len(talk.events) // 3)]
        dice.shuffle(events)
        for event in events:
            hear(ear, [event])
            if dice.random() < 0.2:
                catch_up(ear)
        settle(ear)
        assert known(live) == imported(other, talk, Path(folder))


def spoken(slack: FakeSlack, deeds: list[Deed], private: bool) -> Talk:
    """A talk in which these things happen; everybody says something that stays."""
    talk, at = Talk(slack, private=private), 0
    said = [talk.write(n - 90_000, who, "hello") for n, who in enumerate(sorted(PEOPLE))]
    said.append(talk.write(-60, "U1", "So, what about the trial?"))
    for kind, which, who, text, pause in deeds:
        at += pause
        ts = said[3:][which % len(said[3:])]
        match kind:
            case "write":
                said.append(talk.write(at, who, text))
            case "answer":
                root = (talk.find(ts) or {}).get("thread_ts", ts)
                said.append(talk.write(at, who, text, thread=root))
            case "edit":
                talk.edit(ts, text)
            case "unfurl":
                talk.unfurl(ts)
            case "delete":
                talk.delete(ts)
            case _:
                talk.react(ts, who, "white_check_mark", on=kind == "react")
    return talk


@pytest.mark.parametrize("private", [False, True])
def test_live_and_import_give_the_same_graph(
    ear: Ear, other: Space, slack: FakeSlack, tmp_path: Path, private: bool
) -> None:
    talk = a_talk(slack, private=private)
    record(ear, "C1")
    for event in talk.events:
        hear(ear, [event])
        settle(ear)
    assert known(ear.space) == imported(other, talk, tmp_path / "export")


def decided(ear: Ear) -> list[str]:
    """Quotes of the decisions that anybody may see."""
    return [row.quote for row in all_decisions(ear.space.reader, PUBLIC_SCOPE)]


def test_an_edit_judges_again_what_quoted_the_message_and_a_deletion_takes_it(ear: Ear, slack: FakeSlack) -> None:
    talk = Talk(slack, clock=int(time()))
    record(ear, "C1")
    talk.write(0, "U1", "What about the trial limit?")
    ts = talk.write(60, "U2", "We decided that the trial limit is 31 seats from now on.")

    def after(*_: object) -> list[str]:
        hear(ear, talk.events)
        talk.events.clear()
        settle(ear)
        return decided(ear)

    assert after() == ["We decided that the trial limit is 31 seats from now on."]
    assert after(talk.unfurl(ts)) == ["We decided that the trial limit is 31 seats from now on."]
    assert after(talk.edit(ts, "We decided that the trial limit is 33 seats from now on.")) == [
        "We decided that the trial limit is 33 seats from now on."
    ]
    assert after(talk.edit(ts, "Is the trial limit 33 seats?")) == []
    assert after(talk.edit(ts, "We decided that the trial limit is 35 seats from now on.")) != []
    answer = talk.write(120, "U3", "fine", thread=ts)
    [before] = all_decisions(ear.space.reader, PUBLIC_SCOPE)
    assert after(answer) != []
    [moved] = all_decisions(ear.space.reader, PUBLIC_SCOPE)
    assert moved.id == before.id, "marks and citations hold on to it while the message moves into a thread"
    assert moved.conversation.endswith(ts)
    assert after(talk.delete(ts)) == []
    assert "35 seats" not in "\n".join(known(ear.space))
