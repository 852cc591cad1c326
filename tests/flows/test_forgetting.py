"""Forgotten words are nowhere any more: every byte of a home is searched, also after a kill -9 at any step."""

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.chat import journeys, texts
from assistant.embed import Embedder
from assistant.graph import posts
from assistant.graph.reading.conversations import conversation
from assistant.graph.servers import embedded
from assistant.graph.servers.backup import backup
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.graph.writing.forget import due_orders
from assistant.model.audiences import Scope
from assistant.model.ids import text_hash
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.chaos.slack import fill
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack, running
from tests.fakes.traces import files_with, gone_from, jobs_with, uncompressed, unpacked
from tests.flows.office import mention
from workers import forgetting
from workers.deciding import known_decisions
from workers.equipment import Equipment
from workers.queue import ACT, ANSWER, Work, connect, enqueue, job_id
from workers.reconcile import reconcile_as_set
from workers.talk import ingest_slack_export

DAY = 1_782_810_000
STEPS = (
    *(
        "hide",
        "hide_decisions",
        "answers_citing",
        "Embedder.forget",
        "posts.call_in",
        "purge",
        "withdraw",
    ),
    *("empty", "note_taken", "rewrite_logs", "reconcile_as_set", "close_orders", "settle_post"),
)
"""Before each of these a process is killed, which goes on from where the one before was."""

THREADS = 3


@dataclass
class Home:
    """A home in which people talked, asked and were answered."""

    settings: Settings
    ready: Equipment
    space: Space
    slack: FakeSlack

    def thread(self, number: int) -> list[str]:
        """Ids of the utterances of the thread about a word."""
        [talk] = [f"slack:people/{DAY + number * 100}.000100"]
        found = conversation(self.space.reader, Scope(("public",)), talk)
        return [said.id for said in found.utterances] if found else []


def word(number: int) -> str:
    """A word that stands in one thread only; its accent takes other forms in JSON and in search tokens."""
    return f"quokka{number:02}b\u00e0ll"


def trace(number: int) -> str:
    """The part of it that is the same in all forms."""
    return f"quokka{number:02}b"


def talk(number: int) -> list[dict[str, Any]]:
    """A thread in which a rule about the word is settled."""
    root = f"{DAY + number * 100}.000100"
    lines = [
        ("U0PRIYA", f"How often may a team go for a {word(number)} on the company? The page says nothing."),
        (
            "U0LENA",
            f"Let's settle it then: one {word(number)} a quarter, as more eats the budget. That's the rule from July.",
        ),
        ("U0PRIYA", "Clear, thanks!"),
    ]
    return [
        {"type": "message", "user": user, "ts": f"{DAY + number * 100 + n}.000100", "thread_ts": root, "text": text}
        for n, (user, text) in enumerate(lines)
    ]


def export(folder: Path, threads: int) -> Path:
    """An export of that many threads."""
    people = [("U0PRIYA", "Priya Nair"), ("U0LENA", "Lena Brandt")]
    users = [{"id": i, "team_id": TEAM, "name": n.split()[0].lower(), "real_name": n} for i, n in people]
    (folder / "people").mkdir(parents=True, exist_ok=True)
    (folder / "users.json").write_text(json.dumps(users))
    (folder / "channels.json").write_text(json.dumps([{"id": "C0PEOPLE", "name": "people"}]))
    said = [message for number in range(threads) for message in talk(number)]
    (folder / "people" / "2026-06-30.json").write_text(json.dumps(said))
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Every thread was asked about in Slack, so that an answer of ours quotes it there."""
    folder = tmp_path_factory.mktemp("forgetful")
    with running(FakeSlack()) as slack:
        settings = Settings(home=folder, cache=folder / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url)
        servers = fill(settings)
        uncompressed(servers)
        ready = Equipment(settings, servers, Identity(BOT, TEAM), None)
        with ready.space() as space:
            ingest_slack_export(space, export(tmp_path_factory.mktemp("export"), THREADS))
            reconcile_as_set(space, settings)
            for number in range(THREADS):
                question = f"How often may a team go for a {word(number)}?"
                asked = mention(question, ts=f"{DAY + number}.000001", channel=f"C{number}")
                done(servers, Work(ANSWER, "workers.answer.answer", asked.key, asked.model_dump(mode="json")))
                journeys.answer(asked, ready.desk())
            yield Home(settings, ready, space, slack)
        embedded.stop(servers)


def done(servers: Servers, work: Work) -> None:
    """A job that was done, as a worker leaves it."""
    server = connect(servers.queue_url)
    enqueue(server, work)
    server.hset(f"rq:job:{job_id(work.about)}", "status", "finished")


def killed_before(step: str, home: Home, utterances: list[str]) -> int:
    """Forgets in a process of its own that kills itself before the step; the signal that it died of."""
    child = os.fork()
    if child == 0:
        *path, name = step.split(".")
        places = (reduce(getattr, path, forgetting), forgetting.forgetting, forgetting.posts)
        place = next(one for one in places if hasattr(one, name))
        setattr(place, name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
        try:
            with home.ready.space() as space:
                forgetting.forget(space, home.ready.desk(), utterances, settings=home.settings)
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def check_gone(home: Home, number: int, folder: Path) -> None:
    """Not a byte of the word is left, in a backup neither."""
    servers, seen = home.ready.servers, trace(number)
    assert gone_from(seen, home.settings.home) == []
    assert jobs_with(seen, servers) == []
    backup(home.space, folder / "backup.tar")
    assert files_with(seen, unpacked(folder / "backup.tar", folder / "unpacked")) == []
    [post] = home.slack.by_us(f"C{number}")
    assert seen not in json.dumps(post, ensure_ascii=False)
    assert post["text"] == texts.WITHDRAWN
    assert due_orders(home.space.reader) == []
    assert posts.due_posts(home.space.reader) == []


def test_words_are_everywhere_and_then_nowhere(home: Home, tmp_path: Path) -> None:
    number = 1
    seen, servers = trace(number), home.ready.servers
    [post] = home.slack.by_us(f"C{number}")
    assert seen in json.dumps(post, ensure_ascii=False)
    store = Embedder(home.settings.embedding_model, home.settings.cache)._store
    quote = talk(number)[1]["text"]
    store.put({text_hash(quote): np.ones(3, dtype=np.float32), text_hash("other"): np.ones(3, dtype=np.float32)})
    event = {"channel": "C0PEOPLE", "ts": talk(number)[1]["ts"], "text": quote}
    enqueue(connect(servers.queue_url), Work(ACT, "workers.act.nothing", f"heard/{number}", event))
    assert files_with(seen, home.settings.home)
    assert len(jobs_with(seen, servers)) == 2
    utterances = home.thread(number)
    assert len(utterances) == 3
    forgetting.forget(home.space, home.ready.desk(), utterances, settings=home.settings)
    check_gone(home, number, tmp_path)
    assert store.get([text_hash(quote), text_hash("other")]).keys() == {text_hash("other")}
    assert home.thread(number) == []
    other = 2
    assert trace(other) in json.dumps(home.slack.by_us(f"C{other}"), ensure_ascii=False)
    assert [one for one in known_decisions(home.space, None) if word(other) in one.quote]


def test_kills_before_every_step_are_healed_by_the_next_run(home: Home, tmp_path: Path) -> None:
    utterances = home.thread(0)
    for step in STEPS:
        assert killed_before(step, home, utterances) == signal.SIGKILL, step
    assert gone_from("quokka00b", home.settings.home) or posts.due_posts(home.space.reader)
    forgetting.carry_out(home.space, home.ready.desk(), home.settings)
    check_gone(home, 0, tmp_path)
