"""Reading what is new judges the answers given before: each by each commit, in order, also after a run that died."""

from pathlib import Path

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.answers import AskedQuestion, Status
from assistant.model.audiences import Place, Viewer
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
