"""Which files of a repository are of interest, and what their names are in text."""

import re
from dataclasses import dataclass

PAGE = re.compile(r"\.(?:md|markdown|mdown|mkd|mkdn|mdx|qmd|rmd)(?:\.erb)?$", re.IGNORECASE)
"""Markdown by its name: `.md`, `.html.md`, `.mdx`, and `.html.md.erb` as Middleman sites have it."""

PAGE_ENDINGS = ("md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd", "md.erb")

CODEOWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where GitHub and GitLab look. The first of them that is there counts: an order that agrees with both platforms'."""

CODENOTIFY = "CODENOTIFY"
"""Sourcegraph's: lies in any folder and speaks of what is below it."""


@dataclass(frozen=True, slots=True)
class Subdir:
    """The folder whose pages are read; '' is the whole repository."""

    path: str

    @classmethod
    def of(cls, given: str) -> "Subdir":
        """From what a person types: `content`, `./content/`, `/`."""
        parts = [part for part in given.replace("\\", "/").split("/") if part not in ("", ".")]
        return cls("/".join(parts))

    def has_page(self, path: str) -> bool:
        """Whether it is a Markdown file in the folder."""
        return PAGE.search(path) is not None and (not self.path or path.startswith(f"{self.path}/"))

    def pathspecs(self) -> list[str]:
        """Git's patterns for its pages and for all owner files; wider than `has_page` where upper case is concerned."""
        folder = re.sub(r"([\\*?\[\]])", r"\\\1", self.path) + "/" if self.path else ""
        pages = [f":(top,glob,icase){folder}**/*.{ending}" for ending in PAGE_ENDINGS]
        owners = [f":(top,literal){path}" for path in CODEOWNERS]
        return [*pages, *owners, f":(top,glob)**/{CODENOTIFY}"]


def is_owner_file(path: str) -> bool:
    """Whether it says who owns what."""
    return path in CODEOWNERS or path.rpartition("/")[2] == CODENOTIFY


def name(raw: bytes) -> str:
    r"""A path as text: bytes that are no UTF-8 are written \xNN, so that every path can be stored and shown."""
    return raw.decode("utf-8", "backslashreplace")
