"""GitHub's API on loopback: issues, pull requests, discussions; pages, etags, limits; and events as it signs them."""

import asyncio
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from aiohttp import web

from connectors.base.signatures import summed
from tests.fakes.serving import served

SECRET = "github-secret"
TOKEN = "ghp_fake"
REPOSITORY = "acme/handbook"
WEB = f"https://github.com/{REPOSITORY}"
Json = dict[str, Any]


def at(minute: int) -> str:
    """A time of that day."""
    return f"2026-03-02T{9 + minute // 60:02d}:{minute % 60:02d}:00Z"


@dataclass
class FakeGitHub:
    """One repository. Set what it has before or while it runs."""

    issues: dict[int, Json] = field(default_factory=dict)
    comments: dict[int, list[Json]] = field(default_factory=dict)
    reviews: dict[int, list[Json]] = field(default_factory=dict)
    review_comments: dict[int, list[Json]] = field(default_factory=dict)
    discussions: dict[int, Json] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    unchanged: int = 0
    """How many calls got 304."""
    limited: int = 0
    """How many more calls are refused for their number."""
    page: int = 100
    graphql_page: int = 50
    """Discussions, or replies, a page at most; comments come one by one."""
    latency: float = 0.0
    """Seconds that every read of the REST API takes."""
    private: bool = False
    no_discussions: bool = False
    """Whether our token may not see discussions."""
    url: str = ""
    _minute: int = 0
    _id: int = 0

    def settings(self) -> dict[str, Any]:
        """What Settings are told of it."""
        return {
            "github_webhook_secret": SECRET,
            "github_token": TOKEN,
            "github_api_url": self.url,
            "github_repositories": (REPOSITORY,),
        }

    def tick(self) -> str:
        """A minute passes."""
        self._minute += 1
        return at(self._minute)

    def next_id(self) -> int:
        """A number that nothing else has."""
        self._id += 1
        return 1000 + self._id

    def opens(self, title: str, body: str | None, login: str = "ada", *, pull: bool = False) -> int:
        """An issue or a pull request."""
        number, now = len(self.issues) + len(self.discussions) + 1, self.tick()
        api = f"{self.url}/repos/{REPOSITORY}"
        made: Json = {
            "id": self.next_id(),
            "url": f"{api}/issues/{number}",
            "html_url": f"{WEB}/{'pull' if pull else 'issues'}/{number}",
            "number": number,
            "title": title,
            "body": body,
            "user": {"login": login, "type": "User"},
            "state": "open",
            "comments": 0,
            "created_at": now,
            "updated_at": now,
        }
        if pull:
            made["pull_request"] = {"url": f"{api}/pulls/{number}"}
        self.issues[number] = made
        return number

    def _said(self, number: int, body: str, login: str, fragment: str) -> Json:
        now, name = self.tick(), self.next_id()
        self.issues[number]["updated_at"] = now
        return {
            "id": name,
            "node_id": f"N_{name}",
            "html_url": f"{self.issues[number]['html_url']}#{fragment}{name}",
            "issue_url": self.issues[number]["url"],
            "body": body,
            "user": {"login": login, "type": "User"},
            "created_at": now,
            "updated_at": now,
        }

    def comments_on(self, number: int, body: str, login: str = "grace") -> Json:
        """A comment."""
        made = self._said(number, body, login, "issuecomment-")
        self.comments.setdefault(number, []).append(made)
        return made

    def reviews_of(self, number: int, body: str | None, login: str = "grace") -> Json:
        """A review."""
        made = self._said(number, body or "", login, "pullrequestreview-")
        made = {**made, "body": body, "submitted_at": made.pop("created_at"), "state": "APPROVED"}
        del made["updated_at"]
        self.reviews.setdefault(number, []).append(made)
        return made

    def remarks_on(self, number: int, body: str, login: str = "grace") -> Json:
        """A comment on a line of a pull request."""
        made = self._said(number, body, login, "discussion_r")
        self.review_comments.setdefault(number, []).append(made)
        return made

    def discusses(self, title: str, body: str, said: tuple[str, ...], login: str = "ada", *, replies: int = 1) -> int:
        """A discussion with comments, each with one reply, or as many."""
        number = len(self.issues) + len(self.discussions) + 1
        address = f"{WEB}/discussions/{number}"

        def node(text: str, who: str, fragment: str) -> Json:
            name = self.next_id()
            now = self.tick()
            author = {"login": who, "__typename": "User", "name": None}
            told = {"databaseId": name, "url": f"{address}{fragment}{name}" if fragment else address, "body": text}
            return {**told, "createdAt": now, "lastEditedAt": None, "author": author}

        made = {"title": title, **node(body, login, "")}
        made["nodes"] = [
            {
                "id": f"DC_{number}_{n}",
                **node(one, "grace", "#discussioncomment-"),
                "replies": [node(f"Re: {one}", "ada", "#discussioncomment-") for _ in range(replies)],
            }
            for n, one in enumerate(said)
        ]
        self.discussions[number] = {**made, "updatedAt": at(self._minute)}
        return number

    def event(self, action: str, number: int, **more: Any) -> bytes:
        """An event about an issue or a pull request."""
        issue = self.issues[number]
        name = "pull_request" if issue.get("pull_request") and "review" in more else "issue"
        return json.dumps({"action": action, name: issue, **more, **self.known()}).encode()

    def push(self, ref: str = "refs/heads/main", **more: Any) -> bytes:
        """Somebody pushed."""
        body = {"ref": ref, "before": "0" * 40, "after": "1" * 40, "commits": [], "deleted": False, **more}
        return json.dumps({**body, **self.known()}).encode()

    def known(self) -> Json:
        """What every event says of the repository."""
        about = {"full_name": REPOSITORY, "html_url": WEB, "default_branch": "main", "private": self.private}
        return {"repository": about, "sender": {"login": "ada"}}

    async def handle(self, request: web.Request) -> web.Response:
        """Any read of the REST API."""
        self.calls.append(request.path_qs)
        await asyncio.sleep(self.latency)
        if request.headers.get("Authorization") not in (f"Bearer {TOKEN}", None):
            return web.json_response({"message": "Bad credentials"}, status=401)
        if self.limited > 0:
            self.limited -= 1
            headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 40)}
            return web.json_response({"message": "API rate limit exceeded"}, status=403, headers=headers)
        found = self.found(request.path.removeprefix(f"/repos/{REPOSITORY}/"), request.query.get("since", ""))
        if found is None:
            return web.json_response({"message": "Not Found"}, status=404)
        return self._paged(request, found)

    def found(self, path: str, since: str) -> Any:
        """What lies under a path; None where nothing does."""
        every = {"issues": self.issues.values(), "issues/comments": list(chain(*self.comments.values()))}
        every["pulls/comments"] = list(chain(*self.review_comments.values()))
        if path in every:
            return sorted((one for one in every[path] if one["updated_at"] >= since), key=lambda one: one["updated_at"])
        everything = chain(*self.comments.values(), *self.review_comments.values(), *self.reviews.values())
        if path.startswith(("issues/comments/", "pulls/comments/")) or "/reviews/" in path:
            wanted = {"issues": "issuecomment-", "pulls": "discussion_r"}[path.split("/")[0]]
            wanted = "pullrequestreview-" if "/reviews/" in path else wanted
            ending = f"#{wanted}{path.rpartition('/')[2]}"
            return next((one for one in everything if one["html_url"].endswith(ending)), None)
        kind, number, *rest = [*path.split("/"), ""]
        if int(number) not in self.issues:
            return None
        lists = {"comments": self.comments if kind == "issues" else self.review_comments, "reviews": self.reviews}
        return lists[rest[0]].get(int(number), []) if rest[0] else self.issues[int(number)]

    def _paged(self, request: web.Request, found: Any) -> web.Response:
        headers = {}
        if isinstance(found, list):
            page = int(request.query.get("page", 1))
            if page * self.page < len(found):
                following = request.url.update_query(page=page + 1)
                headers["Link"] = f'<{following}>; rel="next", <{following}>; rel="last"'
            found = found[(page - 1) * self.page : page * self.page]
        text = json.dumps(found)
        etag = f'W/"{hashlib.sha256((text + str(request.url)).encode()).hexdigest()[:16]}"'
        if request.headers.get("If-None-Match") == etag:
            self.unchanged += 1
            return web.Response(status=304, headers={"ETag": etag})
        return web.Response(text=text, content_type="application/json", headers={"ETag": etag, **headers})

    async def graphql(self, request: web.Request) -> web.Response:
        """The three questions that are asked of discussions."""
        self.calls.append("/graphql")
        asked = await request.json()
        assert asked["query"].count("{") == asked["query"].count("}")
        if self.no_discussions:
            return web.json_response({"data": None, "errors": [{"type": "FORBIDDEN"}]})
        told = asked["variables"]
        assert f"{told['owner']}/{told['name']}" == REPOSITORY
        if "comment" in told:
            [comment] = [
                one for each in self.discussions.values() for one in each["nodes"] if one["id"] == told["comment"]
            ]
            return web.json_response({"data": {"node": {"replies": self._part(comment["replies"], told["after"])}}})
        if "number" not in told:
            nodes = [{"number": n, "updatedAt": one["updatedAt"]} for n, one in self.discussions.items()]
            nodes.sort(key=lambda one: str(one["updatedAt"]), reverse=True)
            return web.json_response({"data": {"repository": {"discussions": self._part(nodes, told["after"])}}})
        one = self.discussions.get(told["number"])
        if one is None:
            return web.json_response({"data": {"repository": {"discussion": None}}, "errors": [{"type": "NOT_FOUND"}]})
        page = self._part(one["nodes"], told["after"], 1)
        page["nodes"] = [{**each, "replies": self._part(each["replies"], None)} for each in page["nodes"]]
        about = {name: value for name, value in one.items() if name not in ("nodes", "updatedAt")}
        return web.json_response({"data": {"repository": {"discussion": {**about, "comments": page}}}})

    def _part(self, found: list[Json], after: str | None, most: int | None = None) -> Json:
        """A page of a list of GraphQL."""
        start = int(after or 0)
        end = start + (most or self.graphql_page)
        return {"pageInfo": {"hasNextPage": end < len(found), "endCursor": str(end)}, "nodes": found[start:end]}

    def application(self) -> web.Application:
        """The API."""
        app = web.Application()
        app.router.add_post("/graphql", self.graphql)
        app.router.add_get("/repos/{rest:.+}", self.handle)
        return app


def signed(body: bytes, event: str = "issues", secret: str = SECRET) -> dict[str, str]:
    """The headers that GitHub sends with a body."""
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": hashlib.sha256(body).hexdigest()[:36],
        "X-Hub-Signature-256": summed(secret, body),
    }


@contextmanager
def running(github: FakeGitHub) -> Iterator[FakeGitHub]:
    """The API on a free port; `github.url` is its base."""
    with served(github.application()) as github.url:
        yield github
