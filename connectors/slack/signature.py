"""Slack's signature of a request, checked on the bytes as they came."""

import hashlib
import hmac
import re

WINDOW = 300
"""Seconds that a request's time may be off; Slack's recommendation, so that no recorded request can be replayed."""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What Slack writes into X-Slack-Signature."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


def is_genuine(secret: str, timestamp: str, claimed: str, body: bytes, now: float) -> bool:
    """Whether Slack signed this body at about `now` (seconds since 1970). An empty secret makes nothing genuine."""
    if not secret or not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > WINDOW:
        return False
    return hmac.compare_digest(signature(secret, timestamp, body).encode(), claimed.encode("utf-8", "replace"))
