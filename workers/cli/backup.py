"""`brain backup` and `brain restore`: everything of a home in one file."""

from pathlib import Path
from typing import Annotated

import typer

from assistant.errors import UserFacing
from assistant.settings import load_settings
from workers.cli.options import Home
from workers.cli.output import busy, say


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    home: Home = None,
) -> None:
    """Write everything of a home into one file, consistent while it runs.

    Servers named by FALKORDB_URL or REDIS_URL are backed up where they stand. The vector cache is left out: it is made
    again.

    brain backup ~/brain-2026-11-30.tar
    """
    from rich.filesize import decimal

    from assistant.graph.servers.backup import backup as write
    from assistant.graph.servers.backup import check_target
    from workers.cli.session import opened

    target = file.expanduser().absolute()
    check_target(target, force=force)
    with opened(load_settings(home)) as space, busy("Writing the backup"):
        size = write(space, target, force=force)
    say(f"{file}: {decimal(size)}")


def restore(
    file: Annotated[Path, typer.Argument(help="What `brain backup` wrote.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace what the home holds.")] = False,
    home: Home = None,
) -> None:
    """Bring a home back to what it was when the backup was written, wholly or not at all.

    Where FALKORDB_URL or REDIS_URL names a server, name the home with --home: it is restored with servers of its own.

    brain restore ~/brain-2026-11-30.tar --home ~/restored
    """
    from assistant.graph.servers.backup import restore as read

    settings = load_settings(home)
    if settings.falkordb_url or settings.redis_url:
        raise UserFacing(
            "FALKORDB_URL or REDIS_URL names a server of your own, which would not read the home: restore it there "
            "(its dump.rdb), or name a folder with --home"
        )
    with busy("Restoring"):
        read(file.expanduser().absolute(), settings.home, force=force)
    say(f"{settings.home} is as it was; start anything on it to go on")
