"""Where a rule would stand in a section: beside what speaks of the same, in the form of its neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.decisions.drafting import draft, sentence
from assistant.model.sections import ChangeKind, SectionVersion
from assistant.model.times import FOREVER


def section(text: str) -> SectionVersion:
    return SectionVersion(
        *("s1", "l1", "git", "p1", "handbook/parties.md", "Parties", "Boats", ("Parties", "Boats"), 2, "boats", "1"),
        *(text, 0, FOREVER, "c1", None, ChangeKind.ADDED, "public"),
    )


@pytest.mark.parametrize(
    ("text", "line", "before", "added"),
    [
        (
            "## Boats\n\nEverybody may come to the party.\nBoats are booked by the team.\n\nHats are allowed.\n",
            *(13, "Boats are booked by the team.", ("A boat costs the team nothing.",)),
        ),
        (
            "## Boats\n\n- Boats: ask Ben\n  - the red one\n- Cars: ask Cleo\n",
            *(13, "  - the red one", ("- A boat costs the team nothing.",)),
        ),
        (
            "## Boats\n\n1. Cars\n2. A boat for the team\n3. Hats\n",
            *(13, "2. A boat for the team", ("3. A boat costs the team nothing.",)),
        ),
        (
            "## Boats\n\n| What | Costs |\n|---|---|\n| boat | 5 |\n| car | 6 |\n\nHats are free.\n",
            *(15, "| car | 6 |", ("", "A boat costs the team nothing.")),
        ),
        ("## Boats\n", 10, "## Boats", ("", "A boat costs the team nothing.")),
        ("## Boats\n\n> The team has a boat.\n", 12, "> The team has a boat.", ("> A boat costs the team nothing.",)),
        ("## Boats\n\n```\nboat = team\n```\n", 14, "```", ("", "A boat costs the team nothing.")),
    ],
    ids=["sentence", "item", "number", "table", "heading", "quote", "code"],
)
def test_the_line_is_found_and_the_form_is_that_of_its_neighbours(
    text: str, line: int, before: str, added: tuple[str, ...]
) -> None:
    made = draft("a boat costs  the team\nnothing", section(text), 10)
    assert (made.path, made.place) == ("handbook/parties.md", "Parties > Boats")
    assert (made.line, made.before, made.added) == (line, before, added)


@given(st.text(alphabet=st.sampled_from("ab|-*#>`.1\n \t"), max_size=80), st.text(min_size=1, max_size=40))
def test_the_line_is_always_one_of_the_section_and_the_sentence_on_one_line(text: str, statement: str) -> None:
    made = draft(statement, section(text), 1)
    lines = text.split("\n")
    assert lines[made.line - 1] == made.before
    assert made.added[-1].endswith(sentence(statement))
    assert not any("\n" in line for line in made.added)


def test_a_sentence_begins_large_and_ends() -> None:
    assert sentence(" one team dinner a quarter ") == "One team dinner a quarter."
    assert sentence("Is it? No!") == "Is it? No!"
