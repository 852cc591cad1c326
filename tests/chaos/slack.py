"""Slack under fire, as a command; no part of `make test`.

python -m tests.chaos.slack storm --events 2000 --duplicates 0.05 --kill-every 5
python -m tests.chaos.slack load --rate 50 --seconds 60
"""

import argparse
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from assistant.graph.servers import embedded
from assistant.graph.space import open_space
from assistant.settings import Settings
from connectors.git import GitRepository
from tests.fakes import slack_requests as made
from tests.fakes.storm import Pipeline, storm
from workers.demo.company import write_handbook
from workers.ingest import ingest_git


def main() -> None:
    """Run one of the two and print its outcome in a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["storm", "load"])
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=8.0, help="events a second (load: 50)")
    parser.add_argument("--duplicates", type=float, default=0.05, help="share of events sent again")
    parser.add_argument("--drop", type=float, default=0.05, help="share of posts whose reply is lost")
    parser.add_argument("--kill-every", type=float, default=5.0, help="seconds between two kill -9")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--embed", action="store_true", help="workers load the embedding model, too")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the load goes on")
    parser.add_argument("--patience", type=float, default=1800.0, help="seconds to wait for the last answer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-chaos-") as folder:
        home = Path(folder)
        settings = Settings(home=home, cache=home / "cache")
        servers = fill(settings)
        try:
            if options.what == "storm":
                with Pipeline(home, options.workers, options.embed, options.drop).running() as pipeline:
                    outcome = storm(
                        pipeline, options.events, options.rate, options.duplicates, options.kill_every, options.patience
                    )
                print(outcome.line())
            else:
                with Pipeline(home, 0, embed=False).running() as pipeline:
                    print(load(pipeline, options.rate, options.seconds).line())
        finally:
            embedded.stop(servers)


def fill(settings: Settings) -> embedded.Servers:
    """A home with the demonstration's handbook in it."""
    repository = settings.home / "handbook.git"
    write_handbook(repository)
    space = open_space(settings)
    ingest_git(space, GitRepository(repository, cache=settings.cache))
    space.close()
    return space.servers


@dataclass(frozen=True)
class Measured:
    """Milliseconds until events were acknowledged, and how many were not."""

    events: int
    rate: float
    p50: float
    p99: float
    slowest: float
    bad: int

    def line(self) -> str:
        """The measurement in one line."""
        return (
            f"{self.events} events at {self.rate:.0f}/s: ack p50 {self.p50:.1f} ms, p99 {self.p99:.1f} ms, "
            f"slowest {self.slowest:.1f} ms, {self.bad} not 200"
        )


def load(pipeline: Pipeline, rate: float, seconds: float) -> Measured:
    """Events at a steady rate while no worker answers: how soon and with what status each was acknowledged."""
    base, began = int(time.time()), time.monotonic()
    with ThreadPoolExecutor(64) as pool:
        futures = []
        for number in range(int(rate * seconds)):
            ts = f"{base}.{number:06d}"
            futures.append(pool.submit(pipeline.send, made.envelope(made.mention("limit?", ts, channel=f"C{number}"))))
            time.sleep(max(0.0, began + (number + 1) / rate - time.monotonic()))
        results = [future.result() for future in futures]
    times = sorted(took * 1000 for _, took in results)
    p50, p99, slowest = (times[int((len(times) - 1) * share)] for share in (0.5, 0.99, 1.0))
    bad = sum(status != 200 for status, _ in results)
    return Measured(len(times), rate, p50, p99, slowest, bad)


if __name__ == "__main__":
    main()
