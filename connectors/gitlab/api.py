"""A project's discussions by GitLab's API: whole ones, and which of them changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from assistant.errors import Skip
from assistant.settings import Settings
from connectors.base import Record
from connectors.base.discussions import Discussion, first, gathered
from connectors.base.forges import NEVER, PAGE, Changed, WholeDiscussion, is_there, news, pulled
from connectors.base.http import Service
from connectors.gitlab.discussions import read

HINT = "set GITLAB_TOKEN to a token with the scope read_api"
KINDS = ("issues", "merge_requests")


@dataclass(frozen=True, slots=True)
class GitLab:
    """One project."""

    service: Service
    project: str
    name = "gitlab"
    scopes = ("read_api",)

    @property
    def cursor(self) -> str | None:
        """Behind the newest change there is. Raises Retry, Fatal."""
        found = self.changed(NEVER, {})
        return found[-1].cursor if found else None

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[WholeDiscussion]]:
        """Whole discussions, by when they changed last; see `pulled`."""
        yield from pulled(self, cursor, until)

    def changed(self, start: str, etags: dict[str, str]) -> list[Changed]:
        """What changed since a time; see Forge. A note, and its edit, change the time of what it is on."""
        asked = {"scope": "all", "updated_after": start, "order_by": "updated_at", "sort": "asc", "per_page": PAGE}
        return sorted(
            Changed(first(one, "updated_at"), kind, int(one["iid"]))
            for kind in KINDS
            for one in news(self.service, f"{self._place()}/{kind}", asked, etags)
            if one.get("iid")
        )

    def whole(self, kind: str, number: int) -> Discussion:
        """One discussion with everything said in it; see Forge."""
        path = f"{self._place()}/{kind}/{number}"
        value: dict[str, Any] = self.service.get(path).json()
        value["notes"] = list(self.service.pages(f"{path}/notes", {"sort": "asc", "per_page": PAGE}))
        found = list(gathered(read(f"{kind}.json", value)).values())
        if not found:
            raise Skip(f"{self.project} {kind} {number}: nothing said")
        return found[0]

    def stands(self, kind: str, number: int, said: str) -> bool:
        """See Forge."""
        return said != "0" and is_there(self.service, f"{self._place()}/{kind}/{number}/notes/{said}")

    def _place(self) -> str:
        return f"api/v4/projects/{quote(self.project, safe='')}"


def connected(settings: Settings, project: str) -> GitLab:
    """A project that the settings may read."""
    token = settings.gitlab_token
    authorize = (lambda _: f"Bearer {token}") if token else None
    return GitLab(Service("GitLab", settings.gitlab_url, authorize, hint=HINT), project)
