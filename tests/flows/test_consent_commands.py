"""`brain forget` and `brain consent`, as admins and scripts run them."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.errors import UserFacing
from assistant.graph.dump import canonical_dump
from assistant.graph.servers import embedded
from assistant.graph.space import Space
from assistant.graph.writing.live import write_room
from assistant.settings import Settings
from tests.fakes.traces import gone_from
from tests.flows.brain import Brain
from tests.flows.test_forget_asked import export
from workers.cli.consent import Names, meant, told
from workers.cli.forget import gone
from workers.cli.forget import meant as meant_words
from workers.cli.output import show
from workers.queue import connect
from workers.queue.recording import is_off
from workers.talk import ingest_slack_export

RULES, HIRING = "slack:rules/1782810000.000000", "slack:hiring/1782810001.000000"


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    yield Brain(tmp_path / "home", tmp_path / "cache")
    embedded.stop(embedded.ensure(Settings(home=tmp_path / "home", cache=tmp_path / "cache")))


def test_a_conversation_and_a_person_are_forgotten_and_do_not_come_back(brain: Brain, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    brain("ingest", "slack-export", export(folder))
    asked = brain("forget", RULES)
    assert (asked.status, "nothing was forgotten" in asked.err) == (1, True)
    assert brain("forget", RULES, "--yes", "--json").rows == [
        {"forgotten": RULES, "messages": 2, "questions": 0, "posts_waiting": 0}
    ]
    [row] = brain("forget", "--person", "u0priya@a.example", "--json", stdin="y\n").rows
    assert row["messages"] == 2
    for trace in ("priyaword", "lenaword in rules"):
        assert gone_from(trace, brain.home) == []
    again = brain("forget", RULES, "--yes")
    assert (again.status, "nothing is recorded" in again.err) == (1, True)
    assert brain("ingest", "slack-export", folder, "--json").rows[0]["changed"] <= 2
    assert brain("forget", RULES, "--yes").status == 1
    assert brain("forget", RULES, "--lift", "--json").rows == [{"lifted": RULES, "messages": 2}]
    brain("ingest", "slack-export", folder)
    assert brain("forget", RULES, "--yes", "--json").rows[0]["messages"] == 2
    history = brain("consent", "history", "--json").rows
    assert [row["forgotten"] for row in history] == [RULES, "u0priya@a.example", RULES]
    assert all(row["by"] == "command line" and row["done"] for row in history)


def test_what_to_forget_has_to_be_named(brain: Brain) -> None:
    assert brain("forget").status == 2
    assert brain("forget", RULES, "--person", "x@a.example").status == 2
    assert brain("forget", "--person", "nobody@a.example", "--yes").status == 1
    lifted = brain("forget", "slack:nowhere/1.0", "--lift")
    assert (lifted.status, "Nothing of slack:nowhere/1.0 is kept" in lifted.err) == (0, True)


@pytest.mark.parametrize("word", ["u0priya", "priya", "Priya Nair", "@priya", "PRIYA", "a", "U0PRIYA", "", "nobody"])
def test_a_bare_word_forgets_nothing_and_shows_whom_it_may_mean(
    space: Space, tmp_path: Path, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest_slack_export(space, export(tmp_path))
    before = list(canonical_dump(space.reader))
    with pytest.raises(UserFacing, match="nothing was forgotten"):
        gone(space, Settings(), None, word, yes=True, json=True)
    assert list(canonical_dump(space.reader)) == before
    shown = capsys.readouterr()
    line = "  Priya Nair  --person u0priya@a.example  3 messages, 0 questions\n"
    assert (shown.out, line in shown.err) == ("", word not in ("", "nobody"))


@pytest.mark.parametrize("name", ["u0priya@a.example", "U0Priya@A.example", "slack:U0PRIYA"])
def test_an_e_mail_or_an_id_forgets_that_person(space: Space, tmp_path: Path, name: str) -> None:
    ingest_slack_export(space, export(tmp_path))
    assert len(meant_words(space, None, name).utterances) == 3


@pytest.mark.parametrize(
    ("name", "channel"), [("rules", "C1"), ("#hiring", "G1"), ("C1", "C1"), (" C9UNKNOWN ", "C9UNKNOWN")]
)
def test_a_channel_may_be_called_by_its_name(space: Space, tmp_path: Path, name: str, channel: str) -> None:
    ingest_slack_export(space, export(tmp_path))
    assert meant(space.reader, name) == channel


@pytest.mark.parametrize(
    "name", ["nowhere", "twice", "weekly", "zoom:7", "dm", "public", "", "D01ANA", "slack:rules/1782810000.000000"]
)
def test_what_is_no_channel_chooses_nothing(space: Space, name: str) -> None:
    for channel, called in (("zoom:7", "weekly"), ("C1", "twice"), ("G1", "twice")):
        write_room(space.graph, channel, called, private=True)
    with pytest.raises(UserFacing, match="no channel"):
        meant(space.reader, name)


def test_choices_are_listed_with_their_authors(brain: Brain) -> None:
    for words in (("consent",), ("consent", "history"), ("consent", "history", "C1")):
        told = brain(*words)
        assert (told.status, told.out, "yet" in told.err) == (0, "", True)
        silent = brain(*words, "--json")
        assert (silent.status, silent.out, silent.err) == (0, "", "")
    assert brain("consent", "set", "C1", "everything").status == 2
    for mode in ("record", "off"):
        assert brain("consent", "set", "C1", mode).status == 0
        servers = embedded.ensure(Settings(home=brain.home, cache=brain.cache))
        assert is_off(connect(servers.queue_url), "C1") is (mode == "off"), "with no worker there to carry it out"
    [row] = brain("consent", "--json").rows
    assert (row["channel"], row["mode"], row["by"]) == ("C1", "off", "command line")
    assert [one["mode"] for one in brain("consent", "history", "C1", "--json").rows] == ["record", "off"]
    for words in (("set", "rules", "off"), ("history", "rules")):
        asked = brain("consent", *words)
        assert (asked.status, asked.out, "no channel" in asked.err) == (1, "", True)
    assert brain("consent", "--json").rows == [row]


def test_people_read_names_and_short_local_times_under_headings(
    space: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest_slack_export(space, export(tmp_path))
    at = datetime(2026, 6, 30, 22, 30, 59, 123456, tzinfo=UTC)
    rows = [
        {"at": at, "channel": "C1", "mode": "record", "by": "U0LENA"},
        {"at": at, "channel": "zoom:7", "mode": "off", "by": "command line"},
        {"at": at, "forgotten": "u0lena@a.example", "messages": 1, "by": "", "done": True},
        {"at": at, "forgotten": "slack:rules/1.0", "messages": 2, "by": "U9GONE", "done": False},
    ]
    show(told(rows, Names(space.reader), Settings(timezone="Europe/Berlin")))
    lines = capsys.readouterr().out.splitlines()
    assert re.split(r"\s{2,}", lines[0]) == ["When (Europe/Berlin)", "Channel", "What", "By"]
    assert [re.split(r"\s{2,}", line) for line in lines[1:3]] == [
        ["2026-07-01 00:30", "#rules", "chose record", "Lena Brandt"],
        ["2026-07-01 00:30", "zoom:7", "chose off", "command line"],
    ]
    assert "forgot 1 message: Lena Brandt, u0lena@a.example" in lines[3]
    assert lines[3].endswith("by itself")
    assert "is forgetting 2 messages: slack:rules/1.0" in lines[4]
    assert not [line for line in lines if "123456" in line or "T22" in line]
