"""Values on their way into Cypher parameters and back out of FalkorDB's compact replies."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from assistant.errors import Fatal

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
"""Beyond these the server clamps without a word, so they are refused here."""


def header(params: Mapping[str, Any]) -> str:
    """The `CYPHER name=value …` line that goes before a query; raises Fatal for what the graph cannot hold."""
    return "".join(("CYPHER ", *(f"{name}={literal(value)} " for name, value in params.items())))


def literal(value: Any) -> str:
    """One parameter as Cypher text.

    In strings, NUL (where the server would cut) and lone surrogates (no UTF-8) become U+FFFD. NaN, infinities,
    integers beyond 64 bits and types other than None, bool, int, float, str, lists and maps raise Fatal.
    """
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not INT_MIN <= value <= INT_MAX:
            raise Fatal(f"the graph holds integers of 64 bits, not {value}")
        return str(int(value))
    if isinstance(value, float):
        if not isfinite(value):
            raise Fatal(f"the graph cannot hold {value}")
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(literal, value))}]"
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{key(name)}:{literal(item)}' for name, item in value.items())}}}"
    raise Fatal(f"the graph cannot hold a {type(value).__name__}")


def quoted(text: str) -> str:
    """A Cypher string literal that gives `text` back, whatever it holds."""
    if not text.isascii():
        text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return '"' + text.replace("\0", "\ufffd").replace("\\", "\\\\").replace('"', '\\"') + '"'


def key(name: Any) -> str:
    """A map's key in backticks; raises Fatal where it holds what FalkorDB cannot escape."""
    if not isinstance(name, str) or not name or "`" in name or "\0" in name or not encodable(name):
        raise Fatal(f"not a key the graph can hold: {name!r}")
    return f"`{name}`"


def encodable(text: str) -> bool:
    """Whether a text has an UTF-8 form."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


STRING, INTEGER, BOOLEAN, DOUBLE, ARRAY, MAP, VECTOR = 2, 3, 4, 5, 6, 10, 12
"""Type numbers of FalkorDB's compact replies; the others (node, edge, path, dates) no template of ours returns."""


def value(cell: list[Any]) -> Any:
    """One cell of a compact reply, [type, value], as Python; raises Fatal for nodes, edges and paths."""
    kind, raw = cell
    if kind in (STRING, INTEGER) or raw is None:
        return raw
    if kind == BOOLEAN:
        return raw == "true"
    if kind == DOUBLE:
        return float(raw)
    if kind == ARRAY:
        return [value(item) for item in raw]
    if kind == MAP:
        return dict(zip(raw[::2], map(value, raw[1::2]), strict=True))
    if kind == VECTOR:
        return [float(number) for number in raw]
    raise Fatal("templates return properties, never whole nodes, edges or paths")


def rows(reply: list[Any]) -> list[dict[str, Any]]:
    """A compact reply's rows, each by the names of the RETURN clause; none where nothing is returned."""
    if len(reply) == 1:
        return []
    names = [name for _, name in reply[0]]
    return [dict(zip(names, map(value, row), strict=True)) for row in reply[1]]
