"""`brain reconcile` and `brain decisions`: what was decided, and what became of it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from assistant.graph.reading.decisions import DecisionRow

COLOURS = {"implemented": "green", "pending": "cyan", "chat_only": "yellow", "conflict": "red", "superseded": "dim"}


def reconcile(json: Json = False, home: Home = None) -> None:
    """Find decisions in what was said, link them to the commits that carried them out, and flag those that none did.

    Runs by itself after each ingest; running it again changes nothing.
    """
    from workers.cli.output import print_json, progress_bar, say
    from workers.cli.session import opened
    from workers.reconcile import reconcile_as_set

    settings = load_settings(home)
    with opened(settings) as space, progress_bar("Linking decisions") as progress:
        report = reconcile_as_set(space, settings, progress)
    if json:
        print_json(asdict(report))
        return
    say(f"{report.read} conversations read, {report.changed} decisions new or changed, {report.judged} judged.")


def decisions(
    chat_only: Annotated[
        bool, typer.Option("--chat-only", help="Only those that no commit carried out in time.")
    ] = False,
    viewer: Annotated[
        str | None,
        typer.Option(help="Only what this person may see (id, e-mail or handle). Default: all.", show_default=False),
    ] = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """List what was decided, oldest first: by whom, in which words, and which commit carried it out.

    brain decisions --chat-only
    """
    from workers.cli.output import console, print_json
    from workers.cli.session import opened
    from workers.deciding import decision_json, known_decisions

    with opened(load_settings(home)) as space:
        rows = known_decisions(space, viewer, chat_only=chat_only)
    for row in rows:
        if json:
            print_json(decision_json(row))
        else:
            console().print(told(row))


def told(row: "DecisionRow") -> "RenderableType":
    """One decision for a person."""
    from rich.text import Text

    from assistant.model.times import moment

    line = Text.assemble(
        (f"{row.status.value:<12}", COLOURS[row.status.value]),
        f"{moment(row.at):%Y-%m-%d}  {row.statement}  ",
        (row.shown_id, "dim"),
    )
    who = row.decided_by or "the meeting"
    line.append(f"\n            {who}: “{row.quote}”", "dim")
    if row.origin:
        line.append(f"\n            {row.origin}", "dim")
    if row.links:
        first = row.links[0].commit
        request = f", request {first.merge_request}" if first.merge_request else ""
        line.append(f"\n            carried out by {first.sha[:12]}{request}", "dim")
    if row.conflict:
        line.append(f"\n            against {row.conflict.section.path}: “{row.conflict.quote}”", "dim")
    return line
