"""`brain pull`: reading a service's past through its API, on from where the last run stopped."""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import Settings, load_settings
from workers.cli.options import Home

if TYPE_CHECKING:
    import redis

    from assistant.graph.space import Space


class Service(StrEnum):
    """What can be pulled from."""

    ZOOM = "zoom"
    MEET = "meet"
    TEAMS = "teams"
    DRIVE = "drive"
    GITHUB = "github"
    GITLAB = "gitlab"


def pull(
    service: Annotated[Service, typer.Argument(help="Which one.", show_default=False)],
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="First day asked for, of meetings. Default: all.", show_default=False),
    ] = None,
    home: Home = None,
) -> None:
    """Read what a service has of the past: meetings of Zoom, Meet and Teams, discussions of GitHub and GitLab,
    documents of Google Drive with their revisions.

    It needs the service's keys (README: Settings). What is new after that comes by webhooks and polls.

    brain pull zoom --since 2026-01-01
    """
    from contextlib import closing

    from workers.cli.output import say
    from workers.cli.session import opened
    from workers.queue import connect
    from workers.reconcile import reconcile_as_set

    settings = load_settings(home)
    with opened(settings) as space, closing(connect(space.servers.queue_url)) as server:
        if service is Service.DRIVE:
            say(f"Revisions read: {documents(space, settings)}.")
            return
        if service in (Service.GITHUB, Service.GITLAB):
            done = discussions(space, server, settings, service.value)
        else:
            done = meetings(space, server, settings, service.value, since)
        reconcile_as_set(space, settings)
    say(f"{'New discussions' if service in (Service.GITHUB, Service.GITLAB) else 'Meetings read'}: {done}.")


def meetings(space: "Space", server: "redis.Redis", settings: Settings, name: str, since: datetime | None) -> int:
    """Reads the meetings of a service; how many. Raises UserFacing where it has no keys."""
    from dataclasses import replace
    from datetime import UTC

    from assistant.errors import UserFacing
    from connectors.meet import transcripts as meet
    from connectors.teams import graph as teams
    from connectors.zoom.cloud import HINT, connected
    from workers.cache import RedisCache
    from workers.cli.output import say
    from workers.pull.meetings import CLOUDS, fill

    notes = RedisCache(server)
    if name == "zoom":
        zoom = connected(settings, notes, since.date() if since else None)
        if zoom.service is None:
            raise UserFacing(HINT)
        return fill(space, zoom, server, lambda done: say(f"{done} meetings …"))
    cloud = CLOUDS[name](settings, notes)
    if cloud is None:
        raise UserFacing(meet.HINT if name == "meet" else f"{teams.HINT}; name TEAMS_ORGANIZERS")
    asked = replace(cloud, since=since.replace(tzinfo=UTC)) if since else cloud  # type: ignore[type-var]
    return fill(space, asked, server, lambda done: say(f"{done} meetings …"))  # type: ignore[arg-type]


def discussions(space: "Space", server: "redis.Redis", settings: Settings, name: str) -> int:
    """Reads the discussions of the repositories that are followed; how many are new. Raises UserFacing without any."""
    from assistant.errors import UserFacing
    from assistant.graph.reading.conversations import conversation_count
    from workers.cli.output import say
    from workers.pull import forges, handbook

    followed = settings.github_repositories if name == "github" else settings.gitlab_projects
    if not followed:
        raise UserFacing(f"nothing is followed: set {'GITHUB_REPOSITORIES' if name == 'github' else 'GITLAB_PROJECTS'}")
    before = conversation_count(space.reader)
    for one in followed:
        audience = forges.audience_of(space, handbook.address(settings, name, one))
        forge = forges.FORGES[name](settings, one)
        key = f"{forges.STATE}{name}:{one}"
        left: int | None = 1
        while left:
            with forges.alone(server, name, one) as held:
                left = forges.catch_up(space, settings, forge, server, key, audience, held)
            say(f"{one}: {left or 0} left …")
    return conversation_count(space.reader) - before


def documents(space: "Space", settings: Settings) -> int:
    """Reads the revisions of the folders' documents; how many. Raises UserFacing where there are no folders or keys."""
    from assistant.errors import UserFacing
    from connectors.drive.documents import HINT
    from workers.pull.drive import AT_ONCE, poll

    if not settings.drive_folders:
        raise UserFacing("no folder is named: set DRIVE_FOLDERS")
    done = 0
    for one in settings.drive_folders:
        while True:
            report = poll(space, settings, one)
            if report is None:
                raise UserFacing(HINT)
            done += report.commits
            if report.commits < AT_ONCE:
                break
    return done
