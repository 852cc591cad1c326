"""What people said: conversations, made of utterances, by persons, before an Audience."""

from dataclasses import dataclass
from enum import StrEnum


class ConversationKind(StrEnum):
    """Where it was said."""

    THREAD = "thread"
    """A Slack or Teams thread."""
    MAIN_LINE = "main_line"
    """A stretch of a channel's main line."""
    MEETING = "meeting"
    MINUTES = "minutes"
    """An agenda item of written minutes."""
    DISCUSSION = "discussion"
    """The comments on an issue or a request."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said it, as far as is known: an unsure match stays the name on the transcript, never a guess."""

    name: str
    """The full name where the person is known, else the name as it stands; '' for what minutes say in nobody's name:
    links, lines of a conclusion."""
    person: str | None
    """Id of the Person, None when unsure."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody as one source knows them."""

    source: str
    """`slack`, `zoom`, `git`, `people` for a people file, …: within one source two identities are two persons."""
    name: str
    id: str | None = None
    """The source's own id, None where it only gives a name."""
    email: str | None = None
    handles: tuple[str, ...] = ()
    """Other short names that the source knows them by, without @; with another source before a colon (`slack:U01AB`)
    what that one calls them."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emoji that people put on a message."""

    name: str
    """As Slack calls it, without colons and skin tone: `white_check_mark`."""
    by: tuple[Speaker, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message, or all consecutive cues of one speaker, verbatim."""

    id: str
    """Unique in the Space: `<conversation id>/<number>`, in Slack `slack:<team>/<channel>/<ts>`: messages move."""
    speaker: Speaker
    at: int
    """Microseconds since 1970."""
    text: str
    """Verbatim; Slack's entities resolved to names and links, cues joined by one space."""
    reply_to: str | None = None
    """Id of the utterance it answers, where the source says so."""
    reactions: tuple[Reaction, ...] = ()
    edited: bool = False
    bot: bool = False
    url: str | None = None
    """Opens the message, or the second of the recording."""
    files: tuple[str, ...] = ()
    """Names of the files shared with it."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread, a stretch of a main line, a meeting, an agenda item or a discussion."""

    id: str
    """By channel id, so that a rename changes nothing: `slack:<team>/<channel id>/<ts>`, `zoom:<folder>`, …"""
    shown_id: str
    """As the command line prints it: `slack:<channel name>/<ts>`, else the same."""
    kind: ConversationKind
    place: str
    """Id of the channel or meeting it stands in."""
    place_name: str
    title: str
    """Topic of the meeting, agenda heading, title of the issue; '' for a thread."""
    audience: str
    started_at: int
    utterances: tuple[Utterance, ...]
    url: str | None = None
    conclusion: tuple[str, ...] = ()
    """Lines of minutes that state the outcome, verbatim; they are utterances, too."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, matched across sources by e-mail, handle and name."""

    id: str
    """The lower-cased e-mail where one is known, else `<source>:<id>`."""
    name: str
    emails: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    """Slack ids and names, GitHub and GitLab handles, initials: without @."""
    other_names: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()
    """Ids, handles and e-mails of whoever has the same name: for telling who said what, never for giving rights."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A room whose members are an Audience: a Slack channel, a meeting with its participants."""

    id: str
    name: str
    private: bool
    members: tuple[Identity, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What a connector made of one export, folder or file; nothing of it is written yet."""

    conversations: tuple[Conversation, ...]
    channels: tuple[Channel, ...] = ()
    covered: frozenset[tuple[str, str]] = frozenset()
    """Places and days (`2020-03-01`, '' for all days) of which everything that is still there has been read: what was
    known of them and is not here has been deleted."""
    skipped: tuple[str, ...] = ()
    """What could not be read or was left out, each with its reason, for the report."""
