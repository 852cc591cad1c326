"""Templates, parameters and rows: what goes into the graph comes back as it was, or is refused."""

from assistant.graph.space import Space
from assistant.graph.store import Query

ECHO = Query("test.echo", "RETURN $value AS value")


def test_values_come_back_as_they_were(space: Space) -> None:
    value = [1, 'é"\\', None, True, 2.5, {"k x": 1}]
    assert space.reader.rows(ECHO, value=value) == [{"value": value}]


def test_b(space: Space) -> None:
    pass


def test_c(space: Space) -> None:
    pass
