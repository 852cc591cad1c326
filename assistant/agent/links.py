"""Links to what a citation names, from the web address of its source; None where there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit


class Host(Enum):
    """Whose way of writing addresses a site follows."""

    GITHUB = "github"
    GITLAB = "gitlab"
    DRIVE = "drive"
    """Google Drive: a path is a document's id, a commit `<revision>@<document>`; nothing else has an address."""


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses within the sources, each with its `web_url` as in `https://github.com/acme/handbook`."""

    web_urls: Mapping[str, str]
    """By source id; sources without one are not in it."""

    def section(self, source: str, commit: str, path: str, anchor: str) -> str | None:
        """The page at that commit, at the section's heading."""
        base, host = self._site(source)
        if base is None:
            return None
        if host is Host.DRIVE:
            return document(PurePosixPath(path).stem)
        middle = "/-/blob/" if host is Host.GITLAB else "/blob/"
        return f"{base}{middle}{commit}/{quote(path)}" + (f"#{quote(anchor)}" if anchor else "")

    def commit(self, source: str, commit: str) -> str | None:
        """The commit's own page."""
        base, host = self._site(source)
        if base is None:
            return None
        if host is Host.DRIVE:
            return document(commit.partition("@")[2])
        return f"{base}/-/commit/{commit}" if host is Host.GITLAB else f"{base}/commit/{commit}"

    def merge_request(self, source: str, number: str) -> str | None:
        """The merge or pull request's page."""
        base, host = self._site(source)
        if base is None or host is Host.DRIVE:
            return None
        return f"{base}/-/merge_requests/{number}" if host is Host.GITLAB else f"{base}/pull/{number}"

    def sign(self, source: str) -> str:
        """What stands before a request's number there: `!` on GitLab, `#` elsewhere."""
        return "!" if self._site(source)[1] is Host.GITLAB else "#"

    def _site(self, source: str) -> tuple[str | None, Host]:
        base = self.web_urls.get(source, "").rstrip("/").removesuffix(".git")
        if not base.startswith(("http://", "https://")):
            return None, Host.GITHUB
        return base, host_of(base)


def document(name: str) -> str:
    """A Google document's page."""
    return f"https://docs.google.com/document/d/{quote(name, safe='')}/edit"


def host_of(web_url: str) -> Host:
    """GitLab or Google where the host's name says so; all others write addresses as GitHub does."""
    if urlsplit(web_url).hostname == "drive.google.com":
        return Host.DRIVE
    return Host.GITLAB if "gitlab" in (urlsplit(web_url).hostname or "") else Host.GITHUB
