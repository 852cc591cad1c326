"""`brain ingest slack-export|zoom|minutes`: reading what people said into the graph."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from workers.talk import TalkReport

SHOWN = 10
"""Lines of what was left out that a person gets to see; `--json` has all."""

PeopleFile = Annotated[
    Path | None,
    typer.Option(
        help="YAML or JSON that settles who is who: name, email, slack_id, github, initials, …",
        dir_okay=False,
        show_default=False,
    ),
]
Audience = Annotated[str | None, typer.Option(help="Who may see it: `public`, or `channel:ID`.", show_default=False)]


def slack_export(
    path: Annotated[Path, typer.Argument(metavar="DIR_OR_ZIP", help="The export.", show_default=False)],
    people: PeopleFile = None,
    workspace_url: Annotated[
        str | None,
        typer.Option(help="The workspace's address, for links: https://acme.slack.com.", show_default=False),
    ] = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Read a Slack export: threads and the main line of public and private channels. Direct messages are never read.

    brain ingest slack-export ~/Downloads/acme-export.zip --people people.yaml
    """
    from workers.talk import ingest_slack_export

    take_in(partial(ingest_slack_export, path=path, people=people, workspace=workspace_url), home, json=json)


def zoom(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folders of recordings.", show_default=False)],
    audience: Audience = None,
    people: PeopleFile = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Read Zoom recordings: a folder a meeting, with transcript.vtt, meeting.json and chat.txt.

    Who took part may see a meeting, unless `--audience` says otherwise.

    brain ingest zoom ~/Zoom --audience public
    """
    from workers.talk import ingest_zoom

    take_in(partial(ingest_zoom, path=path, audience=audience, people=people), home, json=json)


def minutes(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files or folders.", show_default=False)],
    audience: Audience = None,
    people: PeopleFile = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Read minutes in text or Markdown: headings are agenda items, `Name: text` or `ABC: text` is what was said.

    Initials come from a table in the text, a delegates.txt beside it or above it, or the people file.

    brain ingest minutes ~/src/committee/minutes
    """
    from workers.talk import ingest_minutes

    take_in(partial(ingest_minutes, paths=paths, audience=audience, people=people), home, json=json)


def discussions(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="JSON files or folders.", show_default=False)],
    audience: Audience = None,
    people: PeopleFile = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Read issues and requests with their comments: JSON of GitHub, GitLab or Jira, from an API, a hook or an export.

    gh issue list --json number,title,body,author,comments,createdAt,url > issues.json

    brain ingest discussions issues.json
    """
    from workers.talk import ingest_discussions

    take_in(partial(ingest_discussions, paths=paths, audience=audience, people=people), home, json=json)


def teams(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folders of transcripts.", show_default=False)],
    audience: Audience = None,
    people: PeopleFile = None,
    json: Json = False,
    home: Home = None,
) -> None:
    """Read Teams transcripts: a folder a meeting, with its *.vtt and what Graph says about it as JSON.

    Who took part may see a meeting, unless `--audience` says otherwise.
    """
    from workers.talk import ingest_teams

    take_in(partial(ingest_teams, path=path, audience=audience, people=people), home, json=json)


def take_in(run: "Callable[..., TalkReport]", home: Path | None, *, json: bool) -> None:
    """Takes conversations in (`run` on a Space), then brings the decisions up to date, and tells what was done."""
    from workers.cli.output import progress_bar
    from workers.cli.session import opened
    from workers.reconcile import reconcile_as_set

    settings = load_settings(home)
    with opened(settings) as space:
        with progress_bar("Writing conversations") as progress:
            report = run(space, progress=progress)
        with progress_bar("Linking decisions") as progress:
            reconcile_as_set(space, settings, progress)
    tell(report, json=json)


def tell(report: "TalkReport", *, json: bool) -> None:
    """What a run did: JSON on stdout, or lines on stderr."""
    from workers.cli.output import counted, print_json, say

    if json:
        print_json({name: value for name, value in asdict(report).items() if name != "found"})
        return
    say(
        f"Read {counted(report.conversations, 'conversation')} with {counted(report.utterances, 'utterance')} "
        f"by {report.people} people; {report.changed} new or changed."
    )
    if report.forgotten:
        say(f"{counted(report.forgotten, 'message')} had been deleted since; their text is gone here, too.")
    if report.unsure:
        names = ", ".join(report.unsure[:SHOWN]) + (" …" if len(report.unsure) > SHOWN else "")
        say(f"Not sure who these are (--people settles it): {names}")
    for line in report.skipped[:SHOWN]:
        say(f"Note: {line}")
    if len(report.skipped) > SHOWN:
        say(f"… and {len(report.skipped) - SHOWN} more such notes (--json shows all).")
