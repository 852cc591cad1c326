"""Answers and questions that repeat somebody's message word for word without citing it."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from assistant.graph.store import Query, Reader

PAGE = 1000
"""Answers of one read."""

LONG_ENOUGH = 16
"""Characters of a message from which on the same words elsewhere are held to be a copy of it and no accident."""

BEGINNING = 3
"""Words by which a copy is looked for; then all of them are compared."""

ALL = Query(
    "repeating.all",
    "MATCH (a:Answer) RETURN a.id AS id, a.question AS question, a.text AS text, a.body AS body "
    "SKIP $skip LIMIT $limit",
    scans="words may be repeated in any question or answer; asked only when somebody's message is forgotten",
)


def answers_repeating(reader: Reader, texts: Sequence[str]) -> list[str]:
    """Ids of the answers that repeat one of the longer texts, in what was asked, told or quoted.

    Every answer is read: 10,000 of 350 words take some two seconds, however many texts there are.
    """
    wanted: dict[tuple[str, ...], list[list[str]]] = {}
    for text in texts:
        if len(text) >= LONG_ENOUGH and (found := words(text)):
            wanted.setdefault(tuple(found[:BEGINNING]), []).append(found)
    if not wanted:
        return []
    first = {beginning[0] for beginning in wanted}
    return [row["id"] for row in _pages(reader) if any(_repeats(words(one), first, wanted) for one in strings(row))]


def words(text: str) -> list[str]:
    """A text's words, whatever stands between them."""
    return re.findall(r"\w+", text.casefold())


def _repeats(said: Sequence[str], first: set[str], wanted: dict[tuple[str, ...], list[list[str]]]) -> bool:
    for at in (at for at, word in enumerate(said) if word in first):
        for length in range(1, BEGINNING + 1):
            for one in wanted.get(tuple(said[at : at + length]), ()):
                if said[at : at + len(one)] == one:
                    return True
    return False


def _pages(reader: Reader) -> Iterator[dict[str, Any]]:
    skip = 0
    while rows := reader.rows(ALL, skip=skip, limit=PAGE):
        yield from rows
        skip += len(rows)


def strings(value: Any) -> Iterator[str]:
    """All texts in an answer's row of id, question, text and body, which is JSON."""
    match value:
        case {"body": str(body), "question": str(question), "text": str(text)}:
            yield from (question, text)
            yield from strings(json.loads(body) if body else ())
        case str():
            yield value
        case list():
            for one in value:
                yield from strings(one)
        case dict():
            for one in value.values():
                yield from strings(one)
