"""Reading what is new judges the answers given before: each by each commit, in order, also after a run that died."""

from pathlib import Path

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.answers import AskedQuestion, Status
from assistant.model.audiences import Place, Viewer
from assistant.staleness.refresh import refresh
from assistant.staleness.standing import standings
from tests.fakes.handbook import Handbook, page

JUDGED = Query("test_ingest_stale.judged", "MATCH (s:Source) RETURN s.judged AS at, s.head AS head")


@pytest.fixture
def handbook(space: Space, tmp_path: Path) -> Handbook:
    handbook = Handbook(space, tmp_path)
    handbook.commit({"pay.md": page("On call: On-call pay is 350 EUR a week."), "CODEOWNERS": "* @ops"})
    handbook.ingest()
    answer = ask(AskedQuestion(text="What is the on-call pay?"), Viewer(), Place(), space, None, NOBODY)
    assert answer.status is Status.ANSWERED
    return handbook


def standing(handbook: Handbook) -> tuple[str, str | None]:
    [row] = standings(handbook.space)
    return row.status, row.invalidated_by


def test_an_answer_is_stale_as_soon_as_the_commit_that_broke_it_is_read(handbook: Handbook) -> None:
    broke = handbook.commit({"pay.md": page("On call: On-call pay is 400 EUR a week.")}, "Raise it (#7)")
    handbook.ingest()
    assert standing(handbook) == ("stale", handbook.history.sha(broke))


def test_words_that_came_beside_leave_it_to_a_person_until_the_rule_itself_changes(handbook: Handbook) -> None:
    pay = "On call: On-call pay is 350 EUR a week."
    doubt = handbook.commit({"pay.md": page(f"{pay} This does not apply to interns.")})
    handbook.commit({"pay.md": page(f"{pay} This does not apply to interns. Nor to guests.")})
    handbook.ingest()
    assert standing(handbook) == ("check", handbook.history.sha(doubt))
    broke = handbook.commit({"pay.md": page("On call: On-call pay is 400 EUR a week. This does not apply to interns.")})
    handbook.ingest()
    assert standing(handbook) == ("stale", handbook.history.sha(broke))


def test_what_is_in_doubt_is_so_no_more_once_it_is_answered_anew(handbook: Handbook) -> None:
    handbook.commit({"pay.md": page("On call: On-call pay is 350 EUR a week. This does not apply to interns.")})
    handbook.ingest()
    [row] = standings(handbook.space)
    anew = refresh(handbook.space, None, NOBODY, row.answer_id)
    assert [(one.answer_id, one.status) for one in standings(handbook.space)] == [
        (row.answer_id, "refreshed"),
        (anew.answer_id, "valid"),
    ]


def test_it_is_followed_through_harmless_commits_of_the_same_run_to_the_one_that_breaks_it(handbook: Handbook) -> None:
    handbook.commit({"pay.md": page("On call: On-call pay is **350 EUR** a week.")})
    handbook.commit({"pay.md": None, "money.md": page("On call: On-call pay is **350 EUR** a week.")})
    handbook.ingest()
    assert standing(handbook) == ("valid", None)
    handbook.commit({"money.md": page("On call: On-call pay is __350 EUR__ a week.")})
    broke = handbook.commit({"money.md": page("On call: On-call pay is 400 EUR a week.")})
    handbook.commit({"money.md": page("On call: On-call pay is 350 EUR a week.")})
    handbook.ingest()
    assert standing(handbook) == ("stale", handbook.history.sha(broke))


def test_what_a_run_that_died_left_unjudged_is_judged_by_the_next(handbook: Handbook) -> None:
    [before] = handbook.rows(JUDGED)
    broke = handbook.commit({"pay.md": page("On call: On-call pay is 400 EUR a week.")})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("workers.ingest.check_new", lambda *_: None)
        handbook.ingest()
    assert standing(handbook)[0] == "valid"
    handbook.ingest()
    assert standing(handbook) == ("stale", handbook.history.sha(broke))
    [after] = handbook.rows(JUDGED)
    assert before["at"] == before["head"] < after["at"] == after["head"]
