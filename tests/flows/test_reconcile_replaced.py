"""Decisions that replace others, found as talk comes in: the same as all at once, and again where that was lost."""

import random

import pytest

from assistant.graph import schema
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.graph.writing.deciding import stored_decisions
from assistant.graph.writing.talk import write_conversations
from assistant.graph.writing.writer import sole_writer
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from tests.fakes.graphs import drop
from workers.reconcile import reconcile

AT = 1_600_000_000_000_000
DAY = 86_400_000_000
THINGS = ("notice for visitors at the reception", "budget of a desk setup", "trial before a seat is billed")
LOSE = Query("test_replaced.lose", "MATCH (d:Decision)-[e:SUPERSEDES]->(o) DELETE e")


def settled(number: int) -> Conversation:
    """A talk of a day of its own that sets a value for one of a few things."""
    text = f"Decided: the {THINGS[number % 3]} is {number + 3} days from next week on."
    said = (Utterance(f"t{number}/0", Speaker("Ada Byron", None), AT + number * DAY, text),)
    return Conversation(f"t{number}", "t", ConversationKind.THREAD, "C1", "rules", "", "public", said[0].at, said)


def say(space: Space, talks: list[Conversation]) -> None:
    with sole_writer(space.graph) as revision:
        write_conversations(space.graph, talks, revision)
    reconcile(space, days=14)


def held(space: Space) -> set[tuple[str, str]]:
    return {(one.id, other) for one in stored_decisions(space.reader) for other in one.superseded}


@pytest.mark.parametrize("seed", range(3))
def test_one_after_another_in_any_order_gives_what_all_at_once_does(space: Space, seed: int) -> None:
    talks = [settled(number) for number in range(9)]
    say(space, talks)
    whole = held(space)
    assert len(whole) >= 6
    drop(space.graph)
    schema.migrate(space.graph)
    schema.wait_ready(space.reader)
    for talk in random.Random(seed).sample(talks, len(talks)):
        say(space, [talk])
    assert held(space) == whole


def test_what_was_lost_is_found_again_though_nothing_else_changed(space: Space) -> None:
    say(space, [settled(number) for number in range(6)])
    whole = held(space)
    assert whole
    space.graph.write(LOSE)
    reconcile(space, days=14)
    assert held(space) == whole
