"""Filling a Space with what people said: everything is read before anything is written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypeVar

from assistant.errors import Skip, UserFacing
from assistant.graph.people import load_people, member_keys, save_people
from assistant.graph.space import Space
from assistant.graph.writing.talk import Progress, forget_deleted, remember_origin, write_channels, write_conversations
from assistant.graph.writing.writer import sole_writer
from assistant.model.audiences import PUBLIC
from assistant.model.conversations import Channel, Conversation, Heard, Identity, Utterance
from assistant.model.times import micros
from assistant.text.people import People
from connectors.github import discussions as github
from connectors.gitlab import discussions as gitlab
from connectors.jira import discussions as jira
from connectors.minutes.files import open_files
from connectors.slack.export import open_export
from connectors.teams import transcripts as teams
from connectors.zoom.recordings import open_folders
from workers.peoplefile import read_people

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TalkReport:
    """What a run did."""

    kind: str
    conversations: int
    """Read."""
    utterances: int
    """In them."""
    changed: int
    """Conversations that were new or changed."""
    forgotten: int
    """Utterances deleted at the source since, which lost their text."""
    people: int
    """Persons who spoke in them or may see them."""
    unsure: tuple[str, ...]
    """Names on transcripts that fit no known person, or more than one."""
    skipped: tuple[str, ...]
    """What was left out, each with its reason."""
    found: tuple[str, ...] = field(default=(), repr=False)
    """Ids of the conversations."""


class Readable(Protocol):
    """A source that says who is in it before it is read."""

    def identities(self) -> list[Identity]:
        """Everybody it knows."""
        ...


def ingest_slack_export(
    space: Space,
    path: Path,
    *,
    people: Path | None = None,
    until: datetime | None = None,
    workspace: str | None = None,
    progress: Progress | None = None,
) -> TalkReport:
    """Reads a Slack export, folder or zip. `workspace` (https://acme.slack.com) makes links open in the right one.

    Raises UserFacing for what is no export, Retry while another process writes.
    """
    end = None if until is None else micros(until)
    export = open_export(path)
    known = known_people(space, people, [export])
    heard = export.read(known.speaker, end, workspace)
    report = keep(space, "slack-export", known, [heard], end, progress)
    remember_origin(space.graph, "slack-export", path, until=end)
    return report


def ingest_zoom(
    space: Space,
    path: Path,
    *,
    audience: str | None = None,
    people: Path | None = None,
    until: datetime | None = None,
    progress: Progress | None = None,
) -> TalkReport:
    """Reads folders of recordings. Without `audience` a meeting's participants may see it. Raises as a Slack export."""
    check_audience(audience)
    folders = open_folders(path)
    known = known_people(space, people, folders)
    heard, skipped = readable(lambda folder: folder.read(known.speaker, audience), folders)
    end = None if until is None else micros(until)
    report = keep(space, "zoom", known, heard, end, progress, skipped)
    remember_origin(space.graph, "zoom", path, audience, end)
    return report


def ingest_minutes(
    space: Space,
    paths: Sequence[Path],
    *,
    people: Path | None = None,
    audience: str | None = None,
    until: datetime | None = None,
    progress: Progress | None = None,
) -> TalkReport:
    """Reads minutes and transcripts in text or Markdown. Raises as a Slack export."""
    check_audience(audience)
    files = [file for path in paths for file in open_files(path)]
    _, initials = read_people(people)
    known = known_people(space, people, [])
    heard, skipped = readable(lambda file: file.read(known.speaker, initials, audience or PUBLIC), files)
    end = None if until is None else micros(until)
    report = keep(space, "minutes", known, heard, end, progress, skipped)
    for path in paths:
        remember_origin(space.graph, "minutes", path, audience or PUBLIC, end)
    return report


def ingest_discussions(
    space: Space,
    paths: Sequence[Path],
    *,
    audience: str | None = None,
    people: Path | None = None,
    progress: Progress | None = None,
) -> TalkReport:
    """Reads issues and requests with their comments, as GitHub, GitLab and Jira give them as JSON.

    Raises UserFacing where there is no JSON file, or none of theirs, Retry while another process writes.
    """
    check_audience(audience)
    found = [forge.open_discussions(path) for path in paths for forge in (github, gitlab, jira)]
    told = [one for one in found if one.found]
    if not told:
        raise UserFacing("no issue or request of GitHub, GitLab or Jira is in these files")
    known = known_people(space, people, told)
    heard = [one.read(known.speaker, audience or PUBLIC) for one in told]
    report = keep(space, "discussions", known, heard, None, progress)
    for path in paths:
        remember_origin(space.graph, "discussions", path, audience or PUBLIC)
    return report


def ingest_teams(
    space: Space,
    path: Path,
    *,
    audience: str | None = None,
    people: Path | None = None,
    progress: Progress | None = None,
) -> TalkReport:
    """Reads folders of Teams transcripts. Without `audience` a meeting's participants may see it."""
    check_audience(audience)
    folders = teams.open_folders(path)
    known = known_people(space, people, folders)
    heard, skipped = readable(lambda folder: folder.read(known.speaker, audience), folders)
    report = keep(space, "teams", known, heard, None, progress, skipped)
    remember_origin(space.graph, "teams", path, audience)
    return report


def check_audience(audience: str | None) -> None:
    """Raises UserFacing for what is no Audience."""
    if audience is not None and audience != PUBLIC and not audience.removeprefix("channel:").strip():
        raise UserFacing("no audience: it is `public` or `channel:ID`")
    if audience is not None and audience != PUBLIC and not audience.startswith("channel:"):
        raise UserFacing(f"no audience {audience!r}: it is `public` or `channel:ID`")


def known_people(space: Space, file: Path | None, sources: Iterable[Readable]) -> People:
    """Who is who, by the people file first, then by what the graph and the sources know."""
    settled, _ = read_people(file)
    if file:
        remember_origin(space.graph, "people", file)
    known = load_people(space.reader)
    known.learn(settled)
    for source in sources:
        known.learn(source.identities())
    return known


def keep(
    space: Space,
    kind: str,
    people: People,
    heard: Sequence[Heard],
    until: int | None,
    progress: Progress | None,
    skipped: Sequence[str] = (),
) -> TalkReport:
    """Writes what was read: people and rooms first, so that no conversation is there before those who may see it."""
    found = [cut for one in heard for each in one.conversations if (cut := up_to(each, until))]
    channels = [channel for one in heard for channel in one.channels]
    speakers = [utterance.speaker for one in found for utterance in one.utterances]
    speakers += [by for one in found for u in one.utterances for reaction in u.reactions for by in reaction.by]
    members = {one.id: members_of(people, one) for one in channels}
    wanted = {one.person for one in speakers if one.person} | {who for ids in members.values() for who in ids}
    covered = frozenset(place for one in heard for place in one.covered)
    with sole_writer(space.graph) as revision:
        save_people(space.graph, people, wanted, revision)
        write_channels(space.graph, channels, lambda one: members[one.id], micros(datetime.now(UTC)))
        forgotten = forget_deleted(space.graph, found, covered, until, revision)
        written = write_conversations(space.graph, found, revision, progress)
    return TalkReport(
        kind=kind,
        conversations=len(found),
        utterances=sum(len(one.utterances) for one in found),
        changed=written.conversations,
        forgotten=forgotten,
        people=len(wanted),
        unsure=tuple(sorted({one.name for one in speakers if one.name and one.person is None})),
        skipped=(*skipped, *(line for one in heard for line in one.skipped)),
        found=tuple(one.id for one in found),
    )


def readable(read: Callable[[T], Heard], parts: Iterable[T]) -> tuple[list[Heard], list[str]]:
    """What can be read of the parts, and why the others cannot."""
    heard, skipped = [], []
    for part in parts:
        try:
            heard.append(read(part))
        except Skip as error:
            skipped.append(str(error))
    return heard, skipped


def up_to(one: Conversation, until: int | None) -> Conversation | None:
    """The conversation as it stood then; None where nothing had been said."""
    if until is None or one.utterances[-1].at <= until:
        return one
    said: tuple[Utterance, ...] = tuple(u for u in one.utterances if u.at <= until)
    return replace(one, utterances=said) if said else None


def members_of(people: People, channel: Channel) -> dict[str, list[str]]:
    """Ids of a room's members, as far as they are known, with what each may be called by."""
    found: dict[str, list[str]] = {}
    for who in channel.members:
        if person := people.speaker(who).person:
            found[person] = sorted({*found.get(person, ()), *member_keys(people, who)})
    return found
