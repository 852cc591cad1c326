"""What commands print: JSON and answers on stdout, everything else on stderr, bars only on a terminal."""

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Progress = Callable[[int, int], None]
"""Told how much of how much is done."""

WIDE = 10_000
"""Columns where there is no terminal and COLUMNS is not set: every line stays whole."""


def print_json(row: Mapping[str, Any]) -> None:
    """One object on a line of stdout, at once."""
    sys.stdout.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def console(*, stderr: bool = False) -> "Console":
    """A rich console: colours and frames on a terminal, plain text elsewhere and with NO_COLOR."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def show(what: "RenderableType") -> None:
    """Something for a person, on stdout: wrapped on a terminal; elsewhere plain text in whole lines."""
    screen = console()
    if screen.is_terminal:
        screen.print(what)
        return
    from rich.console import Console

    page = StringIO()
    width = shutil.get_terminal_size((WIDE, 0)).columns
    Console(file=page, width=width, highlight=False, color_system=None).print(what)
    lines = page.getvalue().splitlines()
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))
    sys.stdout.flush()


def hanging(first: "RenderableType", *rest: "RenderableType", indent: int = 2) -> "RenderableType":
    """A line and, set in below it, what belongs to it; each wraps within its own margin."""
    from rich.console import Group
    from rich.padding import Padding

    return Group(first, *(Padding(one, (0, 0, 0, indent)) for one in rest))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> "RenderableType":
    """Rows under headings, without lines; what is too long wraps in its column."""
    from rich.table import Table
    from rich.text import Text

    made = Table(*headings, box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    for row in rows:
        made.add_row(*map(Text, row))
    return made


def counted(count: int, what: str) -> str:
    """A number and a regular noun: 1 answer, 2 answers."""
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def minute(at: datetime, zone: tzinfo) -> str:
    """A moment in a time zone, to the minute: 2026-06-30 14:05."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}"


def say(text: str) -> None:
    """A line for the person, on stderr."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Tells on stderr that the block runs, which takes a while; silent where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(f"{what} …"):
        yield


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
