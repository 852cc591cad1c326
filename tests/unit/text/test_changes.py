"""Which section before a commit is which one after it, over all the pages that it touched."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.model.sections import ChangeKind, PlacedBlock, SectionChange
from assistant.text.changes import longest_rising, match_sections
from assistant.text.markdown import split_page

ADDED, MODIFIED, COSMETIC, MOVED, REMOVED = ChangeKind
TRAVEL = "Book flights at least two weeks ahead and keep every receipt for the finance team.\n\n"
HOLIDAY = "Everyone takes twenty five days of paid holiday a year, agreed on with their manager.\n\n"
LAPTOP = "New teammates choose a laptop on their first day; it is replaced after four years.\n\n"


def placed(pages: dict[str, str]) -> list[PlacedBlock]:
    return [
        PlacedBlock(path, index, block)
        for path, text in pages.items()
        for index, block in enumerate(split_page(text).blocks)
    ]


def told(before: dict[str, str], after: dict[str, str]) -> list[tuple[ChangeKind | None, str, str]]:
    """Each change as kind, last heading before, last heading after ('-' for none)."""

    def name(section: PlacedBlock | None) -> str:
        return section.block.heading if section else "-"

    return [(c.kind, name(c.before), name(c.after)) for c in match_sections(placed(before), placed(after))]


def test_nothing_changed() -> None:
    page = {"a.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}"}
    assert {kind for kind, *_ in told(page, page)} == {None}


def test_an_edit_in_place() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}"}
    after = {"a.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY.replace('five', 'eight')}"}
    assert told(before, after) == [(None, "A", "A"), (None, "T", "T"), (MODIFIED, "H", "H")]


def test_a_rewrite_in_place_is_one_section_still() -> None:
    assert told({"a.md": f"# A\n{TRAVEL}"}, {"a.md": f"# A\n{LAPTOP}"}) == [(MODIFIED, "A", "A")]


def test_an_insertion_above_moves_nothing() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}"}
    after = {"a.md": f"# A\n## L\n{LAPTOP}## T\n{TRAVEL}## H\n{HOLIDAY}"}
    assert told(before, after) == [(None, "A", "A"), (ADDED, "-", "L"), (None, "T", "T"), (None, "H", "H")]


def test_only_what_changed_its_order_moved() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}## L\n{LAPTOP}"}
    after = {"a.md": f"# A\n## L\n{LAPTOP}## T\n{TRAVEL}## H\n{HOLIDAY}"}
    assert told(before, after) == [(None, "A", "A"), (MOVED, "L", "L"), (None, "T", "T"), (None, "H", "H")]


def test_a_renamed_parent_moves_what_is_under_it() -> None:
    before = {"a.md": f"# A\n## Old words\n### T\n{TRAVEL}"}
    after = {"a.md": f"# A\n## New name\n### T\n{TRAVEL}"}
    assert (MOVED, "T", "T") in told(before, after)


def test_a_renamed_heading_is_an_edit() -> None:
    before = {"a.md": f"# A\n## Travel\n{TRAVEL}## H\n{HOLIDAY}"}
    after = {"a.md": f"# A\n## Flights\n{TRAVEL}## H\n{HOLIDAY}"}
    assert told(before, after)[1] == (MODIFIED, "Travel", "Flights")


def test_to_another_page() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}", "b.md": f"# B\n## L\n{LAPTOP}"}
    after = {"a.md": "# A\n", "b.md": f"# B\n## L\n{LAPTOP}## T\n{TRAVEL}"}
    assert (MOVED, "T", "T") in told(before, after)


def test_to_another_page_with_a_light_edit() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}", "b.md": f"# B\n## L\n{LAPTOP}"}
    after = {"a.md": "# A\n", "b.md": f"# B\n## L\n{LAPTOP}## Trips\n{TRAVEL.replace('two', 'three')}"}
    assert (MODIFIED, "T", "Trips") in told(before, after)
    after["b.md"] = f"# B\n## L\n{LAPTOP}## T\n{TRAVEL.replace('receipt', '**receipt**')}"
    assert (MOVED, "T", "T") in told(before, after)


def test_a_renamed_file_takes_small_sections_along() -> None:
    text = f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}## Short\nYes.\n## Empty\n"
    assert {kind for kind, *_ in told({"a.md": text}, {"dir/b.md": text})} == {MOVED}


def test_a_renamed_file_with_edits() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}## Short\nYes.\n"}
    after = {"b.md": f"# A\n## T\n{TRAVEL}## H\n{HOLIDAY}## Short\nNo.\n"}
    kinds = {name: kind for kind, _, name in told(before, after)}
    assert kinds == {"A": MOVED, "T": MOVED, "H": MOVED, "Short": MODIFIED}


def test_a_copy_is_new_and_the_original_stays() -> None:
    before = {"a.md": f"# A\n## T\n{TRAVEL}", "b.md": "# B\n"}
    after = {"a.md": f"# A\n## T\n{TRAVEL}", "b.md": f"# B\n## T\n{TRAVEL}"}
    assert told(before, after) == [(None, "A", "A"), (None, "T", "T"), (None, "B", "B"), (ADDED, "-", "T")]


def test_small_sections_of_other_pages_are_strangers() -> None:
    before = {"a.md": f"# A\n{TRAVEL}## Goals\nTBD\n"}
    after = {"a.md": f"# A\n{TRAVEL}", "b.md": f"# B\n{HOLIDAY}## Goals\nTBD\n"}
    assert (REMOVED, "Goals", "-") in told(before, after)
    assert (ADDED, "-", "Goals") in told(before, after)


def test_duplicates_pair_in_their_order() -> None:
    before = {"a.md": "# A\n## Q\nsame\n## Q\nsame\n## Q\nlast one\n"}
    after = {"a.md": "# A\n## Q\nsame\n## Q\nsame\n## Q\nlast two\n"}
    changes = match_sections(placed(before), placed(after))
    assert [(c.before and c.before.index, c.after and c.after.index) for c in changes] == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
    ]


def test_swapped_bodies_are_followed() -> None:
    """What was said is the section, not the heading that it stood under."""
    before = {"a.md": f"# A\n## One\n{TRAVEL * 3}## Two\n{HOLIDAY * 3}"}
    after = {"a.md": f"# A\n## Two\n{HOLIDAY * 3}## One\n{TRAVEL * 3}"}
    assert {kind for kind, *_ in told(before, after)} == {None, MOVED}


SOURCES = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from("ABCD"), st.sampled_from(["", "x\n", TRAVEL, HOLIDAY, LAPTOP])),
    max_size=8,
).map(lambda sections: "".join(f"{'#' * level} {name}\n{body}" for level, name, body in sections))
PAGES = st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md"]), SOURCES, max_size=3)


def check(before: list[PlacedBlock], after: list[PlacedBlock], changes: list[SectionChange]) -> None:
    """Every section comes once, kinds say what they mean, and what is not new kept its order."""
    key = lambda section: (section.path, section.index)  # noqa: E731
    assert sorted(key(c.before) for c in changes if c.before) == sorted(map(key, before))
    assert [c.after for c in changes if c.after] == after
    kept: dict[str, int] = {}
    for change in changes:
        old, new = change.before, change.after
        assert (change.kind is ADDED) == (old is None)
        assert (change.kind is REMOVED) == (new is None)
        if old and new and change.kind in (None, COSMETIC):
            assert old.path == new.path
            assert old.block.heading_path[:-1] == new.block.heading_path[:-1]
            assert (change.kind is None) == (old.block.source == new.block.source)
            assert kept.get(new.path, -1) < old.index
            kept[new.path] = old.index


@settings(max_examples=60, deadline=None)
@given(PAGES, PAGES)
def test_any_two_states_are_matched(before: dict[str, str], after: dict[str, str]) -> None:
    old, new = placed(before), placed(after)
    check(old, new, match_sections(old, new))
    assert {c.kind for c in match_sections(old, old)} <= {None}


@given(st.permutations(list(range(12))))
def test_a_longest_rising_run_is_found(values: list[int]) -> None:
    found = list(longest_rising(values))[::-1]
    run = [values[at] for at in found]
    assert found == sorted(found)
    assert run == sorted(run)
    best = [1] * len(values)
    for i, value in enumerate(values):
        best[i] = 1 + max((best[j] for j in range(i) if values[j] < value), default=0)
    assert len(run) == max(best)


@pytest.mark.parametrize("edited", [False, True])
def test_many_pages_at_once_take_time_in_proportion(edited: bool) -> None:
    """1,500 sections that all move: comparing each with each would not end within the run."""
    shuffle = random.Random(7)
    words = [f"word{number}" for number in range(3000)]
    pages = {
        f"{number}.md": "".join(f"## H{k}\n{' '.join(shuffle.choices(words, k=20))}\n" for k in range(10))
        for number in range(150)
    }
    after = {f"new/{path}": text.replace("word1 ", "changed ") if edited else text for path, text in pages.items()}
    changes = match_sections(placed(pages), placed(after))
    assert {c.kind for c in changes} <= {MOVED, MODIFIED}
