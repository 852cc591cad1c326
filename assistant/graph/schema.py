"""What every Space's graph is made of: indexes, unique ids, and the numbered migrations that bring them about."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep

from assistant.errors import Fatal, Retry, UserFacing
from assistant.graph.store import Graph, Query, Reader

UNIQUE_IDS = (
    "Source",
    "Page",
    "Section",
    "Commit",
    "MergeRequest",
    "Person",
    "Team",
    "OwnersFile",
    "Question",
    "Answer",
    "Feedback",
    "Decision",
    "Channel",
    "Conversation",
    "Utterance",
    "Progress",
    "Origin",
    "ConsentChoice",
    "Post",
    "Tombstone",
    "Forgetting",
    "Flag",
    "Notice",
    "Bundle",
)
"""Labels whose `id` is unique."""

EDGES = (
    "HAS_SECTION",
    "SUPERSEDES",
    "CHANGED",
    "MERGED_AS",
    "AUTHORED_BY",
    "ANSWERS",
    "ASKED_BY",
    "CITES",
    "INVALIDATED_BY",
    "DOUBTED_BY",
    "REVALIDATED_BY",
    "REFRESHES",
    "ON",
    "REWROTE",
    "DECIDED_IN",
    "DECIDED_BY",
    "QUOTES",
    "ABOUT",
    "IMPLEMENTED_BY",
    "CONFLICTS_WITH",
    "IN",
    "HAS_UTTERANCE",
    "SPOKEN_BY",
    "MEMBER_OF",
    "SHOWS",
    "TELLS_OF",
    "HOLDS",
)
"""Types of edges. Labels and types all come up before there are readers: 4.16 may crash on new ones under reads."""

RANGES = (
    ("Section", "valid_from"),
    ("Section", "valid_to"),
    ("Section", "lineage"),
    ("Section", "page"),
    ("Section", "path"),
    ("Section", "commit"),
    ("Page", "path"),
    ("Page", "valid_from"),
    ("Page", "valid_to"),
    ("Commit", "at"),
    ("Commit", "sha"),
    ("Commit", "merge_request"),
    ("Question", "at"),
    ("Answer", "at"),
    ("Lost", "id"),
    ("Lost", "source"),
    ("Conversation", "revision"),
    ("Conversation", "shown_id"),
    ("Conversation", "place"),
    ("Decision", "at"),
    ("Decision", "conversation"),
    ("Decision", "decided_by"),
    ("Decision", "decider"),
    ("ConsentChoice", "channel"),
    ("Post", "due"),
    ("Tombstone", "conversation"),
    ("Tombstone", "shown"),
    ("Forgetting", "due"),
    ("Utterance", "at"),
    ("Flag", "message"),
    ("Flag", "by"),
    ("Flag", "at"),
    ("Flag", "due"),
    ("Notice", "due"),
    ("Notice", "unmarked"),
    ("Notice", "wake"),
    ("Bundle", "due"),
    ("Bundle", "user"),
)
"""Properties that reads start from or narrow by. No vector index anywhere: on 4.16 any SET on a node under one loses it
from that index in silence, so vectors are compared exactly, over what the reader may see."""

FULL_TEXT = (
    ("Section", "tokens"),
    ("Section", "title_tokens"),
    ("Utterance", "tokens"),
    ("Decision", "tokens"),
)
"""Fields of search tokens, made by `text.words` alike for writing and asking: nothing is left to stem, stop or fold."""

READY = 120.0
"""Seconds that indexes may take to be built, after a start from the append-only file for instance."""

APPLIED = Query("schema.applied", "MATCH (m:Migration) RETURN max(m.number) AS number")
RECORD = Query("schema.record", "MERGE (m:Migration {number: $number})")
INDEXES = Query(
    "schema.indexes",
    "CALL db.indexes() YIELD label, types, status RETURN label AS label, types AS types, status AS status",
)
CONSTRAINTS = Query(
    "schema.constraints", "CALL db.constraints() YIELD label, status RETURN label AS label, status AS status"
)
EDGE_TYPES = Query("schema.edge_types", "CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type")
INTRODUCE_EDGES = Query(
    "schema.introduce_edges",
    f"CREATE (m:Migration) {' '.join(f'CREATE (m)-[e{n}:{name}]->(m)' for n, name in enumerate(EDGES))} DELETE m",
)


@dataclass(frozen=True, slots=True)
class Migration:
    """A numbered step from one shape of the graph to the next; `run` can be repeated, also by two processes at once."""

    number: int
    run: Callable[[Graph], None]


def declare(graph: Graph) -> None:
    """Creates the indexes, constraints and edge types that are missing; indexes may go on being built afterwards."""
    for label, name, kind in sorted(wanted() - declared(graph)):
        fulltext, options = ("FULLTEXT ", " OPTIONS {nostem: true}") if kind == "FULLTEXT" else ("", "")
        once(graph, "GRAPH.QUERY", graph.name, f"CREATE {fulltext}INDEX FOR (n:{label}) ON (n.{name}){options}")
    for label in sorted(set(UNIQUE_IDS) - {row["label"] for row in graph.rows(CONSTRAINTS)}):
        once(graph, "GRAPH.CONSTRAINT", "CREATE", graph.name, "UNIQUE", "NODE", label, "PROPERTIES", 1, "id")
    if not set(EDGES) <= {row["type"] for row in graph.rows(EDGE_TYPES)}:
        graph.write(INTRODUCE_EDGES)


def wanted() -> frozenset[tuple[str, str, str]]:
    """Every index as (label, property, kind)."""
    ranges = [(label, name, "RANGE") for label, name in RANGES] + [(label, "id", "RANGE") for label in UNIQUE_IDS]
    return frozenset([*ranges, *((label, name, "FULLTEXT") for label, name in FULL_TEXT)])


def declared(reader: Reader, *, operational: bool = False) -> frozenset[tuple[str, str, str]]:
    """The indexes that are there, as (label, property, kind), built or (unless `operational`) being built."""
    return frozenset(
        (row["label"], name, kind)
        for row in reader.rows(INDEXES)
        if row["status"] == "OPERATIONAL" or not operational
        for name, kinds in row["types"].items()
        for kind in kinds
    )


def once(graph: Graph, *command: str | int) -> None:
    """Runs a command that makes something, unless that is done or under way already."""
    try:
        graph.command(*command)
    except Fatal as error:
        if "already" not in str(error):
            raise


MIGRATIONS: tuple[Migration, ...] = (Migration(1, declare),)
"""In order. What is merely declared above needs no new number: what is missing of it is made when a Space is opened."""


def migrate(graph: Graph) -> None:
    """Brings the graph to the newest shape; raises UserFacing where a newer version of the product has been at it."""
    [row] = graph.write(APPLIED)  # not a read: the graph may not be there yet
    applied, newest = row["number"] or 0, MIGRATIONS[-1].number
    if applied > newest:
        raise UserFacing(f"this data was written by a newer version (schema {applied}, here {newest}): upgrade first")
    for migration in MIGRATIONS:
        if migration.number > applied:
            migration.run(graph)
            graph.write(RECORD, number=migration.number)
    declare(graph)


def wait_ready(reader: Reader, patience: float = READY) -> None:
    """Returns when every index and constraint is in force; raises Retry after `patience` seconds.

    Until then full text answers with nothing instead of an error, so no read may come before this.
    """
    end = monotonic() + patience
    while missing := unready(reader):
        if monotonic() > end:
            raise Retry(f"the graph still builds its indexes: {missing[0]}", after=5.0)
        sleep(0.02)


def unready(reader: Reader) -> list[str]:
    """Indexes and constraints that are wanted but not in force; raises Fatal for a constraint the data broke."""
    states = {row["label"]: row["status"] for row in reader.rows(CONSTRAINTS)}
    broken = [label for label in UNIQUE_IDS if states.get(label) == "FAILED"]
    if broken:
        raise Fatal(f"ids are not unique among {', '.join(broken)}: restore a backup or ingest into a new home")
    indexes = [f"{kind} index on {label}.{name}" for label, name, kind in wanted() - declared(reader, operational=True)]
    return indexes + [f"unique {label}.id" for label in UNIQUE_IDS if states.get(label) != "OPERATIONAL"]
