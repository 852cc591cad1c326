"""Who answers for a page: CODEOWNERS by GitHub's and by GitLab's rules, and CODENOTIFY files."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from assistant.text import globs

_HEADER = re.compile(r"(?P<optional>\^?)\[(?P<name>[^\[\]]+)\](?:\[\d*\])?(?P<owners>(?:\s.*)?)$")
_ENTRY = re.compile(r"(?P<pattern>(?:\\.|[^\s\\])+)(?P<owners>(?:\s.*)?)$")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_OWNER = re.compile(r"@{1,2}[A-Za-z0-9_](?:[\w./-]*\w)?|[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
_ESCAPED_SPACE = re.compile(r"\\\s")
_PLACES = {
    "github": (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"),
    "gitlab": ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"),
}
"""Where each looks, the first found being the one that counts."""


class Dialect(StrEnum):
    """Whose rules an owner file follows."""

    GITHUB = "github"
    GITLAB = "gitlab"
    CODENOTIFY = "codenotify"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an owner file."""

    line: str
    """Verbatim, without its line end."""
    pattern: str
    owners: tuple[str, ...]
    """As written, twice if written twice; with GitLab the section's default owners where the line names none."""
    section: str
    """The section's name as first written; '' outside of sections and for other dialects."""
    optional: bool
    excludes: bool
    """GitLab's `!pattern`: what matches has no owner in this section, whatever other lines say."""
    matches: Callable[[str], object]
    """Whether a path, relative to the repository's root, is meant."""


@dataclass(frozen=True, slots=True)
class OwnersFile:
    """An owner file that was read."""

    path: str
    dialect: Dialect
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Ownership:
    """Who answers for a path, and the lines that say so: one a section with GitLab, one with GitHub."""

    path: str
    """Of the owner file; '' where nobody owns it."""
    rules: tuple[Rule, ...]
    """Those that count, in the file's order; some may name nobody."""

    @property
    def owners(self) -> tuple[str, ...]:
        """All owners once, in the file's order."""
        return tuple(dict.fromkeys(owner for rule in self.rules for owner in rule.owners))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that count, verbatim."""
        return tuple(rule.line for rule in self.rules)

    @property
    def line(self) -> str:
        """The line that speaks most closely of the path: the longest pattern that names owners; '' for none."""
        named = [rule for rule in self.rules if rule.owners]
        return max(named, key=lambda rule: len(rule.pattern)).line if named else ""


NOBODY = Ownership("", ())


def parse_owners(text: str, path: str, dialect: Dialect | None = None) -> OwnersFile:
    """Reads an owner file; which dialect it is shows in path and text, unless told. Unreadable lines count as none."""
    lines = text.removeprefix("\ufeff").splitlines()
    if path.rpartition("/")[2] == "CODENOTIFY":
        return OwnersFile(path, Dialect.CODENOTIFY, tuple(_codenotify_rules(lines, path.rpartition("/")[0])))
    if dialect is None:
        dialect = _dialect(lines, path)
    rules = _gitlab_rules(lines) if dialect is Dialect.GITLAB else _github_rules(lines)
    return OwnersFile(path, dialect, tuple(rules))


def owners_of(files: Iterable[OwnersFile], path: str) -> Ownership:
    """Who answers for a path by the owner files of one moment.

    The CODEOWNERS that counts decides; where it names nobody, the CODENOTIFY files of the path's folders do.
    """
    files = list(files)
    codeowners = [file for file in files if file.dialect is not Dialect.CODENOTIFY]
    if codeowners:
        file = min(codeowners, key=_precedence)
        rules = _sections(file, path) if file.dialect is Dialect.GITLAB else _last(file.rules, path)
        if any(rule.owners for rule in rules):
            return Ownership(file.path, rules)
    notified = [file for file in files if file.dialect is Dialect.CODENOTIFY]
    for file in sorted(notified, key=lambda file: file.path.count("/"), reverse=True):
        rules = tuple(rule for rule in file.rules if rule.matches(path))
        if rules:
            return Ownership(file.path, rules)
    return NOBODY


def _precedence(file: OwnersFile) -> tuple[int, str]:
    places = _PLACES[file.dialect]
    return places.index(file.path) if file.path in places else len(places), file.path


def _dialect(lines: Iterable[str], path: str) -> Dialect:
    if path.startswith(".github/"):
        return Dialect.GITHUB
    if path.startswith(".gitlab/") or any(_HEADER.match(line.strip()) for line in lines):
        return Dialect.GITLAB
    return Dialect.GITHUB


def _last(rules: Iterable[Rule], path: str) -> tuple[Rule, ...]:
    """The last rule that matches, alone."""
    last = [rule for rule in rules if rule.matches(path)][-1:]
    return tuple(last)


def _sections(file: OwnersFile, path: str) -> tuple[Rule, ...]:
    """The last rule that matches in each section, of those that do not exclude the path; in the file's order."""
    last: dict[str, Rule] = {}
    excluded: set[str] = set()
    for rule in file.rules:
        if rule.matches(path):
            name = rule.section.casefold()
            last[name] = rule
            if rule.excludes:
                excluded.add(name)
    return tuple(rule for name, rule in last.items() if name not in excluded)


def _split(line: str) -> tuple[str, tuple[str, ...]] | None:
    """Pattern and owners of a line; None for a comment, an empty or an unreadable line."""
    bare = line.strip()
    entry = None if bare.startswith("#") else _ENTRY.match(bare)
    return (entry["pattern"], _owners(entry["owners"])) if entry else None


def _owners(text: str) -> tuple[str, ...]:
    return tuple(word for word in _COMMENT.sub("", text).split() if _OWNER.fullmatch(word))


def _github_rules(lines: Iterable[str]) -> Iterator[Rule]:
    """GitHub skips lines it cannot read, which those that start with `!` or an escaped `#` are, too."""
    for line in lines:
        entry = _split(line)
        if entry and not entry[0].startswith(("!", "\\#")):
            pattern, owners = entry
            yield Rule(line, pattern, owners, "", False, False, globs.github(pattern).fullmatch)


def _gitlab_rules(lines: Iterable[str]) -> Iterator[Rule]:
    name, optional = "", False
    defaults: tuple[str, ...] = ()
    names: dict[str, str] = {}
    for line in lines:
        if header := _HEADER.match(line.strip()):
            name = names.setdefault(header["name"].strip().casefold(), header["name"].strip())
            defaults, optional = _owners(header["owners"]), bool(header["optional"])
        elif entry := _split(line):
            pattern, owners = entry
            excludes = pattern.startswith("!")
            meant = _ESCAPED_SPACE.sub(" ", pattern.removeprefix("!"))
            matches = _rooted(globs.gitlab(meant))
            yield Rule(line, pattern, () if excludes else owners or defaults, name, optional, excludes, matches)


def _rooted(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda path: pattern.fullmatch("/" + path)


def _codenotify_rules(lines: Iterable[str], folder: str) -> Iterator[Rule]:
    """All lines that match count, for the paths below the file's folder."""
    prefix = f"{folder}/" if folder else ""
    for line in lines:
        if entry := _split(line):
            pattern, owners = entry
            yield Rule(line, pattern, owners, "", False, False, _below(prefix, globs.codenotify(pattern)))


def _below(prefix: str, pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda path: path.startswith(prefix) and pattern.fullmatch(path, len(prefix))
