"""What every connector keeps to. A connector's test file makes a subclass and two fixtures; the rest is here."""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from itertools import islice
from typing import Any

import pytest

from assistant.errors import BrainError
from connectors.base import Connector, CursorLost, Record

Grow = Callable[[], None]
"""Makes something more happen at the source."""


class ConnectorConformance:
    """Subclasses give the fixtures `connect` (a new connector to the source, at least three records) and `grow`."""

    def test_it_says_what_it_is(self, connect: Callable[[], Connector[Any]]) -> None:
        connector = connect()
        assert connector.name.isidentifier()
        assert isinstance(connector.scopes, tuple)
        assert all(isinstance(scope, str) for scope in connector.scopes)

    def test_records_are_frozen_with_a_cursor_of_their_own(self, connect: Callable[[], Connector[Any]]) -> None:
        records = list(connect().pull(None))
        assert len(records) >= 3
        assert len({record.cursor for record in records}) == len(records)
        for record in records:
            assert is_dataclass(record.value)
            hash(record)
            with pytest.raises(FrozenInstanceError):
                setattr(record.value, fields(record.value)[0].name, None)

    def test_pulling_again_gives_the_same(self, connect: Callable[[], Connector[Any]]) -> None:
        assert list(connect().pull(None)) == list(connect().pull(None))

    def test_it_goes_on_behind_any_cursor(self, connect: Callable[[], Connector[Any]]) -> None:
        records = list(connect().pull(None))
        for done, record in enumerate(records, 1):
            assert list(connect().pull(record.cursor)) == records[done:]

    def test_it_stops_behind_any_cursor(self, connect: Callable[[], Connector[Any]]) -> None:
        records = list(connect().pull(None))
        for done, record in enumerate(records, 1):
            assert list(connect().pull(records[0].cursor, record.cursor)) == records[1:done]

    def test_its_cursor_is_that_of_the_newest_record(self, connect: Callable[[], Connector[Any]]) -> None:
        *_, last = connect().pull(None)
        assert connect().cursor == last.cursor

    def test_a_run_may_be_left_at_any_record(self, connect: Callable[[], Connector[Any]]) -> None:
        whole = list(connect().pull(None))
        taken: list[Record[Any]] = []
        while part := list(islice(pulled(connect(), taken), 1)):
            taken += part
        assert taken == whole

    def test_what_happened_since_comes_after_what_was_pulled(
        self, connect: Callable[[], Connector[Any]], grow: Grow
    ) -> None:
        before = list(connect().pull(None))
        grow()
        after = list(connect().pull(None))
        assert after[: len(before)] == before
        assert after[len(before) :] == list(connect().pull(before[-1].cursor)) != []

    def test_a_cursor_of_nowhere_is_told_apart(self, connect: Callable[[], Connector[Any]]) -> None:
        with pytest.raises(CursorLost) as told:
            list(connect().pull("nowhere"))
        assert isinstance(told.value, BrainError)
        assert str(told.value)


def pulled(connector: Connector[Any], taken: list[Record[Any]]) -> Iterator[Record[Any]]:
    """What comes after the records taken so far."""
    return connector.pull(taken[-1].cursor if taken else None)
