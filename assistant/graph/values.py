"""Values on their way into the graph and back: what it would cut, clamp or change in silence is mended or refused."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from falkordb import Edge, Node, Path, QueryResult

from assistant.errors import Fatal

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
"""Beyond these the server clamps without a word, so they are refused here."""


def storable(value: Any) -> Any:
    """One parameter as the graph can hold it.

    In strings, NUL (where the server would cut) and lone surrogates (no UTF-8) become U+FFFD. NaN, infinities,
    integers beyond 64 bits and types other than None, bool, int, float, str, lists and maps raise Fatal.
    """
    if isinstance(value, str):
        return encodable(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if not INT_MIN <= value <= INT_MAX:
            raise Fatal(f"the graph holds integers of 64 bits, not {value}")
        return int(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise Fatal(f"the graph cannot hold {value}")
        return float(value)
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    if isinstance(value, Mapping):
        return {key(name): storable(item) for name, item in value.items()}
    raise Fatal(f"the graph cannot hold a {type(value).__name__}")


def encodable(text: str) -> str:
    """The text without what the graph would cut at or cannot encode; a plain str, also for kinds of str."""
    if not text.isascii():
        text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return text.replace("\0", "\ufffd") if "\0" in text else str(text)


def key(name: Any) -> str:
    """A map's key; raises Fatal where it holds what FalkorDB cannot escape."""
    if not isinstance(name, str) or not name or "`" in name or encodable(name) != name:
        raise Fatal(f"not a key the graph can hold: {name!r}")
    return name


def plain_rows(result: QueryResult) -> list[dict[str, Any]]:
    """A reply's rows, each by the names of the RETURN clause; raises Fatal for whole nodes, edges and paths."""
    names = [name for _, name in result.header]
    return [dict(zip(names, map(plain, row), strict=True)) for row in result.result_set]


def plain(cell: Any) -> Any:
    """One cell of a reply; raises Fatal where a template returns a whole node, edge or path."""
    if isinstance(cell, (Node, Edge, Path)):
        raise Fatal("templates return properties, never whole nodes, edges or paths")
    if isinstance(cell, list):
        return [plain(item) for item in cell]
    return cell
