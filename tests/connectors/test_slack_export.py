"""Slack exports as folders and zips: what is said in which conversation, by whom, before whom, in which words."""

import json
import os
import shutil
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import UserFacing
from assistant.model.conversations import Conversation, ConversationKind, Heard, Speaker
from assistant.text.people import People
from connectors.slack.changes import kept
from connectors.slack.cutting import stretches
from connectors.slack.export import open_export
from connectors.slack.spoken import ChannelDay, Names, micros_of, said, sorted_by_time, words_of

SHARED = Path(__file__).parents[3] / "shared/data"
DAY = 1_583_020_800
"""2020-03-01, midnight UTC."""

Message = dict[str, Any]


def at(minutes: float, **more: Any) -> Message:
    """A message so many minutes after midnight."""
    return {"type": "message", "user": "U1", "text": f"at {minutes}", "ts": f"{DAY + minutes * 60:.6f}", **more}


def user(name: str, full: str, **more: Any) -> Message:
    return {
        "id": name,
        "team_id": "T1",
        "name": full.split()[0].lower(),
        "real_name": full,
        "profile": {"email": f"{full.split()[0].lower()}@acme.example", "display_name": full.split()[0].lower()},
        **more,
    }


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A small export: one public channel, one private one, a group message and a direct one."""
    root = tmp_path / "export"
    write(root / "users.json", [user("U1", "Ada Byron"), user("U2", "Grace Hopper")])
    write(root / "channels.json", [{"id": "C1", "name": "rules", "members": ["U1", "U2"]}])
    write(root / "groups.json", [{"id": "G1", "name": "leads", "members": ["U2"]}])
    write(root / "mpims.json", [{"id": "G2", "name": "mpdm-ada--grace-1", "members": ["U1", "U2"]}])
    write(root / "dms.json", [{"id": "D01", "members": ["U1", "U2"]}])
    write(root / "rules/2020-03-01.json", [at(1), at(2)])
    write(root / "leads/2020-03-01.json", [at(1, text="secret")])
    write(root / "mpdm-ada--grace-1/2020-03-01.json", [at(1, text="between us")])
    write(root / "D01/2020-03-01.json", [at(1, text="only you")])
    return root


def write(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def heard(path: Path, until: int | None = None) -> Heard:
    export = open_export(path)
    people = People()
    people.learn(export.identities())
    return export.read(people.speaker, until)


def in_rules(export: Path, *messages: Message) -> list[Conversation]:
    """What these messages are in the public channel."""
    write(export / "rules/2020-03-01.json", list(messages))
    return [one for one in heard(export).conversations if one.place == "C1"]


def texts(one: Conversation) -> list[str]:
    return [utterance.text for utterance in one.utterances]


def test_a_thread_is_one_conversation_over_days_with_its_broadcast_once(export: Path) -> None:
    root = at(10)["ts"]
    write(export / "rules/2020-03-02.json", [at(1500, thread_ts=root, text="next day")])
    broadcast = at(12, thread_ts=root, subtype="thread_broadcast", text="for all")
    [thread, line] = in_rules(
        export, at(10, thread_ts=root, text="root"), at(11, text="aside"), broadcast, {**broadcast}, at(13, text="more")
    )
    assert (thread.kind, thread.id) == (ConversationKind.THREAD, f"slack:T1/C1/{root}")
    assert thread.shown_id == f"slack:rules/{root}"
    assert texts(thread) == ["root", "for all", "next day"]
    assert thread.utterances[1].reply_to == thread.utterances[0].id
    assert thread.utterances[0].reply_to is None
    assert texts(line) == ["aside", "more"]


def test_a_root_without_mark_belongs_to_its_replies(export: Path) -> None:
    [thread] = in_rules(export, at(10, text="root"), at(11, thread_ts=at(10)["ts"], text="reply"))
    assert texts(thread) == ["root", "reply"]


def test_the_main_line_is_cut_at_silences_and_named_by_its_first_message(export: Path) -> None:
    first, second = in_rules(export, at(1), at(141), at(141 + 181), at(141 + 182))
    assert first.kind is ConversationKind.MAIN_LINE
    assert texts(first) == ["at 1", "at 141"]
    assert second.shown_id == f"slack:rules/{at(322)['ts']}"


def test_an_edit_counts_and_what_was_deleted_does_not(export: Path) -> None:
    edited = {"user": "U1", "ts": at(9)["ts"]}
    [one] = in_rules(
        export,
        at(1, text="ten", edited=edited),
        at(1, text="nine"),
        at(2, subtype="tombstone", text="This message was deleted.", user="USLACKBOT"),
        at(3, text="gone"),
        at(4, subtype="message_deleted", deleted_ts=at(3)["ts"], text=""),
        at(5, text="before"),
        {
            "type": "message",
            "subtype": "message_changed",
            "ts": at(6)["ts"],
            "message": at(5, text="after", edited=edited),
        },
    )
    assert texts(one) == ["ten", "after"]
    assert [utterance.edited for utterance in one.utterances] == [True, True]


def test_bots_are_kept_as_bots_and_notices_are_left_out(export: Path) -> None:
    [one] = in_rules(
        export,
        at(1, subtype="bot_message", username="GitHub", bot_id="B1", user=None, text="build failed"),
        at(2, subtype="channel_join", text="<@U1> has joined the channel"),
        at(3, subtype="channel_topic", text="set the topic"),
        at(4, user="U2", text="hm"),
    )
    assert [(u.speaker, u.bot) for u in one.utterances] == [
        (Speaker("GitHub (an app)", None), True),
        (Speaker("Grace Hopper", "grace@acme.example"), False),
    ]


@pytest.mark.parametrize(
    "by",
    [
        {"subtype": "bot_message", "username": "Grace Hopper", "bot_id": "B1", "user": None},
        {"subtype": "bot_message", "username": "Grace\n Hopper", "user": None},
        {"subtype": "bot_message", "username": "Grace Hopper", "bot_id": "B1", "user": "U2"},
        {"username": "Grace Hopper", "bot_id": "B1", "user": "U2"},
        {"username": "Grace Hopper", "user": None},
        {"bot_profile": {"name": "Grace Hopper"}, "bot_id": "B1", "user": "U77"},
    ],
)
def test_an_app_that_bears_somebodys_name_is_told_as_an_app(export: Path, by: dict[str, Any]) -> None:
    """Told by the same reading for exports and for what is heard live."""
    live = kept({"type": "message", "ts": "1772452800.000100", "text": "ten", **by})
    for one in (by, {name: live.get(name) for name in by}):
        [talk] = in_rules(export, at(1, text="Decided: ten.", **one), at(2, user="U2", text="hm"))
        assert [u.speaker for u in talk.utterances] == [
            Speaker("Grace Hopper (an app)", None),
            Speaker("Grace Hopper", "grace@acme.example"),
        ]


def test_what_somebody_writes_through_an_app_in_their_own_name_is_theirs(export: Path) -> None:
    [one] = in_rules(export, at(1, user="U2", bot_id="B1", text="ten"))
    assert one.utterances[0].speaker == Speaker("Grace Hopper", "grace@acme.example")


def test_files_reactions_and_entities_read_as_people_see_them(export: Path) -> None:
    reactions = [{"name": "+1::skin-tone-3", "users": ["U2", "U9"], "count": 2}]
    [one] = in_rules(
        export,
        at(1, text="", files=[{"name": "plan.pdf"}]),
        at(2, text="see", files=[{"title": "Plan"}, {"mode": "tombstone"}]),
        at(3, text="<@U2> in <#C1|rules>: 5 &lt; 6 &amp; <https://a.example/x|the page>, <!here>", reactions=reactions),
    )
    assert texts(one) == ["plan.pdf", "see", "@Grace Hopper in #rules: 5 < 6 & the page, @here"]
    assert one.utterances[1].files == ("Plan",)
    [reaction] = one.utterances[2].reactions
    assert (reaction.name, [by.name for by in reaction.by]) == ("+1", ["Grace Hopper", "U9"])


def test_private_rooms_carry_their_audience_and_direct_messages_are_never_read(export: Path) -> None:
    found = heard(export)
    audiences = {one.place: one.audience for one in found.conversations}
    assert audiences == {"C1": "public", "G1": "channel:G1", "G2": "channel:G2"}
    assert {one.id: [who.name for who in one.members] for one in found.channels if one.private} == {
        "G1": ["Grace Hopper"],
        "G2": ["Ada Byron", "Grace Hopper"],
    }
    assert any(line.startswith("D01/") for line in found.skipped)
    assert "only you" not in repr(found)


def test_a_folder_in_no_list_is_nobodys_to_see(export: Path) -> None:
    write(export / "old-private/2020-03-01.json", [at(1, text="whose?")])
    found = heard(export)
    assert "whose?" not in repr(found.conversations)
    assert any(line.startswith("old-private/") for line in found.skipped)


def test_a_private_channels_name_is_not_told_by_a_mention(export: Path) -> None:
    [one] = in_rules(export, at(1, text="ask in <#G1>"))
    assert texts(one) == ["ask in #G1"]


@pytest.mark.parametrize("content", ['[{"ts": "15830', '{"ts": "1"}', "", "[[[["])
def test_a_broken_day_is_left_out_whole_with_the_threads_it_cuts(export: Path, content: str) -> None:
    root = at(10)["ts"]
    late = f"{DAY + 86_400 + 60:.6f}"
    write(export / "rules/2020-03-02.json", content)
    found = in_rules(export, at(1), at(10, thread_ts=root, replies=[{"user": "U2", "ts": late}]))
    assert [texts(one) for one in found] == [["at 1"]]
    skipped = heard(export).skipped
    assert any("rules/2020-03-02.json" in line for line in skipped)
    assert any("1 threads" in line for line in skipped)


def test_a_missing_day_in_between_cuts_threads_but_an_export_may_end_early(export: Path) -> None:
    root, days = at(10)["ts"], [f"{DAY + n * 86_400 + 60:.6f}" for n in range(4)]
    write(export / "rules/2020-03-03.json", [at(2 * 1440 + 2)])
    cut = at(10, thread_ts=root, replies=[{"ts": days[1]}])
    assert [one.kind for one in in_rules(export, cut)] == [ConversationKind.MAIN_LINE]
    early = at(10, thread_ts=root, replies=[{"ts": days[3]}])
    assert [one.kind for one in in_rules(export, early)] == [ConversationKind.THREAD, ConversationKind.MAIN_LINE]


def test_until_cuts_what_was_said_later(export: Path) -> None:
    write(export / "rules/2020-03-01.json", [at(1), at(5)])
    found = heard(export, until=micros_of(at(4)["ts"])).conversations
    assert all("at 5" not in texts(one) for one in found)


def zipped(export: Path, inner: str = "") -> Path:
    file = export.parent / "export.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in sorted(export.rglob("*.json")):
            archive.write(one, inner + one.relative_to(export).as_posix())
    return file


@pytest.mark.parametrize("inner", ["", "acme export/"])
def test_a_zip_reads_like_the_folder(export: Path, inner: str) -> None:
    assert heard(zipped(export, inner)) == heard(export)


@pytest.mark.parametrize("name", ["../users.json", "/etc/users.json", "rules/../../x.json", "C:\\x.json"])
def test_a_zip_that_points_outside_is_refused(export: Path, name: str) -> None:
    file = zipped(export)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, "[]")
    with pytest.raises(UserFacing, match="nothing was read"):
        open_export(file)


def test_a_bomb_is_refused(export: Path) -> None:
    file = zipped(export)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rules/2020-03-09.json", "[" + " " * 20_000_000 + "]")
    with pytest.raises(UserFacing, match="swell"):
        open_export(file)


def test_a_link_in_a_folder_is_not_followed(export: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside.json", [at(1, text="not yours")])
    (export / "rules/2020-03-05.json").symlink_to(tmp_path / "outside.json")
    assert "not yours" not in repr(heard(export))


@pytest.mark.parametrize("break_it", ["users", "no users", "no channels", "no zip", "nothing"])
def test_what_is_no_export_says_so(export: Path, break_it: str) -> None:
    path = export
    match break_it:
        case "users":
            write(export / "users.json", '[{"id"')
        case "no users":
            (export / "users.json").unlink()
        case "no channels":
            for name in ("channels", "groups", "mpims"):
                (export / f"{name}.json").unlink()
        case "no zip":
            path = export.parent / "cut.zip"
            path.write_bytes(zipped(export).read_bytes()[:200])
        case _:
            shutil.rmtree(export)
    with pytest.raises(UserFacing):
        heard(path)


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="<>&"), max_size=40)


@given(WORDS)
def test_text_without_entities_is_verbatim(text: str) -> None:
    assert words_of(text, Names({}, {})) == text.strip()


@given(st.lists(st.tuples(st.integers(0, 5000), st.booleans(), st.sampled_from([None, "tombstone", "channel_join"]))))
def test_every_message_lands_in_exactly_one_stretch(plan: list[tuple[int, bool, str | None]]) -> None:
    messages = [at(n, subtype=kind, edited={"ts": at(n)["ts"]} if edited else None) for n, edited, kind in plan]
    found = sorted_by_time(said([ChannelDay("2020-03-01", messages)], Names({}, {}), {}))
    parts = list(stretches(found))
    assert [one for part in parts for one in part] == found
    assert len({one.ts for one in found}) == len(found)
    for before, after in pairwise(parts):
        assert before[-1].at < after[0].at


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(
                    ["ts", "text", "user", "subtype", "thread_ts", "files", "reactions", "replies", "edited", "message"]
                ),
                x,
            )
        ),
    )
)
def test_odd_messages_break_nothing(value: Any) -> None:
    message = {"type": "message", "ts": "1583020800.000100", **(value if isinstance(value, dict) else {"text": value})}
    list(said([ChannelDay("2020-03-01", [message])], Names({}, {}), {}))


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
@pytest.mark.parametrize(
    ("folder", "conversations", "utterances"),
    [("conversations/slack-export", 176, 844), ("samples/slack-export-viewer", 22, 147)],
)
def test_real_exports(folder: str, conversations: int, utterances: int) -> None:
    found = heard(SHARED / folder)
    assert not found.skipped
    assert len(found.conversations) == conversations
    assert sum(len(one.utterances) for one in found.conversations) == utterances


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
def test_a_real_thread_with_a_broadcast() -> None:
    messages = json.loads((SHARED / "samples/slack-zulip/thread_with_broadcast_reply.json").read_text())
    found = sorted_by_time(said([ChannelDay("2015-06-12", messages)], Names({}, {}), {}))
    assert [one.text for one in found] == ["thread message", "first reply", "everyone should see this"]
    assert {one.thread for one in found} == {"1434139102.000002"}


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
FIELDS = ("id", "name", "members", "profile", "real_name", "team_id", "ts", "text", "user", "thread_ts", "reactions")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    file=st.sampled_from(["users.json", "channels.json", "groups.json", "dms.json", "rules/2020-03-01.json"]),
    field=st.sampled_from(FIELDS),
    value=ODD,
)
def test_whatever_stands_in_a_field_the_rest_is_read_or_one_line_says_why(
    export: Path, file: str, field: str, value: object
) -> None:
    before = (export / file).read_bytes()
    records = json.loads(before)
    records[0][field] = value
    write(export / file, records)
    try:
        assert "secret" not in " ".join(said_in(heard(export), "rules"))
    except UserFacing as error:
        assert "\n" not in str(error)
    finally:
        (export / file).write_bytes(before)


def said_in(one: Heard, place: str) -> list[str]:
    return [u.text for each in one.conversations if each.place_name == place for u in each.utterances]


def test_a_file_that_nobody_ever_writes_to_does_not_hang(export: Path) -> None:
    os.mkfifo(export / "rules/2020-03-07.json")
    assert len(said_in(heard(export), "rules")) == 2


def test_a_folder_that_two_channels_claim_is_nobodys(export: Path) -> None:
    write(export / "groups.json", [{"id": "G1", "name": "rules", "members": ["U2"]}])
    read = heard(export)
    assert said_in(read, "rules") == []
    assert any("several channels are called so" in line for line in read.skipped)
    shutil.move(export / "rules", export / "G1")
    [private] = heard(export).conversations[:1]
    assert private.audience == "channel:G1"
