"""What owners are told, as Slack's blocks: what differs is marked, nothing in it is markup of others', limits hold."""

import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.chat.render.changed import LONGEST, changed
from assistant.chat.render.notices import SHOWN, Card, Change, Source, again_lead, notice_blocks, notice_message
from tests.fakes.slack_server import FakeSlack

SOURCE = Source("89abcdef0123", "Ana & Ben", 1_700_000_000_000_000, "https://git.example/c/89ab", "#52")
HOSTILE = "<!channel> *bold* ~gone~ `code` <https://evil.example|here> & _more_ "
NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new", "was", "now"),
    [
        ("It is 25 points.", "It is 31 points.", "It is ~25~ points.", "It is *31* points."),
        ("Ask first.", "Never ask first.", "~Ask~ first.", "*Never ask* first."),
        ("It is **25** points.", "It is __31__ points.", "It is ~25~ points.", "It is *31* points."),
        ("| Invite | 5 |", "| Invite | 8 |", "Invite · ~5~", "Invite · *8*"),
        ("Gone.", "", "~Gone.~", ""),
    ],
)
def test_only_what_differs_is_marked(old: str, new: str, was: str, now: str) -> None:
    assert changed(old, new) == (was, now)


def test_far_from_the_change_words_are_left_out() -> None:
    long = " ".join(f"word{number}" for number in range(60))
    was, now = changed(f"{long} 25 {long}", f"{long} 31 {long}")
    assert "~25~" in was and "*31*" in now and "word0 word1" not in now.partition("*31*")[0]
    assert "word59 *31* word0" in now and now.startswith("…") and now.endswith("…")


@given(st.text(max_size=2000), st.text(max_size=2000))
def test_whatever_stands_there_is_no_markup_and_fits(old: str, new: str) -> None:
    for text in changed(old + HOSTILE, HOSTILE + new):
        assert not re.search(r"[<>`]", text)
        assert len(text) <= LONGEST + 200


def card(number: int, words: str, **more: object) -> Card:
    """A notice all of whose texts are the words."""
    change = Change(f"{words} 1", f"{words} 2", False, words)
    return Card(f"n{number}", True, SOURCE, change, words, words, words, "channel:C1", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", [HOSTILE * 200, "&" * 5000, "x" * 5000, "short", "<>" * 900, "& " * 3000])
@pytest.mark.parametrize("count", [1, 5, 12])
def test_slack_takes_it_however_long_the_words_are(words: str, count: int) -> None:
    cards = [card(number, words) for number in range(count)] + [card(99, words, state="Still right.")]
    message = notice_message(cards, UTC)
    given_ = {"channel": "D1", "text": message.text, "blocks": json.loads(json.dumps(message.blocks))}
    assert FakeSlack().chat_postMessage(given_)["ok"], message.blocks
    assert "<!channel>" not in json.dumps(message.blocks)
    assert sum(block["type"] == "actions" for block in message.blocks) == min(count, SHOWN)
    home = notice_blocks([(one, NOW) for one in cards], len(cards), [words[:100]] * 9, NOW)
    assert len(home) <= 36 and all(len(one["text"]["text"]) <= 3000 for one in home if one["type"] == "section")


def test_a_message_without_open_notices_says_what_became_of_them() -> None:
    message = notice_message([card(1, "What is it?", state="Still right, says <@U1>.")], UTC)
    assert message.text == "Still right, says <@U1>." and len(message.blocks) == 1
    assert [block["type"] for block in notice_message([], UTC).blocks] == ["section"]


def test_over_a_new_answer_stands_whom_it_concerns_or_what_was_asked() -> None:
    assert again_lead(SOURCE, "U01ANA", None).startswith(
        "<@U01ANA>, <https://git.example/c/89ab|89abcde> by Ana &amp; Ben"
    )
    assert again_lead(SOURCE, "ana", None).startswith("<https://git.example")
    assert again_lead(SOURCE, "U01ANA", "Is <it>?").endswith("> Is &lt;it&gt;?")
