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
    from workers.cli.output import print_json, show
    from workers.cli.session import opened
    from workers.pages import page_history

    settings = load_settings(home)
    with opened(settings) as space:
        rows = page_history(space, path, heading)
    for row in rows:
        if json:
            print_json(row.as_json())
        else:
            show(version(row, settings))


def answers(
    stale: Annotated[
        bool, typer.Option("--stale", help="Only those that a later change broke or put in doubt.")
    ] = False,
    json: Json = False,
    home: Home = None,
) -> None:
    """List the answers given so far, oldest first, and whether they still hold.

    brain answers --stale
    """
    from assistant.staleness.standing import standings
    from workers.cli.output import print_json, say, show
    from workers.cli.session import opened

    with opened(load_settings(home)) as space:
        given = standings(space)
    rows = [row for row in given if row.status in ("stale", "check") or not stale]
    for row in rows:
        if json:
            print_json(row.as_json())
        else:
            show(standing(row))
    if not rows and not json:
        say(none_told(len(given)))


def none_told(given: int) -> str:
    """Why no answer is listed; `given` are known."""
    if given:
        return f"No answer is stale or in doubt; {given} given so far (`brain answers`)."
    return 'No answer was given yet: ask with `brain ask "…"`. Refusals are not listed.'


def owners(path: PagePath, json: Json = False, home: Home = None) -> None:
    """Show who answers for a page, and the CODEOWNERS line that says so.

    brain owners handbook/people/time-off.md
    """
    from rich.text import Text

    from workers.cli.output import hanging, print_json, show
    from workers.cli.session import opened
    from workers.pages import page_owners

    with opened(load_settings(home)) as space:
        found = page_owners(space, path)
    if json:
        print_json({"path": path, "owners": list(found.owners), "line": found.line})
    else:
        show(hanging(Text(", ".join(found.owners)), Text(found.line, "dim")))


def version(row: "VersionRow", settings: "Settings") -> "RenderableType":
    """One version for a person: what was done when by which commit, and the text."""
    from rich.text import Text

    from assistant.model.times import day, moment
    from workers.cli.output import hanging

    request = f" · request {row.merge_request}" if row.merge_request else ""
    done = (
        f"{row.change.value} {day(moment(row.valid_from), settings.zone)} · commit {(row.commit or '?')[:12]}{request}"
    )
    text = [Text(row.text.strip())] if row.text.strip() else []
    return hanging(Text(" > ".join(row.heading_path) or row.path, "bold"), Text(done, "cyan"), *text, "")


def standing(row: "Standing") -> "RenderableType":
    """One given answer for a person: whether it holds and its id, and set in below that what was asked."""
    from rich.text import Text

    from workers.cli.output import hanging

    head = Text.assemble((f"{row.status:<9}", COLOURS[row.status]), f"  {row.answer_id}")
    lines = [Text(row.question)]
    if row.invalidated_by:
        owners = f", owned by {', '.join(row.owners)}" if row.owners else ""
        what = "put in doubt by" if row.status == "check" else "broken by"
        lines.append(Text(f"{what} {row.invalidated_by[:12]}{owners}", "dim"))
    if row.refreshed_by:
        lines.append(Text(f"answered anew: {row.refreshed_by}", "dim"))
    return hanging(head, *lines)
