"""Rules that every Cypher template of the product keeps, each for a fault of FalkorDB that was found by trying."""

import importlib
import pkgutil
import re

import pytest

import assistant.graph
from assistant.graph.schema import EDGES, RANGES, UNIQUE_IDS
from assistant.graph.space import Space
from assistant.graph.store import Query, templates

for module in pkgutil.walk_packages(assistant.graph.__path__, "assistant.graph."):
    if not module.name.endswith(".watch"):
        importlib.import_module(module.name)

ALL = [query for name, query in sorted(templates().items()) if not name.startswith("test")]
SMALL = {"Source", "Migration", "OwnersFile", "Progress"}
"""Labels with so few nodes that going through them costs nothing."""

WRITES = r"\b(CREATE|MERGE|SET|DELETE|REMOVE)\b"


def sample(name: str) -> object:
    """A value for a parameter that EXPLAIN accepts; what it is does not change the plan."""
    if name in ("days", "changes"):
        return {}
    if name == "vector":
        return [0.5] * 384
    return [] if name.endswith("s") else 1


def body(query: Query) -> str:
    """The template on one line, without the words in its quotes."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", "''", " ".join(query.cypher.split()))


def nodes_and_edges(text: str) -> set[str]:
    """Names that patterns of a template bind."""
    return set(re.findall(r"[(\[](\w+)\s*[:){\]]", text)) - {"null"}


def test_there_are_templates() -> None:
    assert len(ALL) > 20
    assert all(re.fullmatch(r"\w+\.\w+", query.name) for query in ALL)


@pytest.mark.parametrize("query", ALL, ids=lambda query: query.name)
def test_no_template_goes_through_a_large_label_unless_it_says_why(space: Space, query: Query) -> None:
    plan = space.reader.explain(query, **{name: sample(name) for name in query.parameters})
    scanned = [line.strip() for line in plan if re.search(r"(Label|All Node) Scan", line)]
    scanned = [line for line in scanned if not re.search(rf":({'|'.join(SMALL)})\)", line)]
    assert bool(scanned) == bool(query.scans), f"{query.cypher}\n" + "\n".join(plan)


@pytest.mark.parametrize("query", ALL, ids=lambda query: query.name)
def test_no_template_has_what_falkordb_gets_wrong(query: Query) -> None:
    text = body(query)
    assert not re.search(r"\bLOAD\s+CSV\b", text, re.I), "read-only queries let it through to the network"
    assert not re.search(r"\bOPTIONAL MATCH\b.*\bWITH\b[^|]*?\bWHERE\b", text), "keeps rows it should drop"
    assert not re.search(r"\bOPTIONAL MATCH [^|]*?\)\s*,\s*\(", text), "binds partially"
    assert not re.search(r"\bDELETE\b.*\bWITH\b.*\bWHERE\b", text), "the condition is read before the deletion"
    assert not re.search(r"\bCASE\b[^|]*\bWHEN null\b", text, re.I), "null matches null"
    assert not re.search(rf"{WRITES}.*\bRETURN\b.*\bLIMIT\b", text), "LIMIT does not limit writes"
    assert not re.search(r"\bEXISTS\s*{|\bCOUNT\s*{|=~|\bdatetime\(", text), "not supported"
    for inner in re.findall(r"{([^{}]*)}", text):
        keys = re.findall(r"(\w+)\s*:", inner)
        assert len(keys) == len(set(keys)), "a key twice in a map of MERGE kills the server"
    if re.search(r"\bcount\(", text):
        assert not re.search(r"-\[:", text), "counts over unnamed parallel edges come out as one"


@pytest.mark.parametrize("query", ALL, ids=lambda query: query.name)
def test_templates_return_named_properties_never_whole_nodes(query: Query) -> None:
    text = body(query)
    if not (returned := re.search(r"\bRETURN (DISTINCT )?(.*?)( ORDER BY | SKIP | LIMIT |$)", text)):
        assert re.search(WRITES, text)
        return
    bound = nodes_and_edges(text.split(" RETURN ")[0])
    items = re.split(r",(?![^(\[{]*[)\]}])", returned[2])
    for item in (item.strip() for item in items):
        expression, _, alias = item.partition(" AS ")
        assert alias or re.fullmatch(r"\w+", expression), f"no name for {expression}"
        assert expression not in bound, f"returns the whole of {expression}"
        assert not re.fullmatch(rf"collect\((DISTINCT )?({'|'.join(bound) or '-'})\)", expression)


@pytest.mark.parametrize("query", ALL, ids=lambda query: query.name)
def test_labels_and_edge_types_are_there_before_there_are_readers(query: Query) -> None:
    text = body(query)
    labels = set(re.findall(r"\(\w*:(\w+)", text))
    types = {name for names in re.findall(r"\[\w*:([\w|]+)", text) for name in names.split("|")}
    known = {*UNIQUE_IDS, *(label for label, _ in RANGES), "Migration"}
    assert labels <= known, "4.16 may crash on labels that come up under reads: add it to schema"
    assert types <= set(EDGES), "4.16 may crash on edge types that come up under reads: add it to schema"


def test_two_templates_never_share_a_name() -> None:
    Query("test_templates.shared", "RETURN 1 AS one")
    Query("test_templates.shared", "RETURN 1 AS one")
    with pytest.raises(ValueError, match=r"test_templates\.shared"):
        Query("test_templates.shared", "RETURN 2 AS two")
