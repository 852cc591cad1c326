"""From a question to the message that answers it: real ledger, real surface, a Slack that misbehaves; answers made up.

What is killed is simulated by an exception that no code of ours catches, at each step in turn.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC
from pathlib import Path

import pytest
import redis
from slack_sdk import WebClient

from assistant.chat import journeys, texts
from assistant.chat.journeys import Desk
from assistant.errors import Fatal, Retry, UserFacing
from assistant.graph.embedded import Servers
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.surfaces import Asked, Posted, Way
from assistant.settings import Settings
from connectors.slack.client import sync_client
from connectors.slack.members import SlackDirectory
from connectors.slack.surface import SlackSurface
from tests.chat.answers import answered
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack, running
from workers.ledger import Pace, RedisCache, RedisLedger
from workers.queue import connect


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


@dataclass
class Office:
    """A desk and what it is connected to."""

    slack: FakeSlack
    client: WebClient
    desk: Desk
    queue: redis.Redis
    asked: list[tuple[AskedQuestion, Viewer, Place, frozenset[str]]] = field(default_factory=list)

    def told(self, channel: str) -> list[str]:
        """All that the bot's messages in a channel say, oldest first."""
        return ["\n".join(b["text"]["text"] for b in m["blocks"] if "text" in b) for m in self.slack.by_us(channel)]


@pytest.fixture
def office(servers: Servers, tmp_path: Path) -> Iterator[Office]:
    queue = connect(servers.queue_url)
    queue.flushall()
    with running(FakeSlack()) as slack:
        settings = Settings(home=tmp_path, slack_bot_token=TOKEN, slack_api_url=slack.url)
        client = sync_client(settings)

        def ask(question: AskedQuestion, viewer: Viewer, place: Place, seen_in: frozenset[str]) -> Answer:
            made.asked.append((question, viewer, place, seen_in))
            return answered("A trial needs 31 active seats.")

        desk = Desk(
            SlackSurface(client, BOT, Pace(queue, gap=0.01)),
            RedisLedger(queue),
            SlackDirectory(client, RedisCache(queue), TEAM),
            ask,
            UTC,
            frozenset({"C9ALLOWED"}),
        )
        made = Office(slack, client, desk, queue)
        yield made
    queue.flushall()
    queue.close()


def mention(text: str = "what is the limit?", ts: str = "100.000001", **more: object) -> Asked:
    """A mention in a channel."""
    given = {"channel": "C1", "thread": None, "revision": ts, **more}
    return Asked(way=Way.MENTION, key=f"ask/{given['channel']}/{ts}", user="U01ANA", text=text, ts=ts, **given)  # type: ignore[arg-type]


def direct(text: str, ts: str = "100.000001") -> Asked:
    """A direct message."""
    return Asked(way=Way.DM, key=f"ask/DU01ANA/{ts}", revision=ts, user="U01ANA", text=text, channel="DU01ANA", ts=ts)


def test_a_mention_is_answered_in_its_thread_by_one_message_that_was_updated(office: Office) -> None:
    journeys.answer(mention(), office.desk)
    [message] = office.slack.by_us("C1")
    assert (message["thread_ts"], message["updates"]) == ("100.000001", 1)
    assert message["metadata"]["event_payload"]["key"] == "ask/C1/100.000001"
    assert (message["unfurl_links"], message["unfurl_media"]) == (False, False)
    assert office.told("C1") == ["A trial needs 31 active seats."]
    [status] = office.slack.made("assistant.threads.setStatus")
    assert status["thread_ts"] == "100.000001", "it was tried; this workspace has no native status, and that is fine"


def test_asking_for_the_same_again_changes_nothing(office: Office) -> None:
    for _ in range(3):
        journeys.answer(mention(), office.desk)
    assert len(office.slack.by_us("C1")) == len(office.asked) == 1


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("call", range(1, 9))
def test_killed_at_any_call_the_next_try_leaves_one_answer(
    office: Office, monkeypatch: pytest.MonkeyPatch, call: int, after: bool
) -> None:
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
    for number in range(23):
        office.slack.said("C1", "U2", "more", ts=f"60.{number:06d}", thread=root)
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


def test_the_lock_of_a_killed_process_is_taken_over_at_once(office: Office) -> None:
    child = os.fork()
    if child == 0:
        office.desk.ledger.hold("key").__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    began = time.monotonic()
    with office.desk.ledger.hold("key") as held:
        assert held()
    assert time.monotonic() - began < 1.0


def test_follow_ups_are_asked_with_the_thread_before_them(office: Office) -> None:
    office.slack.page = 2
    root = office.slack.said("C1", "U2", "We argue about trial length", ts="50.000001")
    office.slack.said("C1", "U3", f"<@{BOT}> what is the trial limit?", ts="51.000001", thread=root)
    office.slack.messages["C1"].append({"user": BOT, "bot_id": "B0", "text": "31", "ts": "52.0", "thread_ts": root})
    office.slack.said("C1", "U3", "thanks!", ts="53.000001", thread=root)
    office.slack.said("C1", "U3", f"<@{BOT}> and before?", ts="54.000001", thread=root)
    office.slack.said("C1", "U3", f"<@{BOT}> too late", ts="55.000001", thread=root)
    journeys.answer(mention("and before?", ts="54.000001", thread=root), office.desk)
    [(question, _, _, _)] = office.asked
    assert question.earlier == ("We argue about trial length", "what is the trial limit?")


def test_direct_messages_are_read_with_those_before_them(office: Office) -> None:
    now = time.time()
    office.slack.said("DU01ANA", "U01ANA", "long ago", ts=f"{now - 90_000:.6f}")
    office.slack.said("DU01ANA", "U01ANA", "what is the limit?", ts=f"{now - 60:.6f}")
    journeys.answer(direct("and before?", ts=f"{now:.6f}"), office.desk)
    [(question, viewer, place, seen_in)] = office.asked
    assert question.earlier == ("what is the limit?",)
    assert (viewer.user, place.kind, seen_in) == ("U01ANA", PlaceKind.DM, frozenset())
    assert "thread_ts" not in office.slack.by_us("DU01ANA")[0]


def test_without_the_right_to_read_the_thread_it_still_answers(office: Office) -> None:
    office.slack.errors["conversations.replies"] = "missing_scope"
    journeys.answer(mention(thread="50.000001"), office.desk)
    assert office.told("C1") == ["A trial needs 31 active seats."]


def test_why_is_answered_in_private_and_can_be_shared(office: Office) -> None:
    asked = Asked(
        way=Way.COMMAND,
        key="why/1",
        revision="1.0",
        user="U01ANA",
        text="limit?",
        channel="C1",
        ts=f"{time.time():.6f}",
    )
    journeys.answer(asked, office.desk)
    assert office.slack.by_us("C1") == []
    [message] = office.slack.by_us("DU01ANA")
    assert any(e.get("action_id") == "share" for block in message["blocks"] for e in block.get("elements", ()))
    office.slack.channels["C1"] = {"members": ["U01ANA"]}
    shared = Asked(way=Way.SHARE, key="share/1", revision="1", user="U01ANA", text="limit?", channel="C1", ts="1.0")
    journeys.answer(shared, office.desk)
    [public] = office.told("C1")
    assert public.startswith("<@U01ANA> asked in private and shared the answer:\n> limit?\n")
    assert [place for _, _, place, _ in office.asked] == [Place(PlaceKind.DM), Place(PlaceKind.CHANNEL, "C1")]


def test_who_wrote_in_a_channel_is_known_to_be_in_it_but_sharing_proves_nothing(office: Office) -> None:
    journeys.answer(mention(), office.desk)
    shared = Asked(way=Way.SHARE, key="share/2", revision="1", user="U01ANA", text="limit?", channel="C2", ts="1.0")
    journeys.answer(shared, office.desk)
    assert [seen_in for _, _, _, seen_in in office.asked] == [frozenset({"C1"}), frozenset()]


@pytest.mark.parametrize(
    "marks",
    [
        {"is_ext_shared": True},
        {"is_shared": True},
        {"is_pending_ext_shared": True},
        {"members": ["U01ANA", "U5GUEST"]},
        {"members": ["U01ANA", "U6STRANGER"]},
    ],
    ids=str,
)
def test_with_guests_or_another_company_nothing_is_answered_and_the_asker_told_once(
    office: Office, marks: dict[str, object]
) -> None:
    office.slack.users["U5GUEST"] = {"is_restricted": True}
    office.slack.channels["C2"] = marks
    for number in range(3):
        journeys.answer(mention(ts=f"20{number}.000001", channel="C2"), office.desk)
    assert office.slack.by_us("C2") == office.asked == []
    [told] = [m for m in office.slack.messages["C2"] if m.get("ephemeral_to")]
    assert (told["ephemeral_to"], texts.SHARED_ROOM in told["text"]) == ("U01ANA", True)


def test_an_allowed_channel_is_answered_whoever_is_in_it(office: Office) -> None:
    office.slack.channels["C9ALLOWED"] = {"is_ext_shared": True}
    journeys.answer(mention(channel="C9ALLOWED"), office.desk)
    assert len(office.told("C9ALLOWED")) == 1


def test_a_channel_that_cannot_be_looked_into_counts_as_one_with_outsiders(office: Office) -> None:
    office.slack.errors["conversations.members"] = "missing_scope"
    journeys.answer(mention(), office.desk)
    assert office.slack.by_us("C1") == []


@pytest.mark.parametrize("mark", ["is_restricted", "is_ultra_restricted", "is_stranger"])
def test_guests_get_no_answer_in_direct_messages_either(office: Office, mark: str) -> None:
    office.slack.users["U01ANA"] = {mark: True}
    journeys.answer(direct("limit?"), office.desk)
    assert (office.told("DU01ANA"), office.asked) == ([texts.GUEST], [])


def test_sharing_into_a_channel_with_outsiders_is_refused_in_private(office: Office) -> None:
    office.slack.channels["C2"] = {"is_ext_shared": True}
    shared = Asked(way=Way.SHARE, key="share/3", revision="1", user="U01ANA", text="limit?", channel="C2", ts="1.0")
    journeys.answer(shared, office.desk)
    assert (office.slack.by_us("C2"), office.told("DU01ANA")) == ([], [texts.SHARED_ROOM])


@pytest.mark.parametrize("error", ["not_in_channel", "is_archived", "channel_not_found"])
def test_where_it_may_not_write_the_asker_hears_of_it_in_private(office: Office, error: str) -> None:
    post = office.slack.chat_postMessage
    office.slack.chat_postMessage = (  # type: ignore[method-assign]
        lambda given: {"ok": False, "error": error} if given["channel"] == "C1" else post(given)
    )
    journeys.answer(mention(), office.desk)
    assert office.told("DU01ANA") == [texts.NO_ROOM]


@pytest.mark.parametrize(
    ("text", "files", "reply"),
    [
        ("", False, texts.EMPTY),
        ("  \n", False, texts.EMPTY),
        ("", True, texts.ONLY_FILES),
        ("help", False, texts.HELP),
        ("Help?", False, texts.HELP),
        ("x" * 40_000, False, texts.TOO_LONG),
    ],
    ids=["empty", "blank", "image", "help", "help?", "40 kB"],
)
def test_what_is_no_question_gets_a_word_of_help(office: Office, text: str, files: bool, reply: str) -> None:
    journeys.answer(mention(text, files=files), office.desk)
    assert (office.told("C1"), office.asked) == ([reply], [])


def test_other_languages_pass_as_they_are(office: Office) -> None:
    journeys.answer(mention("試用期間は何日ですか？ ¿Y antes?"), office.desk)
    assert office.asked[0][0].text == "試用期間は何日ですか？ ¿Y antes?"


def test_an_edited_question_gets_its_answer_changed_not_doubled(office: Office) -> None:
    journeys.answer(mention("limt?"), office.desk)
    journeys.answer(mention("limit?", revision="200.000001"), office.desk)
    journeys.answer(mention("limt?"), office.desk)
    [message] = office.slack.by_us("C1")
    assert (len(office.asked), message["updates"]) == (2, 2)


def test_what_a_person_can_mend_is_told_in_the_errors_words(office: Office) -> None:
    def ask(*_: object) -> Answer:
        raise UserFacing("nothing is known yet: run `brain ingest` <first>")

    journeys.answer(mention(), replace(office.desk, ask=ask))
    assert office.told("C1") == ["nothing is known yet: run `brain ingest` &lt;first&gt;"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Retry("connection refused"), texts.STARTING),
        (Fatal("broken graph at /srv/secret"), texts.BROKEN),
        (ZeroDivisionError("division by zero"), texts.BROKEN),
    ],
    ids=["database starting", "fatal", "our own fault"],
)
def test_after_the_last_try_the_placeholder_becomes_an_apology(office: Office, error: Exception, words: str) -> None:
    def ask(*_: object) -> Answer:
        raise error

    desk = replace(office.desk, ask=ask)
    with pytest.raises(type(error)):
        journeys.answer(mention(), desk)
    assert office.told("C1") == [texts.LOOKING]
    journeys.apologise(mention(), desk, error)
    assert office.told("C1") == [words]
    assert str(error) not in words


def test_rate_limits_are_waited_out(office: Office) -> None:
    office.slack.too_many.update({"chat.postMessage": 1, "chat.update": 1})
    journeys.answer(mention(), office.desk)
    assert office.told("C1") == ["A trial needs 31 active seats."]


def test_new_messages_in_one_channel_wait_for_their_turn(office: Office) -> None:
    pace = Pace(office.queue, gap=0.2)
    began = time.monotonic()
    for channel in ("C1", "C1", "C2", "C1"):
        pace(channel)
    assert 0.4 <= time.monotonic() - began < 1.0


@pytest.mark.parametrize("error", ["token_revoked", "invalid_auth", "account_inactive"])
def test_a_refused_token_is_fatal_and_says_what_to_do(office: Office, error: str) -> None:
    office.slack.errors["chat.postMessage"] = error
    with pytest.raises(Fatal, match="SLACK_BOT_TOKEN"):
        journeys.answer(mention(), office.desk)


def test_layouts_that_a_workspace_refuses_are_replaced_by_plainer_ones(office: Office) -> None:
    office.slack.old_layouts = True
    journeys.answer(mention(), office.desk)
    [message] = office.slack.by_us("C1")
    assert [e["action_id"] for e in message["blocks"][-1]["elements"]] == ["feedback_good", "feedback_bad"]


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
