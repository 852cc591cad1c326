"""Checks of the sources beside Slack: which webhooks are set up and when they were heard, whether keys are good."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import redis

from assistant.errors import BrainError, Fatal
from assistant.model.times import day
from assistant.settings import Settings, environment_name
from connectors.drive import documents
from connectors.github import api as github
from connectors.gitlab import api as gitlab
from connectors.meet import transcripts as meet
from connectors.teams import graph as teams
from connectors.zoom.cloud import HINT as ZOOM_HINT
from connectors.zoom.cloud import connected
from workers.cache import RedisCache
from workers.pull.meetings import CLOUDS
from workers.web.hooks.endpoint import HEARD, HOOKS
from workers.web.hooks.hook import Hook

WHERE = {
    "zoom": "in the app's Event Subscriptions, with the events `recording.completed` and "
    "`recording.transcript_completed`",
    "github": "in the repository's or organisation's Settings → Webhooks, content type application/json, with Pushes, "
    "Issues, Issue comments, Pull requests, their reviews and review comments, Discussions and their comments",
    "gitlab": "in the project's or group's Settings → Webhooks, with Push, Comments, Issues and Merge request events",
}
"""Where a webhook's address is entered at its source."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What was found out about one source."""

    name: str
    says: str
    remedy: str = ""
    fault: bool = False
    set_up: bool = True


def reaches(settings: Settings, server: redis.Redis) -> Iterator[Reach]:
    """Every webhook, set up or not, what else is not set up, and then every source whose keys can be tried."""
    yield from (_hook(hook, settings, server) for hook in HOOKS)
    yield _watched(settings)
    yield from _unset(settings, server)
    for name, ask in _trials(settings, server).items():
        try:
            ask()
        except BrainError as error:
            yield Reach(name, str(error), "mend the setting, and run doctor again", fault=True)
        else:
            yield Reach(name, "can be read")


def _hook(hook: Hook, settings: Settings, server: redis.Redis) -> Reach:
    wanted = " or ".join(environment_name(one) for one in hook.secrets)
    name, address = f"webhook {hook.name}", f"https://YOUR-HOST/hooks/{hook.name}"
    if not hook.is_set(settings):
        return Reach(name, "not set up", f"set {wanted}, and enter {address} {WHERE[hook.name]}", set_up=False)
    heard = server.get(f"{HEARD}{hook.name}")
    if not isinstance(heard, bytes):
        return Reach(name, "set up, never heard of", f"enter {address} {WHERE[hook.name]}", set_up=False)
    at = datetime.fromtimestamp(float(heard), settings.zone)
    when = f"heard last on {day(at, settings.zone)} at {at:%H:%M}"
    followed = {"github": settings.github_repositories, "gitlab": settings.gitlab_projects}.get(hook.name, ("all",))
    if not followed:
        setting = environment_name("github_repositories" if hook.name == "github" else "gitlab_projects")
        return Reach(name, "its events are left: nothing is followed", f"set {setting}", set_up=False)
    if hook.name == "zoom" and not settings.zoom_client_secret:
        says = f"{when}; who took part is not known, so only the host sees a meeting"
        return Reach(name, says, ZOOM_HINT, set_up=False)
    return Reach(name, f"at {address}, {when}")


def _watched(settings: Settings) -> Reach:
    if settings.watch is None:
        remedy = "set BRAIN_WATCH to a folder into which recordings are put, or run `brain watch DIR`"
        return Reach("watched folder", "none", remedy, set_up=False)
    if not settings.watch.expanduser().is_dir():
        return Reach(
            "watched folder", f"there is no folder {settings.watch}", "make it, or set BRAIN_WATCH", fault=True
        )
    return Reach("watched folder", str(settings.watch))


def _unset(settings: Settings, server: redis.Redis) -> Iterator[Reach]:
    """Every source that is not read, with all that reading it takes."""
    notes = RedisCache(server)
    if connected(settings, notes).service is None:
        yield Reach("zoom", "not set up: who took part and earlier recordings are not read", ZOOM_HINT, set_up=False)
    if not settings.github_repositories:
        yield Reach("github", "nothing is followed", f"set GITHUB_REPOSITORIES, and {github.HINT}", set_up=False)
    if not settings.gitlab_projects:
        yield Reach("gitlab", "nothing is followed", f"set GITLAB_PROJECTS, and {gitlab.HINT}", set_up=False)
    if CLOUDS["meet"](settings, notes) is None:
        scopes = "with the scopes meetings.space.readonly and directory.readonly"
        yield Reach("meet", "not set up", f"{meet.HINT} {scopes}", set_up=False)
    if CLOUDS["teams"](settings, notes) is None:
        yield Reach("teams", "not set up", f"{teams.HINT}, and name TEAMS_ORGANIZERS", set_up=False)
    if not settings.drive_folders:
        yield Reach("drive", "no folder is read", f"set DRIVE_FOLDERS, and {documents.HINT}", set_up=False)


def _trials(settings: Settings, server: redis.Redis) -> dict[str, Callable[[], object]]:
    """By name what asks a source for something small."""
    found: dict[str, Callable[[], object]] = {}
    for one in settings.github_repositories:
        found[f"github {one}"] = lambda one=one: github.connected(settings, one).service.get(f"repos/{one}")  # type: ignore[misc]
    for one in settings.gitlab_projects:
        found[f"gitlab {one}"] = lambda one=one: gitlab.connected(settings, one).changed(_now(), {})  # type: ignore[misc]
    zoom = connected(settings, RedisCache(server))
    if zoom.service is not None:
        found["zoom"] = lambda: zoom.lately(0)
    for name, connected_cloud in CLOUDS.items():
        if (cloud := connected_cloud(settings, RedisCache(server))) is not None:
            found[name] = lambda cloud=cloud: cloud.listed(datetime.now(UTC) - timedelta(days=1))  # type: ignore[misc]
    for one in settings.drive_folders:
        found[f"drive {one}"] = lambda one=one: _title(settings, server, one)  # type: ignore[misc]
    return found


def _title(settings: Settings, server: redis.Redis, folder: str) -> str:
    """A folder's name. Raises as its connector, and Fatal where there are no keys."""
    drive = documents.connected(settings, RedisCache(server), folder)
    if drive is None:
        raise Fatal(documents.HINT)
    return drive.title()


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
