"""`brain consent`: what channels chose, who chose it, and choosing for them."""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assistant.errors import UserFacing
from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assistant.graph.store import Reader

HERE = "command line"
"""Who chose, where it was chosen here."""

CHANNEL = re.compile(r"[CG][A-Z0-9]+")
"""Ids of Slack's channels; whatever else has people in it cannot choose."""

app = typer.Typer(help="What channels let us do: answer, record, or neither.", invoke_without_command=True)


@app.callback()
def consent(context: typer.Context, json: Json = False, home: Home = None) -> None:
    """List what holds in each channel where somebody chose, since when, and by whose choice.

    brain consent

    brain consent set "#rules" record

    brain consent history --json
    """
    if context.invoked_subcommand is not None:
        return
    from assistant.graph.consent import choices
    from workers.cli.session import opened

    with opened(load_settings(home)) as space:
        made = choices(space.reader)
    newest = {one.channel: one for one in made}
    show(({"channel": c, "mode": o.mode.value, "by": o.by, "since": o.at} for c, o in newest.items()), json=json)


@app.command(name="set")
def choose(
    channel: Annotated[
        str,
        typer.Argument(
            metavar="CHANNEL", help="Its id, or its name where something of it is recorded.", show_default=False
        ),
    ],
    mode: Annotated[str, typer.Argument(metavar="MODE", help="answer, record or off.", show_default=False)],
    home: Home = None,
) -> None:
    """Choose for a channel. Workers that run tell it there, and begin or stop to record."""
    from assistant.graph.consent import Mode, set_mode
    from workers.cli.output import say
    from workers.cli.session import opened
    from workers.queue import ACT, INGEST, Work, connect, enqueue

    if mode not in set(Mode):
        raise typer.BadParameter("a mode is answer, record or off")
    now = datetime.now(UTC)
    with opened(load_settings(home)) as space:
        channel = meant(space.reader, channel)
        set_mode(space.graph, channel, Mode(mode), HERE, now)
        server = connect(space.servers.queue_url)
        at = f"{now.timestamp():.6f}"
        enqueue(server, Work(INGEST, "workers.history.follow", f"follow/{channel}/{at}", {"channel": channel}))
        told = {"channel": channel, "at": at}
        enqueue(server, Work(ACT, "workers.consent.changed", f"consent/changed/{channel}/{at}", told))
    say(f"{channel}: {mode}")


@app.command()
def history(
    channel: Annotated[
        str | None, typer.Argument(help="Only of this channel, by id or name.", show_default=False)
    ] = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Every choice that was ever made and everything that was ever forgotten, oldest first: by whom and when."""
    from assistant.graph.consent import choices
    from assistant.graph.writing.forget import trail
    from assistant.model.times import moment
    from workers.cli.session import opened

    with opened(load_settings(home)) as space:
        channel = meant(space.reader, channel) if channel else None
        rows: list[dict[str, Any]] = [
            {"at": one.at, "channel": one.channel, "mode": one.mode.value, "by": one.by}
            for one in choices(space.reader, channel)
        ]
        forgotten = () if channel else trail(space.reader)
        rows += [
            {"at": moment(one.at), "forgotten": one.about, "messages": one.count, "by": one.by, "done": not one.due}
            for one in forgotten
        ]
    show(sorted(rows, key=lambda row: row["at"]), json=json)


def meant(reader: "Reader", name: str) -> str:
    """Id of the channel that somebody typed; raises UserFacing for what is none, or not one alone."""
    from assistant.graph.people import known_place
    from workers.asked import place_named

    found = known_place(reader, place_named(name)).channel or ""
    if CHANNEL.fullmatch(found) is None:
        raise UserFacing(f"I know no channel {name}, or more than one: give its id, as in C01ABCDEF")
    return found


def show(rows: "Iterable[dict[str, Any]]", *, json: bool) -> None:
    """Rows as JSON, or as lines for people."""
    from workers.cli.output import console, print_json

    for row in rows:
        told = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
        if json:
            print_json(told)
        else:
            console().print("  ".join(str(value) for value in told.values()), markup=False)
