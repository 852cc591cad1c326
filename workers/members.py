"""Who may see what: members of Slack's channels by Slack, participants of meetings by their confirmed e-mail."""

from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from assistant.errors import Retry
from connectors.slack.members import FRESH, SlackDirectory

MEETINGS = ("zoom:", "meet:", "teams:")
"""How the ids of rooms begin that are meetings: of Slack's channels Slack alone knows who is in them now."""

log = structlog.get_logger()


def nowhere(email: str) -> frozenset[str]:  # noqa: ARG001 the shape of `met`
    """Nobody took part in anything."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class Everywhere(SlackDirectory):
    """The protocol Directory, with the meetings that a person took part in among their channels."""

    met: Callable[[str], frozenset[str]] = field(default=nowhere)
    """By an e-mail the rooms that it is known in."""

    def channels_of(self, user: str) -> frozenset[str]:
        """Channels that the person shares with us, and their meetings; what Slack does not tell is left out."""
        channels = SlackDirectory.channels_of(self, user)
        email = self._email(user)
        met = self.met(email) if email else frozenset()
        return channels | {room for room in met if room.startswith(MEETINGS)}

    def _email(self, user: str) -> str:
        """The confirmed e-mail; '' where there is none, or Slack does not tell just now."""
        known = self.cache.get(f"email:{user}")
        if known is None:
            try:
                known = self.email_of(user) or ""
            except Retry as error:
                log.warning("cannot tell which meetings somebody was in", reason=str(error))
                return ""
            self.cache.put(f"email:{user}", known, FRESH)
        return known
