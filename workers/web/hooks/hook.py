"""What a webhook is to the endpoint that serves all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.settings import Settings
from connectors.base.signatures import Headers
from workers.queue import Work

Value = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hook:
    """One source's webhook."""

    name: str
    """In its address: `/hooks/github`."""
    secrets: tuple[str, ...]
    """Names of the settings any of which switches it on."""
    genuine: Callable[[Settings, Headers, bytes, float], bool]
    """Whether the source sent these bytes at about this time (seconds since 1970)."""
    work: Callable[[Settings, Value, str], Work | None]
    """What to do about an event whose body has this digest, None for nothing; raises ValueError for a malformed one."""
    reply: Callable[[Settings, Value], Mapping[str, str] | None] = lambda _settings, _value: None
    """What the source wants to hear at once; raises ValueError for a malformed request."""
    forgiving: bool = False
    """Whether a malformed event is acknowledged all the same: the source gives up on who refuses one."""

    def is_set(self, settings: Settings) -> bool:
        """Whether the settings switch it on: without a secret everybody could send anything."""
        return any((getattr(settings, name) or "").strip() for name in self.secrets)
