"""From a question to the message that answers it: what is said, with what context, and what is said when all fails."""

import time
from dataclasses import replace

import pytest

from assistant.chat import journeys, texts
from assistant.errors import Fatal, Retry, UserFacing
from assistant.model.answers import Answer
from assistant.model.audiences import Place, PlaceKind
from assistant.model.surfaces import Inquiry, Way
from tests.fakes.slack_server import BOT
from tests.flows.office import Office, direct, mention
from workers.pace import PREFIX, Pace


def test_a_mention_is_answered_in_its_thread_by_one_message_that_was_updated(office: Office) -> None:
    journeys.answer(mention(), office.desk)
    [message] = office.slack.by_us("C1")
    assert (message["thread_ts"], message["updates"]) == ("100.000001", 1)
    assert message["metadata"]["event_payload"]["key"] == "ask/C1/100.000001"
    assert (message["unfurl_links"], message["unfurl_media"]) == (False, False)
    assert office.told("C1") == ["A trial needs 31 active seats."]
    [status] = office.slack.made("assistant.threads.setStatus")
    assert status["thread_ts"] == "100.000001", "it was tried; this workspace has no native status, and that is fine"


@pytest.mark.parametrize("starter", ["U2", "U01ANA"])
def test_follow_ups_are_asked_with_what_the_thread_said_to_us_and_nothing_else(office: Office, starter: str) -> None:
    office.slack.page = 2
    root = office.slack.said("C1", starter, "We argue about trial length", ts="50.000001")
    office.slack.said("C1", "U3", f"<@{BOT}> what is the trial limit?", ts="51.000001", thread=root)
    office.slack.messages["C1"].append({"user": BOT, "bot_id": "B0", "text": "31", "ts": "52.0", "thread_ts": root})
    office.slack.said("C1", "U3", "thanks!", ts="53.000001", thread=root)
    office.slack.said("C1", "U3", f"<@{BOT}> and before?", ts="54.000001", thread=root)
    office.slack.said("C1", "U3", f"<@{BOT}> too late", ts="55.000001", thread=root)
    journeys.answer(mention("and before?", ts="54.000001", thread=root), office.desk)
    [(question, _, _, _)] = office.asked
    assert question.earlier == ("what is the trial limit?",)


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
    asked = Inquiry(
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
    shared = Inquiry(way=Way.SHARE, key="share/1", revision="1", user="U01ANA", text="limit?", channel="C1", ts="1.0")
    journeys.answer(shared, office.desk)
    [public] = office.told("C1")
    assert public.startswith("<@U01ANA> asked in private and shared the answer:\n> limit?\n")
    assert [place for _, _, place, _ in office.asked] == [Place(PlaceKind.DM), Place(PlaceKind.CHANNEL, "C1")]


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


def test_what_a_person_can_mend_is_told_in_the_errors_words(office: Office) -> None:
    def ask(*_: object) -> Answer:
        raise UserFacing("nothing is known yet: run `brain ingest` <first>")

    journeys.answer(mention(), replace(office.desk, ask=ask))
    assert office.told("C1") == ["nothing is known yet: run `brain ingest` &lt;first&gt;"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            Retry("HTTP 502 <&>"),
            texts.TRIED.format(reason="HTTP 502 &lt;&amp;&gt;"),
        ),
        (Fatal("broken graph at /srv/secret"), texts.BROKEN),
        (ZeroDivisionError("division by zero"), texts.BROKEN),
    ],
    ids=["passing", "fatal", "our own fault"],
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


def test_rate_limits_are_waited_out(office: Office) -> None:
    office.slack.too_many.update({"chat.postMessage": 1, "chat.update": 1})
    journeys.answer(mention(), office.desk)
    assert office.told("C1") == ["A trial needs 31 active seats."]


def test_new_messages_in_one_channel_wait_for_their_turn(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[tuple[str, float]] = []

    def pass_time(seconds: float) -> None:
        waits.append((channel, seconds))
        office.queue.delete(f"{PREFIX}{channel}")

    monkeypatch.setattr("workers.pace.sleep", pass_time)
    pace = Pace(office.queue, gap=90.0, longest=100.0)
    for channel in ("C1", "C1", "C2", "C1"):
        pace(channel)
    assert [waited for waited, _ in waits] == ["C1", "C1"]
    assert all(80.0 < seconds <= 90.0 for _, seconds in waits)


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
