"""`brain replay`, and the judgement of given answers behind it: real repositories, real servers."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.errors import UserFacing
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, Viewer
from assistant.settings import Settings
from assistant.staleness.check import StaleReport, check_commit
from assistant.staleness.refresh import refresh
from assistant.staleness.standing import standings
from connectors.git import GitRepository
from tests.fakes.handbook import Handbook
from tests.flows.brain import Brain
from workers.demo.company import BEFORE, CHANGE, write_handbook
from workers.ingest import ingest_git
from workers.replay import read_steps

THRESHOLD = "What is the trial threshold?"


# ---------------------------------------------------------------- the command


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "tidewater.git"
    write_handbook(folder)
    return folder


def replayed(brain: Brain, handbook: Path, *steps: dict[str, Any]) -> list[dict[str, Any]]:
    script = brain.home.parent / "script.jsonl"
    script.write_text("".join(json.dumps(step) + "\n" for step in steps))
    said = brain("replay", script, "--repo", handbook, "--json")
    assert said.status == 0, said.err
    return said.rows


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    return Brain(tmp_path / "home", tmp_path / "cache")


def test_a_story_as_it_happened(brain: Brain, handbook: Path) -> None:
    rows = replayed(
        brain,
        handbook,
        {"op": "advance", "commit": BEFORE, "id": "a"},
        {"op": "ask", "id": "q", "question": THRESHOLD},
        {"op": "advance", "commit": CHANGE},
        {"op": "stale", "id": "s", "commit": CHANGE},
        {"op": "ask", "id": "q:after", "question": THRESHOLD},
    )
    changed = git(handbook, "rev-parse", CHANGE)
    assert [row["op"] for row in rows] == ["advance", "ask", "advance", "stale", "ask"]
    assert [row["id"] for row in rows] == ["a", "q", None, "s", "q:after"]
    before, told, after = rows[1], rows[3], rows[4]
    assert rows[2] == {"op": "advance", "id": None, "commit": changed, "sections_changed": 1}
    assert ("25" in before["text"], "31" in after["text"]) == (True, True)
    assert (told["commit"], told["unsure"], told["revalidated"]) == (changed, [], [])
    [broken] = told["invalidated"]
    assert (broken["ask_id"], broken["answer_id"]) == ("q", before["answer_id"])
    assert ("25" in broken["old_quote"], "31" in broken["new_quote"]) == (True, True)
    assert broken["owners"] == ["@mara.voss", "@tidewater/growth"]


def test_a_home_filled_further_is_not_replayed_into(brain: Brain, handbook: Path) -> None:
    replayed(brain, handbook, {"op": "advance", "commit": CHANGE})
    script = brain.home.parent / "script.jsonl"
    script.write_text(json.dumps({"op": "advance", "commit": BEFORE}))
    said = brain("replay", script, "--repo", handbook, "--json")
    assert (said.status, said.out) == (1, "")
    assert "replay into a fresh one" in said.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "2: "),
        ('{"op": "fly"}', "2: "),
        ('{"op": "ask", "id": "x"}', "question"),
        ('{"op": "ingest", "kind": "pigeon", "path": "x"}', "'slack-export', 'zoom' or 'minutes'"),
    ],
)
def test_a_script_is_read_whole_before_its_first_step(tmp_path: Path, line: str, says: str) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(f'{{"op": "advance", "commit": "HEAD"}}\n{line}\n')
    with pytest.raises(UserFacing, match=says):
        read_steps(script)


# ---------------------------------------------------------------- the judgement

Write = Callable[..., str]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    return folder


@pytest.fixture
def commit(repo: Path, space: Space, settings: Settings) -> Callable[..., str]:
    """Writes pages (None deletes one), commits, ingests; gives the sha."""
    clock = iter(range(1_700_000_000, 1_800_000_000, 3600))

    def write(**pages: str | None) -> str:
        for name, text in pages.items():
            file = repo / (name.replace("__", "/") if "CODEOWNERS" in name else f"{name}.md")
            if text is None:
                file.unlink()
            else:
                file.write_text(text)
        when = f"{next(clock)} +0000"
        git(repo, "add", "-A")
        git(repo, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-qm", "Edit (#7)", when=when)
        ingest_git(space, GitRepository(repo, cache=settings.cache))
        return git(repo, "rev-parse", "HEAD")

    return write


RULES = "# Rules\n\n## Parking\n\nA parking permit costs {} euros a month.\n\n## Dogs\n\nDogs are welcome on Fridays.\n"
PARKING = "What does a parking permit cost?"


def asked(space: Space, question: str, as_of: Any = None) -> Answer:
    answer = ask(AskedQuestion(text=question, as_of=as_of), Viewer(), Place(), space, None, NOBODY)
    assert answer.status == "answered", answer.text
    return answer


BROKEN = Query(
    "test_replay.broken",
    "MATCH (a:Answer)-[i:INVALIDATED_BY]->(c:Commit) RETURN i.path AS path, c.source AS source ORDER BY path",
)
PLACES = Query("test_replay.places", "MATCH (s:Section) RETURN DISTINCT s.path AS path, s.source AS source")


def outcome(report: StaleReport) -> tuple[list[str], list[str]]:
    return [notice.answer_id for notice in report.invalidated], list(report.revalidated)


def test_a_changed_rule_breaks_the_answer_and_names_the_owner(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40), CODEOWNERS="* @everybody\nrules.md @facilities\n")
    answer = asked(space, PARKING)
    changed = commit(rules=RULES.format(55))
    report = check_commit(space, changed)
    [notice] = report.invalidated
    assert notice.answer_id == answer.answer_id
    assert "40 euros" in notice.old_quote
    assert notice.new_quote is not None
    assert "55 euros" in notice.new_quote
    assert (notice.owners, notice.commit, notice.author, notice.merge_request) == (
        ("@facilities",),
        changed,
        "Ann",
        "7",
    )
    assert check_commit(space, changed) == report


def test_what_is_about_other_words_leaves_the_answer(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40))
    answer = asked(space, PARKING)
    elsewhere = commit(rules=RULES.format(40).replace("Fridays", "Mondays"))
    assert outcome(check_commit(space, elsewhere)) == ([], [])
    beside = commit(rules=RULES.format(40).replace("a month.", "a month.\n\nAsk at the desk."))
    assert outcome(check_commit(space, beside)) == ([], [answer.answer_id])


def test_the_citation_follows_its_words_through_moves_and_cosmetic_changes(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40))
    answer = asked(space, PARKING)
    for pages in (
        {"rules": RULES.format(40).replace("parking permit costs", "**parking permit**  costs")},
        {"rules": None, "facilities": RULES.format(40)},
    ):
        assert outcome(check_commit(space, commit(**pages))) == ([], [answer.answer_id])
    assert outcome(check_commit(space, commit(facilities=RULES.format(55)))) == ([answer.answer_id], [])


def test_words_that_went_to_another_section_still_stand(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40))
    answer = asked(space, PARKING)
    parking = "A parking permit costs 40 euros a month.\n"
    merged = (
        f"# Rules\n\n## Getting to work\n\nCome by train if you can, and see the timetable at the door.\n\n{parking}"
    )
    assert outcome(check_commit(space, commit(rules=merged))) == ([], [answer.answer_id])


def test_a_removed_section_breaks_its_answers(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40))
    answer = asked(space, PARKING)
    [notice] = check_commit(space, commit(rules="# Rules\n\n## Dogs\n\nDogs are welcome on Fridays.\n")).invalidated
    assert (notice.answer_id, notice.new_quote) == (answer.answer_id, None)


def test_an_answer_about_a_day_of_the_past_stays_true(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40))
    answer = asked(space, PARKING, as_of=datetime(2023, 11, 14, 23, 59, tzinfo=UTC))
    assert [claim.holds for claim in answer.claims] == ["at 2023-11-14"]
    assert outcome(check_commit(space, commit(rules=RULES.format(55)))) == ([], [])


def test_a_broken_answer_is_not_broken_again(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40))
    answer = asked(space, PARKING)
    first = commit(rules=RULES.format(55))
    assert outcome(check_commit(space, first)) == ([answer.answer_id], [])
    assert outcome(check_commit(space, commit(rules=RULES.format(60)))) == ([], [])
    assert outcome(check_commit(space, first)) == ([answer.answer_id], [])


def test_a_commit_that_two_sources_share_is_judged_in_both(space: Space, tmp_path: Path) -> None:
    book = Handbook(space, tmp_path)

    def write(permit: int, lunch: int) -> str:
        pages = {
            "a/parking.md": f"# Parking\n\n## Permits\n\nA parking permit costs {permit} euros a month.\n",
            "b/lunch.md": f"# Lunch\n\n## Prices\n\nA lunch in the canteen costs {lunch} euros.\n",
        }
        number = book.commit(pages)
        for folder in ("a", "b"):
            book.ingest(subdir=folder)
        return book.history.sha(number)

    write(40, 6)
    parking, lunch = asked(space, PARKING), asked(space, "What does a lunch in the canteen cost?")
    changed = write(55, 7)
    report = check_commit(space, changed)
    assert sorted(outcome(report)[0]) == sorted([parking.answer_id, lunch.answer_id])
    assert check_commit(space, changed) == report
    broken = space.reader.rows(BROKEN)
    assert {row["path"]: row["source"] for row in broken} == {
        row["path"]: row["source"] for row in space.reader.rows(PLACES)
    }


def test_a_refreshed_answer_takes_the_place_of_the_old_one(space: Space, commit: Write) -> None:
    commit(rules=RULES.format(40), CODEOWNERS="* @facilities\n")
    old = asked(space, PARKING)
    changed = commit(rules=RULES.format(55))
    check_commit(space, changed)
    assert [(row.answer_id, row.status) for row in standings(space)] == [(old.answer_id, "stale")]
    new = refresh(space, None, NOBODY, old.answer_id)
    assert "55" in new.text
    rows = {row.answer_id: row for row in standings(space)}
    assert (rows[old.answer_id].status, rows[old.answer_id].refreshed_by) == ("refreshed", new.answer_id)
    assert (rows[old.answer_id].invalidated_by, rows[old.answer_id].owners) == (changed, ("@facilities",))
    assert rows[new.answer_id].status == "valid"
    with pytest.raises(UserFacing, match="no answer"):
        refresh(space, None, NOBODY, "nonsense")


def git(folder: Path, *words: str, when: str = "") -> str:
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when} if when else {}
    command = ["env", *(f"{name}={value}" for name, value in dates.items()), "git", "-C", folder, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
