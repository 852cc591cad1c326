"""Cuts a long conversation by topic: where the words change, where somebody says so, or where nobody spoke for long."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assistant.decisions.extract.cues import CUES
from assistant.model.conversations import Utterance
from assistant.text.words import content_tokens

BLOCK = 6
"""Utterances compared on either side of a possible cut."""
SHORTEST = 5
"""Utterances that a topic has at least, so that a greeting is none."""
SILENCE = 6 * 3600 * 10**6
"""Microseconds after which a new topic begins in any case."""
DIP = 1.4
"""How far, in standard deviations above the mean, the words must change for a cut."""
SPOKEN_CUE = 0.35
"""What words such as "next topic" count, as a depth."""

_TURN = re.compile(
    r"^(?:\W*(?:ok(?:ay)?|alright|all right|right|good|great|so|now|and|then|fine|perfect)[,.]? )*"
    r"(?:(?:so )?then (?:the|there|what|let)\b|next\b|second\b|third\b|last (?:thing|one|point|topic)|now,|"
    r"also\b|one (?:more|question)|two (?:more )?things|can i (?:bring up|jump in|say))",
    re.I,
)
_HEADLINE = re.compile(
    r"(?:^|[.!?] )(?:(?:Okay|Then|So|Right|And|Alright|Now|Good)[,.]? )*(?:[A-Za-z][\w’'-]*[ ,/]?){1,3}\. (?=[A-Z])"
)
"""A topic named by a word or three before the first sentence: "Desks. So we said …"."""


def cut(utterances: Sequence[Utterance]) -> tuple[int, ...]:
    """Indexes at which a topic starts, the first of them 0; empty for no utterances."""
    if not utterances:
        return ()
    depths = _depths([frozenset(content_tokens(item.text)) for item in utterances])
    strength = [depth + SPOKEN_CUE * _turns(item.text) for depth, item in zip(depths, utterances, strict=True)]
    mean = sum(strength) / len(strength)
    spread = math.sqrt(sum((value - mean) ** 2 for value in strength) / len(strength))
    starts = [0]
    for index in sorted(range(1, len(utterances)), key=lambda i: -strength[i]):
        silent = utterances[index].at - utterances[index - 1].at > SILENCE
        deep = strength[index] > mean + DIP * spread and all(abs(index - start) >= SHORTEST for start in starts)
        if silent or (deep and len(utterances) - index >= SHORTEST):
            starts.append(index)
    return tuple(sorted(set(starts)))


def topic_of(starts: Sequence[int], index: int) -> int:
    """Where the topic starts in which the utterance stands."""
    return max(start for start in starts if start <= index)


def _turns(text: str) -> float:
    """How clearly the utterance says that another topic begins: 0, 1 or 2."""
    said = bool(_TURN.match(text)) or bool(CUES["agenda"].search(text[:80]))
    return said + bool(_HEADLINE.search(text[:80]))


def _depths(tokens: Sequence[frozenset[str]]) -> list[float]:
    """For every utterance, how little the words before and from it on have in common, against both sides of it."""
    often = Counter(token for words in tokens for token in words)
    weight = {token: math.log(1 + len(tokens) / count) ** 2 for token, count in often.items()}
    shared = [_cohesion(before, after, weight) for before, after in _blocks(tokens)]
    return [
        max(shared[max(0, i - BLOCK) : i + 1]) + max(shared[i : i + BLOCK]) - 2 * shared[i] for i in range(len(tokens))
    ]


def _blocks(tokens: Sequence[frozenset[str]]) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """For every utterance how often words come in the block before it and in that from it on; valid until the next."""
    before: dict[str, int] = {}
    after: dict[str, int] = {}
    for words in tokens[:BLOCK]:
        _count(after, words, 1)
    for index, words in enumerate(tokens):
        yield before, after
        _count(before, words, 1)
        _count(after, words, -1)
        if index >= BLOCK:
            _count(before, tokens[index - BLOCK], -1)
        if index + BLOCK < len(tokens):
            _count(after, tokens[index + BLOCK], 1)


def _count(counts: dict[str, int], words: frozenset[str], step: int) -> None:
    for word in words:
        left = counts.get(word, 0) + step
        if left:
            counts[word] = left
        else:
            del counts[word]


def _cohesion(before: Mapping[str, int], after: Mapping[str, int], weight: Mapping[str, float]) -> float:
    """Cosine of the words of the blocks on either side, rare words first; 0 to 1."""
    product = sum(count * after[token] * weight[token] for token, count in before.items() if token in after)
    if not product:
        return 0.0
    norms = [sum(count * count * weight[token] for token, count in block.items()) for block in (before, after)]
    return product / math.sqrt(norms[0] * norms[1])
