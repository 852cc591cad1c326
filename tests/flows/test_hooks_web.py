"""The webhooks' addresses: what is refused, what is queued and how often, what each source hears."""

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import redis
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import given
from hypothesis import strategies as st

from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from tests.fakes import github, gitlab, zoom
from tests.fakes.github import FakeGitHub
from tests.fakes.gitlab import PROJECT, FakeGitLab
from tests.fakes.slack_server import TOKEN
from tests.fakes.zoom import FakeZoom
from workers.queue import INGEST, connect, open_queue
from workers.reach import reaches
from workers.web.app import web_app
from workers.web.hooks import endpoint
from workers.web.hooks.endpoint import HOOKS, read

SAMPLES = Path(__file__).parents[3] / "shared/data/samples"
CANARY = "xylophone"
KINDS = ["push", "note", "issue", "recording.completed", "recording.transcript_completed", "endpoint.url_validation"]
NAMES = (
    "event payload object uuid plainToken recording_files object_kind object_attributes iid number ref commits after "
    "project repository full_name path_with_namespace issue pull_request discussion merge_request action comment"
).split()


@dataclass
class Site:
    """The web process and its queue."""

    client: TestClient[Any, Any]
    queue: redis.Redis

    async def send(self, source: str, body: bytes, headers: dict[str, str]) -> int:
        """The status that a source hears."""
        return (await self.client.post(f"/hooks/{source}", data=body, headers=headers)).status

    def jobs(self) -> list[tuple[str, dict[str, Any]]]:
        """What is queued: function and payload."""
        return [
            (job.func_name.removeprefix("workers.pull."), job.args[0]) for job in open_queue(self.queue, INGEST).jobs
        ]


def settings(home: Path, **more: Any) -> Settings:
    told = {**FakeZoom().settings(), **FakeGitHub().settings(), **FakeGitLab().settings(), **more}
    return Settings(home=home, slack_bot_token=TOKEN, slack_signing_secret="s", **told)


GIVEN = settings(Path("nowhere"))


@pytest.fixture
async def site(servers: Servers, tmp_path: Path) -> AsyncIterator[Site]:
    queue = connect(servers.queue_url)
    queue.flushall()
    async with TestClient(TestServer(web_app(settings(tmp_path), servers)[0])) as client:
        yield Site(client, queue)
    queue.flushall()


@pytest.fixture
def at_github() -> FakeGitHub:
    made = FakeGitHub()
    made.opens("Trial", CANARY, pull=True)
    made.opens("Which?", CANARY)
    return made


@pytest.fixture
def at_gitlab() -> FakeGitLab:
    made = FakeGitLab()
    made.opens("merge_requests", "Trial", CANARY)
    return made


async def test_zoom_hears_that_the_address_is_ours_as_often_as_it_asks(site: Site) -> None:
    for plain in ("qgg8vlvZRS6UYooatFL8Aw", "72hoursLater", "qgg8vlvZRS6UYooatFL8Aw"):
        body = json.dumps(
            {"payload": {"plainToken": plain}, "event_ts": 1, "event": "endpoint.url_validation"}
        ).encode()
        response = await site.client.post("/hooks/zoom", data=body, headers=zoom.signed(body))
        assert response.status == 200
        signed = hmac.new(zoom.SECRET.encode(), plain.encode(), hashlib.sha256).hexdigest()
        assert await response.json() == {"plainToken": plain, "encryptedToken": signed}
    unsigned = await site.client.post("/hooks/zoom", data=body, headers=zoom.signed(body, "other"))
    assert unsigned.status == 401
    assert site.jobs() == []


async def test_a_transcript_is_queued_once_however_often_it_is_told(site: Site) -> None:
    at_zoom = FakeZoom()
    body = at_zoom.event("recording.transcript_completed", at_zoom.records("m1"))
    assert [await site.send("zoom", body, zoom.signed(body, at=time.time() - late)) for late in (0, 5, 290)] == [
        200
    ] * 3
    assert await site.send("zoom", body, zoom.signed(body, at=time.time() - 301)) == 401
    [(function, payload)] = site.jobs()
    assert function == "zoom.told"
    assert payload["meeting"]["uuid"] == "m1"
    assert payload["token"] == zoom.EVENT_TOKEN
    assert "123456" not in json.dumps(payload)


async def test_discussions_are_queued_by_their_number_and_no_word_lies_in_the_queue(
    site: Site, at_github: FakeGitHub, at_gitlab: FakeGitLab
) -> None:
    review = {"review": at_github.reviews_of(1, CANARY)}
    remark = {"comment": at_github.remarks_on(1, CANARY), "review_comment": True}
    for body in (
        at_github.event("opened", 1),
        at_github.event("created", 1, comment=at_github.comments_on(1, CANARY)),
        at_github.event("submitted", 1, **review),
        at_github.event("created", 1, **remark),
        at_github.event("edited", 2),
        json.dumps({"action": "created", "discussion": {"number": 3, "body": CANARY}, **at_github.known()}).encode(),
    ):
        assert await site.send("github", body, github.signed(body)) == 200
    note = at_gitlab.says("merge_requests", 1, CANARY)
    for body in (at_gitlab.event("merge_requests", 1), at_gitlab.event("merge_requests", 1, note)):
        assert await site.send("gitlab", body, gitlab.with_token(body)) == 200
    jobs = site.jobs()
    assert {function for function, _ in jobs} == {"forges.discussed"}
    told = [(job["forge"], job["repository"], job["kind"], job["number"]) for _, job in jobs]
    assert told[:4] == [("github", github.REPOSITORY, "pulls", 1)] * 4
    assert told[4:6] == [("github", github.REPOSITORY, kind, n) for kind, n in (("issues", 2), ("discussions", 3))]
    assert told[6:] == [("gitlab", PROJECT, "merge_requests", 1)] * 2
    assert CANARY not in str([site.queue.hgetall(key) for key in site.queue.keys("rq:job:*")])


async def test_pushes_are_queued_tags_and_deletions_are_not(
    site: Site, at_github: FakeGitHub, at_gitlab: FakeGitLab
) -> None:
    body = at_github.push()
    assert await site.send("github", body, github.signed(body, "push")) == 200
    body = at_gitlab.push()
    assert await site.send("gitlab", body, gitlab.signed(body)) == 200
    for body in (at_github.push("refs/tags/v1"), at_github.push(deleted=True)):
        assert await site.send("github", body, github.signed(body, "push")) == 202
    for body in (at_gitlab.push("refs/tags/v1"), at_gitlab.push(after="0" * 40)):
        assert await site.send("gitlab", body, gitlab.signed(body)) == 202
    assert [(function, job["branch"], job["default"]) for function, job in site.jobs()] == [
        ("handbook.pushed", "main", "main")
    ] * 2


async def test_a_replay_under_another_delivery_makes_no_second_job(site: Site, at_github: FakeGitHub) -> None:
    body = at_github.event("edited", 2)
    for n in range(3):
        headers = {**github.signed(body), "X-GitHub-Delivery": f"d{n}", "X-GitHub-Event": "push" if n else "issues"}
        assert await site.send("github", body, headers) == 200
    assert len(site.jobs()) == 1


async def test_what_is_not_followed_is_left(site: Site, at_github: FakeGitHub) -> None:
    for body in (
        json.dumps({"zen": "Design for failure.", "hook_id": 1, **at_github.known()}).encode(),
        at_github.push().replace(b"acme/handbook", b"acme/other"),
        b"{}",
        b'{"action": "created", "star": 1}',
    ):
        assert await site.send("github", body, github.signed(body)) == 202
    assert site.jobs() == []


async def test_a_form_is_read_as_well(site: Site, at_github: FakeGitHub) -> None:
    from urllib.parse import urlencode

    body = urlencode({"payload": at_github.event("edited", 2).decode()}).encode()
    headers = {**github.signed(body), "Content-Type": "application/x-www-form-urlencoded"}
    assert await site.send("github", body, headers) == 200
    assert len(site.jobs()) == 1


MALFORMED = [
    b"",
    b"{",
    b"[]",
    b"1",
    b"null",
    b"[" * 100_000,
    b'{"a": ' * 3_000,
    b"\xff\xfe",
    b'"\\ud800"',
    b'{"object_kind": "note", "project": {"path_with_namespace": "../x"}, "issue": {"iid": 1}, "c": "\\ud800"}',
    b'{"n": 1' + b"0" * 5_000 + b"}",
    b"payload=" + CANARY.encode(),
    b'{"issue": {"number": "xylophone"}, "repository": {"full_name": "a/b"}}',
    b'{"issue": {"number": -1}, "repository": {"full_name": "a/b"}}',
    b'{"pull_request": {"number": 1}, "repository": {"full_name": ["xylophone"]}}',
    b'{"discussion": "xylophone"}',
    b'{"ref": "refs/heads/main", "commits": [], "repository": {"full_name": "xylophone"}}',
]


@pytest.mark.parametrize("body", MALFORMED, ids=lambda body: repr(body[:24]))
async def test_a_signed_body_that_is_malformed_gets_400_and_no_word_in_the_log(
    site: Site, capfd: pytest.CaptureFixture[str], body: bytes
) -> None:
    assert await site.send("github", body, github.signed(body)) == 400
    assert site.jobs() == []
    logged = capfd.readouterr()
    assert "malformed" in logged.out + logged.err
    assert CANARY not in logged.out + logged.err
    assert "Traceback" not in logged.out + logged.err


@pytest.mark.parametrize(
    "body",
    [
        *MALFORMED,
        b'{"object_kind": "note", "issue": {"iid": "xylophone"}, "project": {"path_with_namespace": "a/b"}}',
        b'{"object_kind": "push", "ref": "refs/heads/main", "project": []}',
    ],
    ids=lambda body: repr(body[:24]),
)
async def test_gitlab_never_hears_a_4xx_for_what_it_sent(site: Site, body: bytes) -> None:
    for headers in (gitlab.with_token(body), gitlab.signed(body)):
        assert await site.send("gitlab", body, headers) in (200, 202)
    assert site.jobs() == []


@pytest.mark.parametrize(
    "body",
    [
        b'{"event": "endpoint.url_validation", "payload": {}}',
        b'{"event": "recording.completed", "payload": {"object": {"uuid": 5}}}',
        b'{"event": "recording.transcript_completed", "payload": "xylophone"}',
        b"{",
    ],
)
async def test_zoom_events_that_are_malformed(site: Site, body: bytes) -> None:
    assert await site.send("zoom", body, zoom.signed(body)) == 400


async def test_other_events_of_zoom_are_acknowledged(site: Site) -> None:
    body = b'{"event": "meeting.started", "payload": {"object": {"uuid": "m1"}}}'
    assert await site.send("zoom", body, zoom.signed(body)) == 202


async def test_gitlabs_signature_decides_where_it_comes_with_a_token(site: Site, at_gitlab: FakeGitLab) -> None:
    body = at_gitlab.event("merge_requests", 1)
    good, bad = gitlab.signed(body), gitlab.signed(body, at=time.time() - 301)
    assert await site.send("gitlab", body, {**good, "X-Gitlab-Token": "whatever"}) == 200
    assert await site.send("gitlab", body, {**bad, **gitlab.with_token(body)}) == 401
    assert await site.send("gitlab", body, gitlab.with_token(body)) == 200
    assert len(site.jobs()) == 1


async def test_what_is_too_large_is_not_read_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.web.hooks.endpoint.LARGEST", 5_000)
    body = b'{"x": "' + b"a" * 6_000 + b'"}'
    assert await site.send("github", body, github.signed(body)) == 413


@pytest.mark.parametrize(
    ("source", "secret"),
    [("zoom", "ZOOM_WEBHOOK_SECRET"), ("github", "GITHUB_WEBHOOK_SECRET"), ("gitlab", "GITLAB_WEBHOOK_TOKEN")],
)
async def test_without_a_secret_there_is_no_webhook_and_the_log_says_why(
    servers: Servers, tmp_path: Path, capfd: pytest.CaptureFixture[str], source: str, secret: str
) -> None:
    for blank in (None, "", "  "):
        unset = dict.fromkeys(
            ("zoom_webhook_secret", "github_webhook_secret", "gitlab_webhook_token", "gitlab_signing_token"), blank
        )
        async with TestClient(TestServer(web_app(settings(tmp_path, **unset), servers)[0])) as client:
            for headers in (
                github.signed(b"{}", secret=blank or ""),
                zoom.signed(b"{}", blank or ""),
                {"X-Gitlab-Token": ""},
            ):
                response = await client.post(f"/hooks/{source}", data=b"{}", headers=headers)
                assert response.status == 404
    logged = capfd.readouterr()
    assert secret in logged.out + logged.err


async def test_a_queue_that_is_away_gives_503_and_nothing_else(tmp_path: Path, at_gitlab: FakeGitLab) -> None:
    nowhere = Servers("unix:///nowhere/graph.sock", f"unix://{tmp_path}/gone.sock")
    async with TestClient(TestServer(web_app(settings(tmp_path), nowhere)[0])) as client:
        body = at_gitlab.push()
        response = await client.post("/hooks/gitlab", data=body, headers=gitlab.with_token(body))
        assert response.status == 503
        assert response.headers["Retry-After"]
        ignored = at_gitlab.push("refs/tags/v1")
        response = await client.post("/hooks/gitlab", data=ignored, headers=gitlab.with_token(ignored))
        assert response.status == 202


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples of real events are not here")
async def test_every_real_event_is_acknowledged(site: Site) -> None:
    for file in SAMPLES.glob("github-webhooks/*.json"):
        body = file.read_bytes()
        assert await site.send("github", body, github.signed(body)) in (200, 202), file.name
    for file in SAMPLES.glob("gitlab-webhooks/*.json"):
        body = file.read_bytes()
        assert await site.send("gitlab", body, gitlab.signed(body)) in (200, 202), file.name
    for name in ("recording.transcript_completed", "official_videosdk_session.recording_completed"):
        body = (SAMPLES / f"zoom-webhooks/{name}.json").read_bytes()
        assert await site.send("zoom", body, zoom.signed(body)) in (200, 202), name


async def test_doctor_says_what_is_set_up_and_what_to_enter_where(site: Site, tmp_path: Path) -> None:
    bare = settings(tmp_path, zoom_webhook_secret=None, gitlab_projects=(), github_repositories=())
    asked = bare.model_copy(update={"zoom_account_id": None})
    body = b'{"zen": "Design for failure.", "hook_id": 1}'
    before = {one.name: one for one in reaches(asked, site.queue)}
    assert "set ZOOM_WEBHOOK_SECRET" in before["webhook zoom"].remedy
    assert "/hooks/zoom" in before["webhook zoom"].remedy
    assert (before["webhook github"].says, before["webhook github"].set_up) == ("set up, never heard of", False)
    assert await site.send("github", body, github.signed(body)) == 202
    after = {one.name: one for one in reaches(asked, site.queue)}
    assert "GITHUB_REPOSITORIES" in after["webhook github"].remedy
    followed = asked.model_copy(update={"github_repositories": ("acme/handbook",), "github_api_url": "http://[::1]:9"})
    last = {one.name: one for one in reaches(followed, site.queue)}
    assert "heard last on" in last["webhook github"].says
    assert last["github acme/handbook"].fault
    secrets = (zoom.SECRET, github.SECRET, gitlab.SECRET, gitlab.SIGNING, github.TOKEN, gitlab.TOKEN)
    assert not [one for one in secrets if one in str([*before.values(), *after.values(), *last.values()])]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=8,
)


@given(
    st.binary(max_size=60)
    | st.dictionaries(st.sampled_from(NAMES), values | st.sampled_from(KINDS)).map(
        lambda told: json.dumps(told).encode()
    )
)
def test_whatever_the_body_it_is_work_nothing_or_malformed(body: bytes) -> None:
    for hook in HOOKS:
        try:
            value = read(body)
            if hook.reply(GIVEN, value) is None:
                hook.work(GIVEN, value, "digest")
        except ValueError:
            continue


async def test_large_events_that_never_end_hold_no_more_than_some_memory_and_nobody_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "TOGETHER", 3 * 2**20)
    monkeypatch.setattr(endpoint, "READING", 2.0)

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(16):
            yield b"x" * 2**16
        await asyncio.sleep(60)

    async def sent() -> int:
        try:
            return (await site.client.post("/hooks/github", data=endless())).status
        except aiohttp.ClientError:
            return 503  # refused and closed while it was still sending

    waiting = [asyncio.create_task(sent()) for _ in range(12)]
    await asyncio.sleep(0.5)
    body = b'{"zen": "Keep it."}'
    assert await site.send("github", body, github.signed(body, "ping")) == 202
    statuses = await asyncio.gather(*waiting)
    assert set(statuses) == {408, 503}
    assert statuses.count(503) >= 8
