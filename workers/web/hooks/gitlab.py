"""GitLab: pushes, and what is said on issues and merge requests; by its token, or signed where your GitLab signs.

GitLab switches a webhook off for good after a few 4xx, so whatever it really sent is acknowledged.
"""

from assistant.settings import Settings
from connectors.base.signatures import Headers, is_standard, is_token, sole
from connectors.gitlab import hook as gitlab
from workers.queue import Work
from workers.web.hooks.forge import job
from workers.web.hooks.hook import Hook, Value


def genuine(settings: Settings, headers: Headers, body: bytes, now: float) -> bool:
    """Whether GitLab sent it. Where a signature can be checked it decides, whatever token comes with it."""
    signing = (settings.gitlab_signing_token or "").strip()
    if signing and headers.getall("webhook-signature", []):
        id_, stamp, claimed = (sole(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
        return is_standard(signing, id_, stamp, claimed, body, now)
    return is_token(settings.gitlab_webhook_token or "", sole(headers, "X-Gitlab-Token"))


def work(settings: Settings, value: Value, digest: str) -> Work | None:
    """Pushes are fetched, discussions are read again, of the projects that are followed."""
    return job("gitlab", settings.gitlab_projects, gitlab.told(value), digest)


HOOK = Hook("gitlab", ("gitlab_webhook_token", "gitlab_signing_token"), genuine, work, forgiving=True)
