"""What the commands show to people: why there is nothing yet, lists that wrap and are whole in a pipe, names meant."""

import re
from collections.abc import Iterator

import pytest
from rich.console import Console
from rich.text import Text

from assistant.graph.servers import embedded
from assistant.settings import Settings
from tests.flows.brain import Brain
from workers.cli.decisions import none
from workers.cli.look import none_told
from workers.cli.output import counted, hanging, show, table
from workers.pages import close_to, hint

NOTHING = [
    (["decisions"], "No decision yet: read what people said"),
    (["decisions", "--chat-only"], "No decision yet"),
    (["decisions", "--viewer", "ana@acme.example"], "No decision that ana@acme.example may see yet"),
    (["answers"], "No answer was given yet: ask with"),
    (["answers", "--stale"], "No answer was given yet"),
    (["consent"], "Nobody has chosen anything yet"),
    (["consent", "history"], "Nobody has chosen anything yet"),
    (["audit"], "Nothing was checked, as nothing has been read yet"),
]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """The command on a home in which nothing was read."""
    folder = tmp_path_factory.mktemp("fresh")
    yield Brain(folder / "home", folder / "cache")
    embedded.stop(embedded.ensure(Settings(home=folder / "home", cache=folder / "cache")))


@pytest.mark.parametrize(("words", "says"), NOTHING)
def test_where_there_is_nothing_it_says_what_would_change_that(fresh: Brain, words: list[str], says: str) -> None:
    said = fresh(*words)
    assert (said.status, said.err.count("\n"), says in said.err, "`brain" in said.err) == (0, 1, True, True), said.err
    assert words == ["audit"] or said.out == ""


@pytest.mark.parametrize("words", [words for words, _ in NOTHING])
def test_scripts_are_told_nothing_where_there_is_nothing(fresh: Brain, words: list[str]) -> None:
    said = fresh(*words, "--json")
    assert (said.status, said.err) == (0, "")
    assert words == ["audit"] or said.rows == []


@pytest.mark.parametrize("words", [["history", "people/leave.md"], ["owners", "people/leave.md"]])
def test_where_no_page_was_read_it_says_how_to_read_one(fresh: Brain, words: list[str]) -> None:
    said = fresh(*words)
    assert (said.status, "brain ingest git" in said.err) == (1, True)


def test_a_choice_of_which_nothing_is_left_is_told_with_how_many_there_are() -> None:
    assert none("ana", 3) == "No decision that ana may see is chat-only; 3 known (`brain decisions`)."
    assert none_told(7) == "No answer is stale or in doubt; 7 given so far (`brain answers`)."
    told = [counted(count, "answer") for count in (0, 1, 2, 1000)]
    assert told == ["0 answers", "1 answer", "2 answers", "1,000 answers"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("people/leav.md", "did you mean people/leave.md?"),
        ("leave.md", "did you mean people/leave.md?"),
        ("People/Leave.md", "did you mean people/leave.md?"),
        ("/people/leave.md", "did you mean people/leave.md?"),
        ("it/laptop", "did you mean it/laptops.md?"),
        ("zzz", "from the repository's root"),
    ],
)
def test_a_page_that_is_none_is_answered_with_the_ones_that_may_be_meant(typed: str, meant: str) -> None:
    assert meant in hint(typed, ["it/laptops.md", "people/leave.md", "README.md"])


def test_of_headings_the_near_ones_are_named() -> None:
    names = ["Leave", "Leave > Carry-over", "Leave > Sick leave", "Leave > Annual leave"]
    assert close_to("carry", names) == ["Leave > Carry-over"]
    assert close_to("Leave > Anual leave", names)[0] == "Leave > Annual leave"
    assert close_to("travel", names) == []


LONG = " ".join(["words"] * 60)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_on_a_terminal_what_belongs_to_a_line_stays_set_in(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    Console(width=width, force_terminal=True, color_system=None).print(hanging(Text("head"), Text(LONG)))
    head, *rest = capsys.readouterr().out.splitlines()
    assert head == "head"
    assert all(line.startswith("  words") and len(line) <= width for line in rest)
    assert len(rest) > 1


def test_in_a_pipe_every_line_is_whole_and_plain(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    show(hanging(Text("head", "red"), Text(LONG, "bold")))
    show(table(("Channel", "By"), [("#rules", LONG), ("[bold]#it[/]", "x")]))
    assert capsys.readouterr().out.splitlines() == [
        "head", f"  {LONG}", "Channel       By", f"#rules        {LONG}", "[bold]#it[/]  x",
    ]  # fmt: skip


def test_a_width_that_is_asked_for_holds_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    show(table(("Channel", "By"), [("#rules", LONG)]))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 50
    assert all(re.match(r"(Channel|#rules|)\s{2,}\w", line) for line in lines)
