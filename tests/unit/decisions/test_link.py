"""Linking by what a diff shows: values and words that come and go, in sentences about the same thing, and rows."""

from itertools import count

import pytest

from assistant.decisions.link import Weighed, carried_out, weigh, weights
from assistant.decisions.marks import read_value, spoken_marks
from assistant.decisions.rows import moved_rows
from assistant.decisions.shown import Edit, edits
from assistant.decisions.sought import sought
from assistant.graph.reading.commits import CommitRow
from assistant.graph.reading.linking import Changed
from assistant.model.conversations import Conversation, ConversationKind, Speaker, Utterance
from assistant.model.decisions import Extracted
from assistant.text.words import search_tokens

DAY = 86_400_000_000
AT = 1_600_000_000_000_000
OLD = "New people may spend up to $1,000 on their desk setup. Lunch is at noon."
NEW = "New people may spend up to $1,500 on their desk setup. Lunch is at noon."
numbers = count()


def change(before: str, after: str, *, days: int = 6, subject: str = "Edit", path: str = "desk.md") -> Changed:
    sha = f"{next(numbers):040x}"
    commit = CommitRow(sha, "git", "Ada Example", AT + days * DAY, subject, "12")
    tokens = frozenset(search_tokens(after or before))
    return Changed(
        commit, "ada@example.com", subject, "modified", sha, "l", path, "Desk", ("Desk setup",), before, after, tokens
    )


def talk(*said: str, kind: ConversationKind = ConversationKind.THREAD, title: str = "") -> Conversation:
    utterances = tuple(Utterance(f"t/{n}", Speaker("Bo Member", "bo"), AT + n, text) for n, text in enumerate(said))
    return Conversation("t", "t", kind, "c", "c", title, "public", AT, utterances)


def decision(one: Conversation, new: str | None, old: str | None = None, statement: str = "") -> Extracted:
    last = one.utterances[-1]
    return Extracted(one.id, statement or last.text, last.id, last.text, (), "Bo", "bo", AT, old, new, "")


def linked(one: Conversation, new: str | None, *changes: Changed, old: str | None = None) -> list[Weighed]:
    wanted = sought(decision(one, new, old), one)
    words = wanted.words(80)
    counts = [sum(word in each.tokens for each in changes) for word in words]
    return carried_out(weigh(wanted, weights(wanted, words, 400, counts), changes))


DESK = talk(
    "The $1,000 for the desk setup no longer covers a desk and a chair for new people.",
    "Fifteen hundred, then? People spend that anyway.",
    "Ok, new people may spend fifteen hundred on their desk setup instead of a thousand.",
)


def test_a_commit_that_brings_the_decided_value_is_linked_with_its_evidence() -> None:
    [one] = linked(DESK, "fifteen hundred", change(OLD, NEW), old="a thousand")
    evidence = one.evidence()
    assert evidence.added[1] == "New people may spend up to $1,500 on their desk setup."
    assert evidence.removed[1] == "New people may spend up to $1,000 on their desk setup."
    assert not evidence.author_spoke and evidence.reference is None


def test_same_page_and_topic_without_the_value_is_no_evidence() -> None:
    other = "New people may spend up to $1,000 on their desk setup, chair included. Lunch is at noon."
    assert linked(DESK, "fifteen hundred", change(OLD, other)) == []


def test_the_value_about_something_else_is_no_evidence() -> None:
    before, after = "The sales team sponsors two fairs.", "The sales team sponsors fairs for $1,500 a year."
    assert linked(DESK, "fifteen hundred", change(before, after, path="fairs.md")) == []


def test_a_value_that_stood_there_before_is_no_evidence() -> None:
    after = NEW.replace("Lunch is at noon.", "Lunch is at one.")
    assert linked(DESK, "fifteen hundred", change(NEW, after)) == []


def test_the_old_value_replaced_by_another_than_the_decided_one_is_no_evidence() -> None:
    after = OLD.replace("$1,000", "$1,750")
    assert linked(DESK, "fifteen hundred", change(OLD, after), old="a thousand") == []


def test_of_two_commits_that_show_it_the_one_nearer_to_the_decision_comes_first() -> None:
    late, soon = change(OLD, NEW, days=60), change(OLD, NEW, days=4)
    first, second = linked(DESK, "fifteen hundred", late, soon, old="a thousand")
    assert (first.change, second.change) == (soon, late)


def test_beside_a_commit_that_shows_the_value_one_that_shows_other_words_of_it_is_not_taken() -> None:
    other = OLD.replace("on their desk setup", "on the setup of a desk and a chair")
    assert [one.change.after for one in linked(DESK, "fifteen hundred", change(OLD, other), change(OLD, NEW))] == [NEW]


def test_a_request_named_in_the_talk_is_kept_as_reference() -> None:
    named = talk(
        *(said.text for said in DESK.utterances), "Good, it is in #12 already, fifteen hundred for the desk setup"
    )
    [one] = linked(named, "fifteen hundred", change(OLD, NEW), old="a thousand")
    assert one.evidence().reference == "#12"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("five and a half thousand", "$5,500"),
        ("seventy two hours", "72 hours"),
        ("8:00", "8am"),
        ("the 22nd", "22nd"),
        ("2 weeks", "two weeks"),
        ("August 8", "2021-08-08"),
    ],
)
def test_values_are_the_same_however_they_are_written(said: str, written: str) -> None:
    assert read_value(said).held_by(spoken_marks(written))


def test_a_number_that_measures_something_else_is_not_the_value() -> None:
    one = talk("How long is a review cycle? Three weeks now.", "Let's make the review cycle two weeks.")
    before = "The review cycle takes managers three hours."
    assert linked(one, "two weeks", change(before, before.replace("three", "two"))) == []


def test_numbers_of_one_value_that_stand_here_and_there_are_not_the_value() -> None:
    one = talk(
        "How many people may have the same focus day on the schedule? Three to four now.",
        "Let's make it two to three people with the same focus day on the schedule.",
    )
    before = "| Bo, focus day on the schedule | 1pm to 9pm | from 3pm | people of team 4 |"
    after = "| Bo, focus day on the schedule | 2pm to 9pm | from 4pm | people of team 3 |"
    assert not any(found.clear for found in linked(one, "two to three", change(before, after), old="three to four"))
    note = "People with the same focus day on the schedule are 3–4."
    assert linked(one, "two to three", change(note, note.replace("3–4", "2-3")), old="three to four")[0].clear


@pytest.mark.parametrize(
    ("said", "before", "after"),
    [
        (
            "one month",
            "Rotations of the support schedule are 8 weeks.",
            "Rotations of the support schedule are 4 weeks.",
        ),
        ("half an hour", "The first support interview is 45 min.", "The first support interview is 30 min."),
        ("a month", "Support leave comes in 1-week blocks.", "Support leave comes in 1-month blocks."),
    ],
)
def test_a_length_of_time_in_other_units_is_the_value(said: str, before: str, after: str) -> None:
    one = talk(f"How shall we write it? {before}", f"Let's make that {said}, for all: {before.split(' is ')[0]}")
    [found] = linked(one, said, change(before, after))
    assert found.clear


def test_a_day_that_is_put_off_by_as_much_as_was_said_is_linked() -> None:
    one = talk(
        "Can support of all new customers start on August 1, 2021 by the support team?",
        "No, support of new customers by the team starts a week later than planned.",
    )
    before = "From 2021-08-01 the support team starts support of new customers."
    [found] = linked(one, None, change(before, before.replace("08-01", "08-08")))
    assert found.clear and found.evidence().added[0] == "2021-08-08"
    assert linked(one, None, change(before, before.replace("08-01", "08-19"))) == []


def test_edits_pair_each_new_sentence_with_the_one_it_comes_from() -> None:
    assert edits(OLD, NEW) == (
        Edit(
            "New people may spend up to $1,000 on their desk setup.",
            "New people may spend up to $1,500 on their desk setup.",
        ),
    )
    assert edits("1. Post it.\n2. Read it.", "1. Write it.\n2. Post it.\n3. Read it.") == (Edit("", "Write it."),)


def test_a_row_that_moves_to_the_table_of_the_decided_stage_is_linked() -> None:
    one = talk(
        "Bo asks for stage 3.", "Stage 3 acceptance", kind=ConversationKind.MINUTES, title="Array sets for stage 3"
    )
    table = "## Stage 3\n\n| Proposal | Champion |\n| --- | --- |\n| [Records][r] | Cy |\n"
    moved = Changed(
        CommitRow("a" * 40, "git", "Cy", AT + DAY, "Array sets to stage 3, per 2020.09.13", None),
        *("", "", "modified", "s", "l", "README.md", "Proposals", ("Stage 3",)),
        *(table, table + "| [Array sets][sets] | Bo |\n", frozenset()),
    )
    [row] = moved_rows(decision(one, "Stage 3", statement="Array sets: Stage 3 acceptance"), one, [moved])
    assert row.evidence().added == ("Stage 3", "| [Array sets][sets] | Bo |")
    assert moved_rows(decision(one, "Stage 2", statement="Array sets: Stage 2"), one, [moved]) == []
    assert moved_rows(decision(one, None), one, [moved]) == []


def test_a_row_that_moves_months_later_is_linked_only_where_the_commit_names_the_day() -> None:
    one = talk("Bo asks for stage 3.", "Stage 3 acceptance", kind=ConversationKind.MINUTES, title="Array sets")
    settled = decision(one, "Stage 3", statement="Array sets: Stage 3 acceptance")
    table = "## Stage 3\n\n| Proposal | Champion |\n| --- | --- |\n"

    def moved(days: int, subject: str) -> Changed:
        commit = CommitRow("a" * 40, "git", "Cy", AT + days * DAY, subject, None)
        return Changed(
            *(commit, "", "", "modified", "s", "l", "README.md", "Proposals", ("Stage 3",)),
            *(table, table + "| [Array sets][sets] | Bo |\n", frozenset()),
        )

    assert moved_rows(settled, one, [moved(100, "Array sets to stage 3")]) == []
    assert moved_rows(settled, one, [moved(20, "Array sets to stage 3")])
    assert moved_rows(settled, one, [moved(100, "Array sets to stage 3, per 2020.09.13")])
