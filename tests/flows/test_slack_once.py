"""One answer a question, whoever dies: a kill is an exception that no code of ours catches, at each step in turn."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from slack_sdk import WebClient

from assistant.chat import journeys
from assistant.errors import Retry
from assistant.model.surfaces import Posted
from tests.chat.answers import answered
from tests.flows.office import Office, mention


class Killed(BaseException):
    """The process ended here."""


@dataclass
class Counter:
    """Where a kill falls: at the nth call of Slack's Web API, before it goes out or after it came back."""

    at: int = 0
    after: bool = False
    calls: int = 0

    def step(self, call: Callable[[], object]) -> object:
        self.calls += 1
        if self.calls == self.at and not self.after:
            raise Killed
        this = self.calls
        try:
            return call()
        finally:
            if this == self.at:
                raise Killed


def test_asking_for_the_same_again_changes_nothing(office: Office) -> None:
    for _ in range(3):
        journeys.answer(mention(), office.desk)
    assert len(office.slack.by_us("C1")) == len(office.asked) == 1


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("call", range(1, 9))
def test_killed_at_any_call_the_next_try_leaves_one_answer(
    office: Office, monkeypatch: pytest.MonkeyPatch, call: int, after: bool
) -> None:
    office.slack.said("C1", "U01ANA", "what is the limit?", ts="100.000001")
    counter = Counter(at=call, after=after)
    original = WebClient.api_call
    monkeypatch.setattr(
        WebClient, "api_call", lambda self, *args, **more: counter.step(lambda: original(self, *args, **more))
    )
    try:
        journeys.answer(mention(), office.desk)
    except Killed:
        journeys.answer(mention(), office.desk)
    else:
        assert call > counter.calls, "the range of calls no longer reaches the last one"
    assert office.told("C1") == ["A trial needs 31 active seats."]


def test_a_post_whose_reply_was_lost_is_found_again(office: Office) -> None:
    office.slack.lost_replies = 1
    with pytest.raises(Retry):
        journeys.answer(mention(), office.desk)
    assert len(office.slack.by_us("C1")) == 1
    journeys.answer(mention(), office.desk)
    assert office.told("C1") == ["A trial needs 31 active seats."]


def test_the_message_is_found_on_a_later_page_of_a_long_thread(office: Office) -> None:
    office.slack.page = 5
    root = office.slack.said("C1", "U2", "long talk", ts="50.000001")
    for number in range(200):
        office.slack.said("C1", "U2", "more", ts=f"60.{number:06d}", thread=root)
    for number in range(23):
        office.slack.said("C1", "U2", "more", ts=f"110.{number:06d}", thread=root)
    office.slack.lost_replies = 1
    asked = mention(thread=root)
    with pytest.raises(Retry):
        journeys.answer(asked, office.desk)
    journeys.answer(asked, office.desk)
    assert len(office.slack.by_us("C1")) == 1


def test_two_workers_at_one_question_leave_one_answer(office: Office) -> None:
    office.slack.latency = 0.05
    threads = [threading.Thread(target=journeys.answer, args=(mention(), office.desk)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(office.slack.by_us("C1")) == len(office.asked) == 1


def test_one_who_slept_too_long_takes_its_double_away(office: Office) -> None:
    """The lock ran out while we slept between looking and posting; another posted meanwhile."""
    asked = mention()
    other = office.desk.surface

    @dataclass(frozen=True)
    class Sleepy:
        """Posts only after somebody else has taken over and finished."""

        def __getattr__(self, name: str) -> object:
            return getattr(other, name)

        def post(self, *args: object) -> Posted:
            office.queue.delete(f"brain:hold:{asked.key}")
            journeys.answer(asked, office.desk)
            return other.post(*args)  # type: ignore[arg-type]

    journeys.answer(asked, replace(office.desk, surface=Sleepy()))  # type: ignore[arg-type]
    assert office.told("C1") == ["A trial needs 31 active seats."]


def test_the_lock_of_a_killed_process_is_taken_over_without_waiting(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.ledger.sleep", lambda _: pytest.fail("it waited"))
    child = os.fork()
    if child == 0:
        office.desk.ledger.hold("key").__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    with office.desk.ledger.hold("key") as held:
        assert held()


def test_an_edited_question_gets_its_answer_changed_not_doubled(office: Office) -> None:
    journeys.answer(mention("limt?"), office.desk)
    journeys.answer(mention("limit?", revision="200.000001"), office.desk)
    journeys.answer(mention("limt?"), office.desk)
    [message] = office.slack.by_us("C1")
    assert (len(office.asked), message["updates"]) == (2, 2)


def test_long_answers_go_on_in_further_messages_each_only_once(office: Office) -> None:
    text = "\n\n".join("Every word of this rule matters. " * 9 for _ in range(60))
    desk = replace(office.desk, ask=lambda *_: answered(text))
    office.slack.lost_replies = 2
    for _ in range(3):
        try:
            journeys.answer(mention(), desk)
        except Retry:
            continue
    messages = office.slack.by_us("C1")
    assert len(messages) == 2
    assert {message["thread_ts"] for message in messages} == {"100.000001"}
    assert [m["blocks"][-1]["type"] for m in messages] == ["section", "context_actions"]
