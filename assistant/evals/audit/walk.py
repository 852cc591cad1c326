"""A mainline walked once: what the pages and owner files said after each commit, and when that was."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from assistant.evals.audit.repository import Changed, Contents, Message, Repository

PAGE = re.compile(r"\.(md|markdown|mdown|mkd|mkdn|mdx|qmd|rmd)(\.erb)?$", re.I)
OWNERS = re.compile(r"(?:\.github/|docs/|\.gitlab/)?CODEOWNERS|(?:.*/)?CODENOTIFY")
MOST = 200
"""Commits whose contents are fetched at a time."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One commit of the mainline."""

    sha: str
    at: int
    """When it counts from: committer time in microseconds, later than the commit before."""
    pages: dict[str, str | None]
    """What changed pages say since; None for what is gone or no text."""
    owners: dict[str, str | None]
    """The same of owner files."""


@dataclass(frozen=True, slots=True)
class Mainline:
    """The commits of one source up to the one that the graph knows last."""

    repository: Repository
    subdir: str
    messages: dict[str, Message]
    times: dict[str, int]
    """By sha."""

    def moments(self) -> Iterator[Moment]:
        """Every commit, oldest first."""
        contents = Contents(self.repository)
        pairs = iter(zip(self.repository.mainline, self.repository.changes(), strict=True))
        try:
            while part := list(islice(pairs, MOST)):
                wanted = [one for _, changes in part for one in changes if self.is_page(one) or is_owners(one)]
                texts = contents.texts(one.blob for one in wanted if one.blob)
                for sha, changes in part:
                    pages = {one.path: texts.get(one.blob or "") for one in changes if self.is_page(one)}
                    owners = {one.path: texts.get(one.blob or "") for one in changes if is_owners(one)}
                    yield Moment(sha, self.times[sha], pages, owners)
        finally:
            contents.close()

    def is_page(self, one: Changed) -> bool:
        """Whether a changed file is a page of the source."""
        return bool(PAGE.search(one.path)) and (not self.subdir or one.path.startswith(f"{self.subdir}/"))


def is_owners(one: Changed) -> bool:
    """Whether a changed file says who owns what."""
    return OWNERS.fullmatch(one.path) is not None


def mainline(repository: Repository, subdir: str) -> Mainline:
    """The repository's mainline with its times."""
    messages = repository.messages()
    times: dict[str, int] = {}
    last = -1
    for sha in repository.mainline:
        last = times[sha] = max(last + 1, min(max(messages[sha].seconds, 0), 2**33) * 1_000_000)
    return Mainline(repository, subdir, messages, times)
