"""Ordinary minutes from the file to the answer: what they decided, where it is said to stand, and the audit."""

import re
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from assistant.agent.ask import ask
from assistant.chat.render.trail import steps
from assistant.evals.audit.minutes import MinutesFile
from assistant.evals.audit.run import Places, audited
from assistant.graph.people import GraphMembers
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.answers import AskedQuestion
from assistant.model.audiences import Place, Viewer
from tests.fakes.handbook import Handbook
from tests.golden.agent.company import write_company
from tests.golden.decisions.test_minutes_kinds import KINDS
from workers.cli.decisions import told
from workers.deciding import known_decisions
from workers.reconcile import reconcile
from workers.talk import ingest_minutes

MUTED = Query(
    "test_minutes.muted",
    "MATCH (:Decision)-[l:IMPLEMENTED_BY]->(:Commit) SET l.added = ['Stage 3'] + l.added[1..]",
    scans="a test changes all",
)
WEST = ZoneInfo("America/Los_Angeles")
PURCHASING = """# Purchasing committee, 27 July 2026

Present: Raj Patel (RP), Cleo Marsh (CM)

## Small purchases

CM: 300 EUR would cover most of it.
RP: Decision: the limit for purchases without approval is raised from 200 EUR to 300 EUR.

## Beschluss

Der Wasserspender wird zum 1. September 2026 gemietet.
"""


def test_a_home_of_all_kinds_of_minutes_passes_the_audit(space: Space, tmp_path: Path) -> None:
    for kind in KINDS:
        name, _, text = kind.partition("\n")
        file = tmp_path / f"{name.replace(' ', '-')}.md"
        file.write_text(re.sub(r"^--- .*\n?", "", text, flags=re.M), encoding="utf-8")
    ingest_minutes(space, [tmp_path])
    reconcile(space, days=14)
    checks = {one.check: one for one in audited(space.reader, Places())}
    assert [line for one in checks.values() for line in one.failures] == []
    assert checks["decisions"].total == sum(kind.count("\n--- ") for kind in KINDS)


@pytest.mark.parametrize(
    ("question", "place", "words"),
    [
        ("Who decided the limit for purchases without approval?", "Purchasing committee, item Small purchases", "300"),
        ("Who decided about the Wasserspender gemietet?", "Purchasing committee", "Der Wasserspender"),
    ],
)
def test_an_answer_names_meeting_item_and_day(
    space: Space, tmp_path: Path, question: str, place: str, words: str
) -> None:
    book = Handbook(space, tmp_path)
    write_company(book.commit)
    book.ingest()
    (tmp_path / "a.md").write_text(PURCHASING, encoding="utf-8")
    ingest_minutes(space, [tmp_path / "a.md"])
    reconcile(space, days=14)
    asked = AskedQuestion(text=question)
    answer = ask(asked, Viewer(None), Place(), space, None, GraphMembers(space.reader), zone=WEST)
    assert f"on 27 July 2026 in the minutes of {place}: “" in answer.text
    assert words in answer.text
    assert "chat" not in answer.text
    [step] = steps(answer, WEST)
    assert step.label == place
    assert step.holds.endswith("27 July 2026")


def test_the_list_of_decisions_names_meeting_and_item(space: Space, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(PURCHASING, encoding="utf-8")
    ingest_minutes(space, [tmp_path / "a.md"])
    reconcile(space, days=14)
    out = Console(file=StringIO(), width=200)
    for row in known_decisions(space, None):
        out.print(told(row, WEST))
    assert isinstance(out.file, StringIO)
    text = out.file.getvalue()
    assert text.count("2026-07-27") == 2
    assert "in the minutes of Purchasing committee, item Small purchases\n" in re.sub(r" +\n", "\n", text)
    assert "\n  “Der Wasserspender" in text


STAGES = ("Sets", "Pipes", "Tuples", "Regexes")


def table(moved: str, stage: int) -> str:
    """A page whose proposals are all at stage 1, one of them at another."""
    rows = {
        at: "".join(f"| [{one}][x] | Ada |\n" for one in STAGES if (one == moved) is (at != 1)) for at in (1, stage)
    }
    return "".join(f"### Stage {at}\n\n| Proposal | Champion |\n| - | - |\n{rows[at]}\n" for at in rows)


def test_a_row_that_moved_below_the_decided_heading_passes_the_audit(space: Space, tmp_path: Path) -> None:
    book = Handbook(space, tmp_path)
    day = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp())
    book.commit({"README.md": table("", 2)}, at=day)
    book.commit({"README.md": table("Pipes", 2)}, "Update after the meeting", at=day + 5 * 86_400)
    book.ingest()
    said = "".join(
        f"## {one} for Stage 2\n\nAB: We ask for stage 2.\n\n### Conclusion\n\n"
        + ("- Consensus for Stage 2\n\n" if one == "Pipes" else "- Not advancing\n\n")
        for one in STAGES
    )
    (tmp_path / "2026-03-02.md").write_text(f"# Meeting 2026-03-02\n\n{said}", encoding="utf-8")
    ingest_minutes(space, [tmp_path / "2026-03-02.md"])
    reconcile(space, days=14)
    [links] = [one for one in audited(space.reader, Places()) if one.check == "links"]
    assert (links.total, links.failures) == (1, [])
    space.graph.write(MUTED)
    [links] = [one for one in audited(space.reader, Places()) if one.check == "links"]
    assert any("is not in" in line for line in links.failures)


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("| HHM | Hemanth HM |", True),
        ("Hemanth HM (HHM)", True),
        ("| HHM | Hema Other |", False),
        ("| ABC | Hemanth HM |", False),
    ],
)
def test_a_table_unites_initials_and_a_name_written_with_other_marks(line: str, same: bool) -> None:
    assert MinutesFile((line,), (), "public", 0).united("HHM", "hemanth.hm") is same
