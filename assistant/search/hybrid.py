"""Sections for a question: by words, by headings and by meaning, fused by rank, then weighed by their evidence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.embed import Embedder
from assistant.graph.reading.search import Candidate, Holding, candidates, holding, nearest, visible_total
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.sections import SectionVersion
from assistant.search.evidence import MEANING, Evidence, evidence, promise, section_words
from assistant.search.question import Question, read_question, word_weights

K = 60
"""Reciprocal rank fusion's constant, at its usual value."""

LIST = 80
"""Sections a list puts forward."""

CANDIDATES = 100
"""Sections read after the fusion; of 350 development questions one had its section beyond them."""

WEIGHED = 20
"""Sections whose units are weighed, by `promise`; of 193 development questions 2 had theirs beyond."""

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
    evidence: tuple[Evidence, ...]
    """How each of its units speaks to the question."""
    past: bool = False
    """It no longer held on the asked day: it was changed or removed."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate whose units have been weighed."""

    candidate: Candidate
    evidence: tuple[Evidence, ...]

    @property
    def score(self) -> float:
        """That of its strongest unit."""
        return max(piece.score for piece in self.evidence)


def search(reader: Reader, scope: Scope, text: str, embedder: Embedder | None, limit: int = 8) -> list[Hit]:
    """The sections that speak best to the text, best first, of what may be seen on the scope's day."""
    question = read_question(text)
    if not question.words or not scope.days:
        return []
    found = holding(reader, scope, question.words)
    weights = word_weights(question, word_counts(found), visible_total(reader, scope))
    lists = {"words": by_words(found, weights), "headings": by_headings(found, weights)}
    likeness: Mapping[int, float] = {}
    if embedder is not None:
        [vector] = embedder.encode([text])
        likeness = nearest(reader, scope, vector.tolist(), embedder.model, LIST)
        lists["meaning"] = list(likeness)
    ranked = rank(question, weights, candidates(reader, scope, fuse(lists)[:CANDIDATES]), limit, likeness)
    return hits(ranked, lists)


def search_past(reader: Reader, scope: Scope, text: str, limit: int = 8) -> list[Hit]:
    """The versions that held before the scope's day and no longer on it, by words and headings, best first."""
    question = read_question(text)
    if not question.words or not scope.days:
        return []
    found = holding(reader, scope, question.words, ended=True)
    weights = word_weights(question, word_counts(found), sum(len(some.nodes) for some in found))
    lists = {"words": by_words(found, weights), "headings": by_headings(found, weights)}
    ranked = rank(question, weights, candidates(reader, scope, fuse(lists)[:CANDIDATES], ended=True), limit, {})
    return hits(ranked, lists, past=True)


def hits(ranked: Sequence[Ranked], lists: Mapping[str, Sequence[int]], *, past: bool = False) -> list[Hit]:
    """The ranked sections with the names of the lists that put them forward."""
    return [
        Hit(
            r.candidate.section,
            r.score,
            tuple(name for name, nodes in lists.items() if r.candidate.node in nodes),
            r.evidence,
            past,
        )
        for r in ranked
    ]


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
    question: Question, weights: Weights, found: Sequence[Candidate], limit: int, likeness: Mapping[int, float]
) -> list[Ranked]:
    """The sections whose strongest unit speaks best to the question, best first, with all their units' evidence.

    Only the WEIGHED most promising ones are looked into. `likeness` are cosines of the nodes nearest in meaning; any
    other node is taken to be as like as the last of these.
    """
    least = min(likeness.values(), default=0.0)
    told = [(candidate, section_words(candidate.section, candidate.tokens)) for candidate in found]
    told.sort(key=lambda pair: -promise(pair[1], weights) - likeness.get(pair[0].node, least))
    weighed = [
        Ranked(candidate, tuple(evidence(question, weights, candidate.section, words)))
        for candidate, words in told[:WEIGHED]
    ]
    spoken = [ranked for ranked in weighed if ranked.evidence]
    return sorted(spoken, key=lambda r: -r.score - MEANING * likeness.get(r.candidate.node, least))[:limit]
