"""What an event changes: nothing odd in it breaks anything, and nothing that is no channel's talk is taken for it."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.slack.changes import (
    Deleted,
    Reacted,
    Written,
    change_of,
    kept,
    reactions_of,
    unpacked,
    users_in,
    written,
)
from connectors.slack.standing import PersonTurn, RoomTurn, person_turn, room_turn

BOT = "U0BOT"
TS = "1772452800.000100"
SAID = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "text": "ten", "ts": TS}


def event(**more: Any) -> dict[str, Any]:
    return {**SAID, "event_ts": TS, **more}


def stamp(moment: datetime) -> str:
    return f"{int(moment.timestamp())}.000100"


def edited(after: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, Any]:
    return event(subtype="message_changed", text=None, message=after, previous_message=before or SAID)


def test_a_message_is_itself_without_its_layout() -> None:
    found = change_of(event(blocks=[{"type": "rich_text"}], client_msg_id="x", team="T1"), BOT)
    assert found == Written(
        "C1", TS, TS, 0, 1772452800_000100, {"type": "message", "user": "U1", "text": "ten", "ts": TS}
    )


def test_a_root_is_named_only_by_answers() -> None:
    answer = change_of(event(ts="1772452900.000100", thread_ts=TS), BOT)
    assert isinstance(answer, Written)
    assert (answer.root, answer.body["thread_ts"]) == (TS, TS)
    assert kept({**SAID, "thread_ts": TS, "reply_count": 3}) == kept(SAID)


def test_an_edit_tells_when_and_a_preview_tells_nothing() -> None:
    changed = change_of(edited({**SAID, "text": "twelve", "edited": {"user": "U1", "ts": "1772452999.000000"}}), BOT)
    assert isinstance(changed, Written)
    assert (changed.body["text"], changed.edited) == ("twelve", 1772452999_000000)
    assert change_of(edited({**SAID, "attachments": [{"text": "a preview"}], "reply_count": 2}), BOT) is None


def test_a_deletion_names_its_thread_where_it_can() -> None:
    gone = {"subtype": "message_deleted", "deleted_ts": TS}
    assert change_of(event(**gone), BOT) == Deleted("C1", TS, None, 1772452800_000100)
    told = change_of(event(**gone, previous_message={**SAID, "thread_ts": "1772450000.000100"}), BOT)
    assert isinstance(told, Deleted)
    assert told.root == "1772450000.000100"
    stone = {"subtype": "tombstone", "ts": TS, "thread_ts": TS, "text": "This message was deleted."}
    assert isinstance(change_of(edited(stone), BOT), Deleted)


def test_a_reaction_is_somebodys() -> None:
    item = {"type": "message", "channel": "C1", "ts": TS}
    put = {"type": "reaction_added", "user": "U2", "reaction": "+1::skin-tone-2", "item": item, "event_ts": TS}
    assert change_of(put, BOT) == Reacted("C1", TS, "+1::skin-tone-2", "U2", 1772452800_000100, True)
    assert change_of({**put, "item": {**item, "channel": "D1"}}, BOT) is None
    assert change_of({**put, "item": {"type": "file", "file": "F1"}}, BOT) is None


@pytest.mark.parametrize(
    "one",
    [
        event(channel_type="im", channel="D1"),
        event(channel_type="mpim", channel="G1"),
        event(channel_type=None),
        event(user=BOT, bot_id="B0BOT"),
        event(subtype="channel_join"),
        event(subtype="message_replied", message=SAID),
        event(ts="soon"),
        edited({**SAID, "user": BOT, "text": "an answer of ours"}),
        {"type": "app_mention", **{k: v for k, v in SAID.items() if k != "type"}},
    ],
)
def test_what_is_no_talk_of_a_channel_is_left_alone(one: dict[str, Any]) -> None:
    assert change_of(one, BOT) is None


@pytest.mark.parametrize("ahead", [timedelta(minutes=30), timedelta(days=3), timedelta(days=90_000)])
def test_what_is_yet_to_come_is_not_kept(ahead: timedelta) -> None:
    """It would be the newest, or the last edit, whatever comes after."""
    ts = stamp(datetime.now(UTC) + ahead)
    item = {"type": "message", "channel": "C1", "ts": TS}
    put = {"type": "reaction_added", "user": "U2", "reaction": "+1", "item": item, "event_ts": TS}
    for one in (
        event(ts=ts),
        event(ts=ts, event_ts=ts),
        event(event_ts=ts),
        edited({**SAID, "text": "twelve", "edited": {"user": "U1", "ts": ts}}),
        {**put, "event_ts": ts},
        {**put, "item": {**item, "ts": ts}},
    ):
        assert change_of(one, BOT) is None
    assert written("C1", {**SAID, "ts": ts}, 1, BOT) is None, "of a channel's history"
    gone = change_of(event(subtype="message_deleted", deleted_ts=TS, event_ts=ts), BOT)
    assert isinstance(gone, Deleted), "words that are to go always go"


def test_clocks_may_differ_a_little() -> None:
    ts = stamp(datetime.now(UTC) + timedelta(minutes=2))
    assert isinstance(change_of(event(ts=ts, event_ts=ts), BOT), Written)


def test_reactions_of_a_page_count_only_when_all_are_listed() -> None:
    listed = {"reactions": [{"name": "eyes", "users": ["U1", "U2"], "count": 2}]}
    assert reactions_of(listed) == (("eyes", "U1"), ("eyes", "U2"))
    assert reactions_of({}) == ()
    assert reactions_of({"reactions": [{"name": "eyes", "users": ["U1"], "count": 60}]}) is None


def test_people_of_a_message() -> None:
    assert users_in({"user": "U1", "text": "<@U2> and <@U3|ben>"}) == {"U1", "U2", "U3"}


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from([TS, "C1", "channel", "message"]),
    lambda x: (
        st.lists(x, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type subtype channel channel_type ts thread_ts user text message previous_message item reaction "
                "edited files attachments reactions deleted_ts event_ts profile id".split()
            ),
            x,
        )
    ),
    max_leaves=20,
)


@given(ODD, st.sampled_from(["message", "reaction_added", "user_change", "channel_rename", "member_left_channel"]))
def test_odd_events_break_nothing(value: Any, kind: str) -> None:
    one = {**SAID, "event_ts": TS, **(value if isinstance(value, dict) else {"text": value}), "type": kind}
    found = change_of(one, BOT)
    assert found is None or unpacked(asdict(found)) == found
    room_turn(one)
    person_turn(one)


def test_what_becomes_of_channels() -> None:
    def turn(kind: str, **more: Any) -> RoomTurn | None:
        return room_turn({"type": kind, "channel": "C1", **more})

    assert turn("channel_rename", channel={"id": "C1", "name": "new"}) == RoomTurn("C1")
    assert turn("member_left_channel", user="U1") == RoomTurn("C1", left="U1")
    assert turn("group_left") == RoomTurn("C1", left="")
    assert turn("message", subtype="channel_convert_to_private") == RoomTurn("C1", private=True)
    assert turn("message") is None
    assert turn("reaction_added") is None


def test_only_what_matters_makes_somebody_another() -> None:
    def marks(**more: Any) -> str:
        found = person_turn({"type": "user_change", "user": {"id": "U1", "team_id": "T1", **more}})
        assert isinstance(found, PersonTurn)
        return found.marks

    assert marks() == marks(profile={"status_text": "away"}, is_restricted=False)
    assert len({marks(), marks(deleted=True), marks(is_restricted=True), marks(team_id="T2")}) == 4
