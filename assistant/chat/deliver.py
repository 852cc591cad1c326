"""Answering once: one message a question, found again after any crash, and updated in place.

The order is: claim, look for a message that carries our key, post, record. Whoever comes after a crash, or after a
post whose reply was lost, finds the claim, and therefore looks before it posts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.model.surfaces import Ledger, Message, Posted, Surface, Where


@dataclass(frozen=True, slots=True)
class Delivery:
    """The answer to one question, on its way to one place."""

    surface: Surface
    ledger: Ledger
    where: Where
    key: str
    since: str
    """Id of the question's message: no message of ours about it is older."""
    held: Callable[[], bool]
    """Whether the question is still ours alone."""

    def place(self, message: Message) -> Posted:
        """The one message, posted now unless it stands already."""
        return self._place(self.key, message)[0]

    def finish(self, messages: Sequence[Message]) -> dict[str, Posted]:
        """The one message becomes the answer; what does not fit follows in messages of its own. All of them by key."""
        written = {}
        for number, message in enumerate(messages):
            key = self.key if number == 0 else f"{self.key}/{number + 1}"
            written[key], fresh = self._place(key, message)
            if not fresh:
                self.surface.update(written[key], message)
        return written

    def _place(self, key: str, message: Message) -> tuple[Posted, bool]:
        """The message with this key, and whether it was posted just now with this content."""
        known = self.ledger.posted(key)
        if known is not None:
            return known, False
        first = self.ledger.once(f"claim:{key}")
        found = () if first else self.surface.find(self.where, key, self.since)
        ours = None if found else self.surface.post(self.where, message, key)
        posted = ours or found[0]
        if not self.held():
            posted = self._settle(key, posted)
        self.ledger.record(key, posted)
        return posted, posted == ours

    def _settle(self, key: str, posted: Posted) -> Posted:
        """We were paused so long that another took over and may have posted, too: the oldest message stays."""
        standing = self.surface.find(self.where, key, self.since) or (posted,)
        for extra in standing[1:]:
            self.surface.delete(extra)
        return standing[0]
