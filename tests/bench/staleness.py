"""What judging one commit costs by how many answers are stored: `python -m tests.bench.staleness [COUNT ...]`.

For each count a fresh home gets a handbook of 1,000 sections and so many answers, loaded in bulk, each citing one of
them; then a commit changes ten sections that a hundred of the answers cite, half of them in the cited words.
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import typer

from assistant.graph.space import Space, open_space
from assistant.graph.store import Query
from assistant.model.times import FOREVER
from assistant.settings import load_settings
from assistant.staleness.check import check_commit
from assistant.staleness.judge import sentences
from assistant.text.limits import limits
from assistant.text.meaning import meaning
from tests.fakes.handbook import Handbook, page

SECTIONS, TOUCHED, CITING, RUNS = 1000, 10, 100, 40
PAGE = 20
"""Sections a page."""
BATCH = 20_000

CURRENT = Query("bench.current", "MATCH (s:Section {valid_to: $end}) RETURN s.id AS id, s.heading AS heading")
LOAD = Query(
    "bench.load",
    "UNWIND $rows AS r MATCH (s:Section {id: r[1]}) CREATE (a:Answer {id: r[0], status: 'answered', text: r[2], at: 1, "
    "audience: 'public', question: 'How much?'})-[:CITES {claim: r[2], quote: r[2], holds: 'now'}]->(s)",
)


def words(number: int, price: int) -> str:
    """A section: a sentence that answers cite, and another."""
    return f"Rule {number}: Item number {number} costs {price} euros a month.\n\nAsk the desk about it."


def book(changed: int = 0) -> dict[str, str]:
    """All pages; of so many sections the price is another, or, for every second, the other sentence."""
    told = [words(number, 50 if number < changed and number % 2 else 40) for number in range(SECTIONS)]
    told = [text.replace("the desk", "our desk") if n < changed and n % 2 == 0 else text for n, text in enumerate(told)]
    return {f"page-{start}.md": page(*told[start : start + PAGE]) for start in range(0, SECTIONS, PAGE)}


def load(space: Space, count: int) -> None:
    """Stores the answers: a hundred cite the first ten sections, the rest all others in turn."""
    by_number = {int(row["heading"].split()[1]): row["id"] for row in space.reader.rows(CURRENT, end=FOREVER)}
    for start in range(0, count, BATCH):
        rows = []
        for n in range(start, min(count, start + BATCH)):
            number = n % TOUCHED if n < CITING else TOUCHED + n % (SECTIONS - TOUCHED)
            rows.append([f"answer-{n}", by_number[number], f"Item number {number} costs 40 euros a month."])
        space.graph.write(LOAD, rows=rows)


def measured(count: int) -> list[float]:
    """Seconds of each of RUNS checks of the same commit, nothing of it remembered, which give the same; sorted."""
    with tempfile.TemporaryDirectory() as folder, open_space(load_settings(Path(folder) / "home")) as space:
        handbook = Handbook(space, Path(folder))
        handbook.commit(book())
        handbook.ingest()
        load(space, count)
        change = handbook.commit(book(TOUCHED), "Raise prices (#7)")
        handbook.ingest()
        sha = handbook.history.sha(change)
        seconds = []
        for _ in range(RUNS):
            for remembered in (sentences, limits, meaning):
                remembered.cache_clear()
            start = perf_counter()
            report = check_commit(space, sha)
            seconds.append(perf_counter() - start)
            found = len(report.invalidated), len(report.unsure), len(report.revalidated)
            assert found == (CITING // 2, 0, CITING // 2), found
        return sorted(seconds)


def main() -> None:
    """Prints median and 95th percentile for each count."""
    for count in map(int, sys.argv[1:] or ("10000", "1000000")):
        seconds = measured(count)
        p95 = seconds[int(0.95 * len(seconds))]
        typer.echo(f"{count:>9,} answers: median {1000 * seconds[RUNS // 2]:.0f} ms, p95 {1000 * p95:.0f} ms")


if __name__ == "__main__":
    main()
