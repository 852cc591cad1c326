"""Clients of Slack's Web API, and its errors sorted by what to do about them."""

import ssl
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from time import sleep, time
from typing import Any
from urllib.error import URLError

from aiohttp import ClientError
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from assistant.errors import Closed, Fatal, Retry, UserFacing
from assistant.settings import Settings
from connectors.slack.scopes import lacking

Client = WebClient
"""What everything in a worker asks Slack by."""

PATIENCE = 10
"""Seconds to wait for a reply of Slack's."""

CLOSED = frozenset(
    {
        "not_in_channel",
        "channel_not_found",
        "is_archived",
        "restricted_action",
        "restricted_action_read_only_channel",
        "restricted_action_thread_only_channel",
        "restricted_action_non_threadable_channel",
        "cannot_reply_to_message",
        "thread_not_found",
        "user_not_in_channel",
        "messages_tab_disabled",
        "cannot_dm_bot",
        "user_disabled",
    }
)
"""We may not write there."""

PASSING = frozenset(
    {
        "ratelimited",
        "rate_limited",
        "service_unavailable",
        "internal_error",
        "fatal_error",
        "request_timeout",
        "timeout",
    }
)
"""May go well later."""

WRITING = ("chat.", "views.", "assistant.", "conversations.open")
"""Methods that take JSON; those that read take form fields only."""

HINTS = {
    "missing_scope": "the app lacks the scope {needed}; reinstall it from manifests/slack.yaml",
    "invalid_auth": "the bot token is not valid; set SLACK_BOT_TOKEN to the one on the app's page OAuth & Permissions",
    "not_authed": "no bot token; set SLACK_BOT_TOKEN",
    "token_revoked": "the bot token was revoked; reinstall the app and set the new SLACK_BOT_TOKEN",
    "token_expired": "the bot token has expired; token rotation must be off, as in manifests/slack.yaml",
    "account_inactive": "the bot user is switched off; reinstall the app and set the new SLACK_BOT_TOKEN",
}

SOCKET = "apps.connections.open"
"""The one method that is called with the app-level token."""
SOCKET_HINT = "set SLACK_APP_TOKEN to an app-level token (xapp-…) with the scope connections:write"


def sync_client(settings: Settings) -> WebClient:
    """For workers. It never sends a request twice by itself: a post whose reply was lost may stand already.

    Raises UserFacing without a bot token.
    """
    return _client(settings, _token(settings))


def async_client(settings: Settings) -> AsyncWebClient:
    """For the web process. Raises UserFacing without a bot token."""
    return AsyncWebClient(
        _token(settings), base_url=settings.slack_api_url, timeout=PATIENCE, ssl=_ssl(settings), retry_handlers=[]
    )


def _client(settings: Settings, token: str) -> WebClient:
    return WebClient(token, base_url=settings.slack_api_url, timeout=PATIENCE, ssl=_ssl(settings), retry_handlers=[])


def _token(settings: Settings) -> str:
    if not settings.slack_bot_token:
        raise UserFacing("no Slack bot token: set SLACK_BOT_TOKEN (README: connecting a workspace)")
    return settings.slack_bot_token


def _ssl(settings: Settings) -> ssl.SSLContext | None:
    return ssl.create_default_context() if settings.slack_api_url.startswith("https:") else None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are in the workspace: our user id, and the workspace's id."""

    bot: str
    team: str
    name: str = ""
    """Our name and the workspace's, for people."""
    lacks: tuple[str, ...] = ()
    """Scopes that the bot token should have and has not."""
    url: str | None = None
    """Address of the workspace."""


def identity(client: WebClient) -> Identity:
    """Asks Slack who we are. Raises Retry, or Fatal saying what is wrong with the token."""
    reply = _reply(client, "auth.test", {})
    names = f"{reply.get('user')} in {reply.get('team')}"
    return Identity(str(reply["user_id"]), str(reply["team_id"]), names, lacking(reply.headers), reply.get("url"))


def check_app_token(settings: Settings) -> None:
    """Asks once for a socket, where an app token is set. Raises Retry, or Fatal saying what is wrong with the token."""
    if settings.slack_app_token:
        called(_client(settings, settings.slack_app_token), SOCKET, {})


def called(client: WebClient, method: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """One Web API call. Raises Retry, Closed or Fatal; their texts name the method and the fault, never content."""
    data = _reply(client, method, arguments).data
    return data if isinstance(data, dict) else {}


def waited(client: WebClient, method: str, arguments: Mapping[str, Any], until: float) -> dict[str, Any]:
    """As `called`, but rate limits are waited out as long as Slack says, if that ends before the moment `until`."""
    while True:
        try:
            return called(client, method, arguments)
        except Retry as error:
            if "ratelimited" not in str(error) or time() + error.after > until:
                raise
            sleep(error.after)


async def awaited(method: str, call: Awaitable[AsyncSlackResponse]) -> dict[str, Any]:
    """A call of the asynchronous client, once. Raises as `called`."""
    try:
        data = (await call).data
    except SlackApiError as error:
        raise sorted_error(method, error) from None
    except (SlackClientError, ClientError, OSError) as error:  # a time-out is an OSError
        raise Retry(f"Slack {method}: {type(error).__name__}", after=1.0) from error
    return data if isinstance(data, dict) else {}


def _reply(client: WebClient, method: str, arguments: Mapping[str, Any]) -> SlackResponse:
    try:
        if method.startswith(WRITING):
            return client.api_call(method, json=dict(arguments))
        return client.api_call(method, params=dict(arguments))
    except SlackApiError as error:
        raise sorted_error(method, error) from None
    except (SlackClientError, URLError, HTTPException, OSError) as error:
        raise Retry(f"Slack {method}: {type(error).__name__}", after=1.0) from error


def sorted_error(method: str, error: SlackApiError) -> Retry | Fatal:
    """The error of ours that a reply of Slack's stands for."""
    response: Any = error.response
    status = getattr(response, "status_code", 200)
    data = getattr(response, "data", None)
    data = data if isinstance(data, dict) else {}
    code = "ratelimited" if status == 429 else str(data.get("error", f"HTTP {status}"))
    if code in PASSING:
        return Retry(f"Slack {method}: {code}", after=_retry_after(response))
    if status >= 500:
        return Retry(f"Slack {method}: HTTP {status}", after=2.0)
    if code in CLOSED:
        return Closed(f"Slack {method}: {code}")
    hint = SOCKET_HINT if method == SOCKET else HINTS.get(code, "").format(needed=data.get("needed", "?"))
    return Fatal(f"Slack {method}: {code}" + (f": {hint}" if hint else ""))


def _retry_after(response: Any) -> float:
    headers = {str(name).lower(): value for name, value in dict(getattr(response, "headers", None) or {}).items()}
    value = headers.get("retry-after", 1)
    try:
        return float(value[0] if isinstance(value, list) else value)
    except (TypeError, ValueError):
        return 1.0
