"""A folder of Google documents as a source of revisions, each exported as Markdown: a handbook without git.

Google merges and forgets revisions as it likes, and documents come into a folder and leave it. So what was read before
counts, not what Google still lists: it goes on from there, and nothing that was read is taken back.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request

from assistant.errors import Fatal, Skip
from assistant.model.revisions import CommitInfo, FileChange, Revision
from assistant.model.times import micros
from assistant.settings import Settings
from assistant.text.cues import parsed_time
from connectors.base import CursorLost, Record
from connectors.base.discussions import first, inner, objects
from connectors.base.http import Service, checked, sent
from connectors.base.tokens import Grant, Notes, Tokens

PAGE = 1000
DOCUMENT = "application/vnd.google-apps.document"
FOLDER = "application/vnd.google-apps.folder"
MARKDOWN = "text/markdown"
SETTLED = timedelta(minutes=10)
"""How long a revision must stand before it is read: Google goes on changing the newest one while somebody writes."""
HINT = (
    "set GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_REFRESH_TOKEN to those of an OAuth client with the scope "
    "drive.readonly, for somebody who may edit the folder: others are not shown earlier revisions"
)
IMAGE = re.compile(r"^\[image\d+\]: <data:[^>]*>\n?", re.MULTILINE)
"""A picture that Google's Markdown carries along, as long as a book."""
GONE = "gone"
"""In place of a revision's id: the document left the folder."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One revision of one document; sorts by time."""

    at: datetime
    file: str
    number: int
    id: str
    name: str
    author: str
    email: str
    address: str
    """Where its Markdown is."""

    @property
    def sha(self) -> str:
        """What stands for a commit's: the revision's id and the document's."""
        return f"{self.id}@{self.file}"


@dataclass(frozen=True, slots=True)
class DriveFolder:
    """A folder with all below it. Its connector's cursor is a revision's `sha`."""

    service: Service
    folder: str
    read: tuple[str, ...] = ()
    """Shas of all that was read before, oldest first; () where the cursor alone tells."""
    most: int | None = None
    """Edits that are handed over at most; what left the folder comes when there is nothing else."""
    name = "drive"
    scopes = ("https://www.googleapis.com/auth/drive.readonly",)

    @property
    def cursor(self) -> str | None:
        """See Connector. Raises Retry, Fatal."""
        line = self._line()
        return line[-1].sha if line else None

    def title(self) -> str:
        """The folder's name. Raises Missing, Retry, Fatal."""
        return first(self.service.get(f"files/{self.folder}", {**SHARED, "fields": "name"}).json(), "name")

    def pull(self, cursor: str | None, until: str | None = None) -> Iterator[Record[Revision]]:
        """The revisions that were not read before, oldest first, then the documents that are gone.

        Raises CursorLost, Retry, Fatal.
        """
        line = self._line()
        read = self.read or before(line, cursor)
        if until is not None and until in read:
            return
        known = {file_of(sha) for sha in read}
        waiting = list(news(line, read))
        for edit in waiting[: self.most]:
            old = path_of(edit.file) if edit.file in known else None
            known.add(edit.file)
            yield Record(edit.sha, self._revision(edit, old))
            if edit.sha == until:
                return
        for file in left(line, read) if self.most is None or len(waiting) <= self.most else ():
            yield Record(f"{GONE}{count(read, file)}@{file}", removal(file, count(read, file)))

    def _line(self) -> list[Edit]:
        settled = datetime.now(UTC) - SETTLED
        edits = (edit for file in self._documents(self.folder, set()) for edit in self._edits(file))
        return sorted(edit for edit in edits if edit.at <= settled)

    def _documents(self, folder: str, seen: set[str]) -> Iterator[dict[str, Any]]:
        seen.add(folder)
        wanted = f"'{folder}' in parents and trashed = false and (mimeType = '{DOCUMENT}' or mimeType = '{FOLDER}')"
        asked = {**SHARED, "includeItemsFromAllDrives": "true", "q": wanted, "pageSize": PAGE}
        for one in self._pages("files", {**asked, "fields": "nextPageToken,files(id,name,mimeType)"}, "files"):
            if one.get("mimeType") == DOCUMENT:
                yield one
            elif first(one, "id") not in seen:
                yield from self._documents(first(one, "id"), seen)

    def _edits(self, file: dict[str, Any]) -> Iterator[Edit]:
        fields = "nextPageToken,revisions(id,modifiedTime,lastModifyingUser(displayName,emailAddress),exportLinks)"
        path = f"files/{first(file, 'id')}/revisions"
        for one in self._pages(path, {"pageSize": PAGE, "fields": fields}, "revisions"):
            at, links, who = (
                parsed_time(one.get("modifiedTime")),
                inner(one, "exportLinks"),
                inner(one, "lastModifyingUser"),
            )
            address = first(links, MARKDOWN) or re.sub(
                r"\bexportFormat=\w+", "exportFormat=markdown", first(links, *links)
            )
            if at is not None and address:
                name = first(one, "id")
                yield Edit(
                    at,
                    first(file, "id"),
                    int(name) if name.isdigit() else 0,
                    name,
                    first(file, "name"),
                    first(who, "displayName") or "unknown",
                    first(who, "emailAddress").lower(),
                    address,
                )

    def _revision(self, edit: Edit, old: str | None) -> Revision:
        text = self._exported(edit)
        named = f"---\ntitle: {json.dumps(edit.name, ensure_ascii=False)}\n---\n\n"
        info = CommitInfo(edit.sha, edit.author, edit.email, micros(edit.at), f"Edit of {edit.name}", "", None)
        return Revision(info, (FileChange(old, path_of(edit.file), named + text),), ())

    def _exported(self, edit: Edit) -> str:
        place = urlsplit(edit.address)
        ours = place.scheme == "https" and (place.hostname or "").endswith(".google.com")
        if not ours and place.netloc != urlsplit(self.service.base).netloc:
            raise Fatal("a document that does not lie at Google")
        reply = None
        for fresh in (False, True):
            key = {"Authorization": self.service.authorize(fresh)} if self.service.authorize else {}
            reply = sent("Google Drive", Request(edit.address, headers=key))  # noqa: S310 checked above
            if reply.status != 401:
                break
        assert reply is not None
        text = checked("Google Drive", "export", reply, HINT).body.decode("utf-8-sig", "replace")
        return IMAGE.sub("", text.replace("\r\n", "\n")).strip() + "\n"

    def _pages(self, path: str, asked: dict[str, Any], field: str) -> Iterator[dict[str, Any]]:
        token = ""
        while True:
            reply = self.service.get(path, {**asked, "pageToken": token} if token else asked).json()
            yield from objects(reply.get(field))
            token = first(reply, "nextPageToken")
            if not token:
                return


SHARED = {"supportsAllDrives": "true"}


def news(line: Sequence[Edit], read: Sequence[str]) -> Iterator[Edit]:
    """What of the line was not read: of known documents what came after, of new ones all; of one that came into the
    folder later than it was written, or came back, only what it says now.
    """
    seen = set(read)
    newest = {edit.file: edit for edit in line}
    last = {edit.file: edit for edit in line if edit.sha in seen}
    known = {file_of(sha) for sha in read}
    end = max((edit for edit in line if edit.sha in seen), default=None)
    for edit in line:
        if is_gone(read, edit.file):
            if edit == newest[edit.file]:
                yield replace(edit, id=f"{edit.id}~{count(read, edit.file)}")
        elif edit.sha not in seen and (
            edit > last[edit.file]
            if edit.file in last
            else edit == newest[edit.file] or (edit.file not in known and (end is None or edit > end))
        ):
            yield edit


def before(line: Sequence[Edit], cursor: str | None) -> tuple[str, ...]:
    """All of the line up to the cursor. Raises CursorLost where it is not in it."""
    if cursor is None:
        return ()
    shas = [edit.sha for edit in line]
    if cursor not in shas:
        raise CursorLost(f"{cursor[:60]!r} is no revision of the folder's documents (any more)")
    return tuple(shas[: shas.index(cursor) + 1])


def left(line: Sequence[Edit], read: Sequence[str]) -> list[str]:
    """The documents that were read and are in the folder no more."""
    here = {edit.file for edit in line}
    return [file for file in dict.fromkeys(map(file_of, read)) if file not in here and not is_gone(read, file)]


def is_gone(read: Sequence[str], file: str) -> bool:
    """Whether the last that was read of a document is that it is gone."""
    last = next((sha for sha in reversed(read) if file_of(sha) == file), "")
    return last.startswith(GONE)


def count(read: Sequence[str], file: str) -> int:
    """How often a document was read to be gone."""
    return sum(1 for sha in read if file_of(sha) == file and sha.startswith(GONE))


def removal(file: str, number: int) -> Revision:
    """The revision that a document is gone by, as of now, when it was noticed."""
    now = micros(datetime.now(UTC))
    info = CommitInfo(f"{GONE}{number}@{file}", "unknown", "", now, "Taken out of the folder", "", None)
    return Revision(info, (FileChange(path_of(file), None, None),), ())


def file_of(sha: str) -> str:
    """The document that a revision is of."""
    return sha.partition("@")[2]


def path_of(file: str) -> str:
    """A document's path: by its id, as its name may change."""
    return f"{file}.md"


def connected(settings: Settings, notes: Notes, folder: str) -> DriveFolder | None:
    """A folder that the settings give leave to read; None where they give none."""
    told = (settings.google_client_id, settings.google_client_secret, settings.google_refresh_token)
    if not all(told):
        return None
    if not re.fullmatch(r"[\w-]+", folder):
        raise Skip(f"DRIVE_FOLDERS: {folder[:40]!r} is no id of a folder; it stands at the end of the folder's address")
    client, secret, refresh = (str(one) for one in told)
    base = settings.google_api_url
    form = (
        ("grant_type", "refresh_token"),
        ("client_id", client),
        ("client_secret", secret),
        ("refresh_token", refresh),
    )
    grant = Grant("Google", f"{base}/token" if base else "https://oauth2.googleapis.com/token", form, None, HINT)
    address = f"{base}/drive/v3" if base else "https://www.googleapis.com/drive/v3"
    return DriveFolder(Service("Google Drive", address, Tokens(grant, notes), hint=HINT), folder)
