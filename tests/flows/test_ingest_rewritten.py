"""Histories that were rewritten: what came from the old one is taken back, and what is left equals a fresh start."""

from pathlib import Path

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.errors import UserFacing
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, Viewer
from assistant.model.times import FOREVER
from assistant.settings import Settings
from assistant.staleness.check import check_commit
from assistant.staleness.standing import standings
from tests.fakes.handbook import REQUESTS, VERSIONS, Handbook, another_space, page

CITE = Query(
    "test_rewritten.cite",
    "MATCH (s:Section {id: $section}) MATCH (c:Commit {sha: $sha}) "
    "CREATE (a:Answer {id: 'a1', audience: 'public'}) CREATE (a)-[x:CITES]->(s) CREATE (a)-[y:CITES]->(c)",
)
CITED = Query(
    "test_rewritten.cited",
    "MATCH (a:Answer {id: 'a1'}) WITH a MATCH (a)-[x:CITES]->(n) "
    "RETURN labels(n) AS labels, n.text AS text, n.sha AS sha ORDER BY n.sha",
)


@pytest.fixture
def handbook(space: Space, tmp_path: Path) -> Handbook:
    """Four commits, all of them ingested."""
    handbook = Handbook(space, tmp_path)
    for days in (14, 21, 30, 45):
        handbook.commit(
            {
                "a.md": page(
                    f"Trial: A trial lasts {days} days for everyone.", "Other: Something that stays as it is."
                ),
                f"{days}.md": page(f"Only: A page that came with {days}."),
                "CODEOWNERS": f"* @team{days}",
            },
            f"Now {days} (#{days})",
            author=f"Author {days} <{days}@example.com>",
        )
    handbook.commit(
        {
            "a.md": None,
            "renamed.md": page("Trial: A trial lasts 45 days for everyone.", "Other: Something that stays as it is."),
        }
    )
    handbook.ingest()
    return handbook


def fresh(handbook: Handbook, settings: Settings, servers: Servers) -> list[str]:
    """What ingesting the repository as it is now gives in a new Space."""
    with another_space(settings, servers) as space:
        other = Handbook(space, handbook.folder / "fresh")
        other.ingest(path=handbook.history.folder)
        return other.dump()


def test_a_force_push_leaves_what_a_fresh_start_gives(
    handbook: Handbook, shared_settings: Settings, servers: Servers
) -> None:
    handbook.commit({"a.md": page("Trial: A trial lasts 99 days.")}, "Rewritten (#99)", parent=2)
    handbook.commit({"b.md": "# B\n"})
    report = handbook.ingest()
    assert (report.rewound, report.commits, report.cursor) == (True, 2, handbook.history.sha(7))
    assert [row["number"] for row in handbook.rows(REQUESTS)] == ["14", "21", "99"]
    assert handbook.dump() == fresh(handbook, shared_settings, servers)


def test_a_branch_that_was_set_back_takes_its_last_commits_back(
    handbook: Handbook, shared_settings: Settings, servers: Servers
) -> None:
    handbook.history.point("main", 3)
    assert handbook.ingest().rewound
    assert handbook.current()["a.md"].startswith("# Trial\n\nA trial lasts 30 days")
    assert handbook.dump() == fresh(handbook, shared_settings, servers)


def test_the_first_commit_rewritten_is_another_source(handbook: Handbook) -> None:
    handbook.commit({"a.md": page("Trial: Anew.")}, orphan=True)
    report = handbook.ingest()
    assert (report.rewound, report.commits) == (False, 1)


def test_what_an_answer_cites_stays_but_no_read_of_sections_sees_it(handbook: Handbook) -> None:
    lost = next(row for row in handbook.rows(VERSIONS) if "45 days" in row["text"] and row["path"] == "a.md")
    handbook.space.graph.write(CITE, section=lost["id"], sha=handbook.history.sha(4))
    handbook.commit({"a.md": page("Trial: A trial lasts 99 days.")}, parent=2)
    handbook.ingest()
    commit, section = handbook.rows(CITED)
    assert (commit["labels"], commit["sha"]) == (["Lost"], handbook.history.sha(4))
    assert (section["labels"], section["text"]) == (["Lost"], lost["text"])
    assert lost["id"] not in {row["id"] for row in handbook.rows(VERSIONS)}
    handbook.history.point("main", 5)
    handbook.ingest()
    assert lost["id"] in {row["id"] for row in handbook.rows(VERSIONS)}, "the old history may even come back"


def answered(handbook: Handbook) -> Answer:
    answer = ask(AskedQuestion(text="How long does a trial last?"), Viewer(), Place(), handbook.space, None, NOBODY)
    assert "days" in answer.text
    return answer


def told(handbook: Handbook) -> tuple[str, str | None, tuple[str, ...]]:
    """Of the one answer given: whether it holds, what broke it, who owns what it cites."""
    [row] = standings(handbook.space)
    return row.status, row.invalidated_by, row.owners


def test_an_answer_whose_words_the_new_history_has_too_goes_on_from_there(handbook: Handbook) -> None:
    answer = answered(handbook)
    same = page("Trial: A trial lasts 45 days for everyone.")
    rebased = handbook.commit({"a.md": None, "renamed.md": same, "CODEOWNERS": "* @new"}, "Again (#9)", parent=3)
    handbook.ingest()
    assert told(handbook) == ("valid", None, ("@new",))
    report = check_commit(handbook.space, handbook.history.sha(rebased))
    assert (report.invalidated, report.revalidated) == ((), (answer.answer_id,))
    handbook.ingest()
    changed = handbook.commit({"renamed.md": page("Trial: A trial lasts 60 days for everyone.")})
    handbook.ingest()
    [notice] = check_commit(handbook.space, handbook.history.sha(changed)).invalidated
    assert notice.answer_id == answer.answer_id
    assert check_commit(handbook.space, handbook.history.sha(rebased)).invalidated == ()


@pytest.mark.parametrize("text", [page("Trial: A trial lasts 99 days for everyone."), page("Other: Nothing of it.")])
def test_an_answer_whose_words_the_new_history_has_not_is_stale(handbook: Handbook, text: str) -> None:
    answer = answered(handbook)
    rebased = handbook.commit({"a.md": None, "renamed.md": text, "CODEOWNERS": "* @new"}, "Else (#9)", parent=3)
    handbook.ingest()
    sha = handbook.history.sha(rebased)
    assert told(handbook) == ("stale", sha, ("@new",))
    [notice] = check_commit(handbook.space, sha).invalidated
    assert (notice.answer_id, notice.owners) == (answer.answer_id, ("@new",))
    assert ("99 days" in (notice.new_quote or "")) is ("99 days" in text)
    handbook.history.point("main", 5)
    handbook.ingest()
    assert told(handbook)[:2] == ("valid", None), "the old history came back"


def test_a_citation_that_followed_its_words_goes_back_with_the_history(handbook: Handbook) -> None:
    answered(handbook)
    moved = handbook.commit({"renamed.md": None, "far.md": page("Trial: A trial lasts 45 days for everyone.")})
    handbook.ingest()
    check_commit(handbook.space, handbook.history.sha(moved))
    handbook.history.point("main", 5)
    handbook.ingest()
    assert told(handbook)[:2] == ("valid", None)
    changed = handbook.commit({"renamed.md": page("Trial: A trial lasts 60 days for everyone.")})
    handbook.ingest()
    assert len(check_commit(handbook.space, handbook.history.sha(changed)).invalidated) == 1


def test_a_revert_is_a_commit_like_any_other_and_says_so(handbook: Handbook) -> None:
    sha = handbook.history.sha(5)
    handbook.commit(
        {"renamed.md": page("Trial: A trial lasts 30 days for everyone.")}, f"Revert\n\nThis reverts commit {sha}."
    )
    handbook.ingest()
    assert f'"reverts": ["{sha}"]' in "\n".join(handbook.dump())
    assert [row["valid_to"] == FOREVER for row in handbook.versions("Trial")][-1]


def test_another_branch_that_has_parted_is_refused_and_one_that_is_behind_changes_nothing(handbook: Handbook) -> None:
    handbook.commit({"a.md": "# Draft\n"}, branch="draft", parent=3)
    before = handbook.dump()
    with pytest.raises(UserFacing, match="follows the branch main, from which draft has parted"):
        handbook.ingest(ref="draft")
    handbook.history.point("behind", 2)
    assert handbook.ingest(ref="behind").commits == 0
    assert handbook.dump() == before
