"""GitLab's API on loopback: issues and merge requests with their notes; and events with its token, or signed."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from connectors.base.signatures import standard
from tests.fakes.serving import served

SECRET = "gitlab-token"
SIGNING = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
TOKEN = "glpat-fake"
PROJECT = "acme/people/handbook"
Json = dict[str, Any]


@dataclass
class FakeGitLab:
    """One project. Set what it has before or while it runs."""

    things: dict[tuple[str, int], Json] = field(default_factory=dict)
    """By kind (`issues`, `merge_requests`) and number."""
    notes: dict[tuple[str, int], list[Json]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    unchanged: int = 0
    page: int = 100
    url: str = ""
    _minute: int = 0
    _id: int = 0

    def settings(self) -> dict[str, Any]:
        """What Settings are told of it."""
        return {
            "gitlab_webhook_token": SECRET,
            "gitlab_signing_token": SIGNING,
            "gitlab_token": TOKEN,
            "gitlab_url": self.url,
            "gitlab_projects": (PROJECT,),
        }

    def tick(self) -> str:
        """A minute passes."""
        self._minute += 1
        return f"2026-03-02T{9 + self._minute // 60:02d}:{self._minute % 60:02d}:00.000Z"

    def opens(self, kind: str, title: str, description: str | None, username: str = "ada") -> int:
        """An issue or a merge request."""
        number, now = sum(1 for one, _ in self.things if one == kind) + 1, self.tick()
        self._id += 1
        self.things[kind, number] = {
            "id": 500 + self._id,
            "iid": number,
            "project_id": 5,
            "title": title,
            "description": description,
            "author": {"id": 1, "username": username, "name": username.title()},
            "created_at": now,
            "updated_at": now,
            "web_url": f"https://gitlab.com/{PROJECT}/-/{kind}/{number}",
        }
        return number

    def says(self, kind: str, number: int, body: str, username: str = "grace", *, system: bool = False) -> Json:
        """A note."""
        now = self.things[kind, number]["updated_at"] = self.tick()
        self._id += 1
        made = {
            "id": 500 + self._id,
            "body": body,
            "author": {"id": 2, "username": username, "name": username.title()},
            "created_at": now,
            "updated_at": now,
            "system": system,
            "noteable_type": {"issues": "Issue", "merge_requests": "MergeRequest"}[kind],
            "noteable_iid": number,
            "project_id": 5,
        }
        self.notes.setdefault((kind, number), []).append(made)
        return made

    def event(self, kind: str, number: int, note: Json | None = None) -> bytes:
        """An event about one of them, or about a note on it."""
        name = {"issues": "issue", "merge_requests": "merge_request"}[kind]
        thing = self.things[kind, number]
        about = {"id": thing["id"], "iid": number, "title": thing["title"], "url": thing["web_url"]}
        if note is None:
            body = {"object_kind": name, "object_attributes": {**about, "action": "update"}}
        else:
            said = {"id": note["id"], "note": note["body"], "noteable_type": note["noteable_type"]}
            body = {"object_kind": "note", "object_attributes": said, name: about}
        return json.dumps({**body, "user": {"username": "grace"}, **self.known()}).encode()

    def push(self, ref: str = "refs/heads/main", after: str = "1" * 40) -> bytes:
        """Somebody pushed."""
        body = {"object_kind": "push", "event_name": "push", "ref": ref, "after": after, "commits": []}
        return json.dumps({**body, **self.known()}).encode()

    def known(self) -> Json:
        """What every event says of the project."""
        web_url = f"https://gitlab.com/{PROJECT}"
        return {
            "project": {"path_with_namespace": PROJECT, "web_url": web_url, "default_branch": "main"},
            "project_id": 5,
        }

    async def handle(self, request: web.Request) -> web.Response:
        """Any read of the project."""
        self.calls.append(request.path_qs)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"message": "401 Unauthorized"}, status=401)
        if request.match_info["project"] != PROJECT:
            return web.json_response({"message": "404 Project Not Found"}, status=404)
        kind, *rest = request.match_info["rest"].split("/")
        if not rest:
            after = request.query["updated_after"]
            same = [one for (name, _), one in self.things.items() if name == kind and one["updated_at"] >= after]
            return self._paged(request, sorted(same, key=lambda one: one["updated_at"]))
        thing = kind, int(rest[0])
        if thing not in self.things:
            return web.json_response({"message": "404 Not found"}, status=404)
        notes = self.notes.get(thing, [])
        if len(rest) > 2:
            found = [one for one in notes if str(one["id"]) == rest[2]]
            return web.json_response(found[0] if found else {"message": "404 Not found"}, status=200 if found else 404)
        return self._paged(request, notes if len(rest) > 1 else self.things[thing])

    def _paged(self, request: web.Request, found: Any) -> web.Response:
        headers = {}
        if isinstance(found, list):
            page = int(request.query.get("page", 1))
            if page * self.page < len(found):
                headers["Link"] = f'<{request.url.update_query(page=page + 1)}>; rel="next"'
            found = found[(page - 1) * self.page : page * self.page]
        etag = f'W/"{hash(json.dumps(found)) & 0xFFFFFF:x}"'
        if request.headers.get("If-None-Match") == etag:
            self.unchanged += 1
            return web.Response(status=304)
        return web.json_response(found, headers={"ETag": etag, **headers})

    def application(self) -> web.Application:
        """The API."""
        app = web.Application()
        app.router.add_get("/api/v4/projects/{project}/{rest:.+}", self.handle)
        return app


def with_token(body: bytes, secret: str = SECRET) -> dict[str, str]:
    """The headers that GitLab sends with a body."""
    return {"Content-Type": "application/json", "X-Gitlab-Event": "Note Hook", "X-Gitlab-Token": secret}


def signed(body: bytes, secret: str = SIGNING, at: float | None = None, name: str = "9f0c") -> dict[str, str]:
    """The headers of a GitLab that signs."""
    stamp = str(int(time.time() if at is None else at))
    return {
        "Content-Type": "application/json",
        "X-Gitlab-Event": "Note Hook",
        "webhook-id": name,
        "webhook-timestamp": stamp,
        "webhook-signature": standard(secret, name, stamp, body),
    }


@contextmanager
def running(gitlab: FakeGitLab) -> Iterator[FakeGitLab]:
    """The API on a free port; `gitlab.url` is its base."""
    with served(gitlab.application()) as gitlab.url:
        yield gitlab
