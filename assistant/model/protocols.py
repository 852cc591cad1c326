"""What the library asks of the outside, as protocols: the outside fulfils them, the library knows only these."""

from typing import Protocol


class Members(Protocol):
    """Who is in which channel, as far as a surface or the graph knows."""

    def channels_of(self, user: str) -> frozenset[str]:
        """Ids of the channels that the user is a member of, empty when nothing is known; USER is an id, an e-mail or
        a handle. A surface that sees somebody write in a channel vouches for that channel by naming it here.
        """
        ...

    def can_tell(self, user: str, channel: str | None) -> bool:
        """Whether it is known who is in a channel that the user is not seen to be in, or, without one, which channels
        the user is in. What is not known counts as none, and the user is told so.
        """
        ...
