"""`brain demo`: the whole story on a made-up company."""

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from assistant.settings import load_settings


def demo(
    home: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="A new folder to keep it in. Default: a temporary one that goes at the end.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """See the whole story on a made-up company: ask, change the rule, hear of the stale answer, ask again.

    Needs no account and no key, and takes some seconds. Everything happens in a temporary folder that goes at the end,
    unless --home names one to keep.
    """
    from assistant.graph.servers import embedded
    from assistant.graph.space import open_space
    from workers.cli.output import console
    from workers.demo import story

    with tempfile.TemporaryDirectory(prefix="tidewater-") as folder:
        settings = story.demo_settings(home or Path(folder), load_settings())
        servers = embedded.ensure(settings)
        try:
            with open_space(settings, servers=servers) as space:
                stage = story.set_up(console(), settings, space)
                story.tell(stage)
                if sys.stdin.isatty():
                    story.go_on(stage)
        finally:
            if home is None:
                embedded.stop(servers)
