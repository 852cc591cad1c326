"""Faults for an audit to find: one property or edge of the graph changed at random, and how to put it back."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.graph.store import Graph, Query

SAMPLE = {
    label: Query(
        f"faults.sample_{label}",
        f"MATCH (n:{label}) WHERE n.id IS NOT NULL RETURN n.id AS id, properties(n) AS properties ORDER BY n.id",
        scans="" if label == "OwnersFile" else "a test looks at all",
    )
    for label in ("Section", "Commit", "OwnersFile", "Utterance", "Conversation", "Decision", "Answer")
}
EDGE = Query(
    "faults.edges",
    "MATCH (a)-[e]->(b) WHERE type(e) = $type RETURN a.id AS a, b.id AS b, labels(b)[0] AS label, a.sha AS sha, "
    "properties(e) AS properties ORDER BY a, b",
    scans="a test looks at all",
)
CHANGE = Query(
    "faults.change",
    "MATCH (n) WHERE n.id = $id AND labels(n)[0] = $label SET n += $values RETURN n.id AS id",
    scans="a test changes one",
)
CUT = {
    kind: Query(
        f"faults.cut_{kind}", f"MATCH (a {{id: $a}})-[e:{kind}]->(b {{id: $b}}) DELETE e", scans="a test changes one"
    )
    for kind in (
        *("HAS_SECTION", "CHANGED", "SUPERSEDES", "AUTHORED_BY", "MERGED_AS", "HAS_UTTERANCE", "SPOKEN_BY"),
        *("QUOTES", "DECIDED_IN", "DECIDED_BY"),
    )
}
TIE = {
    kind: Query(
        f"faults.tie_{kind}",
        f"MATCH (a {{id: $a}}), (b {{id: $b}}) WHERE labels(b)[0] = $label CREATE (a)-[e:{kind}]->(b) SET e = $values",
        scans="a test changes one",
    )
    for kind in CUT
}
EVIDENCE = Query(
    "faults.evidence",
    "MATCH (a {id: $a})-[e:IMPLEMENTED_BY]->(b {id: $b}) WHERE e.section = $section SET e += $values",
    scans="a test changes one",
)

FIELDS: dict[str, tuple[str, ...]] = {
    "Section": (
        *("text", "text", "text", "commit", "valid_to", "valid_from", "merge_request", "path", "change", "lineage"),
        *("level", "audience"),
    ),
    "Commit": ("author_name", "author_email", "at", "merge_request", "subject"),
    "OwnersFile": ("text", "text", "path"),
    "Utterance": ("text", "text", "speaker", "person", "at", "audience"),
    "Conversation": ("audience", "place_name"),
    "Decision": ("quote", "quote", "quote_speaker", "decided_by", "decider", "audience", "utterance", "at"),
    "Answer": ("body",),
}
OWN_END = {"HAS_SECTION": "b", "CHANGED": "b", "SUPERSEDES": "a", "HAS_UTTERANCE": "a", "SPOKEN_BY": "a"}
"""At which end of a missing edge the audit should point; commits by sha, decisions at the start."""


@dataclass(frozen=True)
class Fault:
    """One wrong thing. `thing` is what the audit has to name."""

    kind: str
    thing: str
    plant: Callable[[Graph], Any]
    mend: Callable[[Graph], Any]


class Planter:
    """Makes faults in a graph, by chance but the same ones for the same seed."""

    def __init__(self, graph: Graph, seed: int) -> None:
        self.chance = random.Random(seed)
        self.graph = graph
        self.nodes = {label: graph.rows(query) for label, query in SAMPLE.items()}
        self.edges = {kind: graph.rows(EDGE, type=kind) for kind in (*CUT, "IMPLEMENTED_BY")}

    def faults(self, count: int) -> Iterator[Fault]:
        """So many faults of all kinds, each on a thing of its own."""
        seen: set[str] = set()
        for _ in range(100 * count):
            fault = self._fault() if len(seen) < count else None
            if fault and fault.thing not in seen:
                seen.add(fault.thing)
                yield fault

    def _fault(self) -> Fault | None:
        pick = self.chance.random()
        if pick < 0.7:
            label = self.chance.choice(["Section"] * 4 + ["Commit", "Utterance", "Utterance", "Decision", *FIELDS])
            return self._property(label) if self.nodes[label] else None
        if pick < 0.75 and self.edges["IMPLEMENTED_BY"]:
            return self._evidence(self.chance.choice(self.edges["IMPLEMENTED_BY"]))
        kind = self.chance.choice(list(CUT))
        return self._edge(kind, self.chance.choice(self.edges[kind])) if self.edges[kind] else None

    def _property(self, label: str) -> Fault | None:
        node = self.chance.choice(self.nodes[label])
        field = self.chance.choice(FIELDS[label])
        old = node["properties"].get(field)
        if label == "Utterance" and not node["properties"].get("text"):
            return None
        if label == "OwnersFile" and node["properties"].get("given") and field == "path":
            return None
        new = self._answer(old) if label == "Answer" else self._other(label, field, old)
        if new == old or new is None:
            return None
        name = node["id"]
        thing = node["properties"]["sha"] if label == "Commit" else name
        return Fault(
            f"{label}.{field}",
            thing,
            lambda graph: graph.write(CHANGE, id=name, label=label, values={field: new}),
            lambda graph: graph.write(CHANGE, id=name, label=label, values={field: old}),
        )

    def _other(self, label: str, field: str, old: Any) -> Any:
        """Another value: words altered, or the value that some other node has there."""
        if field in ("text", "quote") and isinstance(old, str):
            return self._altered(old)
        if field == "audience":
            return "channel:C0FFEE" if old == "public" else "public"
        if field in ("at", "valid_from") and self.chance.random() < 0.5:
            return old + self.chance.choice((1, -1)) * self.chance.choice((1_000_000, 3_600_000_000))
        others = [value for node in self.nodes[label] if (value := node["properties"].get(field)) not in (None, old)]
        return self.chance.choice(others) if others else None

    def _altered(self, text: str) -> str:
        """One character changed, or one word gone."""
        places = [n for n, character in enumerate(text) if character.isalnum()]
        if not places:
            return text
        at = self.chance.choice(places)
        if text[at].isdigit():
            return text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        return text[:at] + text[at + 1 :] if self.chance.random() < 0.5 else f"{text[:at]}not {text[at:]}"

    def _answer(self, body: str) -> str | None:
        told = json.loads(body)
        quoted = [one for one in told["citations"] if one.get("quote")]
        if not quoted:
            return None
        one = self.chance.choice(quoted)
        one["quote"] = self._altered(one["quote"])
        return json.dumps(told)

    def _edge(self, kind: str, row: dict[str, Any]) -> Fault:
        a, b, values = row["a"], row["b"], row["properties"]
        thing = row["sha"] if kind == "AUTHORED_BY" else row[OWN_END.get(kind, "a")]
        if kind == "MERGED_AS":
            thing = next(node["properties"]["sha"] for node in self.nodes["Commit"] if node["id"] == b)
        return Fault(
            f"no {kind}",
            thing,
            lambda graph: graph.write(CUT[kind], a=a, b=b),
            lambda graph: graph.write(TIE[kind], a=a, b=b, label=row["label"], values=values),
        )

    def _evidence(self, row: dict[str, Any]) -> Fault | None:
        told = row["properties"]
        field = self.chance.choice([name for name in ("added", "removed") if len(told.get(name) or ()) > 1])
        old = told[field]
        new = [old[0], self._altered(old[1])]
        params = {"a": row["a"], "b": row["b"], "section": told["section"]}
        return Fault(
            "IMPLEMENTED_BY.evidence",
            row["a"],
            lambda graph: graph.write(EVIDENCE, **params, values={field: new}),
            lambda graph: graph.write(EVIDENCE, **params, values={field: old}),
        )
