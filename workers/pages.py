"""What is known about a page, for people who look after the handbook: its versions, and who owns it."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from assistant.access import NOBODY, scope_for
from assistant.errors import UserFacing
from assistant.graph.reading.commits import SectionChanged, changes_of
from assistant.graph.reading.lineages import Stood, stood_on
from assistant.graph.reading.owners import owners
from assistant.graph.reading.sections import pages, sections_on_page
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.model.audiences import Place, Scope, Viewer
from assistant.model.sections import ChangeKind
from assistant.model.times import FOREVER, moment, moment_or_none
from assistant.text.codeowners import Ownership


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of a section, or the removal that ended the last one (then without text)."""

    path: str
    heading_path: tuple[str, ...]
    text: str
    valid_from: int
    valid_to: int
    commit: str
    merge_request: str | None
    change: ChangeKind

    def as_json(self) -> dict[str, Any]:
        """The row in the contract's words."""
        until = moment_or_none(self.valid_to)
        return {
            "path": self.path,
            "heading_path": list(self.heading_path),
            "text": self.text,
            "valid_from": moment(self.valid_from).isoformat(),
            "valid_to": until.isoformat() if until else None,
            "commit": self.commit,
            "merge_request": self.merge_request,
            "change": self.change.value,
        }


def page_history(space: Space, path: str, heading: str | None) -> list[VersionRow]:
    """Every version of every section that ever stood on a page, section by section, oldest first.

    A section that moved here or away is followed through its whole life. Raises UserFacing where there is none.
    """
    scope = public_scope(space)
    once = stood_on(space.reader, scope, path)
    if not once:
        raise UserFacing(f"no page {path} was ever read{hint(path, pages(space.reader, scope))}")
    wanted = [version for version in once if heading is None or is_named(version.heading_path, heading)]
    if not wanted:
        names = dict.fromkeys(" > ".join(version.heading_path) for version in once if version.heading_path)
        near = close_to(str(heading), names) or list(names)[:8]
        raise UserFacing(f"{path} never had a section {heading!r}; it had: {', '.join(near)}")
    return [
        version_row(change)
        for lineage in in_reading_order(wanted)
        for change in changes_of(space.reader, scope, lineage)
    ]


def page_owners(space: Space, path: str) -> Ownership:
    """Who owns a page now; raises UserFacing where there is no such page or nobody owns it."""
    scope = public_scope(space)
    if not sections_on_page(space.reader, scope, path):
        raise UserFacing(f"there is no page {path}{hint(path, pages(space.reader, scope))}")
    found = owners(space.reader, scope, path)
    if found is None:
        raise UserFacing(f"nobody owns {path}: no line of a CODEOWNERS file names somebody for it")
    return found


def hint(path: str, known: Iterable[str]) -> str:
    """What to do about a path that no page has: what it may have meant, or how paths are written."""
    paths = list(known)
    if not paths:
        return ": read a handbook first, with `brain ingest git ~/src/handbook`"
    near = close_to(path, paths)
    return f": did you mean {', '.join(near)}?" if near else ": write its path from the repository's root"


def close_to(word: str, names: Iterable[str]) -> list[str]:
    """Up to three of the names: those that it is a part of, or that are written nearly so, in any case."""
    folded = {name.casefold(): name for name in names}
    holding = [name for key, name in folded.items() if word.casefold() in key]
    near = get_close_matches(word.casefold(), folded, n=3, cutoff=0.75)
    return list(dict.fromkeys([*(folded[key] for key in near), *holding]))[:3]


def public_scope(space: Space) -> Scope:
    """What anybody may see, now."""
    return scope_for(Viewer(), Place(), NOBODY, heads(space.reader))


def is_named(heading_path: tuple[str, ...], heading: str) -> bool:
    """Whether the words name the section: its heading, or the end of its heading path."""
    wanted = [part.strip().casefold() for part in heading.split(">")]
    path = [part.casefold() for part in heading_path] or [""]
    return path[-len(wanted) :] == wanted


def in_reading_order(versions: Iterable[Stood]) -> list[str]:
    """Lineages, those of today first, as they stand on the page."""
    ordered = sorted(versions, key=lambda version: (version.valid_to < FOREVER, version.position))
    return list(dict.fromkeys(version.lineage for version in ordered))


def version_row(change: SectionChanged) -> VersionRow:
    """What one commit did to a section."""
    section, commit = change.section, change.commit
    removed = change.kind is ChangeKind.REMOVED
    return VersionRow(
        path=section.path,
        heading_path=section.heading_path,
        text="" if removed else section.text,
        valid_from=commit.at,
        valid_to=FOREVER if removed else section.valid_to,
        commit=commit.sha,
        merge_request=commit.merge_request,
        change=change.kind,
    )
