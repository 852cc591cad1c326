"""Every link from a decision to a commit rests on words that the diff really shows, for as long as they stood."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.counting import stems
from assistant.evals.audit.heard import Heard
from assistant.evals.audit.repository import Repository
from assistant.evals.audit.walk import Mainline
from assistant.graph.reading.audit import Commit, Decision, Section
from assistant.model.times import FOREVER


@dataclass(frozen=True, slots=True)
class Link:
    """One edge IMPLEMENTED_BY."""

    sha: str
    source: str
    section: str
    added: Sequence[str]
    """What was decided, then the words of the edit."""
    removed: Sequence[str]
    reference: str | None
    author_spoke: bool | None
    valid_from: int
    valid_to: int
    ended_by: str | None
    first: bool
    commit: str
    """The commit's id in the graph."""
    score: float


@dataclass(frozen=True, slots=True)
class Archive:
    """What links are looked up in."""

    lines: Mapping[str, Mainline]
    sections: Mapping[str, Section]
    commits: Mapping[tuple[str, str], Commit]
    """By source and sha."""
    shas: Mapping[str, Mapping[int, str]]
    """By source and time."""


def check_links(
    lines: Mapping[str, Mainline],
    decisions: Sequence[Decision],
    sections: Sequence[Section],
    commits: Sequence[Commit],
    heard: Heard,
) -> Checked:
    """Counts every link. `lines` are by source."""
    found = Checked("links")
    archive = Archive(
        lines,
        {one.id: one for one in sections},
        {(one.source, one.sha): one for one in commits},
        {name: {at: sha for sha, at in line.times.items()} for name, line in lines.items()},
    )
    for one in decisions:
        links = [Link(*row) for row in one.links]
        linked = {link.sha for link in links}
        for link in links:
            thing = f"{one.id} {link.sha[:12]}"
            commit = archive.commits.get((link.source, link.sha))
            if link.section not in archive.sections or commit is None or link.source not in lines:
                found.missing(thing, "its section or commit is not there")
                continue
            line, shas = lines[link.source], archive.shas[link.source]
            wrong = [*_carried(link, commit, archive), *_held(link, line, shas, linked)]
            email = {commit.author_email, commit.author_name.lower()}
            if link.author_spoke and not email & heard.people[one.conversation or ""]:
                wrong.append(f"{commit.author_name} did not speak")
            found.look(thing, wrong)
        if links and len({link.sha for link in links if link.first}) != 1:
            found.blame(f"{one.id} {links[0].sha[:12]}", "not just one commit is told as the first")
    return found


def _carried(link: Link, commit: Commit, archive: Archive) -> Iterator[str]:
    """What is wrong with the evidence."""
    section = archive.sections[link.section]
    if link.sha not in {sha for _, sha in section.changed}:
        yield "the commit did not change the section"
    if not link.added and not link.removed:
        yield "no evidence"
    if str(link.reference or "").startswith("#") and link.reference != f"#{commit.merge_request}":
        yield f"it came by request {commit.merge_request}, not {link.reference}"
    line = archive.lines[link.source]
    yield from _shown(line.repository, section, link)
    around = " ".join((*section.heading_path, line.messages[link.sha].text if link.sha in line.messages else ""))
    for told in (link.added, link.removed):
        if len(told) > 1 and not (stems(told[0]) & stems(" ".join(told[1:])) or _over_table(told, around)):
            yield f"{told[0]!r} is not in {told[1][:80]!r}"


def _over_table(told: Sequence[str], around: str) -> bool:
    """Whether the words are a table's row, and what they are to tell stands in the headings over it or the message."""
    value = stems(told[0])
    return all(words.lstrip().startswith("|") for words in told[1:]) and bool(value) and value <= stems(around)


def _shown(repository: Repository, section: Section, link: Link) -> Iterator[str]:
    """What of the evidence the diff does not show."""
    plus, minus = repository.shown(link.sha, [section.path])
    if not all(any(words in line for line in minus) for words in link.removed[1:] if words):
        plus, minus = repository.shown(link.sha, [])
    for words in filter(None, link.added[1:]):
        if not any(words in line for line in plus):
            yield f"{words[:80]!r} is not in the lines it added"
    for words in filter(None, link.removed[1:]):
        if not any(words in line for line in minus):
            yield f"{words[:80]!r} is not in the lines it took away"


def _held(link: Link, line: Mainline, shas: Mapping[int, str], linked: AbstractSet[str]) -> Iterator[str]:
    """What is wrong with the time for which the words are held to have stood. `linked` are the decision's commits."""
    begun = shas.get(link.valid_from)
    if begun is None or link.valid_from < line.times[link.sha]:
        yield "stands from when no commit was made, or before its own"
    elif begun not in linked and not (_names(line, begun) or _brings(line.repository, begun, link.added)):
        yield f"{begun[:12]} did not bring it back"
    if (link.valid_to == FOREVER) != (link.ended_by is None):
        yield "an end without a commit, or the other way round"
    if link.ended_by is None:
        return
    if line.times.get(link.ended_by) != link.valid_to or link.valid_to <= link.valid_from:
        yield "does not end when the commit was made that is held to have ended it"
    elif not (_names(line, link.ended_by) or _takes(line.repository, link)):
        yield f"{link.ended_by[:12]} did not take it back"


def _names(line: Mainline, sha: str) -> bool:
    """Whether a commit says that it takes back another one of the mainline."""
    text = line.messages[sha].text
    named = re.findall(
        r"reverts? commit ([0-9a-f]{7,40})|\brevert(?:s|ed)?\b[^\n]{0,20}?\b([0-9a-f]{7,40})\b", text, re.I
    )
    words = [one for pair in named for one in pair if one]
    return any(other.startswith(word) for word in words for other in line.times)


def _brings(repository: Repository, sha: str, told: Sequence[str]) -> bool:
    plus, _ = repository.shown(sha, [])
    return any(words and any(words in line for line in plus) for words in told[1:])


def _takes(repository: Repository, link: Link) -> bool:
    """Whether the commit that ended it took the added words away, or put the removed ones back."""
    plus, minus = repository.shown(link.ended_by or "", [])
    gone = any(words and any(words in line for line in minus) for words in link.added[1:])
    back = any(words and any(words in line for line in plus) for words in link.removed[1:])
    return gone or back
