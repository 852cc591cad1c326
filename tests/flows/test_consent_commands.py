"""`brain forget` and `brain consent`, as admins and scripts run them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.errors import UserFacing
from assistant.graph.servers import embedded
from assistant.graph.space import Space
from assistant.graph.writing.live import write_room
from assistant.settings import Settings
from tests.fakes.traces import gone_from
from tests.flows.brain import Brain
from tests.flows.test_forget_asked import export
from workers.cli.consent import meant
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
    assert brain("consent", "--json").rows == []
    assert brain("consent", "set", "C1", "everything").status == 2
    for mode in ("record", "off"):
        assert brain("consent", "set", "C1", mode).status == 0
    [row] = brain("consent", "--json").rows
    assert (row["channel"], row["mode"], row["by"]) == ("C1", "off", "command line")
    assert [one["mode"] for one in brain("consent", "history", "C1", "--json").rows] == ["record", "off"]
    for words in (("set", "rules", "off"), ("history", "rules")):
        asked = brain("consent", *words)
        assert (asked.status, asked.out, "no channel" in asked.err) == (1, "", True)
    assert brain("consent", "--json").rows == [row]
