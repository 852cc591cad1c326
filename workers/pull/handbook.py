"""A handbook's new commits: fetched into a mirror of ours when its host tells of a push, or when a poll comes round."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import structlog

from assistant.errors import UserFacing
from assistant.graph.sources import SourceRow, list_sources
from assistant.graph.space import Space
from assistant.settings import Settings
from connectors.base.forges import slug
from connectors.git import GitRepository
from connectors.git.mirrors import origin_of, refreshed
from connectors.git.repository import git_folder
from workers.catch_up import when_free
from workers.embedding import start_embedding
from workers.equipment import equipment
from workers.ingest import IngestReport, ingest_git
from workers.pull.job import Payload, pulling
from workers.pull.keeping import judged
from workers.tell import ask_to_tell

MIRRORS = "mirrors"
"""Folder of the home."""

log = structlog.get_logger()


@pulling
def pushed(payload: Payload) -> None:
    """The job: somebody pushed; the handbooks that follow this branch are fetched and read on."""
    settings = equipment().settings
    wanted = address(settings, payload["forge"], payload["repository"])
    with equipment().space() as space:
        for source in followed(space, settings, wanted):
            if payload["branch"] == (source.ref if source.ref != "HEAD" else payload["default"]):
                embed_news(settings, read_on(space, settings, source).versions)


def follow(space: Space, settings: Settings, forge: str, repository: str) -> None:
    """Fetches and reads on the handbooks of a repository, whatever was told of it. Raises Retry, UserFacing."""
    wanted = address(settings, forge, repository)
    embed_news(settings, sum(read_on(space, settings, source).versions for source in followed(space, settings, wanted)))


def embed_news(settings: Settings, versions: int) -> None:
    """Has new versions found by meaning, too: in a process of its own at the lowest priority, as it takes a while."""
    if versions:
        start_embedding(settings)


def followed(space: Space, settings: Settings, wanted: str) -> Iterator[SourceRow]:
    """The git sources that live at an address (`github.com/acme/handbook`), by what we know of them, not by a hook."""
    for source in list_sources(space.reader):
        if source.kind != "git":
            continue
        told = {slug(source.web_url)}
        try:
            told.add(slug(origin_of(git_folder(Path(source.path), settings.cache))))
        except UserFacing as error:
            log.warning("a handbook's repository is not where it was", reason=str(error))
        if wanted in told:
            yield source


def read_on(space: Space, settings: Settings, source: SourceRow) -> IngestReport:
    """Fetches a handbook's mirror and reads what is new in it. Raises Retry, UserFacing."""
    mirror = settings.home / MIRRORS / f"{source.id}.git"
    here = mirror if mirror.exists() else git_folder(Path(source.path), settings.cache)
    place = refreshed(here, mirror, credentials(settings))
    ref = None if source.ref == "HEAD" else source.ref or None
    repository = GitRepository(place, cache=settings.cache, ref=ref, subdir=source.subdir)
    reports: list[IngestReport] = []
    when_free(lambda: reports.append(ingest_git(space, repository)))
    [report] = reports
    if report.commits or report.rewound:
        judged(space, settings)
    ask_to_tell(space, settings)
    log.info("read on", source=source.id, commits=report.commits, sections_changed=report.sections_changed)
    return report


def address(settings: Settings, forge: str, repository: str) -> str:
    """Where a repository of a forge lives, as `slug` writes it."""
    return slug(f"https://{host(settings, forge)}/{repository}")


def host(settings: Settings, forge: str) -> str:
    """A forge's host: GitHub's API has one of its own, your own server's has not."""
    name = urlsplit(settings.github_api_url if forge == "github" else settings.gitlab_url).hostname or ""
    return "github.com" if name == "api.github.com" else name


def credentials(settings: Settings) -> dict[str, str]:
    """User and password for fetching, by https address."""
    made = {}
    if settings.github_token:
        made[f"https://{host(settings, 'github')}"] = f"x-access-token:{settings.github_token}"
    if settings.gitlab_token:
        made[f"https://{host(settings, 'gitlab')}"] = f"oauth2:{settings.gitlab_token}"
    return made
