"""The graph as the rest of the house sees it: named templates, a handle that only reads, and one that writes.

What every template keeps to (tests/graph/test_templates.py holds most of it):
- RETURN properties under aliases, never a whole node: a Section would ship its vector.
- Bind the anchor first, then walk: `MATCH (y:System {id: $id}) WITH y MATCH (y)<-[:MENTIONS]-(s)`. With a label on
  both ends of one pattern FalkorDB may start from a scan of the larger one.
- One MATCH or MERGE a clause, every edge named, ORDER BY explicit, no OPTIONAL MATCH followed by WITH … WHERE
  (it keeps rows it should drop), no LOAD CSV (RO_QUERY lets it through to the network).
- A write can be repeated: MERGE on ids, so that one whose reply was lost is simply sent again. No two
  rows of an UNWIND … MERGE have one key and other values: FalkorDB would keep the first one's.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, TypeVar

import falkordb
import redis

from assistant.errors import BrainError, Fatal, Retry, UserFacing
from assistant.graph.values import plain_rows, storable
from assistant.model.audiences import Scope

VISIBLE = "s.audience IN $audiences AND s.valid_from <= $days[s.source] AND s.valid_to > $days[s.source]"
"""What a reader may see, as a condition on the alias `s`; bind it with `**scope_params(scope)`.

A source missing in `$days` gives null, so its sections fall out. Measured on 4.16.3: the map lookup costs 0.3 µs a
row; no range index serves it, so it filters what something else has found: an id, an edge, full text.
"""

VISIBLE_SCAN = f"s.valid_to > $earliest AND {VISIBLE}"
"""As VISIBLE, for `MATCH (s:Section) WHERE …` with no other anchor: `$earliest`, the earliest of the days, lets the
range index on valid_to leave out what ended before. Over 60,000 versions with 9,600 live: 6.5 ms for now, 18 ms for a
day half way back; the plain lookup takes 19–24 ms by a scan of the label, a range on both ends 13 ms either way, one
pass a source (UNWIND) 20–25 ms. Not for walks: on a labelled end of a path it tempts the planner to start there."""

READ_TIMEOUT = 10_000
"""Milliseconds the server lets one read run, so that a bad one cannot hold a worker or the server's threads."""

PATIENCE = 10.0
"""Seconds a call waits for a server that is away or loading before it raises Retry."""

T = TypeVar("T")
Rows = list[dict[str, Any]]

_templates: dict[str, "Query"] = {}


@dataclass(frozen=True, slots=True)
class Query:
    """A named Cypher template with parameters. Making one registers it, so that a test can EXPLAIN every one."""

    name: str
    """`<story>.<what it does>`, unique in the product; shown in errors."""
    cypher: str
    scans: str = ""
    """Why it may go through all nodes of a large label; '' where it must not (a test asks EXPLAIN)."""

    def __post_init__(self) -> None:
        if _templates.setdefault(self.name, self).cypher != self.cypher:
            raise ValueError(f"two templates are called {self.name}")

    @property
    def parameters(self) -> frozenset[str]:
        """The names after `$` in it."""
        return frozenset(re.findall(r"\$(\w+)", self.cypher))

    def fitted(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as the graph can hold them; raises Fatal if one is missing or not of this template."""
        if self.parameters != params.keys():
            odd = ", ".join(sorted(self.parameters ^ params.keys()))
            raise Fatal(f"{self.name}: parameters do not fit: {odd}")
        return {name: storable(value) for name, value in params.items()}


def templates() -> dict[str, Query]:
    """Every template made so far, by name."""
    return dict(_templates)


def scope_params(scope: Scope) -> dict[str, Any]:
    """What VISIBLE asks for: `audiences` and `days`. VISIBLE_SCAN wants `scan_params` instead."""
    return {"audiences": list(scope.audiences), "days": dict(scope.days)}


def scan_params(scope: Scope) -> dict[str, Any]:
    """What VISIBLE_SCAN asks for: `audiences`, `days`, and `earliest`, the earliest of the days."""
    return {**scope_params(scope), "earliest": min(scope.days.values(), default=0)}


class Reader:
    """A graph that can only be read: GRAPH.RO_QUERY refuses writes and never makes a graph that is not there."""

    def __init__(self, server: "redis.Redis", name: str) -> None:
        self._server = server
        self._client = falkordb.Graph(server, name)
        self.name = name

    def rows(self, query: Query, **params: Any) -> Rows:
        """The rows of a read by the names of its RETURN clause; raises Retry while the server is away, else Fatal."""
        given = query.fitted(params)
        return self._run(
            query.name, lambda: plain_rows(self._client.ro_query(query.cypher, given, timeout=READ_TIMEOUT))
        )

    def explain(self, query: Query, **params: Any) -> list[str]:
        """The execution plan, a line an operation, indented by depth."""
        given = query.fitted(params)
        return self._run(query.name, lambda: str(self._client.explain(query.cypher, given)).splitlines())

    def _run(self, what: str, call: Callable[[], T]) -> T:
        """Calls, again and again while the server is away; turns its errors into ours, by recovery."""
        try:
            return patiently(call)
        except redis.ResponseError as error:
            raise translated(what, error) from error


class Graph(Reader):
    """A graph that can be written, too."""

    def write(self, query: Query, **params: Any) -> Rows:
        """Runs a write, whole or not at all, and gives the rows it returns. It must bear repeating (see above)."""
        given = query.fitted(params)
        return self._run(query.name, lambda: plain_rows(self._client.query(query.cypher, given)))

    def command(self, *words: str | int) -> Any:
        """A raw command on this graph's server, for schema and backup."""
        send: Callable[..., Any] = self._server.execute_command
        return self._run(str(words[0]), lambda: send(*words))

    def disconnect(self) -> None:
        """Closes this process's connections to the server."""
        self._server.connection_pool.disconnect()


def patiently(call: Callable[[], T], patience: float | None = None) -> T:
    """Calls until it works, `patience` (PATIENCE) seconds long, while the server is away or loading; then Retry."""
    end = monotonic() + (PATIENCE if patience is None else patience)
    pause = 0.02
    while True:
        try:
            return call()
        except redis.AuthenticationError as error:
            raise UserFacing(f"the graph server refuses us: {error}; check the password in FALKORDB_URL") from error
        except (redis.ConnectionError, redis.TimeoutError) as error:
            if monotonic() + pause > end:
                raise Retry(f"the graph server does not answer ({type(error).__name__})", after=5.0) from error
        sleep(pause)
        pause = min(2 * pause, 1.0)


def translated(what: str, error: redis.ResponseError) -> BrainError:
    """Our error for a server's: Retry for what time or free space mends, UserFacing for the wrong kind of server."""
    message = str(error)
    if message.startswith("unknown command"):
        return UserFacing("the server that FALKORDB_URL names is no FalkorDB: it knows no GRAPH commands")
    if "timed out" in message:
        return Retry(f"{what}: took longer than {READ_TIMEOUT} ms", after=5.0)
    if isinstance(error, redis.exceptions.OutOfMemoryError) or message.startswith("MISCONF"):
        return Retry(f"{what}: the graph server takes no writes now: {message}", after=30.0)
    return Fatal(f"{what}: {message}")
