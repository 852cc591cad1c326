"""Slack's words, signatures, events and errors, as we read them."""

from typing import Any
from urllib.error import URLError

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web import SlackResponse

from assistant.errors import Closed, Fatal, Retry, UserFacing
from assistant.model.surfaces import Way
from assistant.settings import Settings
from connectors.slack.client import sorted_error, sync_client
from connectors.slack.events import from_command, from_direct_message, from_mention
from connectors.slack.scopes import SCOPES, lacking
from connectors.slack.words import mentions, plain_words
from tests.fakes import slack_requests as made


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<@U0BOT> what is it?", "what is it?"),
        ("<@U0BOT|brain>: what is it?", ": what is it?"),
        ("ask <@U2|ben> and <#C1|rules>", "ask @ben and #rules"),
        ("see <https://x.example/a?b=1&amp;c=2|the page>", "see the page"),
        ("see <https://x.example>", "see https://x.example"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("<!here> a &lt; b &amp;&amp; c &gt; d &amp;lt;", "a < b && c > d &lt;"),
        ("  two\n   lines  ", "two\nlines"),
        ("<!subteam^S1|@ops> who?", "@ops who?"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert plain_words(text, "U0BOT") == words


@given(st.text(max_size=300), st.sampled_from([None, "U0BOT"]))
def test_any_text_can_be_read(text: str, bot: str | None) -> None:
    assert "<@U0BOT>" not in plain_words(text, bot)
    assert mentions(text, bot) in (True, False)


def test_a_mention_in_a_thread_keeps_its_thread_and_an_edit_its_question() -> None:
    first = from_mention(made.mention("limit?", "2.1", thread_ts="1.1"), "U0BOT")
    edited = from_mention(made.mention("limits?", "2.1", thread_ts="1.1", edited={"ts": "3.1"}), "U0BOT")
    assert first is not None
    assert edited is not None
    assert (first.thread, first.way, first.key == edited.key) == ("1.1", Way.MENTION, True)
    assert first.revision < edited.revision


@pytest.mark.parametrize(
    "event",
    [
        made.message("x", "1.1", channel="C1"),
        made.message("x", "1.1", user=""),
        made.message("x", "1.1", user="U0BOT"),
        made.message("x", "1.1", bot_id="B1"),
        made.message("x", "1.1", subtype="channel_topic"),
    ],
)
def test_these_messages_are_no_questions(event: dict[str, Any]) -> None:
    assert from_direct_message(event, "U0BOT") is None


def test_a_command_keeps_where_it_was_typed() -> None:
    form = {"trigger_id": "1.2", "user_id": "U1", "channel_id": "C1", "text": "limit &amp; more?"}
    asked = from_command(form, 1000.5)
    assert (asked.channel, asked.text, asked.ts, asked.key) == ("C1", "limit & more?", "700.500000", "why/1.2")


def slack_error(code: str, status: int = 200, **headers: str) -> SlackApiError:
    """An error as slack_sdk raises it."""
    data = {"ok": False, "error": code, "needed": "users:read"}
    arguments: dict[str, Any] = {"client": None, "http_verb": "POST", "api_url": "", "req_args": {}}
    return SlackApiError("", SlackResponse(**arguments, data=data, headers=headers, status_code=status))


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (slack_error("ratelimited", 429, **{"Retry-After": "7"}), Retry, "ratelimited"),
        (slack_error("internal_error"), Retry, "internal_error"),
        (slack_error("anything", 503), Retry, "503"),
        (slack_error("not_in_channel"), Closed, "not_in_channel"),
        (slack_error("is_archived"), Closed, "is_archived"),
        (slack_error("missing_scope"), Fatal, "lacks the scope users:read"),
        (slack_error("token_revoked"), Fatal, "SLACK_BOT_TOKEN"),
        (slack_error("never_heard_of"), Fatal, "never_heard_of"),
    ],
)
def test_errors_are_sorted_by_what_to_do(error: SlackApiError, kind: type[Exception], words: str) -> None:
    sorted_ = sorted_error("chat.postMessage", error)
    assert type(sorted_) is kind
    assert words in str(sorted_)
    if isinstance(sorted_, Retry) and "Retry-After" in error.response.headers:
        assert sorted_.after == 7.0


@pytest.mark.parametrize("fault", [URLError("refused"), ConnectionResetError(), SlackRequestError("x"), TimeoutError()])
def test_a_lost_connection_may_go_well_later(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    from connectors.slack.client import called

    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(WebClient, "api_call", fail)
    with pytest.raises(Retry):
        called(WebClient("xoxb-1"), "auth.test", {})


def test_the_client_never_sends_a_post_twice_by_itself() -> None:
    assert sync_client(Settings(slack_bot_token="xoxb-1")).retry_handlers == []
    with pytest.raises(UserFacing, match="SLACK_BOT_TOKEN"):
        sync_client(Settings())


def test_a_missing_scope_is_seen_in_what_slack_says_of_the_token() -> None:
    assert lacking({"X-OAuth-Scopes": ",".join(SCOPES)}) == ()
    assert lacking({"x-oauth-scopes": ", ".join(s for s in SCOPES if s != "users:read")}) == ("users:read",)
    assert lacking({}) == ()
