"""Later answers that repeat what was asked before, though nobody asked them so."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from assistant.graph.store import Query, Reader

LONG_ENOUGH = 16
"""Characters of a message from which on the same words in a job are held to be a copy of it and no accident."""

SOME = 2
"""Words of a question from which on the same words in what was looked for are held to come from it."""

ASKED = Query(
    "repeating.asked",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) WHERE a.question <> '' "
    "RETURN a.question AS question, a.at AS at, a.audience AS audience",
)
LATER = Query(
    "repeating.later",
    "MATCH (a:Answer) WHERE a.audience = $audience AND a.at >= $at "
    "RETURN a.id AS id, a.question AS question, a.trace AS trace",
)


def follow_ups(reader: Reader, answers: Sequence[str]) -> list[str]:
    """Ids of later answers that were looked up in the words of what was asked of these, though not asked so.

    A follow-up in a thread is understood, looked up and refused in the words of what was asked there before.
    """
    found: set[str] = set()
    for row in reader.rows(ASKED, ids=list(answers)):
        asked = _run(row["question"])
        if len(asked.split()) < SOME:
            continue
        for other in reader.rows(LATER, audience=row["audience"], at=row["at"]):
            if asked not in _run(other["question"]) and any(asked in _run(query) for query in _queries(other["trace"])):
                found.add(other["id"])
    return sorted(found.difference(answers))


def _queries(trace: Sequence[str]) -> Iterator[str]:
    """What was looked for, of tool calls with their arguments as JSON."""
    for line in trace:
        with suppress(ValueError):
            yield str(json.loads(line.partition(" ")[2].rpartition(" → ")[0]).get("query", ""))


def _run(text: str) -> str:
    """A text's words, so that some in a row can be looked for."""
    return " ".join(["", *words(text), ""])


def words(text: str) -> list[str]:
    """A text's words, whatever stands between them."""
    return re.findall(r"\w+", text.casefold())
