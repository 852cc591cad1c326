"""Vectors of sections: which live or past versions have none yet, and writing them."""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.graph.store import Graph, Query, Reader
from assistant.model.times import FOREVER

LIVE = "MATCH (s:Section) WHERE s.valid_to >= $forever AND (s.embedded_by IS NULL OR s.embedded_by <> $model) "
COUNT_LIVE_WITHOUT = Query("vectors.count_live_without", LIVE + "RETURN count(s) AS versions")
LIVE_WITHOUT = Query(
    "vectors.live_without",
    LIVE + "RETURN s.id AS id, s.title AS title, s.heading_path AS heading_path, s.text AS text",
)
PAST_WITHOUT = Query(
    "vectors.past_without",
    "MATCH (s:Section) WHERE s.valid_to < $forever AND (s.embedded_by IS NULL OR s.embedded_by <> $model) "
    "RETURN s.id AS id, s.title AS title, s.heading_path AS heading_path, s.text AS text "
    "ORDER BY s.valid_to DESC LIMIT $limit",
)
WRITE = Query(
    "vectors.write",
    "UNWIND $rows AS row MATCH (s:Section {id: row.id}) SET s.embedding = vecf32(row.vector), s.embedded_by = $model",
)


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A version without a vector of the model."""

    id: str
    title: str
    heading_path: tuple[str, ...]
    text: str


def live_without(reader: Reader, model: str) -> list[Unembedded]:
    """Versions that still hold."""
    return [_row(row) for row in reader.rows(LIVE_WITHOUT, model=model, forever=FOREVER)]


def count_live_without(reader: Reader, model: str) -> int:
    """How many versions that still hold have no vector of the model."""
    return int(reader.rows(COUNT_LIVE_WITHOUT, model=model, forever=FOREVER)[0]["versions"])


def past_without(reader: Reader, model: str, limit: int) -> list[Unembedded]:
    """At most `limit` versions that no longer hold, the latest first."""
    return [_row(row) for row in reader.rows(PAST_WITHOUT, model=model, forever=FOREVER, limit=limit)]


def write_vectors(graph: Graph, model: str, vectors: dict[str, Sequence[float]]) -> None:
    """Vectors by version id; at most 500 at a time, rounded to 6 digits (half the bytes, cosine the same to 1e-6)."""
    rows = [
        {"id": version, "vector": [round(float(value), 6) for value in vector]} for version, vector in vectors.items()
    ]
    graph.write(WRITE, rows=rows, model=model)


def _row(row: dict[str, object]) -> Unembedded:
    return Unembedded(str(row["id"]), str(row["title"]), tuple(row["heading_path"]), str(row["text"]))  # type: ignore[arg-type]
