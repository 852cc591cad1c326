"""A repository's discussions by GitHub's API: whole ones, and which of them changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from assistant.errors import Fatal, Skip
from assistant.settings import Settings
from connectors.base import Record
from connectors.base.discussions import Discussion, first, gathered, inner, objects
from connectors.base.forges import NEVER, PAGE, Changed, WholeDiscussion, is_there, news, pulled
from connectors.base.http import Missing, Service
from connectors.github.discussions import PLACE, read

log = structlog.get_logger()

HINT = "set GITHUB_TOKEN to a token that may read contents, issues, pull requests and discussions"

AUTHOR = "author { login __typename ... on User { name } }"
SAID = f"databaseId url body createdAt lastEditedAt {AUTHOR}"
ONWARD = "pageInfo { hasNextPage endCursor }"
DISCUSSION = f"""
query($owner: String!, $name: String!, $number: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{ discussion(number: $number) {{
    title {SAID}
    comments(first: 50, after: $after) {{
      {ONWARD}
      nodes {{ id {SAID} replies(first: 100) {{ {ONWARD} nodes {{ {SAID} }} }} }}
    }}
  }} }}
}}"""
REPLIES = f"""
query($comment: ID!, $after: String) {{
  node(id: $comment) {{ ... on DiscussionComment {{
    replies(first: 100, after: $after) {{ {ONWARD} nodes {{ {SAID} }} }}
  }} }}
}}"""
LATEST = f"""
query($owner: String!, $name: String!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    discussions(first: 50, after: $after, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      {ONWARD} nodes {{ number updatedAt }}
    }}
  }}
}}"""


@dataclass(frozen=True, slots=True)
class GitHub:
    """One repository."""

    service: Service
    repository: str
    name = "github"
    scopes = ("contents: read", "issues: read", "pull requests: read", "discussions: read")

    @property
    def cursor(self) -> str | None:
        """Behind the newest change there is. Raises Retry, Fatal."""
        found = self.changed(NEVER, {})
        return found[-1].cursor if found else None

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[WholeDiscussion]]:
        """Whole discussions, by when they changed last; see `pulled`."""
        yield from pulled(self, cursor, until)

    def changed(self, start: str, etags: dict[str, str]) -> list[Changed]:
        """What changed since a time; see Forge. The edit of a comment is seen by the lists of comments."""
        asked = {"state": "all", "sort": "updated", "direction": "asc", "since": start, "per_page": PAGE}
        newest: dict[tuple[str, int], str] = {}
        for path in ("issues", "issues/comments", "pulls/comments"):
            for one in news(self.service, f"repos/{self.repository}/{path}", asked, etags):
                about = number_of(one)
                if about is not None:
                    newest[about] = max(newest.get(about, ""), first(one, "updated_at"))
        if self.service.authorize:
            newest |= {("discussions", int(one["number"])): first(one, "updatedAt") for one in self._latest(start)}
        return sorted(Changed(at, kind, number) for (kind, number), at in newest.items())

    def whole(self, kind: str, number: int) -> Discussion:
        """One discussion with everything said in it; see Forge."""
        value = self._discussion(number) if kind == "discussions" else self._issue(number)
        found = list(gathered(read(value)).values())
        if not found:
            raise Skip(f"{self.repository}#{number}: nothing said")
        return found[0]

    def stands(self, kind: str, number: int, said: str) -> bool:
        """See Forge."""
        if kind == "discussions":
            return said in self.whole(kind, number).comments
        place = f"repos/{self.repository}"
        paths = ("issues/comments", "pulls/comments", f"pulls/{number}/reviews")
        return said != "0" and is_there(self.service, *(f"{place}/{path}/{said}" for path in paths))

    def _issue(self, number: int) -> dict[str, Any]:
        path = f"repos/{self.repository}/issues/{number}"
        value: dict[str, Any] = self.service.get(path).json()
        paged = {"per_page": PAGE}
        value["comments"] = list(self.service.pages(f"{path}/comments", paged))
        if value.get("pull_request"):
            pull = f"repos/{self.repository}/pulls/{number}"
            value["reviews"] = list(self.service.pages(f"{pull}/reviews", paged))
            value["review_comments"] = list(self.service.pages(f"{pull}/comments", paged))
        return value

    def _discussion(self, number: int) -> dict[str, Any]:
        said: list[dict[str, Any]] = []
        after: str | None = None
        while True:
            told = inner(inner(self._queried(DISCUSSION, number=number, after=after), "repository"), "discussion")
            if not told:
                raise Missing(f"GitHub: no discussion {number} in {self.repository}")
            page = inner(told, "comments")
            for one in objects(page.get("nodes")):
                said += [one, *self._replies(one)]
            after = onward(page)
            if after is None:
                return {**rested(told), "comments": [rested(one) for one in said]}

    def _replies(self, comment: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """All replies to a comment, which comes with the first of them."""
        page = inner(comment, "replies")
        while True:
            yield from objects(page.get("nodes"))
            after = onward(page)
            if after is None:
                return
            page = inner(inner(self._queried(REPLIES, comment=comment["id"], after=after), "node"), "replies")

    def _latest(self, start: str) -> Iterator[dict[str, Any]]:
        """The discussions that changed since a time, the newest first; none where our token may not see them: issues
        are read all the same.
        """
        after: str | None = None
        while True:
            try:
                told = self._queried(LATEST, after=after)
            except Fatal as error:
                if after is not None:
                    raise
                log.warning("discussions cannot be read", repository=self.repository, reason=str(error))
                return
            page = inner(inner(told, "repository"), "discussions")
            found = objects(page.get("nodes"))
            yield from (one for one in found if first(one, "updatedAt") >= start)
            after = onward(page)
            if after is None or any(first(one, "updatedAt") < start for one in found):
                return

    def _queried(self, query: str, **variables: object) -> dict[str, Any]:
        owner, _, name = self.repository.partition("/")
        reply = self.service.post("graphql", {"query": query, "variables": {"owner": owner, "name": name, **variables}})
        told = reply.json()
        if not isinstance(told, dict) or not isinstance(told.get("data"), dict):
            raise Fatal(f"GitHub graphql: refused: {HINT}")
        return inner(told, "data")


def connected(settings: Settings, repository: str) -> GitHub:
    """A repository that the settings may read."""
    token = settings.github_token
    headers = (("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28"))
    authorize = (lambda _: f"Bearer {token}") if token else None
    return GitHub(Service("GitHub", settings.github_api_url, authorize, headers, HINT), repository)


def number_of(one: Mapping[str, Any]) -> tuple[str, int] | None:
    """Kind and number of the issue or pull request that an entry is, or is a comment on."""
    value = dict(one)
    found = PLACE.search(first(value, "html_url"))
    return (("pulls" if "/pull/" in found[0] else "issues"), int(found[2])) if found else None


def onward(page: dict[str, Any]) -> str | None:
    """Where the next page of a list of GraphQL begins; None behind the last."""
    about = inner(page, "pageInfo")
    return first(about, "endCursor") or None if about.get("hasNextPage") else None


def rested(node: dict[str, Any]) -> dict[str, Any]:
    """A node of GraphQL in the shape of the REST API."""
    author = inner(node, "author")
    kind = "Bot" if author.get("__typename") == "Bot" else "User"
    return {
        "id": node.get("databaseId"),
        "html_url": node.get("url"),
        "title": node.get("title") or "",
        "body": node.get("body"),
        "created_at": node.get("createdAt"),
        "updated_at": node.get("lastEditedAt") or node.get("createdAt"),
        "user": {"login": author.get("login") or "ghost", "name": author.get("name"), "type": kind},
    }
