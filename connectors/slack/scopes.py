"""What the app may do in a workspace, as manifests/slack.yaml asks for it."""

from collections.abc import Mapping

SCOPES = (
    *("app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "commands"),
    *("groups:history", "groups:read", "im:history", "im:write", "mpim:history", "mpim:read"),
    *("reactions:read", "users:read", "users:read.email"),
)
"""What the manifest asks for (a test holds that they are the same)."""


def lacking(headers: Mapping[str, str]) -> tuple[str, ...]:
    """Scopes that a reply of Slack's says the token has not; none where it does not tell."""
    told = next((value for name, value in headers.items() if name.lower() == "x-oauth-scopes"), "")
    granted = {scope.strip() for scope in told.split(",")}
    return tuple(scope for scope in SCOPES if scope not in granted) if told else ()
