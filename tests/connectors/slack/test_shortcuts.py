"""What Slack sends for a pick in a message's menu, and for a form, read without ever keeping the message's words."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from connectors.slack.shortcuts import Filled, block_of, filled, permalink, picked_of, unpacked, words_of

WORDS = st.text(max_size=200)


def payload(**message: Any) -> dict[str, Any]:
    return {
        "user": {"id": "U01ANA"},
        "team": {"id": "T1", "domain": "acme"},
        "channel": {"id": "C1", "name": "rules"},
        "message": {"ts": "1700000000.000100", "user": "U02BEN", "text": "x", **message},
    }


@given(WORDS)
def test_a_pick_comes_back_as_it_was_and_holds_no_words(text: str) -> None:
    picked = picked_of(payload(text=f"secret {text}"))
    assert unpacked(picked.packed()) == picked
    assert "secret" not in picked.packed()


def test_a_thread_is_kept_and_linked() -> None:
    picked = picked_of(payload(thread_ts="1699990000.000100"))
    assert picked.thread == "1699990000.000100"
    assert picked.url == "https://acme.slack.com/archives/C1/p1700000000000100?thread_ts=1699990000.000100&cid=C1"
    assert permalink("acme", "C1", "1.1", "1.1") == "https://acme.slack.com/archives/C1/p11"


def test_an_app_is_no_speaker() -> None:
    assert picked_of(payload(bot_id="B1")).speaker is None
    assert picked_of(payload(subtype="bot_message")).speaker is None


def test_words_are_read_as_people_do() -> None:
    assert words_of(payload(text="Ask <@U1> &amp; <https://x.example|here>")) == "Ask & here"
    assert words_of(payload(text=None)) == ""


@given(statement=st.none() | WORDS, decider=st.none() | st.just("U1"), turn=st.sampled_from(["", ".2", ".ab"]))
def test_fields_are_found_whatever_their_names_end_in(statement: str | None, decider: str | None, turn: str) -> None:
    values = {
        f"statement{turn}": {"statement": {"value": statement}},
        f"decider{turn}": {"decider": {"selected_user": decider}},
        f"section{turn}": {"section": {"selected_option": None}},
        "find": {"flag_find": {"value": "x"}},
    }
    found = filled(json.loads(json.dumps(values)))
    assert found == Filled(" ".join((statement or "").split()), decider, None)
    assert block_of(values, "statement") == f"statement{turn}"


def test_a_form_without_fields_is_empty() -> None:
    assert filled({}) == Filled("", None, None)
    assert block_of({}, "statement") == "statement"
