"""Answers and questions that repeat somebody's message word for word without citing it."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from assistant.graph.answers import ALONE
from assistant.graph.store import Query, Reader
from assistant.model.audiences import PUBLIC
from assistant.text.plain import plain
from assistant.text.words import content_tokens

PAGE = 1000
"""Answers of one read."""

LONG_ENOUGH = 16
"""Characters of a message from which on the same words elsewhere are held to be a copy of it and no accident."""

BEGINNING = 3
"""Words by which a copy is looked for; then all of them are compared."""

SOME = 2
"""Words of a question from which on the same words in what was looked for are held to come from it."""

RARE = 8
"""Search words by which other places with the same words are looked for, the longest; then all words are compared."""

SEEN = 500
"""Such places that are compared."""

ALL = Query(
    "repeating.all",
    "MATCH (a:Answer) RETURN a.id AS id, a.question AS question, a.text AS text, a.body AS body, a.at AS at, "
    "a.audience AS audience SKIP $skip LIMIT $limit",
    scans="words may be repeated in any question or answer; asked only when somebody's message is forgotten",
)
SAID = Query(
    "repeating.said",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WHERE u.text <> '' WITH u MATCH (c:Conversation "
    "{id: u.conversation}) RETURN u.text AS text, u.at AS at, c.audience AS audience",
)
WRITTEN = Query(
    "repeating.written",
    "CALL db.idx.fulltext.queryNodes('Section', $term) YIELD node AS s RETURN s.text AS text LIMIT $limit",
)
OTHERS = Query(
    "repeating.others",
    "CALL db.idx.fulltext.queryNodes('Utterance', $term) YIELD node AS u WITH u WHERE u.audience <> '' "
    "AND NOT u.id IN $ids RETURN u.text AS text LIMIT $limit",
)


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


@dataclass(frozen=True, slots=True)
class Said:
    """A message that is to be forgotten."""

    text: str
    at: int
    """Microseconds since 1970."""
    audience: str

    def may_be_known_to(self, audience: str, at: int) -> bool:
        """Whether who asked or was answered then, with these people reading along, may have had the words from it."""
        seen = PUBLIC in (audience, self.audience) or audience == self.audience or audience.startswith(ALONE)
        return seen and at >= self.at


Wanted = dict[tuple[str, ...], list[tuple[list[str], Said]]]


def said_in(reader: Reader, utterances: Sequence[str]) -> list[Said]:
    """What of the utterances is still there."""
    return [Said(**row) for row in reader.rows(SAID, ids=list(utterances))]


def answers_repeating(reader: Reader, said: Sequence[Said], forgotten: Sequence[str]) -> list[str]:
    """Ids of the answers that repeat a longer message, in what was asked, told or quoted, and may have it from there.

    Words that the handbook has, or had, or that stand in a message that is not `forgotten`, are nobody's alone: they
    are spared. Every answer is read: 10,000 of 350 words take some two seconds, however many messages there are.
    """
    wanted: Wanted = {}
    for one in said:
        if len(one.text) >= LONG_ENOUGH and (found := words(one.text)):
            wanted.setdefault(tuple(found[:BEGINNING]), []).append((found, one))
    if not wanted:
        return []
    first = {beginning[0] for beginning in wanted}
    repeated: dict[str, set[Said]] = {}
    for row in _pages(reader):
        copied = {one for text in strings(row) for one in _repeated(words(text), first, wanted)}
        if copied := {one for one in copied if one.may_be_known_to(row["audience"], row["at"])}:
            repeated[row["id"]] = copied
    spared = {one for one in set().union(*repeated.values()) if stands_elsewhere(reader, one.text, forgotten)}
    return [name for name, copied in repeated.items() if copied - spared]


def stands_elsewhere(reader: Reader, text: str, forgotten: Sequence[str]) -> bool:
    """Whether the same words stand in any version of a section, or in a message that is not forgotten."""
    rare = sorted(set(content_tokens(text)), key=lambda token: (-len(token), token))[:RARE]
    if not rare:
        return False
    asked = {"term": f"@tokens:({' '.join(rare)})", "limit": SEEN}
    rows = [*reader.rows(WRITTEN, **asked), *reader.rows(OTHERS, ids=list(forgotten), **asked)]
    said = _run(text)
    return any(said in _run(other) for row in rows for other in (row["text"], plain(row["text"])))


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


def _repeated(said: Sequence[str], first: set[str], wanted: Wanted) -> Iterator[Said]:
    for at in (at for at, word in enumerate(said) if word in first):
        for length in range(1, BEGINNING + 1):
            for found, one in wanted.get(tuple(said[at : at + length]), ()):
                if said[at : at + len(found)] == found:
                    yield one


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
