"""Positions of sections: they rise, what must stay stays, and what can stay does."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assistant.graph.writing.positions import positions
from assistant.text.ordering import between


@given(st.integers(0, 12), st.data())
def test_they_rise_and_keep_what_must_stay(count: int, data: st.DataObject) -> None:
    keys: list[str] = []
    for _ in range(count):
        keys.append(between(keys[-1] if keys else None, None))
    must = sorted(data.draw(st.sets(st.sampled_from(keys))) if keys else set())
    wanted: list[tuple[str | None, bool]] = [(key, True) for key in must]
    for key in data.draw(st.lists(st.sampled_from([*(key for key in keys if key not in must), None]), max_size=8)):
        wanted.insert(data.draw(st.integers(0, len(wanted))), (key, False))
    found = positions(wanted)
    assert all(one < other for one, other in pairwise(found))
    assert [found[n] for n, (_, stays) in enumerate(wanted) if stays] == must


def test_an_edited_section_stays_where_it_was() -> None:
    assert positions([("A", True), ("B", False), ("C", True)]) == ["A", "B", "C"]


def test_a_new_one_goes_between_its_neighbours() -> None:
    first, second, third = positions([("A", True), (None, False), ("B", True)])
    assert first == "A" < second < "B" == third


def test_between_the_sections_that_are_not_told() -> None:
    [found] = positions([(None, False)], "A", "B")
    assert "A" < found < "B"
    assert positions([], "A", "B") == []
