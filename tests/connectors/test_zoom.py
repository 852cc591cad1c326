"""Zoom folders and WebVTT in all its shapes: turns, speakers, absolute times, chat, and who may see it."""

import itertools
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Skip, UserFacing
from assistant.model.conversations import Conversation, Heard, Speaker
from assistant.model.times import micros
from assistant.text.cues import read_cues, read_turns
from assistant.text.people import People
from connectors.zoom.chat import read_chat
from connectors.zoom.recordings import open_folders

SHARED = Path(__file__).parents[3] / "shared/data"
START = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
ABOUT = {
    "topic": "Trial review",
    "start_time": "2026-03-02T14:30:00Z",
    "share_url": "https://zoom.example/share",
    "participants": [
        {"id": "z1", "name": "Ada Byron", "user_email": "Ada@acme.example"},
        {"id": "z2", "name": "grace", "user_email": "grace@acme.example"},
    ],
}
VTT = """WEBVTT

1
00:00:01.000 --> 00:00:03.000
Ada Byron: Should we say

2
00:00:03.000 --> 00:00:04.500
Ada Byron: twenty five?

3
00:00:05.000 --> 00:00:06.000
grace: Yes: let's.

4
00:00:06.000 --> 00:00:07.000
Done, then.
"""


def meeting(folder: Path, vtt: str = VTT, about: object = ABOUT, chat: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "transcript.vtt").write_text(vtt, encoding="utf-8", newline="")
    if about:
        (folder / "meeting.json").write_text(json.dumps(about), encoding="utf-8")
    if chat:
        (folder / "chat.txt").write_text(chat, encoding="utf-8")
    return folder


def heard(path: Path, audience: str | None = None) -> list[Heard]:
    folders = open_folders(path)
    people = People()
    for folder in folders:
        people.learn(folder.identities())
    return [folder.read(people.speaker, audience) for folder in folders]


def only(path: Path, audience: str | None = None) -> Conversation:
    [found] = heard(path, audience)
    [conversation] = found.conversations
    return conversation


def test_consecutive_cues_are_one_utterance_at_an_absolute_time(tmp_path: Path) -> None:
    one = only(meeting(tmp_path / "trial-review"))
    assert (one.id, one.title, one.started_at) == ("zoom:trial-review", "Trial review", micros(START))
    assert [u.text for u in one.utterances] == ["Should we say twenty five?", "Yes: let's. Done, then."]
    assert [u.speaker for u in one.utterances] == [
        Speaker("Ada Byron", "ada@acme.example"),
        Speaker("grace", "grace@acme.example"),
    ]
    assert [u.at - micros(START) for u in one.utterances] == [1_000_000, 5_000_000]


def test_participants_may_see_it_unless_told(tmp_path: Path) -> None:
    meeting(tmp_path / "trial-review")
    assert only(tmp_path).audience == "channel:zoom:trial-review"
    assert only(tmp_path, "public").audience == "public"
    [room] = heard(tmp_path)[0].channels
    assert room.private
    assert [who.name for who in room.members] == ["Ada Byron", "grace"]


@pytest.mark.parametrize("change", ["crlf", "cr", "bom", "styles", "cut"])
def test_shapes_of_the_same_transcript(tmp_path: Path, change: str) -> None:
    vtt = {
        "crlf": VTT.replace("\n", "\r\n"),
        "cr": VTT.replace("\n", "\r"),
        "bom": "\ufeff" + VTT,
        "styles": VTT.replace("WEBVTT", "WEBVTT - Zoom\n\nSTYLE\n::cue { color: red }\n\nNOTE a note\nof two lines"),
        "cut": VTT + "\n5\n00:00:08.000 --> 00:0",
    }[change]
    plain, changed = only(meeting(tmp_path / "a/m")), only(meeting(tmp_path / "b/m", vtt))
    assert [(u.speaker, u.at, u.text) for u in changed.utterances] == [
        (u.speaker, u.at, u.text) for u in plain.utterances
    ]


def test_the_recordings_start_counts_and_its_second_opens(tmp_path: Path) -> None:
    files = [
        {"file_type": "TRANSCRIPT", "recording_start": "2026-03-02T14:31:00Z", "file_name": "transcript.vtt"},
        {"file_type": "MP4", "recording_start": "2026-03-02T14:31:00Z", "play_url": "https://zoom.example/play"},
    ]
    one = only(meeting(tmp_path / "m", about={**ABOUT, "recording_files": files}))
    assert one.utterances[0].at == micros(START) + 61_000_000
    assert one.utterances[0].url == f"https://zoom.example/play?startTime={micros(START) // 1000 + 61_000}"
    assert one.url == "https://zoom.example/share"
    shared = only(meeting(tmp_path / "n"))
    assert shared.utterances[1].url == f"https://zoom.example/share?startTime={micros(START) // 1000 + 5000}"


def test_several_recordings_follow_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    for stamp, text in (("143000", "first"), ("150000", "second")):
        name = f"GMT20260302-{stamp}_Recording.transcript.vtt"
        (folder / name).write_text(f"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nAda Byron: {text}\n")
    one = only(folder)
    assert [(u.text, u.at - micros(START)) for u in one.utterances] == [("first", 1_000_000), ("second", 1_801_000_000)]


@pytest.mark.parametrize(("name", "note"), [("sync-2026-03-02", "of the recording"), ("sync", "file's own time")])
def test_without_a_start_it_says_what_stands_for_it(tmp_path: Path, name: str, note: str) -> None:
    [found] = heard(meeting(tmp_path / name, about=None))
    assert note in found.skipped[0]
    if name != "sync":
        assert found.conversations[0].started_at == micros(datetime(2026, 3, 2, tzinfo=UTC))
    assert {u.speaker.person for u in found.conversations[0].utterances} == {None}


def test_chat_joins_in_at_its_time_and_never_what_was_private(tmp_path: Path) -> None:
    chat = (
        "00:00:02\tgrace:\tI'd say 25\nor more\n"
        '00:00:04\tAda Byron:\tReacted to "I\'d say 25" with 👍\n'
        '00:00:05\tAda Byron:\tReplying to "I\'d say..."\n\nfine\n'
    )
    one = only(meeting(tmp_path / "m", chat=chat))
    assert [u.text for u in one.utterances] == [
        "Should we say twenty five?",
        "I'd say 25\nor more",
        "Yes: let's. Done, then.",
        "fine",
    ]
    written = one.utterances[1]
    assert [(r.name, r.by[0].name) for r in written.reactions] == [("👍", "Ada Byron")]
    assert one.utterances[3].reply_to == written.id
    local = "14:30:02 From Ada to Everyone:\n\thello\n14:30:03 From Ada to Grace(Direct Message):\n\tsecret\nmore\n"
    assert [line.text for line in read_chat(local)] == ["hello"]


def test_words_before_a_colon_are_no_name_by_themselves(tmp_path: Path) -> None:
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nAda Byron: hm\n\n00:02.000 --> 00:03.000\nand here is the thing: no\n"
    assert [(t.speaker, t.text) for t in read_turns(vtt)] == [("Ada Byron", "hm and here is the thing: no")]


def test_teams_writes_voices_or_metadata() -> None:
    voices = (
        "WEBVTT\n\n-0:0:1.0 --> 0:0:5.320\n<v Ada Byron>One &amp; two.</v>\n\n0:0:6.0 --> 0:0:7.0\n<v Grace>Yes.</v>\n"
    )
    assert [(t.speaker, t.text, t.start) for t in read_turns(voices)] == [
        ("Ada Byron", "One & two.", 0),
        ("Grace", "Yes.", 6000),
    ]
    told = {"startDateTime": "2026-03-02T14:30:01.1234567+00:00", "speakerName": "Ada", "spokenText": "Hi."}
    [turn] = read_turns(f"WEBVTT\n\n00:00:16.246 --> 00:00:17.726\n{json.dumps(told)}\n")
    assert (turn.speaker, turn.text, turn.at) == ("Ada", "Hi.", START.replace(second=1, microsecond=123456))


def test_what_is_no_transcript_is_told_and_nothing_else_is(tmp_path: Path) -> None:
    with pytest.raises(UserFacing):
        open_folders(tmp_path)
    with pytest.raises(Skip, match="WEBVTT"):
        heard(meeting(tmp_path / "m", "00:01.000 --> 00:02.000\nhm\n"))


NAMES = st.sampled_from(["Ada Byron", "Grace Hopper", "stokes", "Justin (Besu)"])
SAYINGS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=30).filter(
    lambda text: not set(text) & set("<>&:") and text.strip() and not text[0].isspace()
)


@given(st.lists(st.tuples(NAMES, SAYINGS), min_size=1, max_size=30))
def test_turns_hold_every_word_in_order(said: list[tuple[str, str]]) -> None:
    cues = [f"{n}\n00:00:{n:02}.000 --> 00:00:{n:02}.500\n{who}: {what}\n" for n, (who, what) in enumerate(said)]
    turns = read_turns("WEBVTT\n\n" + "\n".join(cues), {who for who, _ in said})
    assert " ".join(turn.text for turn in turns) == " ".join(what for _, what in said)
    assert all(one.speaker != other.speaker for one, other in itertools.pairwise(turns))
    assert [turn.start for turn in turns] == sorted(turn.start for turn in turns)


@given(st.text(max_size=200))
def test_any_text_behind_the_signature_is_read_without_a_fault(text: str) -> None:
    read_cues(f"WEBVTT\n\n{text}")
    read_chat(text)


SHAPES = sorted((SHARED / "samples").rglob("*.vtt")) if SHARED.exists() else []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
@pytest.mark.parametrize("file", SHAPES, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_every_real_shape(file: Path) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    if not text.removeprefix("\ufeff").startswith("WEBVTT"):
        with pytest.raises(Skip):
            read_cues(text)
        return
    cues = read_cues(text)
    assert all(cue.text and "-->" not in cue.text and "</c>" not in cue.text for cue in cues)
    if "zoom" in str(file):
        assert len(cues) >= 30
        assert all(cue.speaker for cue in cues)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
def test_real_meetings() -> None:
    found = heard(SHARED / "conversations/zoom")
    assert len(found) == 38
    assert sum(len(one.conversations[0].utterances) for one in found) == 1973
    assert all(u.speaker.person for one in found for u in one.conversations[0].utterances)
    assert not any(one.skipped for one in found)


FIELDS = sorted(
    {*ABOUT, "recording_files", "payload", "object", "play_url", "recording_start", "name", "user_email", "id"}
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["x", "2026-03-02T14:30:00Z", "TRANSCRIPT"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inside, max_size=4),
)


@given(ODD)
def test_an_odd_meeting_json_breaks_nothing(tmp_path_factory: pytest.TempPathFactory, odd: object) -> None:
    folder = meeting(tmp_path_factory.mktemp("odd") / "sync-2026-03-02", about=None)
    (folder / "meeting.json").write_text(json.dumps(odd))
    assert len(only(folder).utterances) == 2


def test_a_cut_off_meeting_json_is_told(tmp_path: Path) -> None:
    folder = meeting(tmp_path / "sync-2026-03-02", about=None)
    (folder / "meeting.json").write_text('{"topic": "Tri')
    assert "meeting.json is cut off" in heard(folder)[0].skipped[0]


def test_zooms_own_file_names(tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "GMT20260302-143000_Recording.transcript.vtt").write_text(VTT)
    (folder / "GMT20260302-143000_Recording.cc.vtt").write_text(VTT.replace("twenty five", "20 5"))
    (folder / "GMT20260302-143000_RecordingnewChat.txt").write_text("00:00:02\tgrace:\thi\n")
    one = only(folder)
    assert [u.text for u in one.utterances] == ["Should we say twenty five?", "hi", "Yes: let's. Done, then."]
    assert one.started_at == micros(START)


@pytest.mark.parametrize(
    "names",
    [
        ("board.vtt", "design review.vtt"),
        ("2026-03-02 sync.vtt", "2026-03-09 sync.vtt"),
        ("GMT20260302-143000_Recording.transcript.vtt", "GMT20260309-143000_Recording.transcript.vtt"),
        ("board-transcript.vtt", "team_transcript.vtt", "transcript.vtt"),
    ],
)
def test_several_meetings_in_one_folder_are_refused_by_name(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text(VTT, encoding="utf-8")
    with pytest.raises(Skip, match="several meetings") as refused:
        heard(tmp_path)
    assert all(name in str(refused.value) for name in names)


@pytest.mark.parametrize(
    "names",
    [
        ("transcript.vtt", "transcript2.vtt"),
        ("sync part 1.vtt", "sync part 2.vtt"),
        ("GMT20260302-143000_ab12.transcript.vtt", "GMT20260302-161500_cd34.transcript.vtt"),
        ("2026-03-02 sync.vtt", "2026-03-02 sync (2).vtt"),
        ("transcript.vtt", "transcript_corrected.vtt"),
    ],
)
def test_parts_of_one_meeting_are_read_as_one(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text(VTT, encoding="utf-8")
    assert len(only(tmp_path).utterances) == (2 if "corrected" in names[1] else 4)


def test_recordings_that_the_meeting_lists_are_its_own(tmp_path: Path) -> None:
    names = ("GMT20260302-143000_a.transcript.vtt", "GMT20260303-143000_b.transcript.vtt")
    files = [{"file_type": "TRANSCRIPT", "file_name": name} for name in names]
    meeting(tmp_path, about={**ABOUT, "recording_files": files})
    (tmp_path / "transcript.vtt").unlink()
    for name in names:
        (tmp_path / name).write_text(VTT, encoding="utf-8")
    assert len(only(tmp_path).utterances) == 4


def test_a_name_with_a_day_that_is_none_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "GMT20261399-999999.vtt").write_text(VTT, encoding="utf-8")
    assert len(only(tmp_path).utterances) == 2


@pytest.mark.parametrize("name", ["chat.txt", "meeting.json", "second.vtt"])
def test_a_link_out_of_a_meetings_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    folder, elsewhere = tmp_path / "all" / "weekly-2024-01-02", tmp_path / "elsewhere"
    folder.mkdir(parents=True)
    elsewhere.mkdir()
    (folder / "transcript.vtt").write_text("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nAda Byron: Hello.\n")
    (elsewhere / "chat.txt").write_text("00:00:03\tGrace Hopper:\toutside\n")
    (elsewhere / "second.vtt").write_text("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGrace Hopper: outside\n")
    (elsewhere / "meeting.json").write_text('{"topic": "outside"}')
    (folder / name).symlink_to(elsewhere / name)
    [meeting] = open_folders(tmp_path / "all")
    assert "outside" not in repr(meeting.read(lambda who: Speaker(who.name, None), None))
