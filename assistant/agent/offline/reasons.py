"""The reasons for a decision, in the words of those who gave them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.agent.tools.why_path import Path
from assistant.model.conversations import Conversation, Utterance
from assistant.text.sentences import sentence_spans
from assistant.text.spans import is_verbatim, numbers
from assistant.text.words import content_tokens

TELLS = re.compile(
    r"\b(?:because|since|so that|otherwise|reasons?|problem\w*|issue|nobody|no one|never|can't|cannot|couldn't|"
    r"doesn't|too (?:many|much|long|short|late|early|often|little|few|big|small|high|low)|half|halved|"
    r"twice|percent|complain\w*|miss(?:ed|es|ing)?|costs?|slow\w*|wrong|broken|by hand|manual\w*|los[te]\w*|confus\w*|"
    r"keeps?|every (?:week|day|time|month)|each|only|most|audit\w*|unclear|waste\w*|wait\w*|overlap\w*|same|impossible|"
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


@dataclass(frozen=True, slots=True)
class Reason:
    """Verbatim words of one utterance."""

    utterance: Utterance
    quote: str


def reasons(path: Path, about: str, limit: int) -> tuple[Reason, ...]:
    """At most `limit` reasons: those that the extractor found, and what else in the conversation tells of one.

    `about` is the question: what shares its words comes first. The deciding words themselves are no reason.
    """
    if path.talk is None:
        return ()
    found = list(_extracted(path, path.talk))[:limit]
    for reason in sorted(_told(path, path.talk, about), key=lambda pair: -pair[0]):
        if len(found) == limit:
            break
        if not any(reason[1].quote in one.quote or one.quote in reason[1].quote for one in found):
            found.append(reason[1])
    return tuple(found)


def _extracted(path: Path, talk: Conversation) -> Iterator[Reason]:
    for quote in path.decision.reasons:
        said = next((one for one in talk.utterances if is_verbatim(quote, one.text)), None)
        if said is not None and len(quote.split()) >= SHORTEST and quote not in path.decision.quote:
            yield Reason(said, quote)


def _told(path: Path, talk: Conversation, asked: str) -> Iterator[tuple[float, Reason]]:
    """Sentences said before the decision fell, or with it, each with how much it sounds like a reason for it."""
    about = frozenset(content_tokens(f"{path.decision.statement} {path.decision.topic} {asked}"))
    place = next((n for n, one in enumerate(talk.utterances) if one.id == path.decision.utterance), None)
    for number, said in enumerate(talk.utterances):
        if said.bot or (place is not None and number > place + 2):
            continue
        for start, end in sentence_spans(said.text):
            quote = said.text[start:end]
            words = quote.split()
            if SHORTEST <= len(words) <= LONGEST and quote[-1] != "?" and quote not in path.decision.quote:
                yield _worth(quote, about), Reason(said, quote)


def _worth(quote: str, about: frozenset[str]) -> float:
    tells = len({match[0].lower() for match in TELLS.finditer(quote)})
    shared = len(about & frozenset(content_tokens(quote)))
    return tells + 0.5 * min(shared, 3) + 0.7 * bool(numbers(quote)) - 1.5 * bool(SETTLES.search(quote))
