"""Requests of all five providers that sign: valid ones as they send them, and forged ones of every kind."""

import base64
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from multidict import CIMultiDict, CIMultiDictProxy

from assistant.settings import Settings
from connectors.base.signatures import WINDOW, stamped, standard, summed
from workers.web.app import is_from_slack
from workers.web.hooks import github, gitlab, zoom

Pairs = list[tuple[str, str]]
Sign = Callable[[str, bytes, float, random.Random], Pairs]


@dataclass(frozen=True)
class Request:
    """What is sent, at what time by the server's clock."""

    headers: Pairs
    body: bytes
    now: float


@dataclass(frozen=True)
class Provider:
    """One of those who sign."""

    name: str
    path: str
    setting: str
    sign: Sign
    genuine: Callable[[Settings, Any, bytes, float], bool]
    signed_headers: tuple[str, ...]
    """The one that proves it comes last."""
    timed: bool = True
    covers_body: bool = True
    make_secret: Callable[[random.Random], str] = lambda rng: token(rng, rng.randint(8, 60))

    def accepts(self, secret: str | None, request: Request) -> bool:
        """Whether the request gets through where this secret is set."""
        settings = Settings(**{self.setting: secret})
        headers = CIMultiDictProxy(CIMultiDict(request.headers))
        return self.genuine(settings, headers, request.body, request.now)


def token(rng: random.Random, length: int) -> str:
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/=", k=length))


def like_slack(secret: str, body: bytes, at: float, rng: random.Random) -> Pairs:
    stamp = str(int(at))
    return [("X-Slack-Request-Timestamp", stamp), ("X-Slack-Signature", stamped(secret, stamp, body))]


def like_zoom(secret: str, body: bytes, at: float, rng: random.Random) -> Pairs:
    stamp = str(int(at))
    return [("x-zm-request-timestamp", stamp), ("x-zm-signature", stamped(secret, stamp, body))]


def like_github(secret: str, body: bytes, at: float, rng: random.Random) -> Pairs:
    return [("X-GitHub-Delivery", token(rng, 12)), ("X-Hub-Signature-256", summed(secret, body))]


def like_gitlab(secret: str, body: bytes, at: float, rng: random.Random) -> Pairs:
    return [("X-Gitlab-Event", "Push Hook"), ("X-Gitlab-Token", secret)]


def like_gitlab_signed(secret: str, body: bytes, at: float, rng: random.Random) -> Pairs:
    name, stamp = token(rng, 12), str(int(at))
    try:
        claimed = standard(secret, name, stamp, body)
    except ValueError:
        claimed = "v1," + base64.b64encode(bytes(32)).decode()
    return [("webhook-id", name), ("webhook-timestamp", stamp), ("webhook-signature", claimed)]


def standard_secret(rng: random.Random) -> str:
    return "whsec_" + base64.b64encode(rng.randbytes(32)).decode()


def slack_genuine(settings: Settings, headers: Any, body: bytes, now: float) -> bool:
    return is_from_slack(settings.slack_signing_secret or "", headers, body, now)


STAMPED = ("X-Slack-Request-Timestamp", "X-Slack-Signature")
PROVIDERS = (
    Provider("Slack", "/slack/events", "slack_signing_secret", like_slack, slack_genuine, STAMPED),
    Provider(
        "Zoom",
        "/hooks/zoom",
        "zoom_webhook_secret",
        like_zoom,
        zoom.genuine,
        ("x-zm-request-timestamp", "x-zm-signature"),
    ),
    Provider(
        "GitHub",
        "/hooks/github",
        "github_webhook_secret",
        like_github,
        github.genuine,
        ("X-Hub-Signature-256",),
        timed=False,
    ),
    Provider(
        "GitLab token",
        "/hooks/gitlab",
        "gitlab_webhook_token",
        like_gitlab,
        gitlab.genuine,
        ("X-Gitlab-Token",),
        timed=False,
        covers_body=False,
    ),
    Provider(
        "GitLab signed",
        "/hooks/gitlab",
        "gitlab_signing_token",
        like_gitlab_signed,
        gitlab.genuine,
        ("webhook-id", "webhook-timestamp", "webhook-signature"),
        make_secret=standard_secret,
    ),
)


# ---------------------------------------------------------------- what is valid


def any_body(rng: random.Random) -> bytes:
    kind = rng.randrange(4)
    if kind == 0:
        return b""
    if kind == 1:
        return rng.randbytes(rng.randint(1, 300))
    if kind == 2:
        return ("{" + "é漢\u202e😀\\u0000" * rng.randint(1, 30) + "}").encode()
    return b'{"event": "x", "n": ' + str(rng.random()).encode() + b"}"


def valid(provider: Provider, secret: str, rng: random.Random, now: float) -> Request:
    """As the provider sends it: clocks may differ, names of headers may be in any case, others come along."""
    body = any_body(rng)
    pairs = provider.sign(secret, body, int(now) + rng.randint(-WINDOW + 1, WINDOW - 1), rng)
    if provider.name == "GitLab signed" and rng.random() < 0.3:  # while a secret is changed both sign
        *first, (name, claimed) = pairs
        other = like_gitlab_signed(standard_secret(rng), body, now, rng)[-1][1]
        pairs = [*first, (name, f"{other} {claimed}" if rng.random() < 0.5 else f"{claimed} {other}")]
    if rng.random() < 0.3:
        pairs = [(name.upper() if rng.random() < 0.5 else name.lower(), value) for name, value in pairs]
    pairs += [("X-Forwarded-For", "192.0.2.1")] * rng.randint(0, 2)
    return Request(pairs, body, now)


# ---------------------------------------------------------------- what is forged

Forgery = Callable[[Provider, str, random.Random, float], tuple[str | None, Request] | None]
"""The secret that is set and the request; None where the provider does not sign what is forged here."""


def signed(provider: Provider, secret: str, rng: random.Random, now: float) -> Request:
    body = any_body(rng)
    return Request(provider.sign(secret, body, now, rng), body, now)


def with_proof(request: Request, value: str) -> Request:
    *first, (name, _) = request.headers
    return Request([*first, (name, value)], request.body, request.now)


def flipped(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ (1 << rng.randrange(5))) + text[at + 1 :]


def body_bit(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    made = signed(provider, secret, rng, now)
    if not provider.covers_body or not made.body:
        return None
    at = rng.randrange(len(made.body))
    body = made.body[:at] + bytes([made.body[at] ^ (1 << rng.randrange(8))]) + made.body[at + 1 :]
    return secret, Request(made.headers, body, now)


def body_length(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    if not provider.covers_body:
        return None
    made = signed(provider, secret, rng, now)
    longer = made.body + rng.choice([b" ", b"\n", b"\0", b"}"])
    body = made.body[: rng.randrange(len(made.body))] if made.body and rng.random() < 0.5 else longer
    return secret, Request(made.headers, body, now)


def proof_bit(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    made = signed(provider, secret, rng, now)
    return secret, with_proof(made, flipped(made.headers[-1][1], rng))


def proof_length(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    made = signed(provider, secret, rng, now)
    claimed = made.headers[-1][1]
    return secret, with_proof(
        made, rng.choice([claimed[: rng.randrange(len(claimed))], claimed + "0", claimed * 2, ""])
    )


def proof_other_letters(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    made = signed(provider, secret, rng, now)
    claimed = made.headers[-1][1]
    odd = rng.choice(["é", "\u0660", "\ud800", "\uff56", "\u200b", "\0", "１"])
    at = rng.randrange(len(claimed))
    return secret, with_proof(made, claimed[:at] + odd + claimed[at + rng.randint(0, 1) :])


def proof_other_scheme(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    made = signed(provider, secret, rng, now)
    claimed = made.headers[-1][1]
    bare = claimed.partition("=" if "=" in claimed[:8] else ",")[2] or claimed[1:]
    return secret, with_proof(made, rng.choice(["v1=", "V0=", "sha1=", "v1a,", "v2,", "", "none,", "sha256:"]) + bare)


def other_secret(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    other = provider.make_secret(rng)
    return None if other == secret else (secret, signed(provider, other, rng, now))


def near_secret(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    """Nearly the secret; not the same with zero bytes behind it (`AAAA`), which to HMAC is the same key."""
    head = len("whsec_") if secret.startswith("whsec_") else 0
    near = rng.choice([secret[:-4], secret + "B" * 4, secret[:head] + secret[head:].swapcase(), secret[head:]])
    same = near.rstrip("A=") == secret.rstrip("A=")
    return None if same else (secret, signed(provider, near, rng, now))


def empty_secret(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    """Nothing, or as good as nothing, is set, and the forger signs with just that."""
    blank = rng.choice(["", " ", "\t", "whsec_", "whsec_=", "whsec_?"])
    if not blank.strip() or provider.name == "GitLab signed":
        return rng.choice([blank, None]), signed(provider, blank, rng, now)
    return secret, signed(provider, "", rng, now)


def old_time(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    """Truly signed, but not now: a replay, or a clock far off."""
    if not provider.timed:
        return None
    away = rng.choice([rng.randint(WINDOW + 1, 4000), rng.randint(4000, 10**9)]) * rng.choice([-1, 1])
    body = any_body(rng)
    return secret, Request(provider.sign(secret, body, max(int(now) + away, 0), rng), body, int(now))


def moved_time(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    """An old signature under a new time, or under a time that is none."""
    if not provider.timed:
        return None
    made = signed(provider, secret, rng, now - 3600)
    odd = ["", "-1", "1.5", "soon", "9" * 400, f"{int(now)}.0", f"+{int(now)}", f"{int(now):x}", "\u0661\u0662\u0663"]
    stamp = rng.choice([str(int(now)), str(int(now) - rng.randint(0, 200)), *odd])
    pairs = [(name, stamp if "timestamp" in name.lower() else value) for name, value in made.headers]
    return secret, Request(pairs, made.body, now)


def twice(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    """A signed header and a forged one of the same name, in either order."""
    made, other = signed(provider, secret, rng, now), signed(provider, provider.make_secret(rng), rng, now)
    name = rng.choice(provider.signed_headers)
    extra = [(key, value) for key, value in other.headers if key == name]
    pairs = [*made.headers, *extra] if rng.random() < 0.5 else [*extra, *made.headers]
    return secret, Request(pairs, made.body, now)


def missing(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    made = signed(provider, secret, rng, now)
    left_out = rng.choice(provider.signed_headers)
    return secret, Request([(k, v) for k, v in made.headers if k != left_out], made.body, now)


def other_provider(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    other = rng.choice([one for one in PROVIDERS if one is not provider])
    return secret, signed(other, secret, rng, now)


def other_id(provider: Provider, secret: str, rng: random.Random, now: float) -> Any:
    if provider.name != "GitLab signed":
        return None
    made = signed(provider, secret, rng, now)
    return secret, Request([("webhook-id", token(rng, 13)), *made.headers[1:]], made.body, now)


FORGERIES: tuple[Forgery, ...] = (
    body_bit,
    body_length,
    proof_bit,
    proof_length,
    proof_other_letters,
    proof_other_scheme,
    other_secret,
    near_secret,
    empty_secret,
    old_time,
    moved_time,
    twice,
    missing,
    other_provider,
    other_id,
)
