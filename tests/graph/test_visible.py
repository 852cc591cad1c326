"""What a reader may see: the day of each source and the Audience, as conditions inside the query."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from assistant.graph.space import Space
from assistant.graph.store import VISIBLE, VISIBLE_SCAN, Query, scan_params, scope_params
from assistant.model.audiences import PUBLIC, Scope
from assistant.model.times import FOREVER

ADD = Query("test_visible.put", "UNWIND $rows AS r MERGE (s:Section {id: r.id}) SET s += r")
SCAN = Query("test_visible.scan", f"MATCH (s:Section) WHERE {VISIBLE_SCAN} RETURN s.id AS id ORDER BY id")
BY_ID = Query(
    "test_visible.by_id",
    f"UNWIND $ids AS id MATCH (s:Section {{id: id}}) WHERE {VISIBLE} RETURN s.id AS id ORDER BY id",
)
FROM_COMMIT = Query(
    "test_visible.walk",
    f"MATCH (c:Commit {{id: $id}}) WITH c MATCH (c)-[e:CHANGED]->(s:Section) WHERE {VISIBLE} RETURN s.id AS id",
)
NOW = 1_700_000_000_000_000
IDS = ["current", "ended", "ends now", "just ended", "begins now", "later", "private", "other source"]


def section(
    name: str, begin: int = 0, end: int = FOREVER, audience: str = PUBLIC, source: str = "a"
) -> dict[str, object]:
    """A Section as far as visibility goes."""
    return {"id": name, "valid_from": begin, "valid_to": end, "audience": audience, "source": source}


@pytest.fixture
def sections(space: Space) -> Space:
    """One Section for each way of being visible or not at NOW."""
    rows = [
        section("current", NOW - 5),
        section("ended", NOW - 9, NOW - 5),
        section("ends now", NOW - 9, NOW + 1),
        section("just ended", NOW - 9, NOW),
        section("begins now", NOW),
        section("later", NOW + 1),
        section("private", audience="channel:C1"),
        section("other source", source="b"),
    ]
    space.graph.write(ADD, rows=rows)
    return space


def seen(space: Space, scope: Scope) -> list[str]:
    """Ids that a scope shows, the same by scan and by id."""
    scanned = [row["id"] for row in space.reader.rows(SCAN, **scan_params(scope))]
    assert scanned == [row["id"] for row in space.reader.rows(BY_ID, ids=IDS, **scope_params(scope))]
    return scanned


def test_a_day_shows_what_held_then_to_the_microsecond(sections: Space) -> None:
    assert seen(sections, Scope((PUBLIC,), {"a": NOW})) == ["begins now", "current", "ends now"]
    assert seen(sections, Scope((PUBLIC,), {"a": NOW + 1})) == ["begins now", "current", "later"]
    assert seen(sections, Scope((PUBLIC,), {"a": NOW - 6})) == ["ended", "ends now", "just ended"]


def test_each_source_has_its_own_day_and_one_without_a_day_shows_nothing(sections: Space) -> None:
    assert seen(sections, Scope((PUBLIC,), {"b": NOW - 100})) == ["other source"]
    assert seen(sections, Scope((PUBLIC,), {"a": NOW - 6, "b": NOW})) == [
        "ended",
        "ends now",
        "just ended",
        "other source",
    ]
    assert seen(sections, Scope((PUBLIC,), {"nowhere": NOW})) == []
    assert seen(sections, Scope((PUBLIC,), {})) == []


def test_audiences_are_a_list_of_what_may_be_read(sections: Space) -> None:
    assert "private" in seen(sections, Scope((PUBLIC, "channel:C1"), {"a": NOW}))
    assert seen(sections, Scope(("channel:C1",), {"a": NOW})) == ["private"]
    assert seen(sections, Scope(("channel:C2",), {"a": NOW})) == []
    assert seen(sections, Scope((), {"a": NOW})) == []


@effort(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    spans=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30), st.sampled_from("ab")), min_size=1, max_size=8),
    days=st.dictionaries(st.sampled_from("ab"), st.integers(0, 40)),
)
def test_scan_and_plain_arithmetic_agree(space: Space, spans: list[tuple[int, int, str]], days: dict[str, int]) -> None:
    space.graph.write(Query("test_visible.empty", "MATCH (s:Section) DELETE s"))
    rows = [
        section(f"s{n}", NOW + begin, NOW + begin + length, source=name)
        for n, (begin, length, name) in enumerate(spans)
    ]
    space.graph.write(ADD, rows=rows)
    expected = [
        f"s{n}"
        for n, (begin, length, name) in enumerate(spans)
        if name in days and begin <= days[name] < begin + length
    ]
    scope = Scope((PUBLIC,), {name: NOW + day for name, day in days.items()})
    assert [row["id"] for row in space.reader.rows(SCAN, **scan_params(scope))] == sorted(expected)


def test_a_scan_uses_the_index_and_a_walk_starts_at_its_anchor(sections: Space) -> None:
    scope = Scope((PUBLIC,), {"a": NOW})
    scan = "\n".join(sections.reader.explain(SCAN, **scan_params(scope)))
    assert "Node By Index Scan | (s:Section)" in scan
    assert "Label Scan" not in scan
    walk = "\n".join(sections.reader.explain(FROM_COMMIT, id="c", **scope_params(scope)))
    assert "Node By Index Scan | (c:Commit)" in walk
    assert "Scan | (s:Section)" not in walk
