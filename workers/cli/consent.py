"""`brain consent`: what channels chose, who chose it, and choosing for them."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assistant.errors import UserFacing
from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from assistant.graph.store import Reader
    from assistant.settings import Settings

HERE = "command line"
"""Who chose, where it was chosen here."""

NOBODY_CHOSE = (
    "Nobody has chosen anything yet: invite the bot to a channel, or choose here: `brain consent set CHANNEL record`."
)

CHANNEL = re.compile(r"[CG][A-Z0-9]+")
"""Ids of Slack's channels; whatever else has people in it cannot choose."""

app = typer.Typer(invoke_without_command=True)


@app.callback()
def consent(context: typer.Context, json: Json = False, home: Home = None) -> None:
    """Show or choose what each channel lets us do: answer, record, or neither.

    By itself it lists what holds in each channel where somebody chose, since when, and by whose choice.

    brain consent

    brain consent set "#rules" record

    brain consent history --json
    """
    if context.invoked_subcommand is not None:
        return
    from assistant.graph.consent import choices
    from workers.cli.output import minute, print_json, say, show, table
    from workers.cli.session import opened

    settings = load_settings(home)
    with opened(settings) as space:
        newest = {one.channel: one for one in choices(space.reader)}
        names = Names(space.reader)
        rows = [
            (names.channel(one.channel), one.mode.value, minute(one.at, settings.zone), names.author(one.by))
            for one in newest.values()
        ]
    if json:
        for one in newest.values():
            print_json({"channel": one.channel, "mode": one.mode.value, "by": one.by, "since": one.at.isoformat()})
    elif rows:
        show(table(("Channel", "Mode", f"Since ({settings.timezone})", "By"), rows))
    else:
        say(NOBODY_CHOSE)


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
    """Choose for a channel. Workers that run tell it there, and begin or stop to record.

    brain consent set "#rules" record
    """
    from assistant.graph.consent import Mode, mode_of, set_mode
    from workers.cli.output import say
    from workers.cli.session import opened
    from workers.queue import ACT, INGEST, Work, connect, enqueue
    from workers.queue.recording import switch_off

    if mode not in set(Mode):
        raise typer.BadParameter("a mode is answer, record or off")
    now = datetime.now(UTC)
    with opened(load_settings(home)) as space:
        channel = meant(space.reader, channel)
        set_mode(space.graph, channel, Mode(mode), HERE, now)
        server = connect(space.servers.queue_url)
        switch_off(server, channel, off=mode_of(space.reader, channel) is Mode.OFF)
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
    """Every choice that was ever made and everything that was ever forgotten, oldest first: by whom and when.

    brain consent history "#rules"
    """
    from assistant.graph.consent import choices
    from assistant.graph.writing.forget import trail
    from assistant.model.times import moment
    from workers.cli.output import print_json, say, show
    from workers.cli.session import opened

    settings = load_settings(home)
    with opened(settings) as space:
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
        rows.sort(key=lambda row: row["at"])
        page = told(rows, Names(space.reader), settings)
    if json:
        for row in rows:
            print_json({**row, "at": row["at"].isoformat()})
    elif rows:
        show(page)
    else:
        say(f"Nobody has chosen anything for {channel} yet." if channel else NOBODY_CHOSE)


def told(rows: "list[dict[str, Any]]", names: "Names", settings: "Settings") -> "RenderableType":
    """Choices and forgettings under headings: when, where, what, and by whom."""
    from workers.cli.output import counted, minute, table

    lines = []
    for row in rows:
        if "mode" in row:
            where, what = names.channel(row["channel"]), f"chose {row['mode']}"
        else:
            doing = "forgot" if row["done"] else "is forgetting"
            where, what = "", f"{doing} {counted(row['messages'], 'message')}: {names.about(row['forgotten'])}"
        lines.append((minute(row["at"], settings.zone), where, what, names.author(row["by"])))
    return table((f"When ({settings.timezone})", "Channel", "What", "By"), lines)


@dataclass(frozen=True, slots=True)
class Names:
    """Channels and people by the names they go by, with the ids where there is no name."""

    reader: "Reader"

    def channel(self, id: str) -> str:  # noqa: A002 it is one
        """As people write it."""
        from assistant.graph.people import room_name

        name = room_name(self.reader, id)
        return f"#{name}" if name and CHANNEL.fullmatch(id) else name or id

    def author(self, by: str) -> str:
        """Who chose, or had something forgotten."""
        from assistant.graph.people import find_person, person_called

        person = person_called(self.reader, f"slack:{by}") or person_called(self.reader, by) if by else None
        known = find_person(self.reader, person) if person else None
        return known.name if known else by or "by itself"

    def about(self, forgotten: str) -> str:
        """What was forgotten: a person by name, too, as long as anything of them is known."""
        name = self.author(forgotten)
        return forgotten if name == forgotten else f"{name}, {forgotten}"


def meant(reader: "Reader", name: str) -> str:
    """Id of the channel that somebody typed; raises UserFacing for what is none, or not one alone."""
    from assistant.graph.people import known_place
    from workers.asked import place_named

    found = known_place(reader, place_named(name)).channel or ""
    if CHANNEL.fullmatch(found) is None:
        raise UserFacing(f"I know no channel {name}, or more than one: give its id, as in C01ABCDEF")
    return found
