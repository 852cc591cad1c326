"""A dump tells graphs apart by what they hold, not by how they came about."""

from assistant.graph import dump
from assistant.graph.dump import canonical_dump
from assistant.graph.space import Space
from assistant.graph.store import Query

PUT = Query("test_dump.put_all", "UNWIND $rows AS r MERGE (s:Section {id: r.id}) SET s += r")
LINK = Query(
    "test_dump.link",
    "MATCH (a:Section {id: $a}) WITH a MATCH (b:Section {id: $b}) MERGE (a)-[e:SUPERSEDES]->(b) SET e.n = $n",
)
DROP = Query("test_dump.drop", "MATCH (s:Section {id: $id}) DELETE s")


def build(space: Space, ids: str, text: str = "x" * 500) -> list[str]:
    """A graph of some Sections made in this order, dumped."""
    space.graph.write(PUT, rows=[{"id": "gone"}])
    space.graph.write(PUT, rows=[{"id": name, "text": text, "embedding": [0.5] * len(ids)} for name in ids])
    space.graph.write(LINK, a="a", b="b", n=1)
    space.graph.write(DROP, id="gone")
    lines = list(canonical_dump(space.reader))
    space.graph.write(Query("test_dump.drop_all", "MATCH (s:Section) DELETE s"))
    return lines


def test_order_of_writing_and_vectors_make_no_difference(space: Space) -> None:
    first = build(space, "abc")
    assert first == build(space, "cba")
    assert len(first) == 5
    assert not any("embedding" in line or "gone" in line for line in first)


def test_a_change_in_the_depth_of_a_long_text_shows(space: Space) -> None:
    assert build(space, "abc") != build(space, "abc", "x" * 400 + "y" + "x" * 99)


def test_edges_their_direction_and_their_properties_show(space: Space) -> None:
    space.graph.write(PUT, rows=[{"id": name} for name in "ab"])
    seen = set()
    for a, b, n in (("a", "b", 1), ("a", "b", 2), ("b", "a", 2)):
        space.graph.write(LINK, a=a, b=b, n=n)
        seen.add(tuple(canonical_dump(space.reader)))
    assert len(seen) == 3


def test_graphs_larger_than_a_chunk_are_whole(space: Space) -> None:
    count = dump.CHUNK + 10
    space.graph.write(PUT, rows=[{"id": f"{n:05}"} for n in range(count)])
    lines = [line for line in canonical_dump(space.reader) if "Section" in line]
    assert len(lines) == len(set(lines)) == count
