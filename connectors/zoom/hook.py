"""What Zoom's webhooks say. Pure."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from connectors.base.discussions import first, inner, objects

VALIDATION = "endpoint.url_validation"

MEETING = ("uuid", "id", "host_email", "topic", "start_time", "duration", "timezone", "share_url")
"""What is kept of a meeting; passcodes are not."""
FILE = ("id", "file_type", "recording_start", "status", "play_url", "download_url")
"""What is kept of a recording's file."""


class Told(StrEnum):
    """What became of a recording."""

    SPOKEN = "recording.transcript_completed"
    """Its transcript is there, or will never be."""
    RECORDED = "recording.completed"
    """It is there; its transcript may follow within a day."""


@dataclass(frozen=True, slots=True)
class RecordingEvent:
    """An event about one meeting's recording."""

    told: Told
    meeting: Mapping[str, Any]
    """As Zoom describes it."""
    token: str
    """Downloads its files for 24 hours; '' where there is none."""


def validated(value: Mapping[str, Any], secret: str) -> dict[str, str] | None:
    """The answer that proves to Zoom that the address is ours, asked at first and every 72 hours; None for any other
    event. Raises ValueError where there is nothing to sign.
    """
    if value.get("event") != VALIDATION:
        return None
    plain = inner(dict(value), "payload").get("plainToken")
    if not isinstance(plain, str) or not plain or not secret:
        raise ValueError("no plainToken")
    signed = hmac.new(secret.encode(), plain.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return {"plainToken": plain, "encryptedToken": signed}


def recording(value: Mapping[str, Any]) -> RecordingEvent | None:
    """The event, where it is about a recording of a meeting. Raises ValueError where it names no meeting."""
    try:
        told = Told(str(value.get("event")))
    except ValueError:
        return None
    meeting = inner(inner(dict(value), "payload"), "object")
    if not isinstance(meeting.get("uuid"), str) or not meeting["uuid"]:
        raise ValueError("no uuid of a meeting")
    files = [{name: one[name] for name in FILE if name in one} for one in objects(meeting.get("recording_files"))]
    kept = {name: meeting[name] for name in MEETING if name in meeting}
    return RecordingEvent(told, {**kept, "recording_files": files}, first(dict(value), "download_token"))
