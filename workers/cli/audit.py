"""`brain audit`: whether all that the graph says is what the sources say."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.errors import UserFacing
from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from assistant.evals.audit.checked import Checked

SHOWN = 10
"""Failures of a check that a person gets to see; `--json` has all."""

Paths = list[Path] | None


def audit(
    repo: Annotated[Paths, typer.Option(help="A clone or bundle, where it has been moved.", show_default=False)] = None,
    slack_export: Annotated[Paths, typer.Option(help="A Slack export, folder or zip.", show_default=False)] = None,
    zoom: Annotated[Paths, typer.Option(help="A folder of recordings.", show_default=False)] = None,
    teams: Annotated[Paths, typer.Option(help="A folder of Teams transcripts.", show_default=False)] = None,
    minutes: Annotated[Paths, typer.Option(help="A file or folder of minutes.", show_default=False)] = None,
    discussions: Annotated[Paths, typer.Option(help="JSON of issues and requests.", show_default=False)] = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Hold everything in the graph against its sources, read anew by own code: git, exports, transcripts, minutes,
    discussions, and live talk as Slack sent it.

    The sources are looked for where they were read from, and where the options say. Exit status 1: something failed.
    """
    from assistant.evals.audit.run import Places, audited
    from assistant.graph.recorded import workspaces
    from workers.cli.output import print_json, say
    from workers.cli.session import opened

    places = Places(*(tuple(paths or ()) for paths in (repo, slack_export, zoom, teams, minutes, discussions)))
    for path in (path for paths in (repo, slack_export, zoom, teams, minutes, discussions) for path in paths or ()):
        if not path.exists():
            raise UserFacing(f"there is no {path} to hold the graph against")
    failed, seen = False, 0
    with opened(load_settings(home)) as space:
        for found in audited(space.reader, places, workspaces(space.graph)):
            failed, seen = failed or bool(found.wrong), seen + found.total
            if json:
                counts = {"passed": found.passed, "total": found.total}
                print_json({"check": found.check, **counts, "failures": found.failures})
            else:
                tell(found)
    if not seen and not json:
        say("Nothing was checked, as nothing has been read yet: `brain ingest --help` tells what can be.")
    if failed:
        raise typer.Exit(1)


def tell(found: "Checked") -> None:
    """One check for a person."""
    from rich.text import Text

    from workers.cli.output import hanging, show

    colour = "red" if found.wrong else "green"
    failures = found.failures[:SHOWN]
    if len(found.failures) > SHOWN:
        failures = [*failures, f"… and {len(found.failures) - SHOWN} more (--json shows all)"]
    head = Text.assemble((f"{found.check:<12}", colour), f"{found.passed:>8} of {found.total}")
    show(hanging(head, *(Text(line) for line in failures), indent=4))
