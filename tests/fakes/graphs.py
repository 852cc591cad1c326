"""Taking a test's graph away when the test is over."""

from assistant.graph.store import Graph


def drop(graph: Graph) -> None:
    """Drops the whole graph."""
    graph.command("GRAPH.DELETE", graph.name)
