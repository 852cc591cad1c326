"""Access tokens of OAuth: fetched when one is needed, shared by all processes until shortly before they end."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode
from urllib.request import Request

from assistant.errors import Fatal, Retry
from assistant.model.ids import digest
from connectors.base.http import Reply, checked, sent

EARLY = 60
"""Seconds before its end from which a token is not used any more."""
SHORTEST = 30
"""Seconds that a token is kept at least, however soon it ends."""
LASTING = 3600
"""Seconds that a token lasts where its provider does not say."""


class Notes(Protocol):
    """Short-lived notes that all processes share."""

    def get(self, name: str) -> str | None:
        """What was put under the name, while it lasts."""
        ...

    def put(self, name: str, value: str, seconds: int) -> None:
        """Keep it for so long."""
        ...


@dataclass(frozen=True, slots=True)
class Grant:
    """How a provider is asked for a token."""

    name: str
    """As errors call the provider: `Zoom`."""
    address: str
    form: tuple[tuple[str, str], ...]
    basic: tuple[str, str] | None = None
    """User and password of the request, where they are not in the form."""
    hint: str = ""
    """What to do where it is refused."""

    def ask(self) -> tuple[str, int]:
        """A token, and how many seconds it lasts. Raises Retry, or Fatal where the provider refuses us."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        if self.basic:
            headers["Authorization"] = "Basic " + base64.b64encode(":".join(self.basic).encode()).decode()
        reply = sent(self.name, Request(self.address, urlencode(self.form).encode(), headers))  # noqa: S310 checked there
        if reply.status in (400, 401, 403):
            raise Fatal(f"{self.name} gives us no token ({reason(reply)}): {self.hint}")
        told: Any = checked(self.name, "token", reply).json()
        token = told.get("access_token") if isinstance(told, dict) else None
        if not isinstance(token, str) or not token:
            raise Retry(f"{self.name} gave no token", after=10.0)
        lasts = told.get("expires_in")
        return token, lasts if isinstance(lasts, int) else LASTING


@dataclass(frozen=True, slots=True)
class Tokens:
    """Authorization by a provider's tokens: the protocol `http.Authorize`."""

    grant: Grant
    notes: Notes

    def __call__(self, fresh: bool) -> str:
        """The header's value; a fresh one where the last was refused. Raises as `Grant.ask`."""
        key = self._key()
        known = None if fresh else self.notes.get(key)
        if known is None:
            known, lasts = self.grant.ask()
            self.notes.put(key, known, max(lasts - EARLY, SHORTEST))
        return f"Bearer {known}"

    def _key(self) -> str:
        """Differs where anything of the settings does, and tells none of it."""
        grant = self.grant
        return f"token:{digest(grant.name, grant.address, *map(repr, grant.form), *(grant.basic or ()))}"


def reason(reply: Reply) -> str:
    """The error's code as OAuth names it; providers' longer words are not repeated."""
    try:
        told = json.loads(reply.body)
    except ValueError:
        return f"HTTP {reply.status}"
    code = told.get("error") or told.get("reason") if isinstance(told, Mapping) else None
    return str(code)[:80] if isinstance(code, str) else f"HTTP {reply.status}"
