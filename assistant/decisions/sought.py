"""What to look for in diffs for a decision: its values, the words that say what it is about, and explicit mentions."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from assistant.decisions.lengths import moves
from assistant.decisions.marks import NUMBER, Value, measured, read_value, spoken_marks
from assistant.model.conversations import Conversation
from assistant.model.decisions import Extracted
from assistant.text.spans import requests
from assistant.text.words import STOP_WORDS

_STATED, _SUPPORTING, _BESIDE = 1.0, 0.8, 0.4
"""What counts a mark of the decision itself, of an utterance that carries its value, of the rest of the talk."""
_SHA = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b")


@dataclass(frozen=True, slots=True)
class Sought:
    """What to look for."""

    at: int
    new: Value | None
    """The decided value, as far as it was extracted."""
    old: Value | None
    said: Mapping[str, float]
    """Every mark that was said, and how near to the decision."""
    people: frozenset[str]
    """Ids and names, in lower case, of those who spoke."""
    requests: frozenset[str]
    """Numbers of requests that were named."""
    shas: frozenset[str]
    addresses: frozenset[str]
    """Of the conversation and its messages."""

    measures: Mapping[str, frozenset[str]]
    """What the numbers that were said measure."""

    numbers: frozenset[str]
    """Marks of the numbers that were said."""
    moves: frozenset[int]
    """By how many days something is to come earlier or later."""

    def words(self, limit: int) -> list[str]:
        """The marks that say best what it is about, those nearest to the decision first, and its numbers."""
        found = [mark for mark in self.said if mark not in STOP_WORDS and len(mark) > 1]
        return sorted(found, key=lambda mark: (-self.said[mark], mark))[:limit]


def sought(decision: Extracted, talk: Conversation) -> Sought:
    """What to look for, from what was extracted and from the whole conversation."""
    texts = {utterance.id: utterance.text for utterance in talk.utterances}
    near: dict[str, float] = {}
    for text, weight in (
        *((text, _BESIDE) for text in texts.values()),
        *((texts.get(name, ""), _SUPPORTING) for name in decision.supporting),
        (decision.topic, _SUPPORTING),
        (talk.title, _SUPPORTING),
        (f"{decision.statement}\n{decision.quote}", _STATED),
    ):
        near |= {mark: max(near.get(mark, 0.0), weight) for mark in spoken_marks(text)}
    spoken = Counter(mark for text in texts.values() for mark in spoken_marks(text))
    said = {mark: weight * (0.8 + 0.1 * min(spoken[mark], 4)) for mark, weight in near.items()}
    measures: dict[str, frozenset[str]] = {}
    for text in texts.values():
        for number, kinds in measured(text).items():
            measures[number] = measures.get(number, frozenset()) | kinds
    everything = "\n".join(texts.values())
    new, old = (read_value(raw) if raw else None for raw in (decision.new_value, decision.old_value))
    return Sought(
        at=decision.decided_at,
        new=new if new and (new.marks or new.lengths) else None,
        old=old if old and (old.marks or old.lengths) else None,
        said=said,
        people=frozenset(
            name.lower() for u in talk.utterances for name in (u.speaker.name, u.speaker.person or "") if name
        ),
        requests=frozenset(requests(everything)),
        shas=frozenset(_SHA.findall(everything)),
        addresses=frozenset(address for address in (talk.url, *(u.url for u in talk.utterances)) if address),
        measures=measures,
        numbers=frozenset(mark for mark in said if mark[0] == NUMBER),
        moves=moves(
            "\n".join((decision.statement, decision.quote, *(texts.get(one, "") for one in decision.supporting)))
        ),
    )
