"""Faults of FalkorDB that shaped the design: what we do instead goes right where the obvious way goes wrong."""

import threading

import pytest

from assistant.errors import Fatal
from assistant.graph.space import Space
from assistant.graph.store import VISIBLE, Query, scope_params
from assistant.model.audiences import PUBLIC, Scope
from assistant.model.times import FOREVER
from assistant.text.words import search_tokens

PUT = Query("test_faults.put_sections", "UNWIND $rows AS r MERGE (s:Section {id: r.id}) SET s += r")
PUT_VECTORS = Query(
    "test_faults.put_vectors", "UNWIND $rows AS r MATCH (s:Section {id: r.id}) SET s.embedding = vecf32(r.vector)"
)
CLOSE = Query("test_faults.close_sections", "UNWIND $ids AS id MATCH (s:Section {id: id}) SET s.valid_to = $to")
NEAREST = Query(
    "test_faults.nearest",
    f"MATCH (s:Section) WHERE {VISIBLE} WITH s, vec.cosineDistance(s.embedding, vecf32($vector)) AS distance "
    "RETURN s.id AS id ORDER BY distance, id LIMIT $limit",
)
WORDS = Query(
    "test_faults.words",
    "CALL db.idx.fulltext.queryNodes('Section', $words) YIELD node AS s, score RETURN s.id AS id ORDER BY id",
)
SCOPE = scope_params(Scope((PUBLIC,), {"a": 100}))
COUNT = 300


def vector(number: int) -> list[float]:
    """A direction of its own for each number, nearer to those of neighbouring numbers."""
    return [1.0, number / COUNT, (number / COUNT) ** 2]


@pytest.fixture
def sections(space: Space) -> Space:
    """COUNT current Sections with vectors."""
    rows = [
        {"id": f"{n:03}", "source": "a", "audience": PUBLIC, "valid_from": 1, "valid_to": FOREVER} for n in range(COUNT)
    ]
    space.graph.write(PUT, rows=rows)
    space.graph.write(PUT_VECTORS, rows=[{"id": f"{n:03}", "vector": vector(n)} for n in range(COUNT)])
    return space


def nearest(space: Space, number: int, limit: int) -> list[str]:
    """Ids of the nearest visible Sections."""
    return [row["id"] for row in space.reader.rows(NEAREST, vector=vector(number), limit=limit, **SCOPE)]


def test_setting_a_property_loses_nobody_from_vector_search(sections: Space) -> None:
    """Under a vector index of 4.16 every SET leaves orphans that crowd true neighbours out (pull 2197)."""
    sections.graph.write(CLOSE, ids=[f"{n:03}" for n in range(0, COUNT, 2)], to=FOREVER)
    assert nearest(sections, 7, 1) == ["007"]
    assert sorted(nearest(sections, 0, COUNT)) == [f"{n:03}" for n in range(COUNT)]


def test_superseded_sections_take_no_places_among_the_nearest(sections: Space) -> None:
    """A vector index has no pre-filter: k places are filled before the condition is asked."""
    sections.graph.write(CLOSE, ids=[f"{n:03}" for n in range(100, 200)], to=50)
    assert nearest(sections, 99, 3) == ["099", "098", "097"]
    assert not {f"{n:03}" for n in range(100, 200)} & set(nearest(sections, 150, 200))


def test_readers_at_once_get_every_neighbour_once_while_a_writer_writes(sections: Space) -> None:
    """Concurrent KNN gives doubles and loses neighbours in every version (issue 2848); plain comparing does not."""
    wrong: list[list[str]] = []
    stop = threading.Event()

    def read() -> None:
        for _ in range(40):
            found = nearest(sections, 0, 80)
            if found != [f"{n:03}" for n in range(80)]:
                wrong.append(found)

    def write() -> None:
        while not stop.is_set():
            sections.graph.write(CLOSE, ids=[f"{n:03}" for n in range(COUNT)], to=FOREVER)

    readers = [threading.Thread(target=read) for _ in range(4)]
    writer = threading.Thread(target=write)
    for thread in (writer, *readers):
        thread.start()
    for thread in readers:
        thread.join()
    stop.set()
    writer.join()
    assert wrong == []


HOSTILE = [
    *(
        "user@example.com",
        "trial)",
        '"x',
        "50%",
        "$100",
        "{}",
        "a:b",
        "a;b",
        "-",
        ":",
        '"',
        "trial-threshold",
        "SC-48393",
    ),
    *("1.2.3", "why is the trial threshold 25?", "-trial", "*", "=> {$weight:5}", "@tokens:x", "alpha|_|beta", "a||b"),
    *(
        "日本語",
        "評分规则",
        "über",
        "ÜBER",
        "café",
        "straße",
        "STRASSE",
        "한국어",
        "🙂",
        "' OR 1=1 //",
        "a\\b",
        "~x",
        "|x|",
    ),
]


def test_whatever_people_type_is_safe_and_finds_the_text_that_has_it(space: Space) -> None:
    """Raw text has live operators, loses `-` and Chinese, and folds no accents; tokens of our own do not."""
    rows = [
        {"id": str(n), "tokens": " ".join(search_tokens(f"the text {text} and more"))} for n, text in enumerate(HOSTILE)
    ]
    space.graph.write(PUT, rows=[*rows, {"id": "other", "tokens": "unrelated"}])
    for number, text in enumerate(HOSTILE):
        tokens = search_tokens(text)
        assert all(token.replace("_", "").isalnum() for token in tokens), tokens
        if tokens:
            found = [row["id"] for row in space.reader.rows(WORDS, words="|".join(tokens))]
            assert str(number) in found, text
            assert "other" not in found


@pytest.mark.parametrize(
    ("written", "asked"), [("閾値は31です", "閾値"), ("ÜBER", "über"), ("café", "CAFE"), ("STRASSE", "straße")]
)
def test_scripts_and_accents_meet(space: Space, written: str, asked: str) -> None:
    space.graph.write(PUT, rows=[{"id": "1", "tokens": " ".join(search_tokens(written))}])
    assert space.reader.rows(WORDS, words="|".join(search_tokens(asked))) == [{"id": "1"}]


def test_two_thousand_words_at_once_are_taken(space: Space) -> None:
    space.graph.write(PUT, rows=[{"id": "1", "tokens": "word1999"}])
    assert space.reader.rows(WORDS, words="|".join(f"word{n}" for n in range(2000))) == [{"id": "1"}]


def test_edges_merged_in_one_batch_each_keep_what_was_said_of_them(space: Space) -> None:
    """4.16 collapses rows at a relationship MERGE (issue 1956): what it returns is not to be counted on, its SET is."""
    rows = [{"commit": "c", "id": str(n), "kind": f"kind {n}"} for n in range(3)]
    space.graph.write(PUT, rows=[{"id": str(n)} for n in range(3)])
    space.graph.write(Query("test_faults.commit", "MERGE (c:Commit {id: 'c'})"))
    merge = Query(
        "test_faults.changed",
        "UNWIND $rows AS r MATCH (c:Commit {id: r.commit}) WITH c, r MATCH (s:Section {id: r.id}) "
        "MERGE (c)-[e:CHANGED]->(s) SET e.kind = r.kind",
    )
    read = Query(
        "test_faults.changes", "MATCH (c:Commit)-[e:CHANGED]->(s:Section) RETURN s.id AS id, e.kind AS kind ORDER BY id"
    )
    for _ in range(2):
        space.graph.write(merge, rows=rows)
        assert space.reader.rows(read) == [{"id": str(n), "kind": f"kind {n}"} for n in range(3)]


def test_a_key_twice_in_a_batch_keeps_the_older_value(space: Space) -> None:
    """Why no two rows of one write have the same key: the first one's values would stay."""
    rows = [{"id": "x", "text": "older"}, {"id": "x", "text": "newer"}]
    read = Query("test_faults.text", "MATCH (s:Section {id: 'x'}) RETURN s.text AS text")
    space.graph.write(PUT, rows=rows)
    assert space.reader.rows(read) == [{"text": "older"}]


def test_times_differ_by_one_microsecond_even_near_forever(space: Space) -> None:
    """Range indexes keep doubles: beyond 2**53 neighbours would be the same, so FOREVER lies right below."""
    times = [1_700_000_000_000_000, 1_700_000_000_000_001, FOREVER - 1, FOREVER]
    space.graph.write(PUT, rows=[{"id": str(n), "valid_to": at} for n, at in enumerate(times)])
    above = Query("test_faults.above", "MATCH (s:Section) WHERE s.valid_to > $at RETURN s.valid_to AS at ORDER BY at")
    for n, at in enumerate(times):
        assert [row["at"] for row in space.reader.rows(above, at=at)] == times[n + 1 :]


def test_merging_on_nothing_is_an_error_not_a_node(space: Space) -> None:
    with pytest.raises(Fatal, match="null"):
        space.graph.write(PUT, rows=[{"id": None}])
