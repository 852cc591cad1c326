"""The four ways in which providers sign what they send us, checked on the bytes as they came.

Nothing is genuine under an empty secret, under a header that is missing or sent twice, or, where the signature covers
a time, more than WINDOW seconds away from it. All comparisons take the same time whatever is compared.
"""

import base64
import binascii
import hashlib
import hmac
import re
from typing import Protocol

WINDOW = 300
"""Seconds that a signed time may be off: Slack's and Zoom's recommendation and Standard Webhooks', so that no recorded
request can be replayed later."""

STANDARD = "whsec_"
"""How a secret of Standard Webhooks begins; what follows is the key in base64."""


class Headers(Protocol):
    """A request's headers, by name in any case."""

    def getall(self, name: str, default: list[str], /) -> list[str]:
        """All values that were sent under the name."""
        ...


def sole(headers: Headers, name: str) -> str:
    """The header's value; '' where it was not sent, or sent more than once, so that nobody can choose which counts."""
    values = headers.getall(name, [])
    return values[0] if len(values) == 1 else ""


def same(claimed: str, true: str) -> bool:
    """Whether two texts are the same, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(claimed.encode("utf-8", "surrogatepass"), true.encode("utf-8", "surrogatepass"))


def timely(timestamp: str, now: float) -> bool:
    """Whether a signed time, in seconds since 1970, is about `now`."""
    return bool(re.fullmatch("[0-9]{1,12}", timestamp)) and abs(now - int(timestamp)) <= WINDOW


def stamped(secret: str, timestamp: str, body: bytes) -> str:
    """What Slack and Zoom write into their signature header."""
    return "v0=" + _hmac(secret.encode(), b"v0:" + timestamp.encode("utf-8", "surrogatepass") + b":" + body).hex()


def is_stamped(secret: str, timestamp: str, claimed: str, body: bytes, now: float) -> bool:
    """Whether Slack or Zoom signed this body at about `now` (seconds since 1970)."""
    return bool(secret.strip()) and timely(timestamp, now) and same(claimed, stamped(secret, timestamp, body))


def summed(secret: str, body: bytes) -> str:
    """What GitHub writes into X-Hub-Signature-256."""
    return "sha256=" + _hmac(secret.encode(), body).hex()


def is_summed(secret: str, claimed: str, body: bytes) -> bool:
    """Whether GitHub signed this body. It signs no time: a replay has to be told by the body."""
    return bool(secret.strip()) and same(claimed, summed(secret, body))


def is_token(secret: str, claimed: str) -> bool:
    """Whether a request carries GitLab's token. It covers neither body nor time."""
    return bool(secret.strip()) and same(claimed, secret)


def standard(secret: str, id: str, timestamp: str, body: bytes) -> str:  # noqa: A002 the header's word
    """What GitLab writes into webhook-signature, after Standard Webhooks. Raises ValueError for no secret of theirs."""
    told = f"{id}.{timestamp}.".encode("utf-8", "surrogatepass")
    return "v1," + base64.b64encode(_hmac(standard_key(secret), told + body)).decode()


def is_standard(secret: str, id: str, timestamp: str, claimed: str, body: bytes, now: float) -> bool:  # noqa: A002
    """Whether GitLab signed this body under this id at about `now`; of several signatures, as while a secret is
    changed, one is enough.
    """
    if not (secret.strip() and id and timely(timestamp, now)):
        return False
    try:
        true = standard(secret, id, timestamp, body)
    except ValueError:
        return False
    return any([same(one, true) for one in claimed.split(" ")])  # noqa: C419 all are compared, in the same time


def standard_key(secret: str) -> bytes:
    """The key of a Standard Webhooks secret: base64 behind its prefix, else the secret's own bytes.

    Raises ValueError for an empty one, or base64 that is none.
    """
    if not secret.startswith(STANDARD):
        key = secret.encode()
    else:
        try:
            key = base64.b64decode(secret.removeprefix(STANDARD), validate=True)
        except binascii.Error as error:
            raise ValueError("no base64 behind whsec_") from error
    if not key:
        raise ValueError("an empty secret signs nothing")
    return key


def body_digest(body: bytes) -> str:
    """Names a body: the same one, however often it is sent and under whatever id, has the same."""
    return hashlib.sha256(body).hexdigest()[:32]


def _hmac(key: bytes, told: bytes) -> bytes:
    return hmac.new(key, told, hashlib.sha256).digest()
