"""Marks of people on messages: events that stay, the newest that stands counts, and decisions follow them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assistant.access import scope_along
from assistant.decisions.extract.values import change
from assistant.decisions.flagged import with_flags
from assistant.graph.flags import (
    Flag,
    FlagKind,
    decisions_resting_on,
    empty_flags,
    find_flag,
    flags_by,
    flags_on,
    message_key,
    note_told,
    said_at,
    save_flag,
    standing_flags,
    told_about,
    undo_flag,
)
from assistant.graph.reading.decisions import DecisionRow, all_decisions
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.graph.writing.talk import forget_deleted
from assistant.graph.writing.writer import sole_writer
from assistant.model.conversations import Conversation, ConversationKind, Reaction, Speaker, Utterance
from assistant.model.decisions import DecisionStatus, Extracted
from tests.flows.test_reconcile import RAISED, UNWRITTEN, say, thread
from workers.reconcile import reconcile

NOW = datetime(2026, 11, 30, 21, tzinfo=UTC)
STATEMENT = "Visitors are announced to the reception 5 working days ahead."


def mark(talk: Conversation, number: int, kind: FlagKind = FlagKind.RULE, **more: object) -> Flag:
    """A mark of Ana's on a message of a conversation."""
    said = talk.utterances[number]
    given = {"id": f"f{number}{kind.value}", "statement": STATEMENT if kind is FlagKind.RULE else "", "at": 1} | more
    return Flag(
        kind=kind,
        message=message_key(talk.place, said.id),
        utterance=said.id,
        said_at=said.at,
        decider=None,
        decider_name="Ben Ode",
        section=None,
        by="U01ANA",
        by_name="Ana Lindt",
        audience=talk.audience,
        **given,  # type: ignore[arg-type]
    )


def marked(space: Space, flag: Flag) -> None:
    """The mark is kept, and the conversation read again."""
    save_flag(space.graph, flag)
    reconcile(space, days=14)


def decisions(space: Space, *audiences: str) -> list[DecisionRow]:
    return all_decisions(space.reader, scope_along(audiences, heads(space.reader)))


def test_what_is_marked_as_a_rule_is_a_decision_in_the_words_of_who_marked_it(space: Space) -> None:
    chat = thread("chat", 5, "The lift is slow today.", "People from upstairs take the stairs before nine, as ever.")
    say(space, chat)
    reconcile(space, days=14)
    assert decisions(space) == []
    marked(space, mark(chat, 1, statement="People from upstairs take the stairs before 9:00."))
    [row] = decisions(space)
    assert row.statement == "People from upstairs take the stairs before 9:00."
    assert (row.quote, row.quote_speaker) == (chat.utterances[1].text, "Grace Hopper")
    assert (row.decided_by, row.origin, row.utterance) == (
        *("Ben Ode (says Ana Lindt)", "flagged by Ana Lindt", "chat/1"),
    )
    assert row.status is DecisionStatus.PENDING


def test_a_found_decision_keeps_its_id_and_takes_statement_decider_and_value_of_the_mark(space: Space) -> None:
    say(space, UNWRITTEN)
    reconcile(space, days=14)
    [before] = decisions(space)
    marked(space, mark(UNWRITTEN, 1))
    [after] = decisions(space)
    assert (after.id, after.quote, after.reasons) == (before.id, before.quote, before.reasons)
    assert (after.statement, after.decided_by, after.new_value) == (
        *(STATEMENT, "Ben Ode (says Ana Lindt)", "5 working days"),
    )


GRACE, BEN = Speaker("Grace Hopper", "grace@x.io"), Speaker("Ben Ode", "ben@x.io")
ASKED = "May a team have a boat?"


@pytest.mark.parametrize(
    ("said", "kind", "more", "stands_by"),
    [
        (Utterance("c/0", GRACE, 5, ASKED), "thread", {}, False),
        (Utterance("c/0", GRACE, 5, ASKED), "thread", {"vouched": True}, True),
        (Utterance("c/0", BEN, 5, ASKED), "main_line", {}, True),
        (Utterance("c/0", GRACE, 5, ASKED, reactions=(Reaction("+1", (BEN,)),)), "main_line", {}, True),
        (Utterance("c/0", GRACE, 5, ASKED, reactions=(Reaction("x", (BEN,)),)), "main_line", {}, False),
        (Utterance("c/0", GRACE, 5, ASKED, reactions=(Reaction("+1", (GRACE,)),)), "thread", {}, False),
    ],
)
def test_who_decided_is_only_told_as_true_where_they_stood_by_it(
    said: Utterance, kind: str, more: dict[str, bool], stands_by: bool
) -> None:
    """Anybody may name anybody, in words and numbers of their own: those of what was found first are not the mark's."""
    talk = Conversation("c", "c", ConversationKind(kind), "P", "rules", "", "public", 5, (said,))
    flag = replace(mark(talk, 0, statement="Every team gets 900 euros."), decider="ben@x.io", **more)
    guess = Extracted("c", "1 boat, not 2.", "c/0", ASKED, (), "Grace Hopper", "grace@x.io", 5, "2", "1", "boats")
    for found in ((), (guess,)):
        [one] = with_flags(talk, found, {flag.message: flag})
        assert (one.decided_by, one.decider) == (
            ("Ben Ode", "ben@x.io") if stands_by else ("Ben Ode (says Ana Lindt)", None)
        )
        assert (one.old_value, one.new_value) == (change(flag.statement).old, change(flag.statement).new)


@pytest.mark.parametrize(
    ("kind", "at", "stands_by"), [("thread", 6, True), ("thread", 4, False), ("main_line", 6, False)]
)
def test_who_agreed_in_the_thread_of_what_was_marked_stood_by_it(kind: str, at: int, stands_by: bool) -> None:
    both = sorted([Utterance("c/0", GRACE, 5, ASKED), Utterance("c/1", BEN, at, "Agreed.")], key=lambda one: one.at)
    talk = Conversation("c", "c", ConversationKind(kind), "P", "rules", "", "public", 5, tuple(both))
    flag = replace(mark(talk, both.index(next(one for one in both if one.id == "c/0"))), decider="ben@x.io")
    [one] = with_flags(talk, (), {flag.message: flag})
    assert one.decider == ("ben@x.io" if stands_by else None)


@pytest.mark.parametrize(
    ("reply", "stands_by"),
    [
        ("Yes, from July on.", True),
        ("I agree, go ahead.", True),
        ("Approved.", True),
        ("👍", True),
        ("No! I never agreed to that.", False),
        ("I never agreed to that.", False),
        ("I don't agree with this.", False),
        ("That is not agreed.", False),
        ("Yes, but I did not decide that.", False),
        ("Who says that?", False),
        ("Agreed? By whom?", False),
        ("Haha, sure.", False),
        ("Good morning, all.", False),
        ("Let me look into it tomorrow.", False),
        ("Where did you get that from", False),
    ],
)
def test_only_a_reply_that_agrees_stands_by_what_was_marked(reply: str, stands_by: bool) -> None:
    both = (Utterance("c/0", GRACE, 5, ASKED), Utterance("c/1", BEN, 6, reply))
    talk = Conversation("c", "c", ConversationKind.THREAD, "P", "rules", "", "public", 5, both)
    flag = replace(mark(talk, 0), decider="ben@x.io")
    [one] = with_flags(talk, (), {flag.message: flag})
    assert one.decider == ("ben@x.io" if stands_by else None)


def test_no_decision_takes_it_away_until_it_is_taken_back(space: Space) -> None:
    say(space, RAISED, UNWRITTEN)
    reconcile(space, days=14)
    before = decisions(space)
    flag = mark(UNWRITTEN, 1, FlagKind.NO_DECISION)
    marked(space, flag)
    assert decisions(space) == before[:1]
    undo_flag(space.graph, flag.id, "U01ANA", NOW)
    undo_flag(space.graph, flag.id, "U02BEN", NOW)
    reconcile(space, days=14)
    assert decisions(space) == before
    kept = find_flag(space.reader, flag.id)
    assert kept and (kept.by, kept.at, kept.undone_by) == ("U01ANA", 1, "U01ANA")


def test_marks_survive_another_extraction_another_import_and_another_cut(space: Space) -> None:
    say(space, UNWRITTEN)
    marked(space, mark(UNWRITTEN, 1))
    reconcile(space, days=14, extractor=lambda _: (), by="nobody")
    assert [row.statement for row in decisions(space)] == [STATEMENT]
    longer = replace(UNWRITTEN, id="longer", shown_id="longer")
    said = tuple(replace(one, id=f"longer/{one.id.rpartition('/')[2]}") for one in UNWRITTEN.utterances)
    longer = replace(longer, utterances=said)
    with sole_writer(space.graph) as revision:
        forget_deleted(space.graph, [longer], frozenset({(UNWRITTEN.place, "")}), None, revision)
    say(space, longer)
    reconcile(space, days=14)
    assert [(row.statement, row.utterance) for row in decisions(space)] == [(STATEMENT, "longer/1")]


def test_the_newest_mark_that_stands_counts(space: Space) -> None:
    say(space, UNWRITTEN)
    first, second = mark(UNWRITTEN, 1), mark(UNWRITTEN, 1, FlagKind.NO_DECISION, at=2)
    marked(space, first)
    marked(space, second)
    assert decisions(space) == []
    assert [flag.id for flag in flags_on(space.reader, [first.message])] == [first.id, second.id]
    undo_flag(space.graph, second.id, "U01ANA", NOW)
    assert standing_flags(space.reader) == {first.message: first}


def test_keeping_a_mark_again_changes_nothing(space: Space) -> None:
    flag = mark(UNWRITTEN, 1)
    save_flag(space.graph, flag)
    undo_flag(space.graph, flag.id, "U02BEN", NOW)
    save_flag(space.graph, replace(flag, statement="Something else."))
    kept = find_flag(space.reader, flag.id)
    assert kept and (kept.statement, kept.undone_by) == (STATEMENT, "U02BEN")


def test_our_messages_about_it_are_remembered_once_each(space: Space) -> None:
    flag = mark(UNWRITTEN, 1)
    save_flag(space.graph, flag)
    for key in ("flag/1", "flag/1/owner/U2", "flag/1"):
        note_told(space.graph, flag.id, key)
    assert told_about(space.reader, flag.id) == ["flag/1", "flag/1/owner/U2"]
    assert told_about(space.reader, "none") == []


def test_forgotten_words_take_the_decision_with_them_but_not_the_author(space: Space) -> None:
    say(space, UNWRITTEN)
    flag = mark(UNWRITTEN, 1)
    marked(space, flag)
    empty_flags(space.graph, [flag.message])
    kept = find_flag(space.reader, flag.id)
    assert kept and (kept.statement, kept.decider_name, kept.by_name) == ("", "", "Ana Lindt")
    undo_flag(space.graph, flag.id, "U01ANA", NOW)
    reconcile(space, days=14, extractor=lambda _: ())
    assert decisions(space) == []


@pytest.mark.parametrize(("audiences", "count"), [((), 0), (("channel:C1",), 1), (("channel:C9",), 0)])
def test_ones_own_marks_are_seen_only_while_the_channel_is(
    space: Space, audiences: tuple[str, ...], count: int
) -> None:
    save_flag(space.graph, mark(replace(UNWRITTEN, audience="channel:C1"), 1))
    assert len(flags_by(space.reader, "U01ANA", ("public", *audiences), 10)) == count
    assert flags_by(space.reader, "U02BEN", ("public", *audiences), 10) == []


def test_a_message_is_found_by_channel_and_moment_and_its_decisions_within_the_scope(space: Space) -> None:
    secret = replace(UNWRITTEN, audience="channel:C1")
    say(space, secret, RAISED)
    reconcile(space, days=14)
    said = said_at(space.reader, "C1", secret.utterances[1].at)
    assert said and (said.id, said.text) == ("unwritten/1", secret.utterances[1].text)
    assert said_at(space.reader, "C2", secret.utterances[1].at) is None
    assert said_at(space.reader, "C1", secret.utterances[1].at + 1) is None
    seen = scope_along(("channel:C1",), {})
    assert [row.utterance for row in decisions_resting_on(space.reader, seen, said.id)] == ["unwritten/1"]
    assert decisions_resting_on(space.reader, scope_along((), {}), said.id) == []
