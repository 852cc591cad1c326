"""Minutes in text and Markdown: agenda items, who speaks by name or initials, what came out, and of which day."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import UserFacing
from assistant.model.conversations import Conversation
from assistant.model.times import micros, moment, whole_day
from assistant.text.people import People
from connectors.minutes.days import day_of
from connectors.minutes.files import open_files
from connectors.minutes.initials import from_lines
from connectors.minutes.outcomes import with_tables
from connectors.minutes.outline import read_parts
from connectors.minutes.speech import known_speakers, read_lines

MINUTES = """# March 2, 2026 Meeting

| Name | Abbreviation | Organisation |
| ---- | ------------ | ------------ |
| Ada Byron | AB | Acme |

## Trial threshold

Presenter: Grace Hopper (GH)

- [proposal](https://a.example/trial)

AB: I'd go to 25.

GH: Fine. Two things:

- the page
- the mail

**AB**: Yes.

### Details

XYZ: It is 25: no more.

### Conclusion/Resolution

- Threshold is 25
- GH to write it up,
  this week

## Lunch

Nobody said anything.

## Next time

AB: In April.
RESOLUTION: next meeting on April 6
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "2026-03").mkdir()
    (tmp_path / "2026-03/march-2.md").write_text(MINUTES, encoding="utf-8")
    return tmp_path


def items(path: Path, people: dict[str, str] | None = None) -> list[Conversation]:
    return [one for file in open_files(path) for one in file.read(People().speaker, people).conversations]


def said(one: Conversation) -> list[tuple[str, str]]:
    return [(utterance.speaker.name, utterance.text) for utterance in one.utterances]


def test_headings_are_items_with_what_was_said_and_what_came_out(folder: Path) -> None:
    threshold, later = items(folder)
    assert (threshold.id, threshold.title) == ("minutes:2026-03/march-2.md#7", "Trial threshold")
    assert said(threshold) == [
        ("", "Presenter: Grace Hopper (GH)"),
        ("", "[proposal](https://a.example/trial)"),
        ("Ada Byron", "I'd go to 25."),
        ("Grace Hopper", "Fine. Two things:\n\n- the page\n- the mail"),
        ("Ada Byron", "Yes."),
        ("XYZ", "It is 25: no more."),
        ("", "### Conclusion/Resolution\n\n- Threshold is 25"),
        ("", "GH to write it up,\n  this week"),
    ]
    assert threshold.conclusion == ("### Conclusion/Resolution\n\n- Threshold is 25", "GH to write it up,\n  this week")
    assert later.conclusion == ("next meeting on April 6",)
    assert threshold.started_at // 86_400_000_000 == micros(datetime(2026, 3, 2, tzinfo=UTC)) // 86_400_000_000
    assert [u.at for u in threshold.utterances] == sorted({u.at for u in threshold.utterances})


def test_every_utterance_is_verbatim(folder: Path) -> None:
    for one in items(folder):
        for utterance in one.utterances:
            assert utterance.text in MINUTES
            assert f"#{one.id.rpartition('#')[2]}/" in utterance.id


def test_initials_come_from_beside_above_or_the_people_file(folder: Path) -> None:
    assert "XYZ" in {name for one in items(folder) for name, _ in said(one)}
    given = items(folder, {"XYZ": "Xenia Zett", "AB": "Somebody Else"})
    assert {"Xenia Zett", "Ada Byron"} < {name for one in given for name, _ in said(one)}
    (folder / "delegates.txt").write_text("Xavier Ypsilon-Zed (XYZ)\n", encoding="utf-8")
    assert "Xavier Ypsilon-Zed" in {name for one in items(folder) for name, _ in said(one)}
    inner = items(folder / "2026-03")
    assert inner[0].id == "minutes:march-2.md#7"
    assert "Xavier Ypsilon-Zed" in {name for one in inner for name, _ in said(one)}


def test_inside_a_repository_ids_start_at_its_root(folder: Path) -> None:
    (folder / ".git").mkdir()
    for path in (folder, folder / "2026-03", folder / "2026-03/march-2.md"):
        assert items(path)[0].id == "minutes:2026-03/march-2.md#7"


def test_a_plain_text_file_with_full_names_is_one_item(tmp_path: Path) -> None:
    file = tmp_path / "notes 2026-03-02.txt"
    file.write_text("Ada Byron: It is 25.\nand stays\nGrace Hopper: ok\nNote: none\nAda Byron: bye\n", encoding="utf-8")
    [one] = items(file)
    assert one.id == "minutes:notes 2026-03-02.txt#1"
    assert said(one) == [
        ("Ada Byron", "It is 25.\nand stays"),
        ("Grace Hopper", "ok\nNote: none"),
        ("Ada Byron", "bye"),
    ]


def test_a_conclusion_of_the_same_rank_belongs_to_the_item_before_it(tmp_path: Path) -> None:
    file = tmp_path / "m.md"
    file.write_text("# Sync 2026-03-02\n\n## Rule\n\nAB: ten\n\n## Conclusion\n\nAB: Ten it is.\n\nCD: bye\n", "utf-8")
    [one] = items(file)
    assert one.title == "Rule"
    assert one.conclusion == ("Ten it is.",)


@pytest.mark.parametrize(
    ("text", "path", "day"),
    [
        ("# September 22, 2020 Meeting Notes", "a.md", (2020, 9, 22)),
        ("# 107th Meeting\n\nDay Two—15 April 2025", "a.md", (2025, 4, 15)),
        ("hello", "meetings/2018-01/jan-23.md", (2018, 1, 23)),
        ("# 30th July 2024", "meetings/2024-07/july-31.md", (2024, 7, 31)),
        ("Date: 2026-03-02", "a.txt", (2026, 3, 2)),
        ("# Teamrunde 12.05.2026", "a.md", (2026, 5, 12)),
        ("# Protokoll vom 3. März 2026", "a.md", (2026, 3, 3)),
        ("# Réunion du 1er août 2026", "a.md", (2026, 8, 1)),
        ("# Acta del 12 de junio de 2026", "a.md", (2026, 6, 12)),
        ("hello", "2026-03/summary.md", (2026, 3, 1)),
    ],
)
def test_the_day(text: str, path: str, day: tuple[int, int, int]) -> None:
    assert day_of(text, path)[0] == datetime(*day, tzinfo=UTC)


def test_no_day_is_told_and_impossible_ones_are_none() -> None:
    assert day_of("hello", "a.md")[0] is None
    assert day_of("2026-13-45", "a.md")[0] is None


def test_tables_of_initials() -> None:
    lines = ["Remote: Ada Byron (AB), Jean de La Tour (JLT)", "| Initials | Name |", "|--|--|", "| GH | Grace Hopper |"]
    assert from_lines(lines) == {"AB": "Ada Byron", "JLT": "Jean de La Tour", "GH": "Grace Hopper"}


def test_where_there_are_none_it_says_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.md"):
        with pytest.raises(UserFacing):
            open_files(path)


@given(st.text(st.sampled_from("#=-`~ abAB:\n"), max_size=120))
def test_parts_hold_every_line_once(text: str) -> None:
    parts = read_parts(text)
    numbers = [number for part in parts for number, _ in part.body]
    assert numbers == sorted(set(numbers))
    lines = text.split("\n")
    assert all(lines[number - 1] == line for part in parts for number, line in part.body)
    assert all(part.level == 0 or lines[part.line - 1].strip() for part in parts)


@given(st.lists(st.sampled_from(["# A", "## B", "### Conclusion", "AB: x", "CD: y z", "- l", "", "| a | b |", "```"])))
def test_odd_minutes_break_nothing(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    file = tmp_path_factory.mktemp("minutes") / "2026-03-02.md"
    file.write_text("\n".join(lines), encoding="utf-8")
    found = items(file)
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert len({u.id for u in one.utterances}) == len(one.utterances)
        assert set(one.conclusion) <= {u.text for u in one.utterances}
        assert all(" ".join(u.text.split()) in " ".join(" ".join(lines).split()) for u in one.utterances)


def test_times_of_day_chat_logs_companies_and_bold_outcomes(tmp_path: Path) -> None:
    file = tmp_path / "2026-03-02.md"
    file.write_text(
        "## Rule\n\n[14:30] Ada Byron (Acme): ten\n14:31:05 <ghopper> 25\n<ghopper> or so\n"
        "Ada Byron (Acme): ok\n\n**Decision**\n\n- 25\n",
        encoding="utf-8",
    )
    [one] = items(file)
    assert said(one) == [
        ("Ada Byron (Acme)", "ten"),
        ("ghopper", "25"),
        ("ghopper", "or so"),
        ("Ada Byron (Acme)", "ok"),
        ("", "25"),
    ]
    day = micros(datetime(2026, 3, 2, tzinfo=UTC))
    assert [(u.at - day) // 1_000_000 for u in one.utterances][:3] == [52_200, 52_265, 52_265]
    assert one.conclusion == ("25",)


NAMES = st.sampled_from(
    [
        "JHD",
        "AB",
        "Ada Byron",
        "J. R. Smith",
        "Jean-Luc O'Neil",
        "María-José d’Arc",
        "Ludwig van der Rohe",
        "Żofia Ćwik",
    ]
)
WORDS = st.sampled_from(
    ["I think so.", "so do I, really", ". Thank you", "“Yes” it is", "3 things: one", "see http://a.b"]
)
COLONS = st.sampled_from([":", ": ", ":\t", " : ", "：", "： ", "::  "])


@given(st.lists(st.tuples(NAMES, COLONS, WORDS), min_size=1, max_size=6), st.sampled_from(["", "**", "- ", "[10:30] "]))
def test_a_known_speaker_is_heard_however_the_colon_stands(turns: list[tuple[str, str, str]], mark: str) -> None:
    bold = mark if mark == "**" else ""
    lines = [f"{mark}{name}{bold}{colon}{words}" for name, colon, words in turns]
    known = known_speakers(lines, {"JHD": "Jordan Harb", "AB": "Ann Bo"}, [name for name, _, _ in turns])
    heard = list(read_lines(enumerate(lines, 1), known))
    assert [(line.speaker, line.text) for line in heard] == [(name, words) for name, _, words in turns]


NO_TURNS = [
    "https://a.example/b", "AB://host/path", "10:30 we meet", "10:30", "Note:foo", "URL:foo", "API:one two",
    "key:value", "std::move(x) is it", "AB::run it", "`AB:words here`", "**Important**:read this", "AB:4",
    "AB:30:12", "C:\\temp is full", "MM:=3 it is", "Threshold:25 it is", "注意：这个", "see AB:this one", "<br>:x y",
]  # fmt: skip


@given(st.lists(st.sampled_from(NO_TURNS), max_size=8), st.booleans())
def test_addresses_times_keys_and_code_are_nobody(lines: list[str], fenced: bool) -> None:
    body = ["CD: Listen.", *(["```", "AB: in code", *lines, "```"] if fenced else lines), "CD: Done."]
    known = known_speakers(body, {"AB": "Ann Bo"}, ())
    heard = list(read_lines(enumerate(body, 1), known))
    assert [line.speaker for line in heard] == ["CD", "CD"]


def test_who_is_only_heard_close_to_the_colon_has_to_come_again() -> None:
    assert known_speakers(["XY:I think so"], {}, ()) == frozenset()
    assert known_speakers(["XY:I think so", "XY:and so on"], {}, ()) == {"XY"}
    assert known_speakers(["XY: Yes.", "XY:I think so"], {}, ()) == {"XY"}
    assert known_speakers(["Ada Byron:I think so", "Ada Byron:still do"], {}, ()) == {"Ada Byron"}


def test_somebody_unsure_or_several_stay_as_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "2026-03-02.md"
    file.write_text("AB: ten\n??: why\nAB?: because\nAB/CD: yes\nCD: ok\nAB and CD: bye\n", encoding="utf-8")
    (tmp_path / "delegates.txt").write_text("Ada Byron (AB)\n", encoding="utf-8")
    [one] = items(file)
    assert [name for name, _ in said(one)] == ["Ada Byron", "??", "AB?", "AB/CD", "CD", "AB and CD"]
    assert all(u.speaker.person is None for u in one.utterances)


@pytest.mark.parametrize("fence", ["```a``` is code", "```js\nx\n```js\ny\n```", "~~~\n```", "```"])
def test_a_fence_that_fences_nothing_in_hides_no_heading(fence: str) -> None:
    titles = [part.title for part in read_parts(f"# A\n{fence}\n# B\n")]
    assert titles == ["", "A", "B"]


def test_headings_in_fenced_code_are_none() -> None:
    assert [part.title for part in read_parts("# A\n```sh\n# B\n```\n~~~~\n# C\n~~~\n~~~~\n# D")] == ["", "A", "D"]


def test_a_heading_that_lists_the_conclusion_among_others_concludes(tmp_path: Path) -> None:
    file = tmp_path / "2026-03-02.md"
    file.write_text(
        "## Rule\n\nAB: ten\n\n### Summary of Key Points, Conclusion\n\nAB: It is ten.\n\nCD: bye\n", "utf-8"
    )
    [one] = items(file)
    assert one.conclusion == ("It is ten.",)


CALLED = [
    "Fazit",
    "Beschluss",
    "Décision",
    "Conclusión",
    "Decisões",
    "Besluiten",
    "Решение",
    "结论",
    "決定事項",
    "결론",
]


@pytest.mark.parametrize("heading", [*CALLED, "Ergebnis und Beschlüsse", "La conclusion"])
def test_outcomes_have_headings_in_other_languages(tmp_path: Path, heading: str) -> None:
    file = tmp_path / "2026-03-02.md"
    file.write_text(f"## Regel\n\nAda Byron: zehn\n\nAda Byron: gut\n\n### {heading}\n\nEs bleibt bei zehn.\n", "utf-8")
    [one] = items(file)
    assert one.conclusion == ("Es bleibt bei zehn.",)


@pytest.mark.parametrize("word", CALLED)
def test_outcomes_stand_behind_words_of_other_languages(tmp_path: Path, word: str) -> None:
    file = tmp_path / "2026-03-02.md"
    file.write_text(f"## 規則\n\n山田：十です\n山田：はい\n{word}：十\n{word}: 二\n", "utf-8")
    [one] = items(file)
    assert said(one) == [("山田", "十です"), ("山田", "はい"), ("", "十"), ("", "二")]
    assert one.conclusion == ("十", "二")


@pytest.mark.parametrize("heading", ["Notes", "Besprochen", "Meeting notes", "Discussed:"])
def test_a_decision_behind_a_heading_that_names_no_topic_is_of_the_meeting(tmp_path: Path, heading: str) -> None:
    file = tmp_path / "m.md"
    file.write_text(
        f"# Sync 2026-03-02\n\n## {heading}\n\nAB: ten\n\n## Decisions\n\nTen it is from now on.\n", "utf-8"
    )
    *_, meeting = items(file)
    assert (meeting.title, meeting.conclusion) == ("", ("Ten it is from now on.",))


def test_a_decision_behind_several_items_of_its_rank_is_of_the_meeting(tmp_path: Path) -> None:
    file = tmp_path / "m.md"
    text = "# Sync 2026-03-02\n\n## Cars\n\nAB: none\n\n## Desks\n\nAB: two\n\n## Decisions\n\n- A\n- Be nice\n"
    file.write_text(text, "utf-8")
    *_, meeting = items(file)
    assert (meeting.title, meeting.place_name) == ("", "Sync 2026-03-02")
    assert meeting.conclusion == ("## Decisions\n\n- A", "Be nice")


@given(st.text(alphabet="|-: aB.\n?*#", max_size=60))
def test_tables_of_any_form_give_words_of_their_rows(text: str) -> None:
    lines = list(read_lines(enumerate(text.split("\n"), 1), frozenset()))
    for line in with_tables(lines):
        assert line.text in text


@pytest.mark.parametrize("clock", [(0, 0, 0), (0, 0, 1), (20, 26, 5), (23, 59, 59)])
def test_minutes_that_name_no_day_are_of_their_files_day_and_of_no_time(
    tmp_path: Path, clock: tuple[int, int, int]
) -> None:
    file = tmp_path / "m.md"
    file.write_text("# Sync\n\nDecision: Two desks are kept.\n", "utf-8")
    written = datetime(2026, 5, 28, *clock, tzinfo=UTC).timestamp()
    os.utime(file, (written, written))
    [talk] = items(file)
    for said in talk.utterances:
        assert moment(said.at).date().isoformat() == "2026-05-28"
        assert whole_day(moment(said.at), talk.id)
