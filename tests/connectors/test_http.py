"""Asking an API: faults sorted by what to do, pauses as long as told, keys that go nowhere else."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Fatal, Retry, Skip
from connectors.base import http
from connectors.base.http import LONGEST_WAIT, Missing, Service, pause
from connectors.base.tokens import Grant, Tokens
from tests.fakes.serving import served


@dataclass
class Site:
    """Answers whatever a path asks for."""

    url: str = ""
    keys: list[str] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.keys.append(request.headers.get("Authorization", ""))
        kind = request.match_info["kind"]
        if kind == "away":
            raise web.HTTPFound(self.url.replace("127.0.0.1", "localhost") + "/there")
        if kind == "near":
            raise web.HTTPFound("/there")
        if kind == "loop":
            raise web.HTTPFound("/loop")
        if kind == "cut":
            assert request.transport
            request.transport.abort()
        if kind == "large":
            return web.Response(body=bytes(3000))
        if kind == "page":
            return web.Response(text="<html>")
        if kind == "once" and len(self.keys) == 1:
            return web.Response(status=401)
        return web.Response(status=int(kind) if kind.isdigit() else 200, text="{}", headers=dict(request.query))


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    app = web.Application()
    app.router.add_get("/{kind}", made.handle)
    with served(app) as made.url:
        yield made


def service(site: Site) -> Service:
    return Service("Acme", site.url, lambda fresh: f"Bearer {'new' if fresh else 'old'}", hint="set ACME_TOKEN")


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("404", Missing),
        ("410", Missing),
        ("400", Fatal),
        ("403", Fatal),
        ("422", Fatal),
        ("429", Retry),
        ("500", Retry),
    ],
)
def test_faults_by_what_to_do(site: Site, status: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=rf"Acme /{status}: HTTP {status}"):
        service(site).get(status)


def test_a_refused_key_is_renewed_once(site: Site) -> None:
    assert service(site).get("once").json() == {}
    assert site.keys == ["Bearer old", "Bearer new"]
    with pytest.raises(Fatal, match="ACME_TOKEN"):
        service(site).get("401")


def test_too_much_is_told_apart_from_may_not(site: Site) -> None:
    for headers in ({"x-ratelimit-remaining": "0"}, {"Retry-After": "3"}):
        with pytest.raises(Retry):
            service(site).get("403", headers)


def test_a_key_stays_with_its_host(site: Site) -> None:
    service(site).get("near")
    service(site).get("away")
    assert site.keys == ["Bearer old", "Bearer old", "Bearer old", ""]
    with pytest.raises(Fatal, match="not where it lives"):
        service(site).get("http://localhost:1/there")


def test_what_does_not_come_whole_comes_later(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("cut", "loop"):
        with pytest.raises((Retry, Fatal)):
            service(site).get(kind)
    with pytest.raises(Retry):
        service(site).get("page").json()
    monkeypatch.setattr(http, "LARGEST", 2000)
    with pytest.raises(Skip, match="larger than"):
        service(site).get("large")
    with pytest.raises(Retry):
        Service("Acme", "http://127.0.0.1:9").get("x")
    with pytest.raises(Fatal, match="no web address"):
        Service("Acme", "file:///etc").get("passwd")


NOW = 1_790_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0"}, 1),
        ({"retry-after": format_datetime(datetime.fromtimestamp(NOW, UTC) + timedelta(seconds=90), usegmt=True)}, 90),
        ({"retry-after": "2026-09-21T14:15:00Z"}, LONGEST_WAIT),
        ({"retry-after": "soon"}, 60),
        ({"x-ratelimit-reset": str(int(NOW) + 30)}, 30),
        ({"ratelimit-reset": str(int(NOW) + 30)}, 30),
        ({"ratelimit-reset": "30"}, 30),
        ({}, 60),
        ({"retry-after": "999999999"}, LONGEST_WAIT),
    ],
)
def test_pauses_are_as_long_as_told(headers: dict[str, str], seconds: float) -> None:
    if headers.get("retry-after", "").startswith("2026"):
        assert 1 <= pause(headers, NOW) <= LONGEST_WAIT
    else:
        assert pause(headers, NOW) == pytest.approx(seconds)


@given(st.dictionaries(st.sampled_from(["retry-after", "x-ratelimit-reset"]), st.text(max_size=30)))
def test_whatever_is_told_the_pause_has_an_end(headers: dict[str, str]) -> None:
    assert 1 <= pause(headers, time.time()) <= LONGEST_WAIT


class Notes(dict[str, str]):
    lasting: int = 0

    def put(self, name: str, value: str, seconds: int) -> None:
        self[name], self.lasting = value, seconds


@dataclass
class Door:
    """Gives tokens."""

    reply: object = None
    status: int = 200
    asked: list[dict[str, str]] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.Response:
        form = await request.post()
        self.asked.append({name: str(value) for name, value in form.items()})
        return web.json_response(self.reply, status=self.status)


def test_a_token_is_shared_until_shortly_before_its_end() -> None:
    door, notes = Door({"access_token": "a", "expires_in": 3599}), Notes()
    app = web.Application()
    app.router.add_post("/token", door.handle)
    with served(app) as url:
        grant = Grant("Acme", f"{url}/token", (("grant_type", "x"), ("secret", "s3cret")), hint="set ACME_SECRET")
        assert [Tokens(grant, notes)(False) for _ in range(3)] == ["Bearer a"] * 3
        assert len(door.asked) == 1
        assert notes.lasting == 3539
        assert "s3cret" not in str(notes)
        door.reply = {"access_token": "b", "expires_in": 10}
        assert Tokens(grant, notes)(True) == Tokens(grant, notes)(False) == "Bearer b"
        other = Tokens(Grant("Acme", f"{url}/token", (("grant_type", "x"), ("secret", "other"))), notes)
        door.reply = {"access_token": "c"}
        assert other(False) == "Bearer c"
        door.reply, door.status = {"error": "invalid_client", "error_description": "long words"}, 401
        with pytest.raises(Fatal, match=r"invalid_client\): set ACME_SECRET"):
            Tokens(grant, notes)(True)
        door.status = 503
        with pytest.raises(Retry):
            Tokens(grant, notes)(True)
        door.reply, door.status = ["no token"], 200
        with pytest.raises(Retry):
            Tokens(grant, notes)(True)
