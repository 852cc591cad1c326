"""Answers that show what a message said before it was edited or taken away: they are taken back with our posts of them.

Two words or signs that stood side by side in a message, and in no place of it any more, tell an answer that shows what
it said: "> 10" is no more "< 10" than "ten" is "two".
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from assistant.graph import posts
from assistant.graph.answers import withdraw
from assistant.graph.store import Graph, Query, Reader
from assistant.graph.writing.forget import answers_citing, decisions_on, hide_decisions, order_forgetting
from assistant.graph.writing.tombstones import parts

OLD = Query(
    "edited.old",
    "UNWIND $ids AS id MATCH (u:Utterance {id: id}) WHERE u.text <> '' RETURN u.id AS id, u.text AS text",
)
SHOWN = Query(
    "edited.shown",
    "UNWIND $ids AS id MATCH (a:Answer {id: id}) RETURN a.id AS id, a.text AS text, a.body AS body",
)
EDITED = "an edited message"
WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")

Pairs = set[tuple[str, str]]


def lost_words(reader: Reader, now: Mapping[str, str]) -> dict[str, Pairs]:
    """Of the utterances, as they read `now`, those that the graph has in words that are lost, with what of these."""
    lost: dict[str, Pairs] = {}
    for part in parts(list(now)):
        for row in reader.rows(OLD, ids=part):
            if gone := pairs(row["text"]) - pairs(now[row["id"]]):
                lost[row["id"]] = gone
    return lost


def pairs(text: str) -> Pairs:
    """Words and signs that stand side by side; one that is alone counts as beginning and end."""
    found = WORD_OR_SIGN.findall(text.casefold())
    return set(pairwise(found)) if len(found) > 1 else {(one, "") for one in found}


def take_back_shown(graph: Graph, lost: Mapping[str, Pairs]) -> None:
    """Takes back the answers that rest on these utterances and show any of the lost words. Can be repeated."""
    if not lost:
        return
    resting = [one.id for one in decisions_on(graph, list(lost))]
    gone = set[tuple[str, str]]().union(*lost.values())
    citing = graph.rows(SHOWN, ids=answers_citing(graph, list(lost), resting))
    take_back(graph, [row["id"] for row in citing if any(gone & pairs(one) for one in shown(row))], EDITED)


def take_back(graph: Graph, answers: Sequence[str], about: str) -> None:
    """Takes the words out of answers, and has our posts of them cleared and what else holds them forgotten soon."""
    if answers:
        posts.call_in(graph, posts.posts_showing(graph, list(answers)))
        order_forgetting(graph, (), answers, "", about, datetime.now(UTC))
        withdraw(graph, answers)


def hide_resting(graph: Graph, lost: Mapping[str, Pairs]) -> None:
    """Nobody sees the decisions that rest on edited utterances until these have been read for decisions again."""
    if lost:
        hide_decisions(graph, [one.id for one in decisions_on(graph, list(lost))])


def shown(row: Mapping[str, str]) -> Iterator[str]:
    """All texts of an answer's row: as it was told, and in its body, which is JSON."""
    yield row["text"]
    yield from strings(json.loads(row["body"]) if row["body"] else ())


def strings(value: Any) -> Iterator[str]:
    """All texts in what JSON holds."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from strings(one)
        case dict():
            for one in value.values():
                yield from strings(one)
