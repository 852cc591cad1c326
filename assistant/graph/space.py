"""A Space: one knowledge base, one graph, open for work."""

from dataclasses import dataclass
from typing import Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry as NoRetry

from assistant.errors import UserFacing
from assistant.graph import schema
from assistant.graph.servers import embedded, launch
from assistant.graph.servers.embedded import Servers
from assistant.graph.store import Graph, Reader
from assistant.settings import Settings

CONNECTIONS = 16
"""Connections a process may have to the graph server; one more waits for its turn."""

SOCKET_TIMEOUT = 120.0
"""Seconds without a byte from the server until a call gives up: longer than any single write of ours takes."""


@dataclass(frozen=True, slots=True)
class Space:
    """One knowledge base with a hard wall round it. `reader` is all that agents and searches are given."""

    name: str
    graph: Graph
    reader: Reader
    servers: Servers

    def close(self) -> None:
        """Lets go of the connections; embedded servers live on for a while (embedded.IDLE)."""
        self.graph.disconnect()

    def compact(self) -> None:
        """Has an embedded server fold its log into a snapshot, in the background: the next start takes half the time.

        Worth it after a large ingest (60,000 sections: 0.5 s now, 3.3 instead of 7.5 s then).
        """
        if launch.GRAPH.name in self.servers.embedded:
            schema.once(self.graph, "BGREWRITEAOF")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_space(settings: Settings, name: str = "handbook", servers: Servers | None = None) -> Space:
    """Opens a Space, its graph migrated and its indexes in force; starts the embedded servers unless given `servers`.

    Raises UserFacing or Retry as embedded.ensure, schema.migrate and schema.wait_ready do.
    """
    servers = servers or embedded.ensure(settings)
    server = connect(servers.graph_url)
    graph, reader = Graph(server, f"space:{name}"), Reader(server, f"space:{name}")
    schema.migrate(graph)
    schema.wait_ready(reader)
    return Space(name, graph, reader, servers)


def connect(url: str) -> "redis.Redis":
    """A client of the graph server that waits for a free connection and leaves retries to store.patiently.

    Raises UserFacing for what is no URL of a server.
    """
    try:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=SOCKET_TIMEOUT,
            socket_timeout=SOCKET_TIMEOUT,
            decode_responses=True,
            protocol=2,  # the falkordb client reads its replies in that form
            retry=NoRetry(NoBackoff(), 0),
        )
    except ValueError as error:
        raise UserFacing("FALKORDB_URL is no URL of a server: write it as redis://host:6379") from error
    return redis.Redis(connection_pool=pool)
