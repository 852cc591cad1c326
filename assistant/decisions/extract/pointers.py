"""Deciding words that point back: "let's take the second one", "Cormac's version", "what Priya said"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.decisions.extract.cues import ASSENT, cues
from assistant.decisions.extract.features import Said
from assistant.decisions.extract.values import change, quantities
from assistant.text.sentences import sentence_spans
from assistant.text.words import content_tokens

FARTHEST = 40
"""Utterances looked back at most."""

OWN, CONTEXT = 0.5, 0.2
"""What a word in common counts, in the utterance itself and in the one that it answers."""
_A_NUMBER = re.compile(
    r"\b(?:number|limit|deadline|time ?frame|date|slot|figure|threshold|hours?|how (?:many|much|long))\b", re.I
)
"""What is pointed to is a quantity."""
_POINTING = frozenset(
    content_tokens("number version proposal option idea said go with take one page put page new limit")
)
"""Words that only point, and are in many utterances."""
_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_OPTION = re.compile(
    r"\b([Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|1st|2nd|3rd|4th) (?:option|version|of (?:the |\w+['’]s )?options?|"
    r"proposal|variant|choice)\b|\b(?:take|do|with|choose|pick) the (first|second|third|fourth) one\b|"
    r"\bthe (first|second|third|fourth) (?:of|it)\b|\b[Oo](?:ption|ne) ([A-Da-d1-5])\b|"
    r"^\W*(?:[Oo]k(?:ay)?,? )?\(?([A-Da-d1-5])\)?(?:\.|,| it is| then)"
)
_ITEM = re.compile(
    r"(?:^|\n|(?<=[.:;] ))[ \t]*(?:\*?\(?(?P<mark>[A-Da-d1-9])[).]\)?\*?|"
    r"(?P<bullet>[•*-]))[ \t]+(?P<item>.+?)(?=\n|$|(?<=[.;]) [B-Db-d2-9][).])",
)
_POINTS = re.compile(
    r"\b(?:what|the way|how|as|like|with|whatever|where|yes to|to) (?P<a>@?[A-Z]\w+|I\b)|"
    r"(?P<b>[A-Z][\w-]+)['’]s (?:\w+ )?(?:version|number|proposal|idea|options?|suggestion|plan|deadline|PR|"
    r"wording|floor|way|comfortable|figure|limit|date|slot|words)\b|\band (?P<c>[A-Z][\w-]+) (?:said|propos|put|"
    r"suggest)|\btwo (?P<d>[A-Z]\w+) named"
)


@dataclass(frozen=True, slots=True)
class Pointed:
    """An earlier utterance that deciding words mean, and the words of it that count."""

    index: int
    quote: str
    score: float
    named: bool
    """Pointed to by the speaker's name or by an option's number."""


def pointed(read: Sequence[Said], index: int, topic: int, deciding: str) -> tuple[Pointed, ...]:
    """Earlier utterances that the deciding words (of the utterance at INDEX) may mean, best first."""
    own = read[index].utterance
    option = _option(read, index, deciding)
    if option:
        return (option,)
    names = {name.lstrip("@") for match in _POINTS.finditer(deciding) for name in match.groups() if name}
    if re.search(r"\bI (?:just )?(?:said|proposed|posted) before\b", deciding):
        names.add(own.speaker.name.split()[0])
    words = frozenset(content_tokens(deciding)) - _POINTING
    first = max(0, index - FARTHEST)
    counted = 1.8 if _A_NUMBER.search(deciding) or change(deciding).new is None else 0.9
    ranked = [
        Pointed(at, _best_words(read[at], words), score, bool(names & set(read[at].utterance.speaker.name.split())))
        for at in range(first, index)
        if (score := _score(read, at, index, topic, names, words, counted)) > 0
    ]
    return tuple(sorted(ranked, key=lambda item: -item.score))


def _score(
    read: Sequence[Said], at: int, index: int, topic: int, names: set[str], words: frozenset[str], counted: float
) -> float:
    item = read[at]
    if item.utterance.bot or item.words < 2:
        return 0.0
    named = bool(names & set(item.utterance.speaker.name.split()))
    score = (
        3.0 * named
        + 1.0 * ("propose" in item.cues)
        + counted * any(value[0].isdigit() for value in item.values)
        + 0.4 * (item.words > 7)
    )
    score += OWN * min(2, len(words & frozenset(content_tokens(item.utterance.text))))
    score += CONTEXT * min(2, len(words & frozenset(content_tokens(read[at - 1].utterance.text)))) if at else 0.0
    score += 0.3 * sum(bool(ASSENT.match(later.utterance.text)) for later in read[at + 1 : at + 3])
    score += 0.5 * bool(item.cues & {"rule", "resolve", "then"})
    score -= 0.8 * (item.asks and "propose" not in item.cues) + 0.6 * ("joke" in item.cues)
    score -= 0.8 * (item.utterance.speaker == read[index].utterance.speaker and not named) + 0.04 * (index - at)
    score -= 1.8 * ("refuse" in item.cues) + 1.2 * ("restate" in item.cues) + 0.8 * ("agenda" in item.cues)
    return score - (0.5 if named else 1.5) * (at < topic)


def _best_words(item: Said, words: frozenset[str]) -> str:
    """The sentences of it that carry a value or a proposal; all of a short one."""
    text = item.utterance.text
    if item.words <= 45:
        return text
    spans = list(sentence_spans(text))
    keep = [n for n, (start, end) in enumerate(spans) if _counts(text[start:end], words)]
    return text[spans[keep[0]][0] : spans[keep[-1]][1]] if keep else text


def _counts(sentence: str, words: frozenset[str]) -> bool:
    return bool(quantities(sentence)) or "propose" in cues(sentence) or len(words & set(content_tokens(sentence))) > 1


def _option(read: Sequence[Said], index: int, deciding: str) -> Pointed | None:
    """The item of a list of options that is chosen by its number, letter or place."""
    match = _OPTION.search(deciding)
    if not match:
        return None
    chosen = next(group for group in match.groups() if group).casefold()
    number = _WORDS.get(chosen) or (int(chosen) if chosen.isdigit() else ord(chosen) - ord("a") + 1)
    for at in range(index - 1, max(-1, index - FARTHEST), -1):
        items = list(_ITEM.finditer(read[at].utterance.text))
        if len(items) >= max(2, number):
            return Pointed(at, items[number - 1][0].strip(), 9.0, True)
    return None
