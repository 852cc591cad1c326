"""What commands print: JSON and answers on stdout, everything else on stderr, bars only on a terminal."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int], None]
"""Told how much of how much is done."""


def print_json(row: Mapping[str, Any]) -> None:
    """One object on a line of stdout, at once."""
    sys.stdout.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def console(*, stderr: bool = False) -> "Console":
    """A rich console: colours and frames on a terminal, plain text elsewhere and with NO_COLOR."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def say(text: str) -> None:
    """A line for the person, on stderr."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A bar on stderr while the block runs; silent where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
