"""`brain up`, `brain serve`, `brain work`: the processes."""

from enum import StrEnum
from typing import Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home


class Kind(StrEnum):
    """What a worker works on."""

    ANSWER = "answer"


def up(home: Home = None) -> None:
    """Run everything together in the foreground: servers, web and an answer worker. Ctrl-C ends all of it cleanly."""
    from workers.up import up as run

    run(load_settings(home))


def serve(home: Home = None) -> None:
    """Run the web process: Slack over HTTP or socket mode, `/healthz`, `/metrics`, on BRAIN_HOST and BRAIN_PORT."""
    from workers.web.serve import serve as run

    run(load_settings(home))


def work(
    kinds: Annotated[  # noqa: ARG001 there is one kind so far
        list[Kind] | None, typer.Argument(help="What to work on. Default: everything.", show_default=False)
    ] = None,
    embed: Annotated[
        bool, typer.Option("--embed/--no-embed", help="Find by meaning, too, or by words and titles only.")
    ] = True,
    home: Home = None,
) -> None:
    """Run a worker that takes questions and clicks from the queue. Start as many as you like.

    brain work answer
    """
    from workers.answer import run

    run(load_settings(home), embed=embed)
