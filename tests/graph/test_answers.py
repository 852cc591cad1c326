"""Stored questions and answers: what they cite, given once an event, found by who asked, and what people thought."""

from pathlib import Path

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import answer_id, ask
from assistant.errors import UserFacing
from assistant.graph.answers import find_answer, recent_questions, record_feedback
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.answers import AskedQuestion, SectionCitation, Status
from assistant.model.audiences import Place, PlaceKind, Viewer
from tests.fakes.handbook import Handbook

CITES = Query(
    "test_answers.cites",
    "MATCH (a:Answer {id: $id}) WITH a MATCH (a)-[e:CITES]->(n) "
    "RETURN labels(n) AS labels, n.id AS id, e.claim AS claim, e.quote AS quote, e.holds AS holds ORDER BY labels, id",
)
COUNTS = Query(
    "test_answers.counts",
    "MATCH (a:Answer) WITH count(a) AS answers MATCH (q:Question) RETURN answers, count(q) AS questions",
)
FEEDBACK = Query(
    "test_answers.feedback",
    "MATCH (f:Feedback)-[o:ON]->(a:Answer) RETURN f.good AS good, f.reason AS reason, a.id AS id",
)
PERSON = Query(
    "test_answers.person",
    "MATCH (p:Person {id: $id}) RETURN p.name AS name, p.audience AS audience, p.source IS NULL AS asks_only",
)
ANA = Viewer("ana")
IN_C1 = Place(PlaceKind.CHANNEL, "C1")
QUESTION = AskedQuestion(text="How long is the trial?")


@pytest.fixture
def book(space: Space, tmp_path: Path) -> Handbook:
    book = Handbook(space, tmp_path)
    book.commit({"sales.md": "# Sales\n\n## Trial\n\nThe trial is 14 days long.\n"}, "Write it (#3)")
    book.ingest()
    return book


def test_edges_lead_to_the_exact_version_with_claim_quote_and_what_it_holds_for(book: Handbook) -> None:
    answer = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY)
    [version] = [row["id"] for row in book.versions("Trial")]
    commit, section = book.space.reader.rows(CITES, id=answer.answer_id)
    assert section == {
        "labels": ["Section"],
        "id": version,
        "claim": answer.claims[0].text,
        "quote": "The trial is 14 days long.",
        "holds": "now",
    }
    assert (commit["labels"], commit["quote"]) == (["Commit"], "Write it (#3)")


def test_one_event_is_answered_once(book: Handbook) -> None:
    first = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY, event="Ev1")
    book.commit({"sales.md": "# Sales\n\n## Trial\n\nThe trial is 30 days long.\n"})
    book.ingest()
    again = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY, event="Ev1")
    assert again == first
    assert first.answer_id == answer_id("Ev1")
    assert book.rows(COUNTS) == [{"answers": 1, "questions": 1}]
    other = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY, event="Ev2")
    assert "30 days" in other.text


def test_an_answer_comes_back_as_it_was_given(book: Handbook) -> None:
    answer = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY)
    known = find_answer(book.space.reader, answer.answer_id)
    assert known == answer
    assert isinstance(answer.citations[0], SectionCitation)
    assert find_answer(book.space.reader, "none") is None


def test_who_asked_finds_their_questions_latest_first(book: Handbook) -> None:
    ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY)
    ask(AskedQuestion(text="May I bring my dog?"), ANA, IN_C1, book.space, None, NOBODY)
    ask(QUESTION, Viewer("ben"), IN_C1, book.space, None, NOBODY)
    ask(QUESTION, Viewer(), Place(), book.space, None, NOBODY)
    asked = recent_questions(book.space.reader, "ana", 5)
    assert [(one.text, one.status) for one in asked] == [
        ("May I bring my dog?", Status.REFUSED),
        ("How long is the trial?", Status.ANSWERED),
    ]
    assert len(recent_questions(book.space.reader, "ana", 1)) == 1


def test_who_asks_before_they_write_gets_the_name_that_commits_give(book: Handbook) -> None:
    ask(QUESTION, Viewer("eve@example.com"), IN_C1, book.space, None, NOBODY)
    [eve] = book.space.reader.rows(PERSON, id="eve@example.com")
    assert eve == {"name": "eve@example.com", "audience": "channel:C1", "asks_only": True}
    book.commit({"b.md": "# B\n"}, author="Eve Example <Eve@example.com>")
    book.ingest()
    ask(QUESTION, Viewer("eve@example.com"), IN_C1, book.space, None, NOBODY)
    [eve] = book.space.reader.rows(PERSON, id="eve@example.com")
    assert eve == {"name": "Eve Example", "audience": "public", "asks_only": False}


def test_a_source_whose_only_commit_was_made_in_the_first_microsecond_can_be_asked(
    space: Space, tmp_path: Path
) -> None:
    book = Handbook(space, tmp_path)
    book.commit({"sales.md": "# Sales\n\n## Trial\n\nThe trial is 14 days long.\n"}, at=0)
    assert book.ingest().head == 0
    assert "14 days" in ask(QUESTION, ANA, IN_C1, space, None, NOBODY).text


def test_feedback_is_kept_once_a_person_with_the_reason(book: Handbook) -> None:
    answer = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY)
    assert record_feedback(book.space.graph, answer.answer_id, "ana", True, "")
    assert record_feedback(book.space.graph, answer.answer_id, "ana", False, "that was last year's")
    assert book.rows(FEEDBACK) == [{"good": False, "reason": "that was last year's", "id": answer.answer_id}]
    assert not record_feedback(book.space.graph, "none", "ana", True, "")


def test_a_late_click_leaves_the_reason_that_the_form_gave(book: Handbook) -> None:
    answer = ask(QUESTION, ANA, IN_C1, book.space, None, NOBODY)
    for good, reason in ((False, "too old"), (False, ""), (True, "")):
        record_feedback(book.space.graph, answer.answer_id, "ana", good, reason)
        expected = "too old" if not good else ""
        assert book.rows(FEEDBACK) == [{"good": good, "reason": expected, "id": answer.answer_id}]


def test_with_nothing_ingested_the_asker_is_told_what_to_do(space: Space) -> None:
    with pytest.raises(UserFacing, match="brain ingest git"):
        ask(QUESTION, ANA, IN_C1, space, None, NOBODY)


def test_what_is_private_is_answered_to_members_only_and_never_hinted_at(space: Space, tmp_path: Path) -> None:
    book = Handbook(space, tmp_path)
    book.commit({"CODEOWNERS": "* @board\n", "pay.md": "# Pay\n\n## Bonus\n\nThe bonus is 7 percent.\n"})
    book.ingest(audience="channel:C1")
    question = AskedQuestion(text="How high is the bonus?")

    class InC1:
        def channels_of(self, user: str) -> frozenset[str]:
            return frozenset({"C1"} if user == "ana" else ())

        def can_tell(self, user: str, channel: str | None) -> bool:
            return bool(user and (channel or user == "ana"))

    assert "7 percent" in ask(question, ANA, IN_C1, space, None, InC1()).text
    assert "7 percent" in ask(question, ANA, Place(PlaceKind.DM), space, None, InC1()).text
    for viewer, place in ((ANA, Place()), (Viewer("ben"), IN_C1), (Viewer(), Place(PlaceKind.DM))):
        told = ask(question, viewer, place, space, None, InC1())
        assert (told.status, told.owners, told.citations) == (Status.REFUSED, (), ())
        assert "7" not in told.text and "board" not in told.text
