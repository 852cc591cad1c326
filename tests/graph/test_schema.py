"""A Space is ready when its indexes answer, whoever else opens it meanwhile, and stays so over restarts."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest
import redis

from assistant.errors import Fatal, Retry, UserFacing
from assistant.graph import schema
from assistant.graph.schema import Migration
from assistant.graph.servers import embedded
from assistant.graph.space import Space, open_space
from assistant.graph.store import Graph, Query
from assistant.settings import Settings
from tests.fakes.graphs import drop

ADD = Query(
    "test_schema.add_sections", "UNWIND range($start, $stop) AS n CREATE (s:Section {id: n, tokens: $tokens + n})"
)
FIND = Query(
    "test_schema.find",
    "CALL db.idx.fulltext.queryNodes('Section', $words) YIELD node AS s, score RETURN count(s) AS found",
)


@pytest.fixture
def bare(space: Space) -> Iterator[Graph]:
    """A graph that is not there yet."""
    graph = Graph(space.graph._server, f"{space.name}-bare")
    yield graph
    drop(graph)


def test_everything_declared_is_in_force_when_a_space_is_open(space: Space) -> None:
    assert schema.unready(space.reader) == []
    kinds = {kind for _, _, kind in schema.declared(space.reader)}
    assert kinds == {"RANGE", "FULLTEXT"}, "4.16 loses nodes from vector indexes in silence: no index of vectors"


def test_opening_again_changes_nothing(space: Space) -> None:
    before = space.reader.rows(Query("test_schema.every", "MATCH (n) RETURN labels(n) AS labels, properties(n) AS p"))
    schema.migrate(space.graph)
    assert (
        space.reader.rows(Query("test_schema.every", "MATCH (n) RETURN labels(n) AS labels, properties(n) AS p"))
        == before
    )
    assert before == [{"labels": ["Migration"], "p": {"number": schema.MIGRATIONS[-1].number}}]


def test_many_may_open_a_new_space_at_once(bare: Graph) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            schema.migrate(bare)
            schema.wait_ready(bare)
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    [row] = bare.rows(Query("test_schema.migrations", "MATCH (m:Migration) RETURN count(m) AS n"))
    assert row["n"] == len(schema.MIGRATIONS)


def test_readiness_waits_for_full_text_that_would_answer_with_nothing(bare: Graph) -> None:
    bare.write(ADD, start=1, stop=30_000, tokens="threshold of the trial ")
    assert schema.unready(bare), "nothing is in force where nothing was declared"
    with pytest.raises(Retry, match="still builds"):
        schema.wait_ready(bare, patience=0.0)
    schema.migrate(bare)
    schema.wait_ready(bare)
    assert bare.rows(FIND, words="threshold") == [{"found": 30_000}]


def test_tokens_are_neither_stemmed_nor_stopped(space: Space) -> None:
    space.graph.write(ADD, start=1, stop=1, tokens="the running and a 閾値 ")
    for word in ("the", "running", "and", "a", "閾値"):
        assert space.reader.rows(FIND, words=word) == [{"found": 1}], word
    assert space.reader.rows(FIND, words="run") == [{"found": 0}]


@pytest.mark.parametrize("label", schema.UNIQUE_IDS)
def test_ids_are_unique(space: Space, label: str) -> None:
    create = Query(f"test_schema.create_{label}", f"CREATE (n:{label} {{id: 'x'}})")
    space.graph.write(create)
    with pytest.raises(Fatal, match="unique"):
        space.graph.write(create)


def test_ids_that_are_not_unique_already_are_told(bare: Graph) -> None:
    bare.write(Query("test_schema.twins", "UNWIND [1, 2] AS n CREATE (p:Page {id: 'twin'})"))
    schema.migrate(bare)
    with pytest.raises(Fatal, match="not unique among Page"):
        schema.wait_ready(bare)


def test_migrations_run_once_in_order_and_again_after_a_failure(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    def fails_once(_: Graph) -> None:
        ran.append(3)
        if ran.count(3) == 1:
            raise Retry("lost the server")

    steps = (*schema.MIGRATIONS, Migration(2, lambda _: ran.append(2)), Migration(3, fails_once))
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    with pytest.raises(Retry):
        schema.migrate(space.graph)
    schema.migrate(space.graph)
    schema.migrate(space.graph)
    assert ran == [2, 3, 3]


def test_data_of_a_newer_version_is_left_alone(space: Space) -> None:
    space.graph.write(schema.RECORD, number=999)
    with pytest.raises(UserFacing, match="newer version"):
        schema.migrate(space.graph)


@pytest.mark.parametrize("end", ["clean", "killed"])
def test_indexes_and_constraints_are_whole_after_a_restart(settings: Settings, end: str) -> None:
    with open_space(settings) as space:
        space.graph.write(ADD, start=1, stop=5_000, tokens="threshold ")
        space.compact()
        space.compact()  # one that is under way is enough
        space.graph.write(ADD, start=5_001, stop=6_000, tokens="threshold ")
        space.graph.write(Query("test_schema.close", "MATCH (s:Section) WHERE s.id > 5900 SET s.valid_to = 1"))
        if end == "killed":
            with redis.Redis.from_url(space.servers.graph_url) as server:
                os.kill(int(server.info("server")["process_id"]), signal.SIGKILL)
        else:
            embedded.stop(space.servers)
    with open_space(settings) as again:
        assert again.reader.rows(FIND, words="threshold") == [{"found": 6_000}]
        assert again.reader.rows(Query("test_schema.one", "MATCH (s:Section {id: 5950}) RETURN s.id AS id")) == [
            {"id": 5950}
        ]
        ended = Query("test_schema.ended", "MATCH (s:Section) WHERE s.valid_to = 1 RETURN count(s) AS n")
        assert again.reader.rows(ended) == [{"n": 100}]
        with pytest.raises(Fatal, match="unique"):
            again.graph.write(ADD, start=1, stop=1, tokens="twice ")
    embedded.stop(again.servers)
