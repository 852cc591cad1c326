"""What is too old goes by itself, in parts, with the decisions and answers that rest on it; what is newer stays."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rq.registry import ScheduledJobRegistry

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.errors import Retry
from assistant.graph.answers import find_answer
from assistant.graph.dump import canonical_dump
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.graph.writing.forget import trail
from assistant.graph.writing.writer import sole_writer
from assistant.model.answers import AskedQuestion
from assistant.model.audiences import Place, Viewer
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.fakes.handbook import Handbook
from workers import equipment as at_work
from workers import retention
from workers.deciding import known_decisions
from workers.equipment import Equipment
from workers.queue import INGEST, connect, open_queue
from workers.reconcile import reconcile_as_set
from workers.talk import ingest_slack_export

NOW = datetime(2026, 9, 1, tzinfo=UTC)
RULE = "Let's settle it then: one {word} a quarter, as more eats the budget. That's the rule from July."


def export(folder: Path, words: dict[str, int]) -> Path:
    """A thread about each word, so many days before NOW."""
    (folder / "people").mkdir(parents=True, exist_ok=True)
    users = [{"id": i, "team_id": "T1", "name": i.lower(), "real_name": n} for i, n in (("U1", "A B"), ("U2", "C D"))]
    (folder / "users.json").write_text(json.dumps(users))
    (folder / "channels.json").write_text(json.dumps([{"id": "C1", "name": "people"}]))
    for word, days in words.items():
        at = NOW - timedelta(days=days)
        root = f"{at.timestamp():.6f}"
        lines = [("U1", f"How often may a team go for a {word}?"), ("U2", RULE.format(word=word)), ("U1", "Thanks!")]
        said = [
            {"type": "message", "user": user, "ts": f"{at.timestamp() + n:.6f}", "thread_ts": root, "text": text}
            for n, (user, text) in enumerate(lines)
        ]
        (folder / "people" / f"{at:%Y-%m-%d}.json").write_text(json.dumps(said))
    return folder


@pytest.fixture
def book(space: Space, tmp_path: Path) -> Handbook:
    book = Handbook(space, tmp_path)
    book.commit({"people.md": "# People\n\n## Dinners\n\nA dinner may cost 40 EUR a head.\n"}, "Write it")
    book.ingest()
    return book


def test_the_old_goes_with_all_that_rests_on_it_and_the_new_stays(
    book: Handbook, shared_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PART", 2)
    space, settings = book.space, shared_settings.model_copy(update={"retention_days": 30})
    folder = export(tmp_path / "export", {"olddinner": 31, "olderdinner": 90, "newdinner": 2})
    ingest_slack_export(space, folder)
    reconcile_as_set(space, settings)
    question = AskedQuestion(text="What was decided about the newdinner, and who decided it?", id="q1")
    given = ask(question, Viewer(), Place(), space, None, NOBODY, event="q1")
    assert given.citations
    with sole_writer(space.graph), pytest.raises(Retry):
        retention.retain(space, None, settings, NOW)
    retention.retain(space, None, settings, NOW)
    dump = "\n".join(canonical_dump(space.reader))
    assert "olddinner" not in dump
    assert "olderdinner" not in dump
    assert find_answer(space.reader, given.answer_id) == given
    assert ["newdinner" in one.quote for one in known_decisions(space, None)] == [True]
    assert {(row.about, row.due) for row in trail(space.reader)} == {("older than 30 days", False)}
    ingest_slack_export(space, folder)
    assert "olddinner" not in "\n".join(canonical_dump(space.reader))
    assert retention.retain(space, None, settings, NOW) == 0


def test_questions_grow_old_too(book: Handbook, shared_settings: Settings) -> None:
    space, settings = book.space, shared_settings.model_copy(update={"retention_days": 30})
    given = ask(AskedQuestion(text="What may a dinner cost?"), Viewer(), Place(), space, None, NOBODY)
    assert retention.retain(space, None, settings, datetime.now(UTC)) == 0
    assert retention.retain(space, None, settings, datetime.now(UTC) + timedelta(days=31)) == 1
    assert find_answer(space.reader, given.answer_id) is None
    assert "What may a dinner cost" not in "\n".join(canonical_dump(space.reader))


def test_without_the_setting_nothing_grows_old(book: Handbook, shared_settings: Settings, tmp_path: Path) -> None:
    ingest_slack_export(book.space, export(tmp_path / "export", {"olddinner": 4000}))
    assert retention.retain(book.space, None, shared_settings, NOW) == 0
    assert "olddinner" in "\n".join(canonical_dump(book.space.reader))


def test_every_day_has_one_job_and_it_queues_the_next(
    servers: Servers, shared_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_work, "_ready", [Equipment(shared_settings, servers, Identity("", ""), None)])
    with closing(connect(servers.queue_url)) as server:
        server.flushall()
        for _ in range(3):
            retention.begin(server)
        retention.daily({})
        retention.daily({})
        queue = open_queue(server, INGEST)
        [today] = queue.job_ids
        [tomorrow] = ScheduledJobRegistry(queue=queue).get_job_ids()
        assert int(tomorrow.rpartition("_")[2]) - int(today.rpartition("_")[2]) == 1
        server.flushall()
