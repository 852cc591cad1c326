"""`brain reconcile` and `brain decisions`: what was decided, and what became of it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from rich.console import RenderableType

    from assistant.graph.reading.decisions import DecisionRow

COLOURS = {"implemented": "green", "pending": "cyan", "chat_only": "yellow", "conflict": "red", "superseded": "dim"}


def reconcile(json: Json = False, home: Home = None) -> None:
    """Find decisions in what was said, link them to the commits that carried them out, and flag those that none did.

    Runs by itself after each ingest; running it again changes nothing.
    """
    from workers.cli.output import counted, print_json, progress_bar, say
    from workers.cli.session import opened
    from workers.reconcile import reconcile_as_set

    settings = load_settings(home)
    with opened(settings) as space, progress_bar("Linking decisions") as progress:
        report = reconcile_as_set(space, settings, progress)
    if json:
        print_json(asdict(report))
        return
    read, changed = counted(report.read, "conversation"), counted(report.changed, "decision")
    say(f"{read} read, {changed} new or changed, {report.judged} judged; {report.decisions} known.")


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
    from workers.cli.output import print_json, say, show
    from workers.cli.session import opened
    from workers.deciding import decision_json, known_decisions

    settings = load_settings(home)
    with opened(settings) as space:
        rows = known_decisions(space, viewer, chat_only=chat_only)
        others = len(known_decisions(space, viewer)) if chat_only and not rows else 0
    for row in rows:
        if json:
            print_json(decision_json(row))
        else:
            show(told(row, settings.zone))
    if not rows and not json:
        say(none(viewer, others))


def none(viewer: str | None, others: int) -> str:
    """Why there is nothing to list, and what would change that; `others` are known that are not chat-only."""
    seen = f" that {viewer} may see" if viewer else ""
    if others:
        return f"No decision{seen} is chat-only; {others} known (`brain decisions`)."
    return (
        f"No decision{seen} yet: read what people said with `brain ingest slack-export`, `zoom` or `minutes` "
        "(`brain ingest --help`)."
    )


def told(row: "DecisionRow", zone: "tzinfo") -> "RenderableType":
    """One decision for a person: what became of it and where it was made, and set in below that who said what."""
    from rich.text import Text

    from assistant.model.times import moment, zone_of
    from workers.cli.output import hanging

    at = moment(row.at)
    day = f"{at.astimezone(zone_of(at, row.shown_id, zone)):%Y-%m-%d}"
    head = Text.assemble((f"{row.status.value:<11}", COLOURS[row.status]), f"  {day}  ", (row.shown_id, "bold"))
    said = [] if row.statement.rstrip(".").casefold() in row.quote.casefold() else [row.statement]
    said.append(f"{row.quote_speaker}: “{row.quote}”" if row.quote_speaker else f"“{row.quote}”")
    return hanging(head, *map(Text, said), *(Text(line, "dim") for line in beside(row)), "")


def beside(row: "DecisionRow") -> "Iterator[str]":
    """What else is known of a decision, a line each."""
    from assistant.agent.evidence import place_called
    from assistant.model.conversations import ConversationKind

    if row.kind == ConversationKind.MINUTES:
        yield f"in the minutes of {place_called(row.kind, row.place_name, row.title)}"
    if row.decided_by != row.quote_speaker:
        yield f"decided by {row.decided_by or 'the meeting as a whole'}"
    if row.origin:
        yield row.origin
    if row.links:
        first = row.links[0].commit
        yield f"carried out by {first.sha[:12]}" + (f", request {first.merge_request}" if first.merge_request else "")
    if row.conflict:
        yield f"against {row.conflict.section.path}: “{row.conflict.quote}”"
