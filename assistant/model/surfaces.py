"""What a chat can do for us, whichever it is: the protocol that Slack fulfils now and Teams later."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from assistant.model.answers import Frozen

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Where:
    """A place to write in: a channel or a direct conversation, and the thread in it, if any."""

    channel: str
    thread: str | None = None
    """Id of the thread's first message; None for the main line."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that stands somewhere."""

    channel: str
    ts: str
    """Its id within the channel."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is written: `text` for notifications and screen readers, `blocks` in the surface's own layout language."""

    text: str
    blocks: tuple[Json, ...] = ()
    plain_blocks: tuple[Json, ...] | None = None
    """The same without what older workspaces refuse; None where there is nothing to refuse."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message that a person, no bot, wrote."""

    ts: str
    text: str
    """In plain words, without mentions of us."""
    to_us: bool
    """Whether it was meant for us: in a direct conversation everything is."""


class Way(StrEnum):
    """How a question reached us."""

    MENTION = "mention"
    DM = "dm"
    COMMAND = "command"
    """Asked in private from a channel; the answer goes to the direct conversation."""
    SHARE = "share"
    """A private answer's *Share here*: asked again for the channel."""


class Inquiry(Frozen):
    """A question as a surface brought it, ready to be queued."""

    way: Way
    key: str
    """Names the one message that answers it."""
    revision: str
    """Sorts the versions of an edited question; the newest is answered."""
    user: str
    text: str
    """In plain words, without the mention of us."""
    channel: str
    ts: str
    """Id of the question's message, or a moment before the answer where there is none."""
    thread: str | None = None
    files: bool = False


class Surface(Protocol):
    """A chat. Every method raises Retry when it may go well later, Closed where we may not write, else Fatal."""

    def post(self, where: Where, message: Message, key: str) -> Posted:
        """Write a message that carries `key` where only programs see it."""
        ...

    def update(self, posted: Posted, message: Message) -> bool:
        """Replace the whole content of a message of ours; False where somebody has deleted it."""
        ...

    def delete(self, posted: Posted) -> None:
        """Take a message of ours away; one that is gone already is fine."""
        ...

    def find(self, where: Where, key: str, since: str) -> tuple[Posted, ...]:
        """Our own messages that carry `key`, oldest first, among those not older than `since`."""
        ...

    def whisper(self, where: Where, user: str, message: Message) -> None:
        """Show something to one person only; nobody can find it again."""
        ...

    def open_dm(self, user: str) -> Where:
        """The direct conversation with a person."""
        ...

    def status(self, where: Where, text: str) -> None:
        """Say that we are at work, where the surface has a way to; never raises for want of it."""
        ...

    def home(self, user: str, view: Json) -> None:
        """Show a person their page of ours."""
        ...

    def refill(self, form: str, seen: str, view: Json) -> None:
        """Show a form anew, by its id, unless it was closed or has changed since `seen`."""
        ...

    def earlier(self, where: Where, before: str) -> Sequence[Said]:
        """What was said in the thread (in a direct conversation: on its main line lately) before a message."""
        ...


@dataclass(frozen=True, slots=True)
class Room:
    """A channel or direct conversation, as far as it decides who reads along."""

    id: str
    direct: bool
    """A direct conversation with one person."""
    outsiders: bool
    """Guests or another company read along, or it could not be found out."""
    told: bool = True
    """Whether it could be found out."""


class Directory(Protocol):
    """Who is who and who reads along where. What cannot be found out counts as the more careful case."""

    def member(self, user: str) -> bool:
        """Whether the person is a full member: no guest, no bot, of no other company."""
        ...

    def by_email(self, email: str) -> str | None:
        """Id of the full member with this e-mail; None where there is none."""
        ...

    def room(self, channel: str) -> Room:
        """The room with this id."""
        ...

    def channels_of(self, user: str) -> frozenset[str]:
        """Ids of the channels that a person is in; empty when unknown."""
        ...

    def can_tell(self, user: str, channel: str | None) -> bool:
        """Whether it is known which channels a person is in."""
        ...


class Ledger(Protocol):
    """What has been done already, kept outside the process so that it survives every kill."""

    def once(self, name: str) -> bool:
        """True for the first who asks about this name, False for all others within the next days."""
        ...

    def posted(self, key: str) -> Posted | None:
        """The message that carries this key, if it is known to stand."""
        ...

    def record(self, key: str, posted: Posted) -> None:
        """Remember it."""
        ...

    def finished(self, key: str) -> str | None:
        """The newest revision of the question `key` that is answered; None when none is."""
        ...

    def finish(self, key: str, revision: str) -> None:
        """Remember that this revision is answered."""
        ...

    def hold(self, key: str) -> AbstractContextManager[Callable[[], bool]]:
        """Keep others from working on the same key. Inside, the callable says whether it is still ours: one who was
        paused for too long has lost it. Raises Retry when another keeps holding it.
        """
        ...
