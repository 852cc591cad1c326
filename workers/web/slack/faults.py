"""What becomes of a request that Slack signed and that cannot be served: malformed ones get 400, the rest 500."""

import json
from typing import Any
from urllib.parse import parse_qs

import structlog
from slack_bolt import BoltResponse

from assistant.errors import BrainError

MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What reading raises where something is missing or is no such thing; pydantic's errors are ValueErrors."""

log = structlog.get_logger()


async def failed(error: Exception) -> BoltResponse:
    """Told to Bolt: a listener that stumbled over the request itself gives 400, one that failed otherwise 500.

    Only the error's kind and place are written down: its text may quote what people wrote.
    """
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    where = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}" if last else ""
    reason = str(error) if isinstance(error, BrainError) else ""
    log.error("a listener failed", error=type(error).__name__, reason=reason, where=where)
    return BoltResponse(status=400 if isinstance(error, MALFORMED) else 500, body="")


def readable(text: str, kind: str) -> bool:
    """Whether a body is what Slack sends: a JSON object, or a form whose `payload`, if there is one, is such."""
    if kind == "application/x-www-form-urlencoded":
        form = parse_qs(text)
        return bool(form) and all(is_object(one) for one in form.get("payload", ()))
    return is_object(text)


def is_object(text: str) -> bool:
    """Whether the text is a JSON object."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict)
