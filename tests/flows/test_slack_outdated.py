"""A question that is deleted or edited takes its old words along: out of the graph, the jobs and our posts."""

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from slack_sdk import WebClient

from assistant.chat import journeys, texts
from assistant.errors import Retry
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.surfaces import Inquiry
from connectors.slack.events import from_direct_message, from_mention, outdated
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import BOT, FakeSlack
from tests.flows.marking import ANA, LEADS, LIVE, RULES
from workers import outdated as job
from workers.equipment import Equipment

DIRECT = f"D{ANA}"
ODD = "quibblefox"
WORDS = Query(
    "test.asked",
    "MATCH (a:Answer) OPTIONAL MATCH (a)-[:ANSWERS]->(q) "
    "RETURN q.text AS q, a.question AS a, a.text AS t, a.body AS b, a.trace AS tr",
    scans="all of them",
)
Json = dict[str, Any]


def held(space: Space) -> str:
    """Whatever the graph keeps of questions and answers."""
    return json.dumps(space.reader.rows(WORDS), ensure_ascii=False)


class Asking:
    """Somebody who asks, and thinks better of it."""

    def __init__(self, ready: Equipment, slack: FakeSlack, place: str) -> None:
        self.ready, self.slack, self.place = ready, slack, place
        self.clock = time.time() + 5

    def now(self) -> str:
        self.clock += 1.5
        return f"{self.clock:.6f}"

    def message(self, text: str, ts: str, **more: Any) -> Json:
        """A question as it stands in an event."""
        kind = {"D": "im", "G": "group", "C": "channel"}[self.place[0]]
        text = text if self.place == DIRECT else f"<@{BOT}> {text}"
        return {**made.message(text, ts, self.place, ANA), "channel_type": kind, **more}

    def ask(self, message: Json) -> Inquiry:
        """It is asked, and answered."""
        asked = self.inquiry(message)
        journeys.answer(asked, self.ready.desk())
        return asked

    def inquiry(self, message: Json) -> Inquiry:
        asked = from_direct_message(message, BOT) if self.place == DIRECT else from_mention(message, BOT)
        assert asked is not None
        return asked

    def changed(self, before: Json, after: Json | None) -> None:
        """It is edited to something else, or deleted; twice, as events come."""
        event = {"type": "message", "channel": self.place, "previous_message": before, "event_ts": self.now()}
        if after is None:
            event |= {"subtype": "message_deleted", "deleted_ts": before["ts"]}
        else:
            event |= {"subtype": "message_changed", "message": after}
        for _ in range(2):
            gone = outdated(json.loads(json.dumps(event)))
            assert gone is not None
            job.outdated(asdict(gone))

    def post(self) -> str:
        """The last of our messages there."""
        return json.dumps(self.slack.by_us(self.place)[-1], ensure_ascii=False)


@pytest.fixture(params=[DIRECT, RULES, LIVE, LEADS])
def asking(ready: Equipment, slack: FakeSlack, request: pytest.FixtureRequest) -> Asking:
    for room in slack.channels.values():
        room["members"] = [one for one in room["members"] if one != "U9GUEST"]
    return Asking(ready, slack, request.param)


def test_a_deleted_question_is_forgotten_with_what_we_told(asking: Asking) -> None:
    question = asking.message(f"is Otto the {ODD} to be fired?", asking.now())
    asking.ask(question)
    with asking.ready.space() as space:
        assert ODD in held(space) and ODD in asking.post()
        asking.changed(question, None)
        assert ODD not in held(space)
    assert ODD not in asking.post() and texts.WITHDRAWN in asking.post()


def test_what_is_deleted_before_it_was_answered_or_comes_again_is_not_answered(asking: Asking) -> None:
    question = asking.message(f"is Otto the {ODD} to be fired?", asking.now())
    asking.changed(question, None)
    asking.ask(question)
    asking.ask({**question, "edited": {"ts": asking.now()}})
    with asking.ready.space() as space:
        assert ODD not in held(space)
    assert asking.slack.by_us(asking.place) == []


@pytest.mark.parametrize("late", [False, True], ids=["first forgotten", "first answered"])
def test_an_edited_question_is_answered_anew_and_its_old_words_are_forgotten(asking: Asking, late: bool) -> None:
    first = asking.message(f"is Otto the {ODD} to be fired?", asking.now())
    asking.ask(first)
    second = {**first, "text": first["text"].replace(ODD, f"{ODD}er"), "edited": {"ts": asking.now()}}
    third = {**first, "text": first["text"].replace(f"the {ODD}", "of Ottokar's"), "edited": {"ts": asking.now()}}
    deeds: list[Callable[[], object]] = [lambda: asking.changed(first, second), lambda: asking.changed(second, third)]
    asks: list[Callable[[], object]] = [lambda: asking.ask(second), lambda: asking.ask(third)]
    for deed in (*asks, *deeds) if late else (deeds[0], asks[0], deeds[1], asks[1]):
        deed()
    with asking.ready.space() as space:
        assert ODD not in held(space) and "Ottokar" in held(space)
        asking.changed(third, None)
        assert "Ottokar" not in held(space)
    assert len(asking.slack.by_us(asking.place)) == 1 and "Otto" not in asking.post()


def test_a_question_that_is_edited_into_none_is_forgotten_and_not_answered_late(asking: Asking) -> None:
    first = asking.message(f"is Otto the {ODD} to be fired?", asking.now())
    asking.ask(first)
    asking.changed(first, {**first, "text": "never mind", "edited": {"ts": asking.now()}})
    asking.ask(first)
    with asking.ready.space() as space:
        assert ODD not in held(space)
    assert ODD not in asking.post()


@pytest.mark.parametrize("call", ["chat.postMessage", "chat.update"])
def test_what_says_that_we_look_it_up_goes_with_the_question_although_its_worker_was_killed(
    asking: Asking, call: str
) -> None:
    question = asking.message(f"is Otto the {ODD} to be fired?", asking.now())
    original = WebClient.api_call

    def dying(self: WebClient, method: str, *args: Any, **more: Any) -> Any:
        reply = original(self, method, *args, **more)
        if method == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return reply

    child = os.fork()
    if child == 0:
        WebClient.api_call = dying  # type: ignore[method-assign]
        try:
            asking.ask(question)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert (texts.LOOKING if call == "chat.postMessage" else ODD) in asking.post()
    asking.changed(question, None)
    asking.ask(question)
    assert texts.WITHDRAWN in asking.post() and ODD not in asking.post()
    with asking.ready.space() as space:
        assert ODD not in held(space)


@pytest.mark.parametrize("step", ["killed", "refused"])
def test_who_ends_the_looking_up_may_be_killed_or_not_be_heard(asking: Asking, step: str) -> None:
    question = asking.message(f"is Otto the {ODD} to be fired?", asking.now())

    def at_call(method: str, work: Callable[[], object]) -> None:
        """In a process of its own, which is killed before it calls Slack so."""
        original = WebClient.api_call

        def dying(self: WebClient, called: str, *args: Any, **more: Any) -> Any:
            if called == method:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self, called, *args, **more)

        child = os.fork()
        if child == 0:
            WebClient.api_call = dying  # type: ignore[method-assign]
            try:
                work()
            finally:
                os._exit(0)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL

    at_call("chat.update", lambda: asking.ask(question))
    assert texts.LOOKING in asking.post()
    if step == "killed":
        at_call("chat.update", lambda: asking.changed(question, None))
    else:
        asking.slack.errors["chat.update"] = "internal_error"
        with pytest.raises(Retry):
            asking.changed(question, None)
        asking.slack.errors.clear()
    assert texts.LOOKING in asking.post()
    asking.changed(question, None)
    asking.ask(question)
    assert texts.WITHDRAWN in asking.post() and ODD not in asking.post()


def test_follow_ups_that_were_looked_up_in_the_words_of_a_question_go_with_it(
    ready: Equipment, slack: FakeSlack
) -> None:
    slack.channels[RULES]["members"].remove("U9GUEST")
    asking = Asking(ready, slack, RULES)

    def asked(text: str, thread: str | None) -> Json:
        more = {"thread_ts": thread} if thread else {}
        one = asking.message(text, asking.now(), **more)
        slack.said(RULES, ANA, one["text"], one["ts"], thread)
        asking.ask(one)
        return one

    first = asked(f"is Otto the {ODD} out over annual leave?", None)
    asked("and how many days is that?", first["ts"])
    again = asked(f"is Otto the {ODD} out over annual leave?", None)
    words_of_others = asked("time off", None)
    asked("When is a doctor's note needed?", None)
    with ready.space() as space:
        assert len([row for row in space.reader.rows(WORDS) if ODD in json.dumps(row)]) == 3
        asking.changed(first, None)
        assert "how many days" not in held(space)
        assert ODD in held(space), "who asked the same meant it, too"
        asking.changed(again, None)
        assert ODD not in held(space)
        asking.changed(words_of_others, None)
        assert "doctor's note" in held(space), "where it was found was nobody's question"
    assert ODD not in json.dumps(slack.by_us(RULES))


@pytest.mark.parametrize(
    "event",
    [
        {"subtype": "message_changed", "message": {"ts": "1772452800.000100", "text": "a"}},
        {"subtype": "message_changed", "message": {"ts": "1772452800.000100", "bot_id": "B1", "edited": {"ts": "x"}}},
        {"subtype": "message_deleted", "deleted_ts": "1772452800.000100", "previous_message": {"bot_id": "B1"}},
        {"subtype": "message_deleted", "deleted_ts": "nothing"},
        {"subtype": "channel_topic"},
        {},
    ],
)
def test_of_other_events_no_question_ends(event: Json) -> None:
    assert outdated({"type": "message", "channel": "C1", **event}) is None
