"""Where minutes record an outcome in a word or two ("Stage 3"), the words of the talk in which it was settled."""

import re
from collections.abc import Sequence

from assistant.model.conversations import Utterance
from assistant.text.words import content_tokens

BARE = 6
"""Words of a line at most that does not stand by itself."""
TELLING = 3
"""Words besides formulas by which people know an utterance again."""
_FORMULAS = frozenset(
    content_tokens(
        "ok okay yes great good fine cool awesome excellent right thank thanks everybody congratulations queue empty "
        "objection objections object consensus stage conclusion resolution hear hearing see get got give going think "
        "want like ask asking call sounds looks silence advance one two three four zero 0 1 2 2.7 3 4"
    )
)
_RECORDED = re.compile(
    r"\bcongrat\w*|\b(?:you|we|it|proposal) (?:now )?(?:ha(?:ve|s)|got|reached|reaches|achieved|advances?d? to) "
    r"(?:\w+ ){0,2}(?:it|stage|consensus|agreement)\b|\bha(?:s|ve) (?:reached )?(?:stage|consensus)\b|"
    r"\b(?:like|that(?:['’]s| is)|it(?:['’]s| is)|conclusion is) (?:\w+ ){0,2}(?:stage|consensus)\b|\bunanimous\w*",
    re.I,
)
"""Somebody says that it is settled."""
_CALLED = re.compile(
    r"\b(?:any|other|final|hear\w*|see)(?: \w+){0,2} (?:objections?|blockers?|opposition)\b|"
    r"\b(?:anyone|anybody|someone) (?:\w+ ){0,2}(?:opposed|oppose|object|against)\b|"
    r"\b(?:objections|consensus)\?|\b(?:have|is there|reaffirm|for) consensus\b|"
    r"\bstage[- ]?(?:\d(?:\.\d)?|zero|one|two|three|four)\?|"
    r"\b(?:advance|move|go|promote\w*)(?: \w+){0,3} to stage\b[^.!?]*\?|"
    r"\b(?:ask|asking|seek|seeking|request|requesting|propos(?:e|ing)|looking) (?:\w+ ){0,3}(?:stage|consensus)\b",
    re.I,
)
"""Somebody asks for it, or whether anyone is against it."""
_BACKED = re.compile(
    r"\bsupport\w*|\bin favou?r\b|\b(?:fine|ok(?:ay)?|happy|go) (?:with|for|to)\b|\b(?:ready|sufficient|enough|concur) "
    r"(?:for|on)\b|\bno objections?\b",
    re.I,
)
"""Somebody is for it."""
_REFUSED = re.compile(
    r"(?:\bno|\bnot|n['’]t|\bwithout|\bblock\w*)(?: \w+){0,3} (?:consensus|stage|advance\w*|ready)\b|"
    r"\bnot? (?:yet|now)\b",
    re.I,
)
_SUPPOSED = re.compile(r"\bare you\b|\byou mean\b|\bif (?:we|it|this|you)\b|\bbefore\b", re.I)
_COUNTED = {word: str(number) for number, word in enumerate("zero one two three four".split())}
_STAGES = re.compile(rf"\bstage[- ]?(\d(?:\.\d+)?|{'|'.join(_COUNTED)})(?!\w)", re.I)
_ASIDE = re.compile(rf"{_STAGES.pattern} (?:\w+ )?(?:concern|review|block|criteri|requirement)\w*", re.I)
_RAMBLING = 60
"""Words of an utterance that is more than a call or its answer."""


def bare(words: str, subject: str) -> bool:
    """Whether a line of a conclusion is so short, and so silent about its subject, that it could be any item's."""
    return len(words.split()) <= BARE and not set(content_tokens(words)) & set(content_tokens(subject))


def settling(talk: Sequence[Utterance], subject: str, value: str | None) -> Utterance | None:
    """The utterance of the talk that says best that it is settled, or else asks for it or backs it; None without one.

    People have to know it again, so words of its own count beside what it says and how late it comes.
    """
    about = frozenset(content_tokens(subject))
    scored = [
        (score + n / len(talk), n) for n, said in enumerate(talk) if (score := _score(said.text, about, value)) > 0
    ]
    return talk[max(scored)[1]] if scored else None


def _score(text: str, about: frozenset[str], value: str | None) -> float:
    """How well an utterance tells that the value was settled, 0 where it does not."""
    text = _ASIDE.sub(" ", text)
    stages = {_COUNTED.get(stage.casefold(), stage) for stage in _STAGES.findall(text)}
    names = value is not None and value.split()[-1] in stages
    if (stages and not names) or _REFUSED.search(text):
        return 0.0
    recorded, supposed = bool(_RECORDED.search(text)), bool(_SUPPOSED.search(text))
    if not recorded and (supposed or not _CALLED.search(text)):
        return 0.5 if names and not supposed and _BACKED.search(text) and len(text.split()) <= _RAMBLING else 0.0
    tokens = frozenset(content_tokens(text))
    told = 1.2 * (len(tokens - _FORMULAS) >= TELLING) + 0.5 * bool(tokens & about)
    return 1.0 + recorded + names + told - (len(text.split()) > _RAMBLING)
