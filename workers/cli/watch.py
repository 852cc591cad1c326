"""`brain watch`: taking in recordings as they are put into a folder."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home
from workers.cli.talk import Audience

EVERY = 5.0
"""Seconds between two looks."""


def watch(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Where recordings are put.", show_default=False)],
    audience: Audience = None,
    home: Home = None,
) -> None:
    """Take in Zoom recordings as they are put into a folder: a folder a meeting, once it has stopped growing.

    Runs until Ctrl-C. Workers do the same by themselves for the folder that BRAIN_WATCH names.

    brain watch ~/Documents/Zoom
    """
    from workers.cli.session import opened
    from workers.logs import to_stderr
    from workers.queue import connect
    from workers.talk import check_audience
    from workers.watch_folder import watch as run

    check_audience(audience)
    to_stderr()
    settings = load_settings(home)
    with opened(settings) as space, closing(connect(space.servers.queue_url)) as server:
        try:
            run(space, server, settings, path, audience, EVERY)
        except KeyboardInterrupt:
            raise typer.Exit(0) from None
