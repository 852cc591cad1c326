"""`brain ingest git`, `ask`, `history`, `answers`, `owners`: on the demonstration's handbook, by the command itself."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.graph.servers import embedded
from assistant.settings import Settings
from tests.fakes.git_history import History
from tests.flows.brain import Brain
from workers.demo.company import write_handbook

LIMIT = "What is the limit for a hotel per night?"


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handbook") / "tidewater.git"
    write_handbook(folder)
    return folder


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory, handbook: Path) -> Iterator[Brain]:
    """A home filled by the command, without vectors."""
    folder = tmp_path_factory.mktemp("brain")
    command = Brain(folder / "home", folder / "cache")
    said = command("ingest", "git", handbook, "--no-embed", "--web-url", "https://github.com/acme/handbook", "--json")
    assert said.status == 0, said.err
    [report] = said.rows
    assert report["commits"] == 14
    yield command
    embedded.stop(embedded.ensure(Settings(home=command.home, cache=command.cache)))


def test_ingesting_again_reads_nothing(brain: Brain, handbook: Path) -> None:
    said = brain("ingest", "git", handbook, "--no-embed")
    assert (said.status, said.out) == (0, "")
    known = r"Nothing new\. \d+ sections on \d+ pages are known, up to \d+ \w+ \d{4} \(commit [0-9a-f]{12}\)\.\n"
    assert re.fullmatch(known, said.err)


def test_an_answer_names_the_version_the_commit_and_the_request(brain: Brain, handbook: Path) -> None:
    [answer] = brain("ask", LIMIT, "--no-embed", "--json").rows
    assert answer["status"] == "answered"
    assert "€165" in answer["text"]
    cited = next(c for c in answer["citations"] if c["kind"] == "section")
    assert (cited["path"], cited["heading_path"]) == ("handbook/people/expenses.md", ["Expenses", "Limits"])
    assert (cited["merge_request"], cited["valid_to"]) == ("93", None)
    assert cited["url"].startswith(
        f"https://github.com/acme/handbook/blob/{cited['commit']}/handbook/people/expenses.md"
    )
    subject = git(handbook, "log", "-1", "--format=%s", cited["commit"])
    assert subject == "Raise the hotel limit (#93)"


def test_a_day_of_the_past_is_answered_by_the_version_of_that_day(brain: Brain) -> None:
    [answer] = brain("ask", LIMIT, "--no-embed", "--as-of", "2026-06-30", "--json").rows
    assert "€140" in answer["text"]
    assert "165" not in answer["text"]
    assert {claim["holds"] for claim in answer["claims"]} == {"at 2026-06-30"}


def test_every_quote_stands_in_the_cited_version(brain: Brain, handbook: Path, tmp_path: Path) -> None:
    questions = [LIMIT, "How many days of annual leave do we get?", "When is a doctor's note needed?",
                 'What does the section "Severity" of handbook/engineering/incidents.md say?']  # fmt: skip
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps({"id": n, "question": q}) + "\n" for n, q in enumerate(questions)))
    answers = brain("ask", "--from", file, "--no-embed", "--json").rows
    quotes = [c for a in answers for c in a["citations"] if c["kind"] == "section"]
    assert len(quotes) >= len(questions)
    for cited in quotes:
        assert cited["quote"] in git(handbook, "show", f"{cited['commit']}:{cited['path']}")
    for answer in answers:
        ids = {cited["id"] for cited in answer["citations"]}
        assert all(claim["citations"] and set(claim["citations"]) <= ids for claim in answer["claims"])


def test_many_questions_are_answered_in_order(brain: Brain, tmp_path: Path) -> None:
    rows = [{"id": f"q{n}", "question": LIMIT, "as_of": day, "own": 1} for n, day in enumerate([None, "2026-06-30"])]
    file = tmp_path / "questions.jsonl"
    file.write_text("\ufeff" + "\r\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    said = brain("ask", "--from", file, "--no-embed", "--json")
    assert [row["id"] for row in said.rows] == ["q0", "q1"]
    assert ["165" in row["text"] for row in said.rows] == [True, False]


def test_what_the_handbook_does_not_say_is_refused(brain: Brain) -> None:
    [answer] = brain("ask", "What is the capital of Mongolia?", "--json").rows
    assert answer["status"] in ("refused", "escalated")
    assert answer["claims"] == answer["citations"] == []


def test_people_get_a_frame_and_scripts_no_escape_codes(brain: Brain) -> None:
    said = brain("ask", LIMIT, "--no-embed", COLUMNS="60")
    assert "€165" in said.out
    assert "\x1b" not in said.out
    assert max(map(len, said.out.splitlines())) <= 60


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["ask", ""], 1, "question is empty"),
        (["ask", "x", "--as-of", "July"], 1, "write it as 2026-07-31"),
        (["ask"], 2, "give a question"),
        (["ask", "x", "--from", "y", "--json"], 2, "give a question"),
        (["ask", "--from", "y", "--json", "--as-of", "2026-06-30"], 2, "each line of the file"),
        (["ask", "--from", "nowhere.jsonl", "--json"], 1, "cannot read nowhere.jsonl: no such file"),
        (["ask", "--from", sys.executable, "--json"], 1, "it is no text in UTF-8"),
        (["audit", "--repo", "nowhere"], 1, "there is no nowhere"),
        (["audit", "--zoom", "no/where"], 1, "there is no no/where"),
        (["replay", "nowhere.jsonl", "--repo", "nowhere"], 1, "nowhere"),
        (["history", "no/such.md"], 1, "no page no/such.md was ever read"),
        (["history", "handbook/README.md", "--heading", "Nope"], 1, "How to change it"),
        (["owners", "no/such.md"], 1, "there is no page no/such.md"),
        (["ingest", "git", "nowhere"], 1, "nowhere"),
        (["ingest", "git"], 2, "repo"),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(brain: Brain, words: list[str], status: int, says: str) -> None:
    said = brain(*words)
    assert (said.status, said.out) == (status, "")
    assert says.lower() in said.err.lower()
    assert not re.search(r"Traceback|Errno", said.err)
    if status == 1:
        assert len(said.err.strip().splitlines()) == 1


def test_a_bad_line_stops_everything_before_anything_is_asked(brain: Brain, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"question": LIMIT}) + "\n{nonsense\n")
    said = brain("ask", "--from", file, "--no-embed", "--json")
    assert (said.status, said.out) == (1, "")
    assert f"{file}:2" in said.err


def test_history_tells_every_version(brain: Brain) -> None:
    rows = brain("history", "handbook/people/time-off.md", "--heading", "Time off > Annual leave", "--json").rows
    assert [(row["change"], row["merge_request"]) for row in rows] == [("added", "1"), ("modified", "31")]
    assert ["26 days" in row["text"] for row in rows] == [True, False]
    assert rows[0]["valid_to"] == rows[1]["valid_from"]
    assert rows[1]["valid_to"] is None


def test_history_tells_a_removal_and_who_did_it(brain: Brain) -> None:
    rows = brain("history", "handbook/marketing/campaigns.md", "--heading", "sending hours", "--json").rows
    assert [row["change"] for row in rows] == ["added", "removed"]
    assert (rows[1]["merge_request"], rows[1]["text"]) == ("78", "")
    assert rows[0]["valid_to"] == rows[1]["valid_from"]


def test_history_for_people(brain: Brain) -> None:
    said = brain("history", "handbook/people/time-off.md")
    assert re.search(r"Time off > Annual leave\s+modified 16 March 2026", said.out)


def test_owners(brain: Brain) -> None:
    [row] = brain("owners", "handbook/marketing/campaigns.md", "--json").rows
    assert row == {
        "path": "handbook/marketing/campaigns.md",
        "owners": ["@mara.voss", "@tidewater/growth"],
        "line": "/handbook/marketing/   @mara.voss @tidewater/growth",
    }


def test_answers_lists_what_was_asked(brain: Brain) -> None:
    [asked] = brain("ask", LIMIT, "--no-embed", "--json").rows
    rows = {row["answer_id"]: row for row in brain("answers", "--json").rows}
    assert rows[asked["answer_id"]] == {
        "answer_id": asked["answer_id"],
        "question": LIMIT,
        "status": "valid",
        "invalidated_by": None,
        "refreshed_by": None,
        "owners": ["@lena.brandt"],
    }
    assert brain("answers", "--stale", "--json").rows == []


def test_help_starts_fast_and_shows_examples(brain: Brain) -> None:
    said = brain.without_home("ask", "--help")
    assert said.status == 0
    assert "brain ask" in said.out
    assert "--as-of" in said.out


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n")


def test_a_private_source_does_not_even_move_the_day_on(brain: Brain, tmp_path: Path) -> None:
    """What is asked by somebody outside is answered as though the source were not there."""
    asked = ["What changed lately?", LIMIT, "What is the canary bonus?", "Who owns canary.md?"]
    places: list[tuple[str, ...]] = [(), ("--in", "C1"), ("--in", "dm", "--viewer", "eve")]

    def told(place: tuple[str, ...]) -> list[str]:
        return [brain("ask", question, *place, "--no-embed", "--json").rows[0]["text"] for question in asked]

    before = [told(place) for place in places]
    private = tmp_path / "private"
    history = History(private)
    history.commit({"canary.md": "# Canary bonus\n\nIt is 4711 dollars.\n"}, at=2_000_000_000)
    history.write()
    assert brain("ingest", "git", private, "--no-embed", "--audience", "channel:C1").status == 0
    assert [told(place) for place in places] == before
