"""Every command of `brain` under its name, in the order `--help` shows them."""

import sys
from importlib.metadata import version
from typing import Annotated, Final

import typer
from typer.core import TyperGroup

from workers.cli import (
    ask,
    audit,
    backup,
    consent,
    decisions,
    demo,
    doctor,
    forget,
    ingest,
    look,
    pull,
    replay,
    run,
    talk,
    watch,
)

HELP = """Answers about a company's rules, each with the exact version of the handbook section that says so.

Start with `brain demo`, which needs no account and no key. With a handbook of your own:

brain ingest git ~/src/handbook

brain ask "How many days of leave do we get?"

brain ask "What was the hotel limit?" --as-of 2026-06-30
"""

FILL: Final = "Filling the graph"
ASK: Final = "Asking"
LOOK: Final = "Looking at what is known"
RUN: Final = "Running"
KEEP: Final = "What is recorded"
PARTS: Final = (FILL, ASK, LOOK, KEEP, RUN)
"""Of `--help`, in order."""

DISTRIBUTION: Final = "company-brain"


class InOrder(TyperGroup):
    """Lists groups of commands before the commands of the same part of `--help`."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # noqa: ARG002 as typer calls it
        """Names as `--help` shows them."""

        def place(name: str) -> tuple[int, bool]:
            command = self.commands[name]
            part = getattr(command, "rich_help_panel", None)
            return PARTS.index(part) if part in PARTS else len(PARTS), not isinstance(command, TyperGroup)

        return sorted(self.commands, key=place)


app = typer.Typer(
    cls=InOrder,
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
)


def tell_version(wanted: bool) -> None:
    """Prints the version and ends, where it is asked for."""
    if wanted:
        sys.stdout.write(f"brain {version(DISTRIBUTION)}\n")
        raise typer.Exit


@app.callback()
def brain(
    version: Annotated[
        bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Options of `brain` itself; what it does is told in HELP."""


ingest.app.command(name="slack-export")(talk.slack_export)
ingest.app.command(name="zoom")(talk.zoom)
ingest.app.command(name="minutes")(talk.minutes)
ingest.app.command(name="discussions")(talk.discussions)
ingest.app.command(name="teams")(talk.teams)
app.add_typer(ingest.app, name="ingest", rich_help_panel=FILL)
app.command(name="pull", rich_help_panel=FILL)(pull.pull)
app.command(name="reconcile", rich_help_panel=FILL)(decisions.reconcile)
app.command(name="embed-older", hidden=True)(ingest.embed_older)
app.command(name="ask", rich_help_panel=ASK)(ask.ask)
app.command(name="decisions", rich_help_panel=LOOK)(decisions.decisions)
app.command(name="history", rich_help_panel=LOOK)(look.history)
app.command(name="answers", rich_help_panel=LOOK)(look.answers)
app.command(name="owners", rich_help_panel=LOOK)(look.owners)
app.command(name="audit", rich_help_panel=LOOK)(audit.audit)
app.add_typer(consent.app, name="consent", rich_help_panel=KEEP)
app.command(name="forget", rich_help_panel=KEEP)(forget.forget)
app.command(name="replay", rich_help_panel=ASK)(replay.replay)
app.command(name="demo", rich_help_panel=RUN)(demo.demo)
app.command(name="up", rich_help_panel=RUN)(run.up)
app.command(name="serve", rich_help_panel=RUN)(run.serve)
app.command(name="work", rich_help_panel=RUN)(run.work)
app.command(name="watch", rich_help_panel=RUN)(watch.watch)
app.command(name="doctor", rich_help_panel=RUN)(doctor.doctor)
app.command(name="backup", rich_help_panel=RUN)(backup.backup)
app.command(name="restore", rich_help_panel=RUN)(backup.restore)
