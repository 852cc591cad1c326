"""Why something was settled, and what was not taken: verbatim sentences of the talk before it."""

import re
from collections.abc import Sequence

from assistant.decisions.extract.features import Said
from assistant.text.sentences import sentence_spans
from assistant.text.words import content_tokens

MOST_REASONS, MOST_ALTERNATIVES = 4, 3
REACH = 20
"""Utterances looked back at least: a topic may be opened before its words change."""
LONGEST = 300
"""Characters of a reason; what is longer is cut to its sentences that say most."""

_WHY = re.compile(
    r"\bbecause\b|\bsince\b|\bthe reason\b|\botherwise\b|\bso that\b|\bwhich is why\b|\bthat way\b|\bthe point\b|"
    r"\bcovers?\b|\bworks?\b|\beas(?:y|ier)\b|\bbetter\b|\bmatches\b|\bkeeps?\b",
    re.I,
)
_TROUBLE = re.compile(
    r"\b(?:too|never|nobody|no one|not|n't|complain\w*|complaint|late|missed|miss|confus\w*|problem|trouble|"
    r"broke\w*|fail\w*|drags?|worse|waste\w*|lost|lose|hate|annoying|skip\w*|overdue|"
    r"chas\w+|collid\w*|conflict\w*|twice|again|keep\w* ask\w*|impossible|hard|slow\w*|expensive|price|cost\w*|"
    r"waiting|crying|wrong|doubled?|up \d|over budget|afraid|incident|outage|stuck)\b|n't\b|\b\d+ (?:of|"
    r"out of) (?:the )?\d+\b|\d%",
    re.I,
)
_OPENING = re.compile(
    r"\b(?:i'?d like to|i want to|topic|proposal|options?|re-?opening|following up|retro|result|notes from)\b", re.I
)


def reasons(read: Sequence[Said], topic: int, index: int, supporting: Sequence[int]) -> tuple[str, ...]:
    """What speaks for it, in the order it was said: the trouble that opened the topic, and what followed from it."""
    about = frozenset(content_tokens(" ".join(read[at].utterance.text for at in (index, *supporting))))
    scored = [
        (_reason_score(read, at, topic, index, about), at)
        for at in range(max(0, min(topic, index - REACH)), index)
        if not read[at].utterance.bot and read[at].words > 4
    ]
    best = sorted(sorted(scored, reverse=True)[: MOST_REASONS - 1], key=lambda item: item[1])
    told = [shortened(read[at].utterance.text) for score, at in best if score > 0.5]
    own = _own_reason(read[index].utterance.text)
    return tuple(dict.fromkeys((*told, *own)))[:MOST_REASONS]


def _reason_score(read: Sequence[Said], at: int, topic: int, index: int, about: frozenset[str]) -> float:
    item = read[at]
    text = item.utterance.text
    score = 0.8 * min(2, len(_WHY.findall(text))) + 0.7 * min(3, len(_TROUBLE.findall(text)))
    score += 1.2 * (at == topic) + 0.5 * (at <= topic + 2) + 0.3 * bool(item.values) + 0.3 * bool(_OPENING.search(text))
    score += 0.4 * min(2, len(about & frozenset(content_tokens(text)))) + 0.02 * min(item.words, 40)
    score -= (
        0.9 * text.rstrip().endswith("?")
        + 1.0 * ("joke" in item.cues)
        + 1.0 * ("agenda" in item.cues and item.words < 12)
    )
    return score - 0.03 * (index - at) - 0.7 * (at < topic)


def shortened(text: str) -> str:
    """The text, or of a long one the consecutive sentences of it that give reasons."""
    if len(text) <= LONGEST:
        return text
    spans = list(sentence_spans(text))
    good = [n for n, (a, b) in enumerate(spans) if _WHY.search(text[a:b]) or _TROUBLE.search(text[a:b])] or [0]
    first = last = good[0]
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= LONGEST:
        last += 1
    return text[spans[first][0] : spans[last][1]]


def _own_reason(text: str) -> list[str]:
    """The sentence of the deciding words that says why."""
    spans = [text[a:b] for a, b in sentence_spans(text)]
    return [s for s in spans if re.search(r"\bbecause\b|\bsince\b|\botherwise\b|\bthat covers\b|\bso that\b", s, re.I)][
        :1
    ]


def alternatives(
    read: Sequence[Said], topic: int, index: int, taken: Sequence[int], values: frozenset[str]
) -> tuple[str, ...]:
    """Proposals that name another value than the one taken, or that somebody turned down."""
    found = []
    for at in range(topic, index):
        item = read[at]
        if at in taken or item.utterance.bot or "propose" not in item.cues or item.words < 3:
            continue
        turned_down = any("refuse" in later.cues or "restate" in later.cues for later in read[at + 1 : at + 3])
        if (item.values and not set(item.values) <= values) or turned_down:
            found.append(shortened(item.utterance.text))
    return tuple(dict.fromkeys(found))[-MOST_ALTERNATIVES:]
