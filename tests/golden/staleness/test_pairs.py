"""Pairs of versions and what became of the words that an answer leans on: pairs.md."""

import re
from pathlib import Path

import pytest

from assistant.graph.staleness import Touched
from assistant.model.sections import ChangeKind
from assistant.staleness.check import Elsewhere, judged
from assistant.staleness.judge import Reason
from assistant.text.plain import plain
from assistant.text.wording import says_the_same

CELLS = re.compile(r"(?<!\\)\|")


def pairs() -> list[tuple[str, str, str]]:
    """Verdict, before and after of each."""
    found, verdict = [], ""
    for line in (Path(__file__).parent / "pairs.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            verdict = line[3:]
        elif verdict and line.startswith("|") and "---" not in CELLS.split(line)[1] and "before" not in line[:9]:
            before, after = (cell.strip().replace("\\|", "|") for cell in CELLS.split(line)[1:3])
            found.append((verdict, before, after))
    return found


def section(cell: str) -> str:
    """A cell as the text of a section: its lines apart, those of a list or a table together."""
    text = "## Rule\n"
    before = ""
    for line in cell.split(" ... "):
        together = line[:1] in "-|" and before[:1] == line[:1]
        text += ("" if together else "\n") + line + "\n"
        before = line
    return table(text)


def table(text: str) -> str:
    """With a head above rows that have none."""
    if "| ---" in text:
        return text
    return re.sub(r"(?m)(?<!\|\n)^(?=\| )", "| What | Limit |\n| --- | --- |\n", text)


@pytest.mark.parametrize(("verdict", "before", "after"), pairs())
def test_what_became_of_the_cited_words(verdict: str, before: str, after: str) -> None:
    bold = re.search(r"\*\*(.+?)\*\*", before)
    quote = bold[1] if bold and verdict == "removed" else before.split(" ... ")[0]
    old, new = (section(cell.replace("**", "") if verdict == "removed" else cell) for cell in (before, after))
    kind = ChangeKind.COSMETIC if says_the_same(old, new) else ChangeKind.MODIFIED
    row = Touched(
        "answer", plain(quote), quote, quote, "before", "handbook", "public", old, kind, "page.md", "after", new,
        "commit", "sha", 1, "Ana", None,
    )  # fmt: skip
    found = [touch for _, touch in judged([row], Elsewhere(None, {"commit": {"after": new}}))[1]]
    assert [one.reason for one in found] == ([] if verdict == "stands" else [verdict])
    assert all(one.sure == (verdict in (Reason.CHANGED, Reason.REMOVED)) for one in found)


def test_there_are_many_of_each_kind() -> None:
    verdicts = [verdict for verdict, _, _ in pairs()]
    assert len(verdicts) >= 100
    assert {verdict: verdicts.count(verdict) >= 8 for verdict in verdicts} == dict.fromkeys(
        ("stands", *("changed", "removed", "reworded", "added")), True
    )
