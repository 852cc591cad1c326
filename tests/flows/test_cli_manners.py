"""How the command behaves as one of many in a shell: version, help, mistyped words, Ctrl-C, pipes, errors."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from assistant.graph.servers import embedded
from assistant.settings import Settings
from tests.flows.brain import Brain
from workers import cli
from workers.cli.app import PARTS, app
from workers.demo.company import write_handbook

COMMAND = [sys.executable, "-m", "workers.cli"]


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """A home that knows the demonstration's handbook."""
    folder = tmp_path_factory.mktemp("manners")
    write_handbook(folder / "tidewater.git")
    made = Brain(folder / "home", folder / "cache")
    assert made("ingest", "git", folder / "tidewater.git", "--no-embed").status == 0
    yield made
    embedded.stop(embedded.ensure(Settings(home=made.home, cache=made.cache)))


def commands(of: Any = None, *before: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that `--help` shows, with the words that call it."""
    of = of or get_command(app)
    for name, one in of.commands.items():
        if not one.hidden:
            yield (*before, name), one
            if isinstance(one, TyperGroup):
                yield from commands(one, *before, name)


def test_it_tells_its_version(brain: Brain) -> None:
    said = brain.without_home("--version")
    assert (said.status, said.out) == (0, f"brain {version('company-brain')}\n")


def test_help_lists_every_command_by_its_part_and_groups_first(brain: Brain) -> None:
    said = brain.without_home("--help", COLUMNS="200")
    shown = re.findall(r"^[╭│] ?─? ([\w-]+)", said.out, re.MULTILINE)
    names = [words[0] for words, _ in commands() if len(words) == 1]
    assert set(names) <= set(shown)
    assert [said.out.index(part) for part in PARTS] == sorted(said.out.index(part) for part in PARTS)
    assert shown.index("ingest") < shown.index("pull")
    assert "Usage: brain " in said.out


@pytest.mark.parametrize(("words", "command"), list(commands()), ids=lambda one: str(one))
def test_each_help_fits_and_begins_with_one_sentence(words: tuple[str, ...], command: Any) -> None:
    narrow = {**os.environ, "COLUMNS": "50"}
    told = subprocess.run([*COMMAND, *words, "--help"], env=narrow, capture_output=True, text=True, check=True)
    assert max(map(len, told.stdout.splitlines())) <= 50
    assert "\x1b" not in told.stdout
    first = str(command.help).split("\n\n")[0]
    assert len(" ".join(first.split())) <= 160, f"the first sentence stands in the list of commands: {first}"
    for option in command.params:
        assert getattr(option, "help", None) or option.name == "path" or option.name == "help", option.name


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["decisons"], "decisions"), (["ingest", "slack-exprt"], "slack-export"), (["consent", "hist"], "history")],
)
def test_a_mistyped_command_is_answered_with_the_near_one(brain: Brain, words: list[str], meant: str) -> None:
    said = brain.without_home(*words, COLUMNS="120")
    assert (said.status, said.out, f"Did you mean '{meant}'?" in said.err) == (2, "", True), said.err


STOPPING = """
import signal, sys
from workers import cli
signal.signal(signal.SIGALRM, signal.default_int_handler)
after, sys.argv[1:] = float(sys.argv[1]), sys.argv[2:]
signal.setitimer(signal.ITIMER_REAL, after)
cli.main()
"""
"""Runs the command and stops it, as Ctrl-C does, so many seconds after it began."""


@pytest.mark.parametrize("after", [0.001, 0.01, 0.05, 0.1, 0.2, 0.3])
def test_ctrl_c_ends_it_quietly_at_any_moment(brain: Brain, after: float) -> None:
    words = ["ask", "What is the hotel limit?", "--no-embed", "--home", str(brain.home)]
    done = subprocess.run([sys.executable, "-c", STOPPING, str(after), *words], capture_output=True, text=True)
    assert (done.returncode, done.stderr) in ((cli.STOPPED, ""), (0, ""))
    assert after > 0.05 or done.returncode == cli.STOPPED


@pytest.mark.parametrize(
    "words",
    [
        ["history", "handbook/people/time-off.md"],
        ["history", "handbook/people/time-off.md", "--json"],
        ["ask", "What is the hotel limit?", "--no-embed"],
        ["audit"],
        ["--help"],
    ],
)
def test_a_reader_that_goes_away_is_no_fault(brain: Brain, words: list[str]) -> None:
    home = [] if words == ["--help"] else ["--home", str(brain.home)]
    command = subprocess.Popen(
        [*COMMAND, *words, *home],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BRAIN_CACHE": str(brain.cache)},
    )
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.close()
    assert command.stderr.read() == ""
    command.stderr.close()
    assert command.wait() in (0, 1)


def test_in_a_pipe_an_answer_is_plain_text(brain: Brain) -> None:
    said = brain("ask", "What is the hotel limit?", "--no-embed")
    assert not re.search(r"[\x1b│╭╰]", said.out)
    assert "\n  → " in said.out
    assert not [line for line in said.out.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("colour", ["", "1"])
def test_colours_are_left_out_where_they_are_not_wanted(brain: Brain, colour: str) -> None:
    wanted = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": colour}
    said = brain("history", "handbook/people/time-off.md", **wanted)
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-7]", said.out)) == (not colour)


@pytest.mark.parametrize(
    "words",
    [
        *(
            ["doctor"],
            ["decisions"],
            ["consent", "history"],
            ["ask", "x", "--no-embed"],
            ["backup", "b.tar"],
            ["audit"],
        ),
        *(["answers"], ["reconcile"], ["restore", "b.tar"], ["ingest", "git", "x"], ["embed-older"]),
    ],
)
@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_home_that_cannot_be_is_told_in_a_line(brain: Brain, tmp_path: Path, words: list[str], place: str) -> None:
    (tmp_path / "file").touch()
    said = brain.without_home(*words, BRAIN_HOME=str(tmp_path / place), TMPDIR=str(tmp_path / place))
    assert said.status == 1
    assert "Traceback" not in said.err
    assert words == ["doctor"] or said.err.count("\n") == 1, said.err


def test_an_error_of_the_system_names_its_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["brain", "restore", "b.tar"])
    monkeypatch.setattr("workers.cli.backup.load_settings", lambda _: Path("/no/such/file").read_text())
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith("brain: /no/such/file: No such file or directory (`brain doctor`")
