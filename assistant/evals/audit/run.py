"""All checks, on everything that is in a Space."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.errors import UserFacing
from assistant.evals.audit.answers import Library, check_answers
from assistant.evals.audit.chains import check_chains, check_changes
from assistant.evals.audit.checked import Checked
from assistant.evals.audit.commits import check_commits
from assistant.evals.audit.decisions import check_decisions
from assistant.evals.audit.discussions import read_discussions
from assistant.evals.audit.heard import Sources
from assistant.evals.audit.links import check_links
from assistant.evals.audit.minutes import read_minutes
from assistant.evals.audit.owners import check_owners
from assistant.evals.audit.people import check_people, check_rooms
from assistant.evals.audit.recorded import read_recorded
from assistant.evals.audit.repository import Repository
from assistant.evals.audit.settled import settled
from assistant.evals.audit.slack import read_export
from assistant.evals.audit.teams import read_teams
from assistant.evals.audit.utterances import Listener
from assistant.evals.audit.versions import check_versions
from assistant.evals.audit.walk import Mainline, mainline
from assistant.evals.audit.zoom import read_meetings
from assistant.graph.reading import audit
from assistant.graph.recorded import Recorded
from assistant.graph.sources import SourceRow, list_sources
from assistant.graph.store import Reader
from assistant.model.audiences import PUBLIC


@dataclass(frozen=True, slots=True)
class Places:
    """Where the raw sources are, where the graph does not know or they have been moved."""

    repositories: tuple[Path, ...] = ()
    slack_exports: tuple[Path, ...] = ()
    zoom: tuple[Path, ...] = ()
    teams: tuple[Path, ...] = ()
    minutes: tuple[Path, ...] = ()
    discussions: tuple[Path, ...] = ()


def audited(reader: Reader, places: Places, recorded: Sequence[Recorded] = ()) -> Iterator[Checked]:
    """Every check in turn, what was `recorded` live held against what Slack sent.

    Raises UserFacing where a source cannot be found.
    """
    lines: dict[str, Mainline] = {}
    with ExitStack() as stack:
        for source in list_sources(reader):
            if source.cursor is not None and source.kind == "git":
                found = repository(source, places.repositories)
                stack.callback(found.close)
                lines[source.id] = mainline(found, source.subdir)
        sections = audit.everything(reader, audit.Section)
        commits = audit.everything(reader, audit.Commit)
        owners = audit.everything(reader, audit.OwnersFile)
        origins = audit.everything(reader, audit.Origin)
        yield from _handbooks(list_sources(reader), lines, sections, commits, owners, given(origins))
        talks = audit.everything(reader, audit.Conversation)
        utterances = audit.everything(reader, audit.Utterance)
        decisions = audit.everything(reader, audit.Decision)
        said = sources(origins, places)
        said.exports[:0] = map(read_recorded, recorded)  # of what was imported, too, the last edit is in these
        said.forgotten = {one.id for one in audit.everything(reader, audit.Tombstone)}
        persons = audit.everything(reader, audit.Person)
        yield check_people(persons, lines.values(), said)
        yield check_rooms(audit.everything(reader, audit.Channel), persons, said)
        listener = Listener(said, persons)
        yield listener.check(talks, utterances)
        yield check_decisions(decisions, talks, utterances, listener.heard)
        yield check_links(lines, decisions, sections, commits, listener.heard)
        library = Library(lines, sections, commits, owners, decisions, listener.heard)
        yield check_answers(audit.everything(reader, audit.Answer), library)


def _handbooks(
    known: Sequence[SourceRow],
    lines: Mapping[str, Mainline],
    sections: Sequence[audit.Section],
    commits: Sequence[audit.Commit],
    owners: Sequence[audit.OwnersFile],
    lists: Sequence[str],
) -> list[Checked]:
    """The checks against git, of all sources together; what belongs to none of them fails."""
    found: list[Checked] = []
    for source in known:
        if line := lines.get(source.id):
            own = [one for one in sections if one.source == source.id]
            files = [one for one in owners if one.source == source.id]
            found += [
                check_commits(line, [one for one in commits if one.source == source.id], source.audience),
                check_versions(line, own, source.audience),
                check_chains(own),
                check_changes(line, own),
                check_owners(line, files, source.own_codeowners, lists),
            ]
    elsewhere = {source.id for source in known if source.kind != "git"}
    strays = Checked("versions")
    things = [(one.id, one.source) for one in sections] + [(one.id, one.source) for one in commits]
    for thing, source_id in things + [(one.id, one.source) for one in owners]:
        if source_id not in lines and source_id not in elsewhere:
            strays.missing(thing, "of a source that is not there")
    return united([*found, strays])


def given(origins: Sequence[audit.Origin]) -> list[str]:
    """Texts of the owner files given by hand."""
    files = [Path(one.path) for one in origins if one.kind == "codeowners"]
    return [file.read_text("utf-8", "replace") for file in files if file.is_file()]


def united(found: Sequence[Checked]) -> list[Checked]:
    """One result a check, where there are several sources."""
    by_name: dict[str, Checked] = {}
    for one in found:
        whole = by_name.setdefault(one.check, Checked(one.check))
        whole.total += one.total
        for thing, told in one.wrong.items():
            whole.wrong.setdefault(thing, []).extend(told)
    return [by_name.get(name, Checked(name)) for name in ("commits", "versions", "chains", "changes", "owners")]


def repository(source: SourceRow, places: Sequence[Path]) -> Repository:
    """The source's repository: one of those named that holds its head, else where it was read last."""
    assert source.cursor is not None
    failed = None
    for path in (*places, Path(source.path)):
        if not path.exists():
            continue
        try:
            return Repository(path, source.cursor)
        except UserFacing as error:
            failed = error
    raise failed or UserFacing(f"the repository {source.path} is not there any more: name it with --repo")


def sources(origins: Sequence[audit.Origin], places: Places) -> Sources:
    """Everything that was said, read where it was read from and where `places` say."""
    read = Sources()
    for origin in (one for one in origins if Path(one.path).exists()):
        take(read, origin.kind, Path(origin.path), origin.audience, origin.until)
    named = {
        "slack-export": places.slack_exports,
        "zoom": places.zoom,
        "teams": places.teams,
        "minutes": places.minutes,
        "discussions": places.discussions,
    }
    for kind, paths in named.items():
        for path in paths:
            take(read, kind, path, None, None)
    return read


def take(read: Sources, kind: str, path: Path, audience: str | None, until: int | None) -> None:
    """Reads one source of conversations; `audience` is what was given for it, None for its own."""
    match kind:
        case "slack-export":
            read.exports.append(read_export(path, until))
        case "zoom" | "teams":
            meetings = (read_meetings if kind == "zoom" else read_teams)(path, audience)
            read.meetings |= {name: replace(one, until=until) for name, one in meetings.items()}
        case "minutes":
            files = read_minutes(path, audience or PUBLIC)
            read.minutes |= {name: replace(one, until=until) for name, one in files.items()}
        case "discussions":
            for name, one in read_discussions(path, audience or PUBLIC).items():
                known = read.discussions.setdefault(name, one)
                known.said |= one.said
        case "people":
            read.people += settled(path.read_text("utf-8-sig", "replace"))
        case _:
            return
