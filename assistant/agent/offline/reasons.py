"""The reasons for a decision, in the words of those who gave them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.agent.tools.why_path import Path
from assistant.model.conversations import Utterance
from assistant.text.sentences import sentence_spans
from assistant.text.spans import is_verbatim, numbers
from assistant.text.words import content_tokens

TELLS = re.compile(
    r"\b(?:because|since|so that|otherwise|reasons?|problem\w*|issue|nobody|no one|nothing|no more|never|can't|cannot|"
    r"couldn't|doesn't|too (?:many|much|long|short|late|early|often|little|few|big|small|high|low)|half|halved|third|"
    r"twice|percent|complain\w*|miss(?:ed|es|ing)?|costs?|slow\w*|wrong|broken|by hand|manual\w*|los[te]\w*|confus\w*|"
    r"keeps?|every (?:week|day|time|month)|each|most|audit\w*|unclear|waste\w*|wait\w*|overlap\w*|same|impossible|"
    r"forg[eo]t\w*|drop\w*|open|stale|enough|fewer|more than|less than|instead of|easier|easy|faster|than)\b|%",
    re.I,
)
"""Words with which people say what is wrong with how it is, or what speaks for something else."""

SETTLES = re.compile(
    r"\b(?:let's|i'll|i will|we'll|agreed|done|deal|settled|go with|make it|can you|could you|will you|please|"
    r"thanks?|sounds good|shall we|should we|what if|how about)\b",
    re.I,
)
SHORTEST, LONGEST = 6, 34
"""Words of a sentence that is told as a reason."""


LIKELY = 0.4
"""Share of the best one's worth that a further reason has."""
EXTRACTED = 1.0
"""Worth of a sentence that the extractor found to be a reason."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Verbatim words of one utterance."""

    utterance: Utterance
    quote: str


def reasons(path: Path, about: str, limit: int) -> tuple[Reason, ...]:
    """At most `limit` reasons, best first: sentences said before the decision fell, or with it.

    What the extractor took for a reason comes first where it sounds like one, and what shares words with the question
    (`about`). The deciding words themselves are no reason.
    """
    told = sorted(_told(path, about), key=lambda pair: -pair[0])
    least = LIKELY * told[0][0] if told else 0.0
    return tuple(reason for worth, reason in told[:limit] if worth >= least > 0)


def _told(path: Path, asked: str) -> Iterator[tuple[float, Reason]]:
    """The sentences, each with how much it sounds like a reason for the decision."""
    talk, decision = path.talk, path.decision
    if talk is None:
        return
    about = frozenset(content_tokens(f"{decision.statement} {decision.topic} {asked}"))
    place = next((n for n, one in enumerate(talk.utterances) if one.id == decision.utterance), None)
    for number, said in enumerate(talk.utterances):
        if said.bot or (place is not None and number > place + 2):
            continue
        for start, end in sentence_spans(said.text):
            quote = said.text[start:end]
            if SHORTEST <= len(quote.split()) <= LONGEST and quote[-1] != "?" and quote not in decision.quote:
                found = any(is_verbatim(quote, reason) for reason in decision.reasons)
                if found or TELLS.search(quote):
                    yield _worth(quote, about) + EXTRACTED * found, Reason(said, quote)


def _worth(quote: str, about: frozenset[str]) -> float:
    tells = len({match[0].lower() for match in TELLS.finditer(quote)})
    shared = len(about & frozenset(content_tokens(quote)))
    return tells + 0.5 * min(shared, 3) + 0.7 * bool(numbers(quote)) - 1.5 * bool(SETTLES.search(quote))
