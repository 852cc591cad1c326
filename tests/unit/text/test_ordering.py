"""Fractional keys: always room, always in order, never long for no reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text.ordering import DIGITS, between


@given(st.lists(st.integers(min_value=0), max_size=60))
def test_any_insertions_stay_in_order(places: list[int]) -> None:
    keys: list[str] = []
    for place in places:
        at = place % (len(keys) + 1)
        before = keys[at - 1] if at else None
        after = keys[at] if at < len(keys) else None
        keys.insert(at, between(before, after))
    assert keys == sorted(set(keys))
    assert all(set(key) <= set(DIGITS) and key[-1] != DIGITS[0] for key in keys)


def test_writing_on_at_an_end_keeps_keys_short() -> None:
    last, first = None, None
    for _ in range(1000):
        last, first = between(last, None), between(None, first)
    assert len(last or "") < 20
    assert len(first or "") < 20


def test_the_same_gap_never_fills_up() -> None:
    low, high = between(None, None), None
    for _ in range(300):
        high = between(low, high)
        assert low < high
    assert len(high or "") < 120


@pytest.mark.parametrize(("before", "after"), [("b", "a"), ("a", "a"), ("a0", None), ("ab", "a")])
def test_what_has_no_room_is_refused(before: str, after: str | None) -> None:
    with pytest.raises(ValueError, match="no key lies between"):
        between(before, after)
