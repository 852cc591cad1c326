"""`brain up`, `brain serve`, `brain work`: the processes."""

from enum import StrEnum
from typing import Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home


class Kind(StrEnum):
    """What a worker works on."""

    ANSWER = "answer"
    """Questions and clicks."""
    INGEST = "ingest"
    """What is said in recorded channels, and what other sources tell of."""


def up(home: Home = None) -> None:
    """Run everything together in the foreground: servers, web and workers. Ctrl-C ends all of it cleanly."""
    from workers.up import up as run

    run(load_settings(home))


def serve(home: Home = None) -> None:
    """Run the web process: Slack over HTTP or socket mode, `/healthz`, `/metrics`, on BRAIN_HOST and BRAIN_PORT."""
    from workers.web.serve import serve as run

    run(load_settings(home))


def work(
    kinds: Annotated[
        list[Kind] | None, typer.Argument(help="What to work on. Default: everything.", show_default=False)
    ] = None,
    embed: Annotated[
        bool, typer.Option("--embed/--no-embed", help="Find by meaning, too, or by words and titles only.")
    ] = True,
    home: Home = None,
) -> None:
    """Run a worker that takes jobs from the queue. Start as many as you like.

    brain work answer

    brain work ingest
    """
    from workers import answer, listen
    from workers.queue import ANSWERING, QUEUES

    settings = load_settings(home)
    if kinds and Kind.ANSWER not in kinds:
        listen.run(settings)
    else:
        answer.run(settings, embed=embed, names=ANSWERING if kinds and Kind.INGEST not in kinds else QUEUES)
