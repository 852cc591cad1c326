"""GitHub: pushes, and what is said on issues, pull requests and in discussions."""

from assistant.settings import Settings
from connectors.base.signatures import Headers, is_summed, sole
from connectors.github import hook as github
from workers.queue import Work
from workers.web.hooks.forge import job
from workers.web.hooks.hook import Hook, Value


def genuine(settings: Settings, headers: Headers, body: bytes, now: float) -> bool:  # noqa: ARG001 no time is signed
    """Whether GitHub signed it; a replay is told by its body, since no id is signed."""
    return is_summed(settings.github_webhook_secret or "", sole(headers, "X-Hub-Signature-256"), body)


def work(settings: Settings, value: Value, digest: str) -> Work | None:
    """Pushes are fetched, discussions are read again, of the repositories that are followed."""
    return job("github", settings.github_repositories, github.told(value), digest)


HOOK = Hook("github", ("github_webhook_secret",), genuine, work)
