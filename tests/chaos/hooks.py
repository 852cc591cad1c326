"""Webhooks under fire: some are lost, some come twice, workers are killed with -9; what stands in the graph in the end.

python -m tests.chaos.hooks --events 200 --rate 4 --kill-every 5
"""

import argparse
import random
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from assistant.graph.servers import embedded
from assistant.graph.space import Space, open_space
from assistant.graph.store import Query
from assistant.settings import Settings, environment_name
from tests.fakes import github as at_github
from tests.fakes.github import REPOSITORY, FakeGitHub
from tests.fakes.storm import Pipeline

WORDS = Query(
    "chaos.words",
    "MATCH (c:Conversation)-[:HAS_UTTERANCE]->(u:Utterance) RETURN u.text AS text",
    scans="all that was said is counted",
)


@dataclass(frozen=True)
class Outcome:
    """What a run left. Times are seconds from the comment to its words in the graph."""

    events: int
    lost_hooks: int
    kills: int
    missing: int
    double: int
    refused: int
    """Requests that got another status than 200."""
    hooked: tuple[float, ...]
    healed: tuple[float, ...]
    """Of those whose webhook was lost."""

    def line(self) -> str:
        """The outcome in one line."""
        return (
            f"{self.events} comments, {self.lost_hooks} webhooks lost, {self.kills} kills: {self.missing} missing, "
            f"{self.double} double, {self.refused} refused; by webhook p50 {middle(self.hooked):.1f} s, p95 "
            f"{percentile(self.hooked, 95):.1f} s, at most {max(self.hooked, default=0):.1f} s; made up for by polls "
            f"within {max(self.healed, default=0):.0f} s"
        )


def middle(times: tuple[float, ...]) -> float:
    return statistics.median(times) if times else 0.0


def percentile(times: tuple[float, ...], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)] if times else 0.0


def storm(
    home: Path, events: int, rate: float, lost: float, twice: float, kill_every: float, patience: float
) -> Outcome:
    """Comments on as many issues, told of by webhooks; waits until all stand in the graph, or `patience` is over."""
    dice = random.Random(5)
    with at_github.running(FakeGitHub()) as github:
        told = {environment_name(name): value for name, value in github.settings().items()}
        tokens = {name: " ".join(value) if isinstance(value, tuple) else value for name, value in told.items()}
        pipeline = Pipeline(home, 2, embed=False, tokens=tokens)
        servers = embedded.ensure(Settings(home=home, cache=home / "cache"))
        with pipeline.running(), open_space(Settings(home=home, cache=home / "cache"), servers=servers) as space:
            sent: dict[str, float] = {}
            seen: dict[str, float] = {}
            watcher = threading.Thread(target=watch, args=(space, sent, seen, events, patience), daemon=True)
            watcher.start()
            healing, refused = send_all(pipeline, github, dice, sent, events, rate, lost, twice, kill_every)
            watcher.join()
            words = Counter(row["text"] for row in space.reader.rows(WORDS))
        embedded.stop(servers)
    return Outcome(
        events=events,
        lost_hooks=len(healing),
        kills=pipeline.kills,
        missing=sum(words[text] == 0 for text in sent),
        double=sum(words[text] > 1 for text in sent),
        refused=refused,
        hooked=tuple(seen[text] - at for text, at in sent.items() if text in seen and text not in healing),
        healed=tuple(seen[text] - sent[text] for text in healing if text in seen),
    )


def send_all(
    pipeline: Pipeline,
    github: FakeGitHub,
    dice: random.Random,
    sent: dict[str, float],
    events: int,
    rate: float,
    lost: float,
    twice: float,
    kill_every: float,
) -> tuple[set[str], int]:
    """Which comments were not told of, and how many requests were refused; `sent` gets when each was made."""
    healing: set[str] = set()
    refused = 0
    killed = time.monotonic()
    for number in range(events):
        issue = github.opens(f"Trial {number}", f"Question {number}?")
        text = f"Answer {number}."
        body = github.event("created", issue, comment=github.comments_on(issue, text))
        sent[text] = time.monotonic()
        if dice.random() < lost:
            healing.add(text)
        else:
            refused += sum(post(pipeline, body) != 200 for _ in range(2 if dice.random() < twice else 1))
        if kill_every and time.monotonic() - killed > kill_every:
            pipeline.kill_a_worker(dice)
            killed = time.monotonic()
        time.sleep(1 / rate)
    return healing, refused


def post(pipeline: Pipeline, body: bytes) -> int:
    """The status of a signed event."""
    request = urllib.request.Request(f"{pipeline.url}/hooks/github", body, at_github.signed(body, "issue_comment"))
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def watch(space: Space, sent: dict[str, float], seen: dict[str, float], events: int, patience: float) -> None:
    """Notes when each comment's words were first seen in the graph, until all were, or nothing came for `patience`."""
    news = time.monotonic()
    while len(seen) < events and time.monotonic() - news < patience:
        for row in space.reader.rows(WORDS):
            if row["text"] in sent and row["text"] not in seen:
                seen[row["text"]] = news = time.monotonic()
        time.sleep(0.25)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--rate", type=float, default=4.0)
    parser.add_argument("--lost", type=float, default=0.1)
    parser.add_argument("--twice", type=float, default=0.05)
    parser.add_argument("--kill-every", type=float, default=5.0)
    parser.add_argument("--patience", type=float, default=900.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        told = (given.events, given.rate, given.lost, given.twice, given.kill_every, given.patience)
        print(f"{REPOSITORY}: {storm(Path(home), *told).line()}")


if __name__ == "__main__":
    main()
