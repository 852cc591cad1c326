"""Faults for an audit to find: a property, an edge or a node of the graph changed at random, and how to put it back."""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.graph.store import Graph, Query

Row = dict[str, Any]

UNCHECKED: dict[str, tuple[str, ...]] = {
    "Section": ("embedding", "body"),
    "Commit": ("body", "reverts"),
    "OwnersFile": ("audience", "given"),
    "Person": ("audience", "source", "sources", "same_as"),
    "Channel": (),
    "Conversation": ("revision", "hash"),
    "Utterance": (),
    "Decision": ("judged", "waits_until"),
    "Answer": ("status", "text", "question", "at", "as_of", "viewer", "trace", "trace_id", "seconds", "audience"),
}
"""What of each kind of node is a note of the machinery's own, or nothing that a source could tell."""

LABELS = ("Section",) * 6 + ("Utterance",) * 4 + ("Commit", "Decision", "Decision", *UNCHECKED)
EDGES = (
    *("HAS_SECTION", "CHANGED", "SUPERSEDES", "AUTHORED_BY", "MERGED_AS", "HAS_UTTERANCE", "SPOKEN_BY", "IN"),
    *("QUOTES", "DECIDED_IN", "DECIDED_BY", "IMPLEMENTED_BY", "IMPLEMENTED_BY", "ABOUT", "CONFLICTS_WITH"),
    *("MEMBER_OF", "CITES"),
)
END = {"HAS_SECTION": "b", "CHANGED": "b", "IN": "a", "MEMBER_OF": "b"}
"""At which end of an edge the audit should point where it is not the first."""

SAMPLE = {
    label: Query(
        f"faults.sample_{label}",
        f"MATCH (n:{label}) WHERE n.id IS NOT NULL RETURN n.id AS id, properties(n) AS properties ORDER BY n.id",
        scans="" if label == "OwnersFile" else "a test looks at all",
    )
    for label in UNCHECKED
}
EDGE = Query(
    "faults.edges",
    "MATCH (a)-[e]->(b) WHERE type(e) = $type RETURN a.id AS a, b.id AS b, labels(a)[0] AS label_a, "
    "labels(b)[0] AS label_b, a.sha AS sha_a, b.sha AS sha_b, properties(e) AS properties ORDER BY a, b",
    scans="a test looks at all",
)
AROUND = Query(
    "faults.around",
    "MATCH (n) WHERE n.id = $id AND labels(n)[0] = $label WITH n MATCH (n)-[e]-(o) RETURN type(e) AS type, "
    "startNode(e).id AS a, endNode(e).id AS b, labels(startNode(e))[0] AS label_a, labels(endNode(e))[0] AS label_b, "
    "properties(e) AS properties",
    scans="a test looks at one",
)
CHANGE = Query(
    "faults.change",
    "MATCH (n) WHERE n.id = $id AND labels(n)[0] = $label SET n += $values RETURN n.id AS id",
    scans="a test changes one",
)
CUT = {
    kind: Query(
        f"faults.cut_{kind}",
        f"MATCH (a {{id: $a}})-[e:{kind}]->(b {{id: $b}}) WHERE properties(e) = $values DELETE e",
        scans="a test changes one",
    )
    for kind in EDGES
}
TIE = {
    kind: Query(
        f"faults.tie_{kind}",
        f"MATCH (a {{id: $a}}), (b {{id: $b}}) WHERE labels(a)[0] = $label_a AND labels(b)[0] = $label_b "
        f"CREATE (a)-[e:{kind}]->(b) SET e = $values",
        scans="a test changes one",
    )
    for kind in EDGES
}
DROP = Query("faults.drop", "MATCH (n) WHERE n.id = $id AND labels(n)[0] = $label DELETE n", scans="a test changes one")
CREATE = {
    label: Query(f"faults.create_{label}", f"CREATE (n:{label}) SET n = $values")
    for label in ("Utterance", "Section", "Decision")
}


@dataclass(frozen=True)
class Fault:
    """One wrong thing. `things` are what the audit may name, the nearest first."""

    kind: str
    things: tuple[str, ...]
    plant: Callable[[Graph], Any]
    mend: Callable[[Graph], Any]

    def named(self, failures: Iterable[str]) -> bool:
        """Whether an audit told of it."""
        return any(line.startswith(self.things) for line in failures)


class Planter:
    """Makes faults in a graph, by chance but the same ones for the same seed."""

    def __init__(self, graph: Graph, seed: int) -> None:
        self.chance = random.Random(seed)
        self.graph = graph
        self.nodes: dict[str, list[Row]] = {label: graph.rows(query) for label, query in SAMPLE.items()}
        self.edges = {kind: graph.rows(EDGE, type=kind) for kind in dict.fromkeys(EDGES)}
        self.shas = {node["id"]: node["properties"]["sha"] for node in self.nodes["Commit"]}

    def faults(self, count: int) -> Iterator[Fault]:
        """So many faults of all kinds, each on a thing of its own."""
        seen: set[str] = set()
        for _ in range(100 * count):
            fault = self._fault() if len(seen) < count else None
            if fault and fault.things[0] not in seen:
                seen.add(fault.things[0])
                yield fault

    def _fault(self) -> Fault | None:
        pick = self.chance.random()
        if pick < 0.5:
            label = self.chance.choice(LABELS)
            return self._property(label, self.chance.choice(self.nodes[label])) if self.nodes[label] else None
        kind = self.chance.choice(EDGES)
        if pick < 0.93:
            make = self.chance.choice((self._cut, self._cut, self._moved, self._added, self._altered_edge))
            return make(kind, self.chance.choice(self.edges[kind])) if self.edges[kind] else None
        if pick < 0.96:
            return self._swapped()
        return self._dropped(self.chance.choice(("Utterance", "Section", "Decision")))

    def _property(self, label: str, node: Row) -> Fault | None:
        kept = node["properties"]
        field = self.chance.choice(sorted(kept.keys() - {"id", *UNCHECKED[label]}))
        if (label == "Utterance" and not kept.get("text")) or (label == "Person" and kept.get("same_as")):
            return None
        old = kept[field]
        if field == "position":
            return self._misplaced(node)
        new = self._answer(old) if label == "Answer" else self._other(label, field, old)
        return None if new is None or new == old else self._changed(label, node, {field: old}, {field: new})

    def _misplaced(self, node: Row) -> Fault | None:
        """A section where another one of its page stands: what merely sorts alike is in the right place."""
        own = node["properties"]
        beside = [
            other["properties"]["position"]
            for other in self.nodes["Section"]
            if other["id"] != node["id"]
            and other["properties"]["page"] == own["page"]
            and other["properties"]["valid_from"] < own["valid_to"]
            and own["valid_from"] < other["properties"]["valid_to"]
        ]
        there = {"position": self.chance.choice(beside)} if beside else {}
        return self._changed("Section", node, {"position": own["position"]}, there) if there else None

    def _changed(self, label: str, node: Row, old: Row, new: Row) -> Fault:
        name = node["id"]
        talk = (node["properties"]["conversation"],) if label == "Utterance" else ()
        return Fault(
            f"{label}.{' and '.join(new)}",
            (self.shas[name] if label == "Commit" else name, *talk),
            lambda graph: graph.write(CHANGE, id=name, label=label, values=new),
            lambda graph: graph.write(CHANGE, id=name, label=label, values=old),
        )

    def _other(self, label: str, field: str, old: Any) -> Any:
        """Another value: words altered, or the value that some other node has there."""
        if field == "audience":
            return "channel:C0FFEE" if old == "public" else "public"
        if isinstance(old, bool):
            return not old
        if isinstance(old, int) and self.chance.random() < 0.5:
            return old + self.chance.choice((1, -1)) * self.chance.choice(
                (1_000_000, 3_600_000_000) if old > 9999 else (1,)
            )
        if isinstance(old, list) and old and self.chance.random() < 0.5:
            return [one for one in old if one != self.chance.choice(old)]
        if isinstance(old, str) and self.chance.random() < 0.6:
            return self._altered(old)
        others = [value for node in self.nodes[label] if (value := node["properties"].get(field)) not in (None, old)]
        return self.chance.choice(others) if others else None

    def _altered(self, text: str) -> str:
        """One character changed, or one word more."""
        places = [n for n, character in enumerate(text) if character.isalnum()]
        if not places:
            return text
        at = self.chance.choice(places)
        if text[at].isdigit():
            return text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        return text[:at] + text[at + 1 :] if self.chance.random() < 0.5 else f"{text[:at]}not {text[at:]}"

    def _answer(self, body: str) -> str | None:
        told = json.loads(body) if body else {"citations": []}
        quoted = [one for one in told["citations"] if one.get("quote")]
        if not quoted:
            return None
        one = self.chance.choice(quoted)
        one["quote"] = self._altered(one["quote"])
        return json.dumps(told)

    def _named(self, kind: str, row: Row) -> str:
        """What the audit should name of an edge."""
        if kind == "MERGED_AS":
            return str(row["sha_b"])
        return str(row["sha_a"] if kind == "AUTHORED_BY" else row[END.get(kind, "a")])

    def _edge(self, what: str, kind: str, row: Row, gone: Row | None, come: Row | None) -> Fault:
        def change(graph: Graph, away: Row | None, there: Row | None) -> None:
            if away:
                graph.write(CUT[kind], a=away["a"], b=away["b"], values=away["properties"])
            if there:
                labels = {name: there[name] for name in ("label_a", "label_b")}
                graph.write(TIE[kind], a=there["a"], b=there["b"], values=there["properties"], **labels)

        named = self._named(kind, row)
        return Fault(f"{what} {kind}", (named,), lambda g: change(g, gone, come), lambda g: change(g, come, gone))

    def _cut(self, kind: str, row: Row) -> Fault:
        return self._edge("no", kind, row, row, None)

    def _another(self, kind: str, row: Row) -> Row | None:
        """The edge with another end, one that it does not have yet."""
        taken = {one["b"] for one in self.edges[kind] if one["a"] == row["a"]}
        if kind in ("HAS_SECTION", "CHANGED"):
            others = [one for one in self.edges[kind] if one["a"] != row["a"]]
            other = self.chance.choice(others) if others else None
            return {**row, "a": other["a"]} if other else None
        others = [one for one in self.edges[kind] if one["label_b"] == row["label_b"] and one["b"] not in taken]
        other = self.chance.choice(others) if others else None
        if other is None or (kind in ("MERGED_AS", "MEMBER_OF", "SUPERSEDES") and other["b"] == row["a"]):
            return None
        return {**row, "b": other["b"], "sha_b": other["sha_b"]}

    def _moved(self, kind: str, row: Row) -> Fault | None:
        other = self._another(kind, row)
        return self._edge("other", kind, row, row, other) if other else None

    def _added(self, kind: str, row: Row) -> Fault | None:
        other = self._another(kind, row)
        return self._edge("one more", kind, other, None, other) if other and kind != "CITES" else None

    def _altered_edge(self, kind: str, row: Row) -> Fault | None:
        told = row["properties"]
        fields = [name for name in told if name not in ("keys", "valid_from") or kind != "MEMBER_OF"]
        if kind == "CITES" or not fields:
            return None
        field = self.chance.choice(sorted(fields))
        values = [
            one["properties"].get(field) for one in self.edges[kind] if one["properties"].get(field) != told[field]
        ]
        new = self._altered(told[field]) if isinstance(told[field], str) else None
        if isinstance(told[field], bool):
            new = not told[field]
        elif new is None and values:
            new = self.chance.choice(values)
        changed = {**row, "properties": {**told, field: new}}
        return self._edge(f"other {field} on", kind, row, row, changed) if new not in (None, told[field]) else None

    def _swapped(self) -> Fault | None:
        """What one said, in another's name."""
        spoken = [node for node in self.nodes["Utterance"] if node["properties"].get("speaker")]
        if not spoken:
            return None
        one, other = (self.chance.choice(spoken) for _ in range(2))
        old, new = ({name: node["properties"].get(name) for name in ("speaker", "person")} for node in (one, other))
        return self._changed("Utterance", one, old, new) if old["speaker"] != new["speaker"] else None

    def _dropped(self, label: str) -> Fault | None:
        """A node taken away with all its edges. The audit names where it was missed."""
        node = self.chance.choice(self.nodes[label]) if self.nodes[label] else None
        if node is None or (label == "Utterance" and not node["properties"].get("text")):
            return None
        around = self.graph.rows(AROUND, id=node["id"], label=label)
        if not {row["type"] for row in around} <= set(EDGES):
            return None
        kept = node["properties"]
        places = {
            "Utterance": kept.get("conversation"),
            "Section": f"{kept.get('path')} at {kept.get('commit', '')[:12]}",
            "Decision": node["id"],
        }
        thing = str(places[label])

        def mend(graph: Graph) -> None:
            graph.write(CREATE[label], values=kept)
            for row in around:
                ends = {name: row[name] for name in ("a", "b", "label_a", "label_b")}
                graph.write(TIE[row["type"]], **ends, values=row["properties"])

        return Fault(f"no {label}", (thing,), lambda graph: graph.write(DROP, id=node["id"], label=label), mend)
