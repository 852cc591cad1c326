"""Sections for a question: by words, by headings and by meaning, fused by rank, then weighed by their evidence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.embed import Embedder
from assistant.graph.search import Holding, holding, nearest, sections_by_node, visible_total
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.sections import SectionVersion
from assistant.search.evidence import best, bm25, evidence, heading_share, section_words
from assistant.search.question import Question, read_question, word_weights

K = 60
"""Reciprocal rank fusion's constant, at its usual value."""

LIST = 80
"""Sections a list puts forward."""

CANDIDATES = 100
"""Sections read after the fusion; of 350 development questions one had its section beyond them."""

WEIGHED = 30
"""Sections whose units are weighed, best BM25 first; 9 of 350 lay beyond."""

IN_TITLE = 0.5
"""Worth of a word in a title or heading, where it is counted beside one in the text."""

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that may answer, how well it fits, and why it was put forward."""

    section: SectionVersion
    score: float
    why: tuple[str, ...]
    """Of `words`, `headings`, `meaning`: the lists it came from."""
    weights: Weights
    """How much each word of the question tells (they sum to 1), from its rarity among what the viewer may see."""
    past: bool = False
    """It no longer held on the asked day: it was changed or removed."""


def search(reader: Reader, scope: Scope, text: str, embedder: Embedder | None, limit: int = 8) -> list[Hit]:
    """The sections that speak best to the text, best first, of what may be seen on the scope's day."""
    question = read_question(text)
    if not question.words or not scope.days:
        return []
    found = holding(reader, scope, question.words)
    weights = word_weights(question, word_counts(found), visible_total(reader, scope))
    lists = {"words": by_words(found, weights), "headings": by_headings(found, weights)}
    if embedder is not None:
        [vector] = embedder.encode([text])
        lists["meaning"] = nearest(reader, scope, vector.tolist(), embedder.model, LIST)
    chosen = fuse(lists)
    sections = sections_by_node(reader, scope, chosen[:CANDIDATES])
    why = {node: tuple(name for name, nodes in lists.items() if node in nodes) for node in sections}
    ranked = rank(question, weights, list(sections.items()))
    return [Hit(sections[node], score, why[node], weights) for node, score in ranked[:limit]]


def search_past(reader: Reader, scope: Scope, text: str, limit: int = 8) -> list[Hit]:
    """The versions that held before the scope's day and no longer on it, by words and headings, best first."""
    question = read_question(text)
    if not question.words or not scope.days:
        return []
    found = holding(reader, scope, question.words, ended=True)
    weights = word_weights(question, word_counts(found), sum(len(some.nodes) for some in found))
    lists = {"words": by_words(found, weights), "headings": by_headings(found, weights)}
    sections = sections_by_node(reader, scope, fuse(lists)[:CANDIDATES], ended=True)
    ranked = rank(question, weights, list(sections.items()))
    return [Hit(sections[node], score, ("words",), weights, past=True) for node, score in ranked[:limit]]


def word_counts(found: Sequence[Holding]) -> dict[str, int]:
    """In how many of the sections each word stands."""
    counts: dict[str, int] = defaultdict(int)
    for some in found:
        for word in some.words | some.title_words:
            counts[word] += len(some.nodes)
    return counts


def by_words(found: Sequence[Holding], weights: Weights) -> list[int]:
    """Sections by the weight of the words they hold."""
    worth = {
        some: sum(weights[word] for word in some.words) + IN_TITLE * sum(weights[word] for word in some.title_words)
        for some in found
    }
    return first_nodes(worth)


def by_headings(found: Sequence[Holding], weights: Weights) -> list[int]:
    """Sections by the weight of the words that their heading, the headings above and the page's title hold."""
    return first_nodes({some: sum(weights[word] for word in some.title_words) for some in found if some.title_words})


def first_nodes(worth: Mapping[Holding, float]) -> list[int]:
    """The LIST nodes worth most; equals in the order they were written."""
    ordered: list[int] = []
    for some in sorted(worth, key=lambda some: (-worth[some], some.nodes)):
        ordered += some.nodes
        if len(ordered) >= LIST:
            break
    return ordered[:LIST]


def fuse(lists: Mapping[str, Sequence[int]]) -> list[int]:
    """All nodes of the lists by reciprocal rank."""
    worth: dict[int, float] = defaultdict(float)
    for nodes in lists.values():
        for place, node in enumerate(nodes, start=1):
            worth[node] += 1 / (K + place)
    return sorted(worth, key=lambda node: (-worth[node], node))


def rank(
    question: Question, weights: Weights, sections: Sequence[tuple[int, SectionVersion]]
) -> list[tuple[int, float]]:
    """Nodes with scores, best first: the best by BM25 and heading, by the best that any of their units says."""
    told = {node: section_words(section) for node, section in sections}
    first = {node: bm25(words, weights) + heading_share(words, weights) / 2 for node, words in told.items()}
    scored = []
    for node, section in sorted(sections, key=lambda pair: (-first[pair[0]], pair[1].id))[:WEIGHED]:
        strongest = best(evidence(question, weights, section))
        if strongest is not None:
            scored.append((node, strongest.score))
    return sorted(scored, key=lambda pair: -pair[1])
