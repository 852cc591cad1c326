"""Forgotten words leave the graph whole, and nothing that is written later brings them back."""

from datetime import UTC, datetime, timedelta

from assistant.graph.dump import canonical_dump
from assistant.graph.space import Space
from assistant.graph.writing.forget import (
    close_orders,
    due_orders,
    empty,
    order_forgetting,
    trail,
    words_of,
)
from assistant.graph.writing.talk import write_conversations
from assistant.graph.writing.tombstones import lift_tombstones, tombstone_id
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from assistant.model.times import micros

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def thread(*texts: str, root: str = "1.000001") -> Conversation:
    """A thread in which Ana says these texts."""
    name = f"slack:T1/C1/{root}"
    ana = Speaker("Ana Lindt", "ana@acme.example")
    said = tuple(Utterance(f"{name}/{n}.000001", ana, n, text) for n, text in enumerate(texts, 1))
    return Conversation(
        name, f"slack:rules/{root}", ConversationKind.THREAD, "C1", "rules", "", "public", 1, said, conclusion=texts[:1]
    )


def test_what_was_forgotten_is_in_no_property_and_no_import_brings_it_back(space: Space) -> None:
    talk = thread("Zanzibar it is.", "Fine by me.")
    write_conversations(space.graph, [talk], 1)
    order_forgetting(space.graph, ["slack:T1/C1/1.000001/1.000001"], (), "ana", "own words", NOON)
    [order] = due_orders(space.reader)
    assert words_of(space.reader, order.utterances) == ["Zanzibar it is."]
    empty(space.graph, order.utterances, [], 2)
    close_orders(space.graph, [order], NOON)
    for again in (talk, thread("Zanzibar it is.", "Fine by me.", root="1.000000")):
        write_conversations(space.graph, [again], 3)
        dump = "\n".join(canonical_dump(space.reader))
        assert "zanzibar" not in dump.casefold()
        assert "Fine by me." in dump
    assert due_orders(space.reader) == []
    assert [(row.by, row.about, row.count, row.due) for row in trail(space.reader)] == [("ana", "own words", 1, False)]


def test_a_conversation_of_which_all_was_forgotten_is_not_written(space: Space) -> None:
    order_forgetting(space.graph, ["slack:T1/C1/1.000001/1.000001"], (), "ana", "own words", NOON)
    write_conversations(space.graph, [thread("Zanzibar it is.")], 1)
    assert "Conversation" not in "\n".join(canonical_dump(space.reader))


def test_an_admin_can_lift_the_tombstones_of_a_conversation(space: Space) -> None:
    name = "slack:T1/C1/1.000001"
    order_forgetting(space.graph, [f"{name}/1.000001"], (), "command line", "a conversation", NOON)
    assert lift_tombstones(space.graph, name) == ["slack:T1/C1/1.000001"]
    write_conversations(space.graph, [thread("Zanzibar it is.")], 1)
    assert words_of(space.reader, [f"{name}/1.000001"]) == ["Zanzibar it is."]


def test_a_message_has_one_tombstone_whatever_it_is_cut_into() -> None:
    assert tombstone_id("slack:T1/C1/1.0/2.0") == tombstone_id("slack:T1/C1/2.0/2.0") == "slack:T1/C1/2.0"
    assert tombstone_id("zoom:weekly/7") == "zoom:weekly/7"


WORDS = "Zanzibar it is, from May on."
LATER = NOON + timedelta(hours=1)


def said(text: str = WORDS, name: str = "slack:T1/C1/9.000001") -> Utterance:
    """Somebody said it at noon; what is in the graph of it."""
    return Utterance(name, Speaker("Ana Lindt", "ana@acme.example"), micros(NOON), text)


def talk(space: Space, one: Utterance, audience: str = "public") -> str:
    """It stands in the graph; its id."""
    kind = ConversationKind.MAIN_LINE
    home = Conversation(f"of {one.id}", f"of {one.id}", kind, "C1", "rules", "", audience, one.at, (one,))
    write_conversations(space.graph, [home], 1)
    return one.id
