"""Forgotten words leave the graph whole, and nothing that is written later brings them back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.graph.answers import Given, save_answer
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
from assistant.graph.writing.repeating import answers_repeating, said_in
from assistant.graph.writing.talk import write_conversations
from assistant.graph.writing.tombstones import lift_tombstones, tombstone_id
from assistant.model.answers import Answer, Status
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from assistant.model.times import micros
from tests.fakes.handbook import Handbook

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


def asked(space: Space, question: str, at: datetime = LATER, audience: str = "public") -> None:
    """A question that we had no answer to."""
    answer = Answer(answer_id="a1", status=Status.REFUSED, text="I found nothing.", trace_id="a1", seconds=0.1)
    save_answer(space.graph, Given(answer, question, at, audience, None, (), {}))


def talk(space: Space, one: Utterance, audience: str = "public") -> str:
    """It stands in the graph; its id."""
    kind = ConversationKind.MAIN_LINE
    home = Conversation(f"of {one.id}", f"of {one.id}", kind, "C1", "rules", "", audience, one.at, (one,))
    write_conversations(space.graph, [home], 1)
    return one.id


def repeating(space: Space, *names: str) -> list[str]:
    return answers_repeating(space.reader, said_in(space.reader, names), names)


@pytest.mark.parametrize(
    ("question", "repeats"),
    [
        ("Did she say “*Zanzibar* it is, from\nMay on”?", True),
        ("zanzibar it is from may on", True),
        ("Zanzibar it is, from June on", False),
        ("Is it Zanzibar?", False),
    ],
)
def test_who_repeats_a_message_word_for_word_is_found(space: Space, question: str, repeats: bool) -> None:
    asked(space, question)
    names = [talk(space, said(text, name=f"slack:T1/C1/{n}.0")) for n, text in enumerate(("ok", "Another one.", WORDS))]
    assert repeating(space, *names) == (["a1"] if repeats else [])


@pytest.mark.parametrize(
    ("seen_by", "audience", "at", "repeats"),
    [
        ("public", "channel:C9", LATER, True),
        ("channel:C1", "channel:C1", LATER, True),
        ("channel:C1", "person:U1", LATER, True),
        ("channel:C1", "public", LATER, True),
        ("channel:C1", "channel:C9", LATER, False),
        ("public", "public", NOON - timedelta(seconds=1), False),
    ],
)
def test_only_who_may_have_read_a_message_repeats_it(
    space: Space, seen_by: str, audience: str, at: datetime, repeats: bool
) -> None:
    asked(space, WORDS, at, audience)
    assert repeating(space, talk(space, said(), seen_by)) == (["a1"] if repeats else [])


def test_words_that_stand_in_what_is_not_forgotten_are_nobodys_alone(space: Space, tmp_path: Path) -> None:
    """Else anybody could take back anybody's answer: say what it quotes, and delete it."""
    asked(space, "Does it still say “Zanzibar it is, from May on” there?")
    mine, other = talk(space, said()), talk(space, said(f"As told: {WORDS.upper()}", name="slack:T1/C1/10.0"))
    assert repeating(space, mine) == []
    assert repeating(space, mine, other) == ["a1"]
    order_forgetting(space.graph, [other], (), "ana", "own words", NOON)
    assert repeating(space, mine) == ["a1"], "nobody sees the other any more"
    book = Handbook(space, tmp_path)
    book.commit({"handbook/where.md": "# Where\n\nOften asked: **Zanzibar** it is, from May on. Bring a hat.\n"})
    book.ingest()
    assert repeating(space, mine) == []
    book.commit({"handbook/where.md": "# Where\n\nAnywhere.\n"})
    book.ingest()
    assert repeating(space, mine) == [], "what a section said once can still be asked about"
