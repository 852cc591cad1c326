"""Minutes of a committee that moves proposals by stages: what comes out there needs to be said so."""

from pathlib import Path

import pytest

from assistant.model.conversations import Conversation
from assistant.text.people import People
from connectors.minutes.files import open_files


def items(path: Path, people: dict[str, str] | None = None) -> list[Conversation]:
    return [one for file in open_files(path) for one in file.read(People().speaker, people).conversations]


STAGED = "# Day 2026-03-02\n\n" + "".join(
    f"## Proposal {n} for Stage {n}\n\nAB: I ask for stage {n}.\n\n### Conclusion\n\n- Stage {n}\n\n"
    for n in range(1, 4)
)


@pytest.mark.parametrize(
    ("outcome", "kept"),
    [
        ("- The logo is adopted\n- AB to order pens", ("The logo is adopted",)),
        ("- The logo is adopted\n- Needs another look", ()),
        ("- The room is larger in May", ()),
    ],
)
def test_where_proposals_move_by_stages_other_outcomes_have_to_say_so(
    tmp_path: Path, outcome: str, kept: tuple[str, ...]
) -> None:
    file = tmp_path / "m.md"
    file.write_text(f"{STAGED}## Logo\n\nCD: We decided that it is blue.\n\n### Conclusion\n\n{outcome}\n", "utf-8")
    *_, logo = items(file)
    assert logo.title == "Logo"
    assert logo.conclusion == kept
    file.write_text(f"# Day 2026-03-02\n\n## Logo\n\n### Conclusion\n\n{outcome}\n", "utf-8")
    [logo] = items(file)
    assert len(logo.conclusion) == outcome.count("- ")


@pytest.mark.parametrize(
    ("title", "outcome"),
    [
        ("Sets for Stage 2", "- Not advancing\n- needs use cases"),
        ("Sets for Stage 3", "- Stays at Stage 2"),
        ("Sets for Stage 3", "- will return to ask for Stage 3"),
        ("Sets for Stage 2", "no for stage 2"),
        ("Sets update", "Still in Stage 1."),
        ("Sets", "Stage 2 entrance criteria: a draft"),
    ],
)
def test_where_proposals_move_by_stages_a_stage_that_was_not_reached_is_no_outcome(
    tmp_path: Path, title: str, outcome: str
) -> None:
    file = tmp_path / "m.md"
    file.write_text(f"{STAGED}## {title}\n\nCD: I ask for it.\n\n### Conclusion\n\n{outcome}\n", "utf-8")
    *_, sets = items(file)
    assert (sets.title, sets.conclusion) == (title, ())


@pytest.mark.parametrize(
    "said", ["Stage 2 of the move is next.", "We are at stage-2, then stage 3 comes, then stage 4."]
)
def test_a_few_words_about_stages_make_no_such_committee(tmp_path: Path, said: str) -> None:
    file = tmp_path / "m.md"
    file.write_text(f"# Move 2026-03-02\n\n## Vans\n\nCD: {said}\n\n### Conclusion\n\n- Two vans\n- A lift\n", "utf-8")
    [vans] = items(file)
    assert len(vans.conclusion) == 2
