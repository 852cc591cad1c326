"""What a chat can do for us, whichever it is: the protocol that Slack fulfils now and Teams later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

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
    """A message that somebody wrote."""

    ts: str
    user: str | None
    text: str
    by_bot: bool


class Surface(Protocol):
    """A chat. Every method raises Retry when it may go well later and Fatal or UserFacing when it will not."""

    def post(self, where: Where, message: Message, key: str) -> Posted:
        """Write a message that carries `key` where only programs see it."""
        ...

    def update(self, posted: Posted, message: Message) -> None:
        """Replace the whole content of a message of ours."""
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

    def earlier(self, where: Where, before: str) -> Sequence[Said]:
        """What was said in the thread (in a direct conversation: on its main line lately) before a message."""
        ...
