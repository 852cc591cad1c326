"""How many of many random faults an audit finds: `python -m tests.bench.audit HOME [--count N] [--seed N]`.

HOME is a filled home that nobody needs: faults are planted in its graph, some at a time, and taken back again.
"""

import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

import typer

from assistant.evals.audit.run import Places, audited
from assistant.graph.recorded import workspaces
from assistant.graph.space import Space, open_space
from assistant.settings import load_settings
from tests.fakes.faults import Fault, Planter

TOGETHER = 15
"""Faults of one audit: few enough that hardly one is found only for lying next to another."""


def unfound(space: Space, faults: list[Fault]) -> list[Fault]:
    """The faults that an audit of the graph with all of them does not name."""
    for fault in faults:
        fault.plant(space.graph)
    told = [line for found in audited(space.reader, Places(), workspaces(space.graph)) for line in found.failures]
    for fault in reversed(faults):
        fault.mend(space.graph)
    return [fault for fault in faults if not fault.named(told)]


def group(fault: Fault) -> str:
    """What of a table's rows a fault belongs to: a kind of node, or what was done to a kind of edge."""
    return fault.kind.partition(".")[0] if "." in fault.kind else fault.kind.replace("altered", "other")


def main(home: Path, count: int = 300, seed: int = 1) -> None:
    """Prints what was not found, and the share that was; exit status 1 below 99 %."""
    start = perf_counter()
    with open_space(load_settings(home)) as space:
        faults = list(Planter(space.graph, seed).faults(count))
        missed = [
            fault for first in range(0, count, TOGETHER) for fault in unfound(space, faults[first : first + TOGETHER])
        ]
        left = [line for found in audited(space.reader, Places(), workspaces(space.graph)) for line in found.failures]
    kinds = Counter(group(fault) for fault in faults)
    lost = Counter(group(fault) for fault in missed)
    for kind, planted in sorted(kinds.items()):
        typer.echo(f"{kind:<28} {planted - lost[kind]:>4} of {planted}")
    for fault in missed:
        typer.echo(f"not found: {fault.kind} of {fault.things[0]}")
    typer.echo(
        f"{count - len(missed)} of {count} faults found in {perf_counter() - start:.0f} s; {len(left)} left after"
    )
    sys.exit(len(missed) > count // 100)


if __name__ == "__main__":
    typer.run(main)
