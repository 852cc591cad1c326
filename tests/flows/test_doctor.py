"""`brain doctor`: what it finds well, and what it says of faults."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.access import scope_along
from assistant.errors import Retry
from assistant.graph.reading.linking import Past
from assistant.graph.servers import embedded
from assistant.graph.space import open_space
from assistant.graph.store import Query
from assistant.model.audiences import PUBLIC
from assistant.settings import Settings
from tests.fakes.slack_server import APP_TOKEN, TOKEN, FakeSlack, running
from tests.flows.brain import Brain
from workers.cli.doctor import failed as failed_shown
from workers.doctor import Finding, State, examine, folders, git, guarded, slack
from workers.queue import ANSWER, Work, connect, enqueue, open_queue, tries_so_far
from workers.queue.failed import failed_jobs, requeue

BLANK_ONE = Query(
    "test_doctor.blank",
    "CREATE (c:Commit {id: 'c', sha: 'c', source: 's', audience: 'public', at: 5}) "
    "CREATE (s:Section {valid_from: 5, valid_to: 9}) CREATE (c)-[x:CHANGED {kind: 'added'}]->(s)",
)


@pytest.fixture
def home(settings: Settings) -> Iterator[Settings]:
    yield settings
    embedded.stop(embedded.ensure(settings))


def found(settings: Settings) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine(settings)}


def test_a_fresh_home_is_well(home: Settings) -> None:
    findings = found(home)
    assert [name for name, finding in findings.items() if finding.state is State.FAULT] == []
    assert {"system", "git", "folders", "model", "graph", "queue", "sources", "slack"} <= set(findings)
    assert {"webhook zoom", "webhook github", "webhook gitlab"} <= set(findings)
    assert "384 dimensions" in findings["model"].says
    assert "FalkorDB 4." in findings["graph"].says
    assert findings["sources"].remedy.startswith("brain ingest git")


UNSET = {
    "decision model": "BRAIN_LLM_MODEL",
    "slack": "README",
    "admins": "BRAIN_ADMINS",
    "webhook zoom": "ZOOM_WEBHOOK_SECRET",
    "webhook github": "GITHUB_WEBHOOK_SECRET",
    "webhook gitlab": "GITLAB_WEBHOOK_TOKEN",
    "watched folder": "BRAIN_WATCH",
    "zoom": "ZOOM_ACCOUNT_ID",
    "github": "GITHUB_REPOSITORIES",
    "gitlab": "GITLAB_PROJECTS",
    "meet": "GOOGLE_CLIENT_ID",
    "teams": "TEAMS_ORGANIZERS",
    "drive": "DRIVE_FOLDERS",
}


def test_each_source_that_is_not_set_up_is_one_note_with_what_it_takes(home: Settings) -> None:
    findings = list(examine(home))
    notes = {one.name: one.remedy for one in findings if one.state is State.NOTE}
    assert len(findings) == len({one.name for one in findings})
    assert {name for name, setting in UNSET.items() if setting not in notes.get(name, "")} == set()


@pytest.mark.parametrize("place", ["file", "file/below"])
@pytest.mark.parametrize("name", ["home", "cache"])
def test_a_folder_that_cannot_be_made_is_told_with_the_setting(
    settings: Settings, tmp_path: Path, place: str, name: str
) -> None:
    (tmp_path / "file").touch()
    finding = guarded("folders", folders, settings.model_copy(update={name: tmp_path / place}))
    assert (finding.state, str(tmp_path / place) in finding.says) == (State.FAULT, True)
    assert (f"BRAIN_{name.upper()}" in finding.remedy, "Error" in finding.says) == (True, False)


@pytest.mark.parametrize(
    ("changed", "name", "says"),
    [
        ({"admins": ("ana",)}, "admins", "ana"),
        ({"watch": Path("/no/such/folder")}, "watched folder", "/no/such/folder"),
        ({"embedding_model": "/no/such/model"}, "model", "/no/such/model"),
        ({"slack_bot_token": "xoxb-1"}, "slack", "no way for events"),
        (
            {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1", "slack_api_url": "http://127.0.0.1:9/"},
            "slack",
            "auth.test",
        ),
    ],
)
def test_each_fault_is_told_with_what_to_do(home: Settings, changed: dict[str, object], name: str, says: str) -> None:
    finding = found(home.model_copy(update=changed))[name]
    assert finding.state is State.FAULT
    assert says in finding.says
    assert finding.remedy


def test_whatever_a_check_breaks_on_is_what_it_found(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = home.home / "git"
    home.home.mkdir(parents=True, exist_ok=True)
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(home.home))
    finding = guarded("git", git, home)
    assert (finding.state, "exit status 3" in finding.says) == (State.FAULT, True)


def test_slack_is_asked_once_and_each_token_checked(settings: Settings) -> None:
    with running(FakeSlack()) as fake:
        tokens = {"slack_bot_token": TOKEN, "slack_app_token": APP_TOKEN, "slack_api_url": fake.url}
        well = settings.model_copy(update=tokens)
        assert guarded("slack", slack, well) == Finding("slack", State.OK, "brain in Test")
        assert [method for method, _ in fake.calls] == ["auth.test", "apps.connections.open"]
        wrong = guarded("slack", slack, well.model_copy(update={"slack_app_token": "xapp-wrong"}))
        assert (wrong.state, "SLACK_APP_TOKEN" in wrong.says) == (State.FAULT, True)


def test_a_server_that_is_away_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.graph.store.PATIENCE", 0.2)
    away = settings.model_copy(update={"falkordb_url": "redis://127.0.0.1:9", "redis_url": "redis://127.0.0.1:9"})
    findings = found(away)
    assert {findings[name].state for name in ("graph", "queue", "sources")} == {State.FAULT}


def test_failed_jobs_of_a_queue_that_is_away_are_no_trace() -> None:
    with pytest.raises(Retry, match="the queue does not answer"):
        failed_jobs(connect("redis://127.0.0.1:9"))


def test_a_job_that_failed_is_listed_and_put_back(home: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    connection = connect(embedded.ensure(home).queue_url)
    enqueue(connection, Work(ANSWER, "workers.nowhere.nothing", "ask/C1/1.0", {}))
    queue = open_queue(connection, ANSWER)
    [job] = queue.jobs
    queue.remove(job)
    job.retries_left = 0
    job.ended_at = datetime(2026, 11, 30, 19, 44, 36, tzinfo=UTC)
    job.save()
    queue.failed_job_registry.add(job, ttl=600)
    [failed] = failed_jobs(connection)
    assert (failed.id, failed.queue, failed.about) == (job.id, ANSWER, "ask/C1/1.0")
    assert found(home)["queue"].state is State.FAULT
    assert failed_shown(home, json=True, again=False)
    assert '"since": "2026-11-30T19:44:36+00:00"' in capsys.readouterr().out
    requeue(connection, failed)
    assert failed_jobs(connection) == []
    [again] = open_queue(connection, ANSWER).jobs
    assert (again.id, tries_so_far(again)) == (failed.id, 0)


def test_the_command_shows_a_line_a_check(tmp_path: Path) -> None:
    brain = Brain(tmp_path / "home", tmp_path / "cache")
    try:
        said = brain("doctor", "--json")
        assert said.status == 0, said.out
        assert {row["name"]: row["state"] for row in said.rows}["graph"] == "ok"
        assert brain("doctor", "--jobs", "--json").out == ""
        assert brain("doctor", "--requeue").status == 2
        assert "→ README tells how" in brain("doctor").out
    finally:
        embedded.stop(embedded.ensure(Settings(home=brain.home, cache=brain.cache)))


def test_sections_that_the_server_lost_words_of_are_told_and_do_not_stop_linking(home: Settings) -> None:
    with open_space(home) as space:
        space.graph.write(BLANK_ONE)
        scope = scope_along((PUBLIC,), {"s": 10})
        assert Past(space.reader, scope, ["word"]).likely(0, 9, {"word": 1.0}, dense=True) == []
    finding = found(home)["graph"]
    assert finding.state is State.FAULT
    assert "1 sections have lost words" in finding.says
    assert "restart" in finding.remedy
