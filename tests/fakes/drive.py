"""Google Drive on loopback: folders, documents, their revisions, and what an export link gives."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.meet import CLIENT, REFRESH, SECRET, FakeMeet
from tests.fakes.serving import served

ROOT = "1RootFolder_-x"
Json = dict[str, Any]
PEOPLE = {"ada": ("Ada Lovelace", "ada@acme.example"), "grace": ("Grace Hopper", "grace@acme.example")}


@dataclass
class FakeDrive:
    """One account's folder with all below it."""

    files: dict[str, Json] = field(default_factory=dict)
    """By id, with `parents` and `trashed`."""
    revisions: dict[str, list[Json]] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    page: int = 2
    refused: bool = False
    """Whether the account may not see revisions."""
    calls: list[str] = field(default_factory=list)
    url: str = ""
    _google: FakeMeet = field(default_factory=FakeMeet)

    def settings(self) -> dict[str, Any]:
        """What Settings are told of it."""
        told = {"google_client_id": CLIENT, "google_client_secret": SECRET, "google_refresh_token": REFRESH}
        return {**told, "google_api_url": self.url, "drive_folders": (ROOT,)}

    def folder(self, name: str, parent: str = ROOT) -> str:
        """A folder."""
        made = f"1Folder{len(self.files)}"
        kind = "application/vnd.google-apps.folder"
        self.files[made] = {"id": made, "name": name, "mimeType": kind, "parents": [parent], "trashed": False}
        return made

    def writes(self, file: str, at: str, text: str, who: str = "ada", name: str = "Trial", parent: str = ROOT) -> str:
        """A document is written, or written on; gives the revision's id."""
        kind = "application/vnd.google-apps.document"
        self.files.setdefault(file, {"id": file, "name": name, "mimeType": kind, "parents": [parent], "trashed": False})
        known = self.revisions.setdefault(file, [])
        revision = str(int(known[-1]["id"]) + 7 if known else 1)
        display, email = PEOPLE[who]
        export = f"{self.url}/export?id={file}&revision={revision}&exportFormat="
        known.append(
            {
                "id": revision,
                "modifiedTime": at,
                "lastModifyingUser": {"displayName": display, "emailAddress": email, "kind": "drive#user"},
                "exportLinks": {"application/pdf": f"{export}pdf", "text/html": f"{export}html"},
            }
        )
        self.texts[file, revision] = text
        return revision

    def merges(self, file: str, at: str, text: str) -> None:
        """Google takes the newest revision and later edits for one."""
        gone = self.revisions[file].pop()
        name = str(int(gone["id"]) + 3)
        link = gone["exportLinks"]["text/html"].replace(f"revision={gone['id']}", f"revision={name}")
        self.revisions[file].append({**gone, "id": name, "modifiedTime": at, "exportLinks": {"text/html": link}})
        self.texts[file, name] = text

    async def handle(self, request: web.Request) -> web.Response:
        """Any read of Drive's."""
        self.calls.append(request.path_qs)
        if request.headers.get("Authorization") != "Bearer ya29.x":
            return web.json_response({"error": {"code": 401}}, status=401)
        path = request.match_info["path"]
        if path == "files":
            return self._listed(request)
        if path == f"files/{ROOT}":
            return web.json_response({"name": "Rules"})
        if self.refused:
            errors = [{"domain": "global", "reason": "insufficientFilePermissions"}]
            return web.json_response({"error": {"code": 403, "errors": errors}}, status=403)
        return self._paged(request, self.revisions[path.split("/")[1]], "revisions")

    def _listed(self, request: web.Request) -> web.Response:
        parent = request.query["q"].partition("'")[2].partition("'")[0]
        found = [one for one in self.files.values() if parent in one["parents"] and not one["trashed"]]
        return self._paged(request, found, "files")

    def _paged(self, request: web.Request, found: list[Json], name: str) -> web.Response:
        start = int(request.query.get("pageToken", 0))
        following = {"nextPageToken": str(start + self.page)} if start + self.page < len(found) else {}
        return web.json_response({name: found[start : start + self.page], **following})

    async def export(self, request: web.Request) -> web.Response:
        """A revision as Markdown."""
        assert request.headers.get("Authorization") == "Bearer ya29.x"
        assert request.query["exportFormat"] == "markdown"
        text = self.texts[request.query["id"], request.query["revision"]]
        return web.Response(body=b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), content_type="text/markdown")

    def application(self) -> web.Application:
        """All of it."""
        app = web.Application()
        app.router.add_post("/token", self._google.token)
        app.router.add_get("/drive/v3/{path:.+}", self.handle)
        app.router.add_get("/export", self.export)
        return app


@contextmanager
def running(drive: FakeDrive) -> Iterator[FakeDrive]:
    """It on a free port; `drive.url` is its base."""
    with served(drive.application()) as drive.url:
        yield drive
