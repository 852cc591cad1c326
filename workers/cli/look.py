"""`brain history`, `brain answers`, `brain owners`: what is known, without a question."""

from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from assistant.settings import Settings
    from assistant.staleness.standing import Standing
    from workers.pages import VersionRow

PagePath = Annotated[
    str, typer.Argument(metavar="PATH", help="A page, relative to the repository's root.", show_default=False)
]
COLOURS = {"valid": "green", "check": "yellow", "stale": "red", "refreshed": "cyan"}


def history(
    path: PagePath,
    heading: Annotated[
        str | None,
        typer.Option(
            help="Only the section under this heading or heading path: `Time off > Sick leave`.", show_default=False
        ),
    ] = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Show every version of a page's sections, section by section, oldest first, and the commit that wrote each.

    brain history handbook/people/time-off.md --heading "Annual leave"
    """
    from workers.cli.output import console, print_json
    from workers.cli.session import opened
    from workers.pages import page_history

    settings = load_settings(home)
    with opened(settings) as space:
        rows = page_history(space, path, heading)
    for row in rows:
        if json:
            print_json(row.as_json())
        else:
            console().print(version(row, settings))


def answers(
    stale: Annotated[bool, typer.Option("--stale", help="Only those that a later change broke or put in doubt.")] = False,
    json: Json = False,
    home: Home = None,
) -> None:
    """List the answers given so far, oldest first, and whether they still hold.

    brain answers --stale
    """
    from assistant.staleness.standing import standings
    from workers.cli.output import console, print_json
    from workers.cli.session import opened

    with opened(load_settings(home)) as space:
        rows = [row for row in standings(space) if row.status in ("stale", "check") or not stale]
    for row in rows:
        if json:
            print_json(row.as_json())
        else:
            console().print(given(row))


def owners(path: PagePath, json: Json = False, home: Home = None) -> None:
    """Show who answers for a page, and the CODEOWNERS line that says so.

    brain owners handbook/people/time-off.md
    """
    from workers.cli.output import console, print_json
    from workers.cli.session import opened
    from workers.pages import page_owners

    with opened(load_settings(home)) as space:
        found = page_owners(space, path)
    if json:
        print_json({"path": path, "owners": list(found.owners), "line": found.line})
    else:
        console().print(f"{', '.join(found.owners)}\n  {found.line}", markup=False)


def version(row: "VersionRow", settings: "Settings") -> "RenderableType":
    """One version for a person: what was done when by which commit, and the text."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from assistant.model.times import day, moment

    head = Text.assemble(
        (" > ".join(row.heading_path) or row.path, "bold"),
        (f"  {row.change.value} {day(moment(row.valid_from), settings.zone)}", "cyan"),
        (
            f" · commit {(row.commit or '?')[:12]}" + (f" · request {row.merge_request}" if row.merge_request else ""),
            "dim",
        ),
    )
    return Group(head, Padding(Text(row.text.strip()), (0, 2, 1, 2)))


def given(row: "Standing") -> "RenderableType":
    """One given answer for a person."""
    from rich.text import Text

    line = Text.assemble((f"{row.status:<10}", COLOURS[row.status]), f"{row.question}  ", (row.answer_id, "dim"))
    if row.invalidated_by:
        owners = f", owned by {', '.join(row.owners)}" if row.owners else ""
        line.append(f"\n          broken by {row.invalidated_by[:12]}{owners}", "dim")
    if row.refreshed_by:
        line.append(f"\n          answered anew: {row.refreshed_by}", "dim")
    return line
