"""The whole pipeline as real processes: a Slack, the web process, workers; with events, duplicates and kill -9."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes import slack_requests as made
from tests.fakes.slack_server import TOKEN

ROOT = Path(__file__).parents[2]
JSON = {"Content-Type": "application/json"}
QUESTIONS = ("What is the trial threshold?", "Who owns the page about trials?", "What is the parking rule on Mars?")


@dataclass
class Pipeline:
    """Processes of one home. `port` is the web process', `slack` the fake Slack."""

    home: Path
    workers: int
    embed: bool
    drop: float = 0.0
    api: str | None = None
    """Web API of another Slack than the fake one."""
    tokens: dict[str, str] = field(default_factory=dict)
    """Settings instead of the fake Slack's."""
    port: int = field(default_factory=lambda: free_port())
    slack: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    kills: int = 0

    @contextlib.contextmanager
    def running(self) -> Iterator["Pipeline"]:
        """Start everything; end everything."""
        if self.api is None:
            fake = free_port()
            self.slack = f"http://127.0.0.1:{fake}"
            self._start("slack", [sys.executable, "tests/fakes/slack_server.py", str(fake), "--drop", str(self.drop)])
            wait_for(f"{self.slack}/_messages")
        self._start("web", [sys.executable, "-m", "workers.cli", "serve"])
        for number in range(self.workers):
            self._worker(f"worker {number}")
        wait_for(f"{self.url}/healthz")
        try:
            yield self
        finally:
            for process in self.processes.values():
                process.terminate()
            for process in self.processes.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)
                process.kill()

    @property
    def url(self) -> str:
        """The web process."""
        return f"http://127.0.0.1:{self.port}"

    def _worker(self, name: str) -> None:
        self._start(name, [sys.executable, "-m", "workers.cli", "work", *([] if self.embed else ["--no-embed"])])

    def _start(self, name: str, command: list[str]) -> None:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("BRAIN_", "SLACK_"))},
            "PYTHONPATH": str(ROOT),
            "BRAIN_HOME": str(self.home),
            "BRAIN_CACHE": str(self.home / "cache"),
            "SLACK_BOT_TOKEN": TOKEN,
            "SLACK_SIGNING_SECRET": made.SECRET,
            "SLACK_API_URL": self.api or f"{self.slack}/api/",
            "BRAIN_PORT": str(self.port),
            **self.tokens,
        }
        log = (self.home / f"{name.replace(' ', '-')}.log").open("ab")
        self.processes[name] = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        log.close()

    def kill_a_worker(self, dice: random.Random) -> None:
        """-9 for a worker; every other time its forked child dies, too. Another worker is started in its place."""
        name = dice.choice([name for name in self.processes if name.startswith("worker")])
        process = self.processes[name]
        children = children_of(process.pid) if dice.random() < 0.5 else []
        for pid in [process.pid, *children]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        self.kills += 1
        self._worker(name)

    def send(self, body: bytes) -> tuple[int, float]:
        """A signed event; the status it got and the seconds it took."""
        request = urllib.request.Request(f"{self.url}/slack/events", body, made.signed(body))
        began = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                status = response.status
        except urllib.error.HTTPError as error:
            status = error.code
        return status, time.monotonic() - began

    def say(self, event: dict[str, Any]) -> None:
        """The message that an event tells of stands in Slack."""
        said = {name: event[name] for name in ("channel", "user", "text", "ts")}
        request = urllib.request.Request(f"{self.slack}/_said", json.dumps(said).encode(), JSON)
        urllib.request.urlopen(request, timeout=30).close()

    def messages(self) -> dict[str, list[dict[str, Any]]]:
        """All that stands in Slack, by channel."""
        with urllib.request.urlopen(f"{self.slack}/_messages", timeout=30) as response:
            found: dict[str, list[dict[str, Any]]] = json.loads(response.read())["messages"]
            return found


@dataclass(frozen=True)
class Outcome:
    """What a storm left: how many questions have no finished answer, how many more than one message."""

    events: int
    kills: int
    lost: int
    double: int
    refused: int
    """Requests that got another status than 200."""
    seconds: float
    recovery_p50: float
    recovery_p95: float
    """Seconds from the event to the finished answer."""
    slowest: float

    def line(self) -> str:
        """The outcome in one line."""
        return (
            f"{self.events} events, {self.kills} kills in {self.seconds:.0f} s: {self.lost} lost, "
            f"{self.double} answered twice, {self.refused} not 200; event to answer p50 {self.recovery_p50:.1f} s, "
            f"p95 {self.recovery_p95:.1f} s, slowest {self.slowest:.1f} s"
        )


def storm(
    pipeline: Pipeline, events: int, rate: float, duplicates: float, kill_every: float, patience: float
) -> Outcome:
    """Send so many different questions, some of them again, kill workers meanwhile, and wait until all are answered."""
    dice = random.Random(11)
    done = threading.Event()
    killer = threading.Thread(target=_kill, args=(pipeline, kill_every, dice, done))
    began = time.monotonic()
    base = int(time.time())
    keys = [(f"C{number % 400:04d}", f"{base}.{number:06d}") for number in range(events)]
    killer.start()
    refused, sent = _send_all(pipeline, keys, rate, duplicates, random.Random(13))
    done.set()
    killer.join()
    while time.monotonic() - began < patience and _unanswered(pipeline, keys):
        time.sleep(1.0)
    time.sleep(2.0)
    return _outcome(pipeline, sent, refused, time.monotonic() - began)


def _kill(pipeline: Pipeline, every: float, dice: random.Random, done: threading.Event) -> None:
    while not done.wait(every):
        pipeline.kill_a_worker(dice)


def _send_all(
    pipeline: Pipeline, keys: list[tuple[str, str]], rate: float, duplicates: float, dice: random.Random
) -> tuple[int, dict[str, float]]:
    """How many requests were refused, and when each question was sent first, by ts."""
    bodies: list[bytes] = []
    sent: dict[str, float] = {}
    began = time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        futures = []
        for number, (channel, ts) in enumerate(keys):
            event = made.mention(QUESTIONS[number % len(QUESTIONS)], ts, channel=channel)
            pipeline.say(event)
            body = made.envelope(event)
            bodies.append(body)
            sent[ts] = time.time()
            again = [dice.choice(bodies)] if dice.random() < duplicates else []
            futures += [pool.submit(pipeline.send, one) for one in [body, *again]]
            time.sleep(max(0.0, began + (number + 1) / rate - time.monotonic()))
        return sum(future.result()[0] != 200 for future in futures), sent


def _answers(pipeline: Pipeline) -> dict[str, list[dict[str, Any]]]:
    """Our messages by the thread they stand in."""
    found: dict[str, list[dict[str, Any]]] = {}
    for messages in pipeline.messages().values():
        for message in messages:
            if message.get("bot_id") and message.get("thread_ts") and not message.get("ephemeral_to"):
                found.setdefault(message["thread_ts"], []).append(message)
    return found


def _unanswered(pipeline: Pipeline, keys: list[tuple[str, str]]) -> int:
    answers = _answers(pipeline)
    return sum(not any(one.get("updates") for one in answers.get(ts, ())) for _, ts in keys)


def _outcome(pipeline: Pipeline, sent: dict[str, float], refused: int, seconds: float) -> Outcome:
    answers = _answers(pipeline)
    finished = {ts: max((one.get("updated_at", 0.0) for one in answers.get(ts, ())), default=0.0) for ts in sent}
    waits = sorted(at - sent[ts] for ts, at in finished.items() if at)
    lost = sum(not at for at in finished.values())
    double = sum(len(answers.get(ts, ())) > 1 for ts in sent)
    p50, p95, slowest = (waits[int((len(waits) - 1) * share)] if waits else 0.0 for share in (0.5, 0.95, 1.0))
    return Outcome(len(sent), pipeline.kills, lost, double, refused, seconds, p50, p95, slowest)


def children_of(pid: int) -> list[int]:
    """Process ids of the direct children."""
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, patience: float = 60.0) -> None:
    """Return when the address answers with 200."""
    end = time.monotonic() + patience
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
