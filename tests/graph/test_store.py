"""Templates, parameters and rows: what goes into the graph comes back as it was, or is refused; servers come and go."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest
import redis
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from assistant.errors import Fatal, Retry, UserFacing
from assistant.graph import store
from assistant.graph.servers import embedded
from assistant.graph.space import Space, connect, open_space
from assistant.graph.store import Query, Reader
from assistant.settings import Settings

ECHO = Query("test_store.echo", "RETURN $value AS value")
ADD = Query("test_store.add", "MERGE (p:Page {id: $id}) RETURN p.id AS id")
COUNT = Query("test_store.count", "MATCH (p:Page) RETURN count(p) AS pages")
SLOW = Query("test_store.slow", "UNWIND range(1, 10000) AS a UNWIND range(1, 10000) AS b RETURN sum(a * b) AS n")

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | texts
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abcäö -'\"\\$閾", min_size=1), inner),
    max_leaves=20,
)


@effort(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=trees)
def test_values_come_back_as_they_were(space: Space, value: object) -> None:
    assert space.reader.rows(ECHO, value=value) == [{"value": value}]


@effort(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.floats(-1e300, 1e300))
def test_floats_keep_fifteen_digits(space: Space, value: float) -> None:
    [row] = space.reader.rows(ECHO, value=value)
    assert row["value"] == pytest.approx(value, rel=1e-14, abs=1e-300)


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "\\",
        '\\"',
        "'",
        "`",
        "$value",
        "'} RETURN 1 //",
        '"}) DETACH DELETE n //',
        "\n\r\t",
        "日本語 閾値",
        "🙂",
        "\x01\x7f",
    ],
)
def test_hostile_texts_are_only_texts(space: Space, text: str) -> None:
    assert space.reader.rows(ECHO, value=[text, {"key": text}]) == [{"value": [text, {"key": text}]}]


def test_what_no_text_can_hold_is_replaced(space: Space) -> None:
    assert space.reader.rows(ECHO, value="a\0b \ud800 c") == [{"value": "a\ufffdb \ufffd\ufffd\ufffd c"}]


@pytest.mark.parametrize(
    "value",
    [2**63, -(2**63) - 1, float("nan"), float("inf"), b"bytes", {1, 2}, {"a`b": 1}, {"": 1}, {"\ud800": 1}, {1: 1}],
)
def test_what_the_graph_would_change_in_silence_is_refused(space: Space, value: object) -> None:
    with pytest.raises(Fatal, match=r"the graph (can|cannot|holds)"):
        space.reader.rows(ECHO, value=[value])


def test_parameters_must_be_those_of_the_template(space: Space) -> None:
    with pytest.raises(Fatal, match=r"test_store\.echo.*value"):
        space.reader.rows(ECHO)
    with pytest.raises(Fatal, match="other"):
        space.reader.rows(ECHO, value=1, other=2)


def test_whole_nodes_are_refused(space: Space) -> None:
    space.graph.write(ADD, id="a")
    for returned in ("p AS p", "collect(p) AS all"):
        with pytest.raises(Fatal, match="never whole nodes"):
            space.reader.rows(Query(f"test_store.{returned}", f"MATCH (p:Page) RETURN {returned}"))


@pytest.mark.parametrize(
    "cypher",
    [
        "CREATE (n:Page) RETURN 1 AS n",
        "MERGE (n:Page {id: 'x'}) RETURN 1 AS n",
        "MATCH (n) SET n.id = 'y'",
        "MATCH (n) DELETE n",
        "CREATE INDEX FOR (n:Page) ON (n.title)",
        "FOREACH (n IN [1] | CREATE (p:Page))",
    ],
)
def test_a_reader_cannot_write(space: Space, cypher: str) -> None:
    with pytest.raises(Fatal, match="read-only"):
        space.reader.rows(Query(f"test_store.{cypher}", cypher))


def test_reading_makes_no_graph(space: Space) -> None:
    server = connect(space.servers.graph_url)
    with pytest.raises(Fatal, match=r"test_store\.count"):
        Reader(server, "space:never-made").rows(COUNT)
    assert "space:never-made" not in server.execute_command("GRAPH.LIST")  # type: ignore[no-untyped-call]
    server.close()


def test_a_read_that_takes_too_long_is_ended(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "READ_TIMEOUT", 50)
    with pytest.raises(Retry, match=r"test_store\.slow.*50 ms"):
        space.reader.rows(SLOW)


def test_a_write_that_fails_leaves_nothing(space: Space) -> None:
    space.graph.write(ADD, id="there")
    with pytest.raises(Fatal, match="unique"):
        space.graph.write(Query("test_store.half", "UNWIND ['new', 'there'] AS id CREATE (p:Page {id: id})"))
    assert space.reader.rows(COUNT) == [{"pages": 1}]


def test_a_vector_comes_back_as_numbers(space: Space) -> None:
    assert space.reader.rows(Query("test_store.vector", "RETURN vecf32([1, 0.5]) AS value")) == [{"value": [1.0, 0.5]}]


@pytest.fixture
def own(settings: Settings) -> Iterator[Space]:
    """A Space on servers of its own, to be killed."""
    space = open_space(settings)
    yield space
    space.close()
    embedded.stop(space.servers)


def kill(space: Space) -> None:
    """Ends the graph server as a crash would."""
    with redis.Redis.from_url(space.servers.graph_url) as server:
        os.kill(int(server.info("server")["process_id"]), signal.SIGKILL)


def test_calls_wait_for_a_server_that_comes_back(own: Space, settings: Settings) -> None:
    own.graph.write(ADD, id="a")
    kill(own)
    healing = threading.Timer(0.5, embedded.ensure, [settings])
    healing.start()
    assert own.graph.write(ADD, id="b") == [{"id": "b"}]
    assert own.reader.rows(COUNT) == [{"pages": 2}]
    healing.join()


def test_a_server_that_stays_away_is_worth_another_try_later(own: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    kill(own)
    with pytest.raises(Retry) as raised:
        own.reader.rows(COUNT)
    assert raised.value.after > 0


def test_no_acknowledged_write_is_lost_when_the_server_is_killed_under_writers(own: Space, settings: Settings) -> None:
    acknowledged: list[str] = []
    stop = threading.Event()

    def write(name: str) -> None:
        for number in range(100_000):
            if stop.is_set():
                return
            own.graph.write(ADD, id=f"{name}-{number}")
            acknowledged.append(f"{name}-{number}")

    writers = [threading.Thread(target=write, args=[name]) for name in "ab"]
    for writer in writers:
        writer.start()
    for _ in range(2):
        time.sleep(0.2)
        kill(own)
        embedded.ensure(settings)
    stop.set()
    for writer in writers:
        writer.join()
    rows = own.reader.rows(Query("test_store.ids", "MATCH (p:Page) RETURN p.id AS id"))
    assert len(acknowledged) > 50
    assert len(rows) == len({row["id"] for row in rows})
    assert {row["id"] for row in rows} >= set(acknowledged)


def test_a_server_of_the_wrong_kind_is_told(own: Space, settings: Settings) -> None:
    with pytest.raises(UserFacing, match="no FalkorDB"):
        open_space(settings.model_copy(update={"falkordb_url": own.servers.queue_url}))
    with pytest.raises(UserFacing, match="no URL"):
        open_space(settings.model_copy(update={"falkordb_url": "localhost:6379"}))
    own.graph.command("CONFIG", "SET", "requirepass", "secret")
    with pytest.raises(UserFacing, match="password"):
        open_space(settings.model_copy(update={"falkordb_url": own.servers.graph_url}))
    own.graph.command("CONFIG", "SET", "requirepass", "")


def test_a_server_without_room_is_worth_another_try_later(own: Space) -> None:
    own.graph.command("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(Retry, match="takes no writes"):
        own.graph.write(ADD, id="x")
    own.graph.command("CONFIG", "SET", "maxmemory", "0")
