"""What is done about an event of GitHub's or GitLab's: it names what to read again, and none of its words are kept."""

from collections.abc import Collection

import structlog

from connectors.base.forges import Discussed, Pushed
from workers.queue import INGEST, Work

PATIENCE = 1800
"""Seconds that fetching and reading a repository may take."""

log = structlog.get_logger()


def job(forge: str, followed: Collection[str], told: Pushed | Discussed | None, digest: str) -> Work | None:
    """The job for an event; None for nothing to do. `followed` are the repositories that the settings name."""
    if told is None:
        return None
    if told.repository.casefold() not in {one.casefold() for one in followed}:
        log.info("left an event of a repository that is not followed", forge=forge, repository=told.repository)
        return None
    about = {"forge": forge, "repository": told.repository}
    if isinstance(told, Pushed):
        branch = {"branch": told.branch, "default": told.default}
        return Work(INGEST, "workers.pull.handbook.pushed", f"push/{forge}/{digest}", {**about, **branch}, PATIENCE)
    thing = {"kind": told.kind, "number": told.number, "gone": told.gone}
    return Work(INGEST, "workers.pull.forges.discussed", f"said/{forge}/{digest}", {**about, **thing}, 300)
