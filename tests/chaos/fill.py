"""A workspace's past, read through a Slack that limits and under kill -9, while people ask and talk; as a command.

python -m tests.chaos.fill --channels 200 --messages 100000 --kill-every 20
python -m tests.chaos.fill --channels 20 --messages 2000 --kill-every 0    # how soon a message is a decision
"""

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from assistant.graph.consent import Mode, set_mode
from assistant.graph.recorded import Recorded
from assistant.graph.servers import embedded
from assistant.graph.space import Space, open_space
from assistant.graph.store import Query
from assistant.settings import Settings
from tests.chaos.slack import fill as handbook
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import BOT, TEAM, FakeSlack, running
from tests.fakes.storm import Pipeline, children_of
from workers.queue import INGEST, Work, connect, enqueue

SAID = Query(
    "test_fill.said",
    "MATCH (c:Conversation) WHERE c.place STARTS WITH $prefix WITH c MATCH (c)-[h:HAS_UTTERANCE]->(u) "
    "WHERE u.text <> '' RETURN u.id AS id",
)
DECIDED = Query(
    "test_fill.decided", "MATCH (d:Decision) WHERE d.at >= $since AND d.audience <> '' RETURN d.utterance AS said"
)

PAST = 1_760_000_000
"""Seconds since 1970 at which the talk begins."""

WORDS = "the trial report needs seats parking budget review onboarding travel hotel limit page owner merge".split()
QUESTIONS = ("What is the trial threshold?", "Who owns the page about trials?", "What is the parking rule on Mars?")


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    messages: int
    lost: int
    doubled: int
    kills: int
    seconds: float
    """Until everything was in the graph."""
    idle: float
    """95 of 100 answers came within so many seconds while the reading was held still."""
    busy: float
    """The same while it went on, in the same minutes."""
    answers: int
    """Asked in all."""
    decided: tuple[float, ...]
    """Seconds from a message's being said to its decision's being visible, holding still included, sorted."""

    def line(self) -> str:
        """The outcome in one line."""
        return (
            f"{self.messages} messages in {self.seconds:.0f} s, {self.kills} kills: {self.lost} lost, {self.doubled} "
            f"doubled; answers p95 {self.idle * 1000:.0f} ms idle, {self.busy * 1000:.0f} ms meanwhile "
            f"({self.busy / max(self.idle, 1e-9):.2f}×, {self.answers} answers); message to decision "
            f"p50 {share(self.decided, 0.5):.1f} s, p95 {share(self.decided, 0.95):.1f} s ({len(self.decided)})"
        )


def past(slack: FakeSlack, channels: int, messages: int, dice: random.Random) -> None:
    """Talk of many channels: main lines and threads, now and then a decision."""
    slack.users = {f"U{n:03d}": {"name": f"u{n}", "real_name": f"Person {n}"} for n in range(50)}
    for number in range(channels):
        name = f"C{number:05d}"
        slack.channels[name] = {"name": f"channel-{number}", "members": sorted(slack.users)}
        at, root = PAST, ""
        for n in range(messages // channels):
            at += dice.choice((20, 60, 600, 5 * 3600))
            root = root if root and dice.random() < 0.4 else ""
            text = (
                " ".join(dice.choices(WORDS, k=12))
                if dice.random() < 0.97
                else f"We decided that limit {n} is {n + 5} days from now on."
            )
            ts = slack.said(name, dice.choice(sorted(slack.users)), text, f"{at}.{n:06d}", root or None)
            root = root or (ts if dice.random() < 0.1 else "")


@dataclass
class Scene:
    """Processes, the Slack they see, and the graph they fill."""

    pipeline: Pipeline
    slack: FakeSlack
    space: Space
    prefix: str
    kills: int = 0
    still: bool = False
    """The reading is held still, so that answers beside it and without it are compared at the same time."""
    asked: list[tuple[bool, float]] = field(default_factory=list)
    """Seconds until each answer, and whether the reading was held still meanwhile."""
    sent: dict[str, float] = field(default_factory=dict)
    """When each message that settles something was said, by its id."""
    seen: dict[str, float] = field(default_factory=dict)
    """When its decision was first seen."""

    def worker(self, kind: str, *more: str) -> None:
        """Start a worker."""
        self.pipeline._start(kind, [sys.executable, "-m", "workers.cli", "work", kind, *more])

    def kill(self) -> None:
        """-9 for the worker that reads, and for its child; another is started in its place."""
        process = self.pipeline.processes["ingest"]
        for pid in [process.pid, *children_of(process.pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        self.kills += 1
        self.still = False
        self.worker("ingest")

    def hold(self, *, still: bool) -> None:
        """Stop the worker that reads where it is, or let it go on."""
        process = self.pipeline.processes["ingest"]
        for pid in [process.pid, *children_of(process.pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP if still else signal.SIGCONT)
        self.still = still

    def ask(self, number: int) -> float:
        """Seconds until a question has its answer."""
        channel, ts = f"D{number:05d}", f"{int(time.time())}.{number:06d}"
        body = made.envelope(
            made.message(QUESTIONS[number % len(QUESTIONS)], ts, channel=channel, user=f"U{number % 9:03d}")
        )
        began = time.time()
        self.pipeline.send(body)
        while time.time() - began < 60:
            answers = [one["updated_at"] for one in self.slack.messages[channel] if one.get("updates")]
            if answers:
                return max(answers) - began
            time.sleep(0.01)
        return 60.0

    def say(self, number: int, channels: int) -> None:
        """Somebody settles something in a channel that is being read."""
        channel, ts = f"C{number % channels:05d}", f"{int(time.time())}.{number:06d}"
        text = f"We decided that live limit {number} is {number + 31} seats from now on."
        self.slack.said(channel, "U001", text, ts)
        self.sent[f"slack:{TEAM}/{channel}/{ts}"] = time.time()
        self.pipeline.send(made.envelope(made.message(text, ts, channel=channel, user="U001")))

    def look(self) -> None:
        """Note which decisions are visible by now."""
        if self.sent.keys() - self.seen.keys():
            for row in self.space.reader.rows(DECIDED, since=int((time.time() - 3600) * 1e6)):
                if row["said"] in self.sent:
                    self.seen.setdefault(row["said"], time.time())

    def here(self) -> list[str]:
        """Ids of all messages in the graph, as often as they stand there."""
        return [row["id"] for row in self.space.reader.rows(SAID, prefix=self.prefix)]

    def wanted(self) -> set[str]:
        """Ids of all that people wrote in channels."""
        return {
            f"slack:{TEAM}/{channel}/{one['ts']}"
            for channel, messages in list(self.slack.messages.items())
            if channel.startswith(self.prefix)
            for one in messages
            if one.get("user") != BOT
        }


def read_all(
    scene: Scene, channels: int, kill_every: float, talk_every: float, hold: float, patience: float
) -> Outcome:
    """Has every channel record; asks, talks and kills until all is there."""
    for number in range(channels):
        set_mode(scene.space.graph, f"C{number:05d}", Mode.RECORD, "U001", datetime.now(UTC))
    server = connect(scene.space.servers.queue_url)
    for number in range(channels):
        enqueue(server, Work(INGEST, "workers.history.follow", f"follow/{number}", {"channel": f"C{number:05d}"}))
    began = time.monotonic()
    done = threading.Event()
    threads = [threading.Thread(target=_asking, args=(scene, done))]
    threads += [threading.Thread(target=_talking, args=(scene, channels, talk_every, done))]
    if kill_every:
        threads += [threading.Thread(target=_killing, args=(scene, kill_every, done))]
    if hold:
        threads += [threading.Thread(target=_holding, args=(scene, hold, done))]
    for thread in threads:
        thread.start()
    while time.monotonic() - began < patience and not is_read(scene):
        scene.look()
        time.sleep(0.3)
    seconds = time.monotonic() - began
    done.set()
    scene.hold(still=False)
    for thread in threads:
        thread.join()
    _settle(scene)
    here, wanted = scene.here(), scene.wanted()
    lost, doubled = len(wanted - set(here)), len(here) - len(set(here))
    waits = tuple(sorted(scene.seen.get(name, at + 3600) - at for name, at in scene.sent.items()))
    busy, calm = (share(sorted(took for held, took in scene.asked if held is still), 0.95) for still in (False, True))
    return Outcome(len(wanted), lost, doubled, scene.kills, seconds, calm, busy, len(scene.asked), waits)


def is_read(scene: Scene) -> bool:
    """Whether every history is in the graph to its end."""
    store = Recorded(scene.space.graph, TEAM)
    states = store.histories()
    done = bool(states) and all(state["done"] for state in states.values())
    return done and not store.waiting() and not any(store.wanted(channel) for channel in states)


def _settle(scene: Scene) -> None:
    """What was said last comes in, too."""
    end = time.monotonic() + 120
    while time.monotonic() < end and (scene.sent.keys() - scene.seen.keys() or not is_read(scene)):
        scene.look()
        time.sleep(0.3)


def _asking(scene: Scene, done: threading.Event) -> None:
    number = 1000
    while not done.wait(0.2):
        held, took = scene.still, scene.ask(number)
        if held is scene.still:
            scene.asked.append((held, took))
        number += 1


def _holding(scene: Scene, hold: float, done: threading.Event) -> None:
    """Half of the time the reading is held still."""
    while not done.wait(hold):
        scene.hold(still=not scene.still)


def _talking(scene: Scene, channels: int, every: float, done: threading.Event) -> None:
    number = 0
    while not done.wait(every):
        scene.say(number, channels)
        number += 1


def _killing(scene: Scene, every: float, done: threading.Event) -> None:
    while not done.wait(every):
        scene.kill()


def share(values: tuple[float, ...] | list[float], part: float) -> float:
    """The value below which that part of the sorted values lies."""
    return values[int((len(values) - 1) * part)] if values else 0.0


@contextlib.contextmanager
def scene(home: Path, channels: int, messages: int, calls: int, page: int) -> Iterator[Scene]:
    """Everything running: `calls` of a method a second are let through, with `page` messages a page."""
    slack = FakeSlack(page=page)
    slack.pace = dict.fromkeys(("conversations.history", "conversations.replies"), (calls, 1.0))
    past(slack, channels, messages, random.Random(5))
    servers = handbook(Settings(home=home, cache=home / "cache"))
    try:
        with running(slack), Pipeline(home, 0, embed=False, api=slack.url).running() as pipeline:
            space = open_space(Settings(home=home, cache=home / "cache"), servers=servers)
            opened = Scene(pipeline, slack, space, "C")
            opened.worker("answer", "--no-embed")
            opened.worker("ingest")
            yield opened
            space.close()
    finally:
        embedded.stop(servers)


def main() -> None:
    """Run it and print the outcome in a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--channels", type=int, default=200)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--kill-every", type=float, default=20.0, help="seconds between two kill -9; 0: none")
    parser.add_argument("--talk-every", type=float, default=5.0, help="seconds between two live messages")
    parser.add_argument(
        "--hold", type=float, default=6.0, help="seconds for which reading is held still, then goes on; 0: never"
    )
    parser.add_argument("--calls", type=int, default=20, help="calls of a method that Slack takes a second")
    parser.add_argument("--page", type=int, default=200, help="messages of a page at most")
    parser.add_argument("--patience", type=float, default=7200.0)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="brain-fill-") as folder,
        scene(Path(folder), given.channels, given.messages, given.calls, given.page) as opened,
    ):
        print(read_all(opened, given.channels, given.kill_every, given.talk_every, given.hold, given.patience).line())


if __name__ == "__main__":
    main()
