"""Asking a provider's HTTP API: one request at a time, its faults sorted by what to do about them.

Redirects are followed, without our credentials as soon as they lead to another host; never from https to plain http.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage
from time import time
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from assistant.errors import Fatal, Retry, Skip
from assistant.text.cues import parsed_time

PATIENCE = 20.0
"""Seconds to wait for a reply."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a reply at most."""
LONGEST_WAIT = 3600.0
"""Seconds that a provider may make us wait at most, whatever it says."""
AGENT = "company-brain"
"""GitHub refuses who does not say what they are."""

LIMITED = re.compile(rb"rate ?limit|quota|abuse detection", re.I)
"""How a 403 says that it was only too much: GitHub's and Google's words."""

Authorize = Callable[[bool], str]
"""The Authorization header's value; True asks for one that is not the last one again, which was refused."""


class Missing(Skip):
    """It is not there, or not there for us."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    def json(self) -> Any:
        """The body's JSON. Raises Retry for what is none: a proxy's page, a reply cut off."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise Retry("a reply that is no JSON", after=5.0) from error

    @property
    def unchanged(self) -> bool:
        """Whether it is as it was when the `etag` given was told."""
        return self.status == 304

    @property
    def following(self) -> str | None:
        """Address of the next page, as GitHub and GitLab tell it in Link."""
        found = re.search(r'<([^<>]+)>;\s*rel="?next"?', self.headers.get("link", ""))
        return found[1] if found else None


@dataclass(frozen=True, slots=True)
class Service:
    """One provider's API."""

    name: str
    """As errors call it: `GitHub`."""
    base: str
    authorize: Authorize | None = None
    headers: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    """What to do where our credentials are refused."""

    def get(self, path: str, params: Mapping[str, object] | None = None, *, etag: str | None = None) -> Reply:
        """Reads a path below the base, or a whole address of the same host.

        Raises Missing, Retry or Fatal; their texts name the path, never what a reply said.
        """
        return self.ask(path, params, None, {"If-None-Match": etag} if etag else {})

    def post(self, path: str, value: object) -> Reply:
        """Asks by a JSON object. Raises as `get`."""
        return self.ask(path, None, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def pages(self, path: str, params: Mapping[str, object]) -> Iterator[Any]:
        """The entries of a list over all its pages, by Link headers. Raises as `get`."""
        following: str | None = path
        given: Mapping[str, object] | None = params
        while following:
            reply = self.get(following, given)
            yield from reply.json()
            following, given = reply.following, None

    def ask(self, path: str, params: Mapping[str, object] | None, body: bytes | None, more: Mapping[str, str]) -> Reply:
        """One request, with fresh credentials once more where those at hand are refused. Raises as `get`."""
        address = self._address(path, params)
        reply = self._sent(address, body, more, fresh=False)
        if reply.status == 401 and self.authorize:
            reply = self._sent(address, body, more, fresh=True)
        return checked(self.name, urlsplit(address).path, reply, self.hint)

    def _sent(self, address: str, body: bytes | None, more: Mapping[str, str], *, fresh: bool) -> Reply:
        own = {"Authorization": self.authorize(fresh)} if self.authorize else {}
        return sent(self.name, Request(address, body, {**dict(self.headers), **more, **own}))  # noqa: S310 checked there

    def _address(self, path: str, params: Mapping[str, object] | None) -> str:
        address = urljoin(self.base.rstrip("/") + "/", path.lstrip("/") if "://" not in path else path)
        if urlsplit(address).netloc != urlsplit(self.base).netloc:
            raise Fatal(f"{self.name} sent us on to {urlsplit(address).hostname}, which is not where it lives")
        return f"{address}?{urlencode(params)}" if params else address


def sent(name: str, request: Request) -> Reply:
    """One request and whatever came back, faults included. Raises Retry where nothing did, Fatal for no web address."""
    if urlsplit(request.full_url).scheme not in ("http", "https"):
        raise Fatal(f"{name}: no web address")
    request.add_header("User-Agent", AGENT)
    try:
        with OPENER.open(request, timeout=PATIENCE) as found:
            return Reply(found.status, lowered(found.headers), whole(name, found))
    except HTTPError as error:
        with error:
            return Reply(error.code, lowered(error.headers), error.read(LARGEST))
    except (URLError, HTTPException, OSError) as error:
        raise Retry(f"{name}: {type(error).__name__}", after=2.0) from error


def checked(name: str, path: str, reply: Reply, hint: str = "") -> Reply:
    """The reply, where it is one to work with. Raises Missing, Retry or Fatal."""
    status = reply.status
    if status < 300 or status == 304:
        return reply
    told = f"{name} {path}: HTTP {status}"
    if status in (404, 410):
        raise Missing(told)
    if status == 429 or (status == 403 and limited(reply)):
        raise Retry(told, after=pause(reply.headers, time()))
    if status in (408, 409, 425) or status >= 500:
        raise Retry(told, after=pause(reply.headers, time()) if "retry-after" in reply.headers else 2.0)
    raise Fatal(f"{told}: {hint}" if hint and status in (401, 403) else told)


def limited(reply: Reply) -> bool:
    """Whether a 403 only says that we asked too much."""
    known = reply.headers
    return "retry-after" in known or known.get("x-ratelimit-remaining") == "0" or bool(LIMITED.search(reply.body))


def pause(headers: Mapping[str, str], now: float) -> float:
    """Seconds to wait: by Retry-After (seconds or a date), else until the limit's window ends, else a minute."""
    told = headers.get("retry-after", "")
    until = headers.get("x-ratelimit-reset") or headers.get("ratelimit-reset") or ""
    if re.fullmatch(r"\d{1,9}(\.\d+)?", told):
        seconds = float(told)
    elif told:
        seconds = _moment(told, now) - now
    elif re.fullmatch(r"\d{1,12}", until):
        seconds = int(until) - now if int(until) > 10**9 else float(until)
    else:
        seconds = 60.0
    return min(max(seconds, 1.0), LONGEST_WAIT)


def _moment(told: str, now: float) -> float:
    if found := parsed_time(told):
        return found.timestamp()
    try:
        return parsedate_to_datetime(told).timestamp()
    except ValueError:
        return now + 60.0


def whole(name: str, reply: IO[bytes]) -> bytes:
    """A reply's body. Raises Skip for one that is larger than any we want."""
    body = reply.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise Skip(f"{name}: larger than {LARGEST >> 20} MB")
    return body


def lowered(headers: Message) -> dict[str, str]:
    """Headers by lower-case name."""
    return {key.lower(): value for key, value in headers.items()}


class Redirects(HTTPRedirectHandler):
    """Follows redirects, but keeps our credentials to the host that they are for."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """The request to the new address; None where it must not be followed."""
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if old.scheme == "https" and new.scheme != "https":
            return None
        made = super().redirect_request(req, fp, code, msg, headers, newurl)
        if made is not None and (old.scheme, old.netloc) != (new.scheme, new.netloc):
            made.remove_header("Authorization")
        return made


OPENER: OpenerDirector = build_opener(Redirects())
