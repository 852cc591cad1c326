"""The Bolt app. It acknowledges after its listeners ran, so that one that fails makes Slack come again."""

import logging
import re

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult

from assistant.settings import Settings
from connectors.slack.client import async_client
from workers.web.intake import Intake
from workers.web.slack import (
    consent,
    feedback,
    forget,
    heard,
    home,
    mention,
    message,
    notices,
    rooms,
    share,
    shortcuts,
    why,
)
from workers.web.slack.faults import failed

LISTENERS = (mention, message, why, home, share, feedback, shortcuts, heard, rooms, consent, forget, notices)
BOLT = "brain.bolt"
"""Bolt's logger; below errors it would write bodies of requests."""


def bolt_app(settings: Settings, intake: Intake) -> AsyncApp:
    """All listeners. Signatures were checked on the raw bytes; nothing is asked of Slack on the way."""
    quiet = logging.getLogger(BOLT)
    quiet.setLevel(logging.ERROR)

    async def authorized(team_id: str | None, enterprise_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=settings.slack_bot_token)

    app = AsyncApp(
        name="company-brain",
        logger=quiet,
        client=async_client(settings),
        signing_secret=settings.slack_signing_secret or "",
        authorize=authorized,
        process_before_response=True,
        request_verification_enabled=False,
        ignoring_self_events_enabled=False,
        attaching_conversation_kwargs_enabled=False,
    )
    for listener in LISTENERS:
        listener.register(app, intake)
    app.event(re.compile(".*"))(nothing_to_do)
    app.error(failed)
    return app


async def nothing_to_do() -> None:
    """Events that are none of our business are acknowledged, so that Slack does not send them again."""
