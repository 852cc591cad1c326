"""A Slack Web API on loopback that remembers what it was told and can misbehave as the real one does.

In a test: `with running(FakeSlack()) as slack: … slack.url`. As a process of its own, for chaos and load:
`python tests/fakes/slack_server.py PORT [--drop 0.05]`; then GET /_messages gives all messages, and POST /_said has
a person write one.
"""

import argparse
import asyncio
import itertools
import math
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

BOT = "U0BOT"
TEAM = "T01TEST"
TOKEN = "xoxb-fake"
APP_TOKEN = "xapp-fake"
SECTION, BLOCKS, MESSAGE = 3000, 50, 13_200
VIEW, TITLE = 100, 24

Json = dict[str, Any]


@dataclass
class FakeSlack:
    """One workspace. Set the faults before or while it runs."""

    messages: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    calls: list[tuple[str, Json]] = field(default_factory=list)
    users: dict[str, Json] = field(default_factory=dict)
    """Marks of users besides being full members: {"U1": {"is_restricted": True}}."""
    channels: dict[str, Json] = field(default_factory=dict)
    """Marks of channels: {"C1": {"is_ext_shared": True, "members": ["U1"]}}."""
    errors: dict[str, str] = field(default_factory=dict)
    """Method → error that it always gives."""
    too_many: Counter[str] = field(default_factory=Counter)
    """Method → how many more times it says 429."""
    allowed: dict[str, int] = field(default_factory=dict)
    """Method → how many more calls it takes before it says 429 to all."""
    retry_after: int = 1
    """Seconds that it asks for with a 429."""
    views: dict[str, Json] = field(default_factory=dict)
    """Forms as they stand, by id."""
    pace: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Method → how many calls it takes in how many seconds; the slowest tier of histories is (1, 60)."""
    lost_replies: int = 0
    """How many more posts are accepted without a reply."""
    drop: float = 0.0
    """Share of posts that are accepted without a reply."""
    latency: float = 0.0
    """Seconds each call takes."""
    old_layouts: bool = False
    """Whether the workspace refuses the blocks for agents."""
    page: int = 100
    """Messages a page at most."""
    unlisted: set[str] = field(default_factory=set)
    """Messages, by ts, that lists leave out; asked for by themselves they are given."""
    url: str = ""
    _taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _random: random.Random = field(default_factory=lambda: random.Random(7))

    def by_us(self, channel: str) -> list[Json]:
        """What the bot wrote in a channel, oldest first, ephemeral messages aside."""
        return [one for one in self.messages[channel] if one.get("bot_id") and not one.get("ephemeral_to")]

    def made(self, method: str) -> list[Json]:
        """Arguments of all calls of a method, oldest first."""
        return [arguments for name, arguments in self.calls if name == method]

    def said(self, channel: str, user: str, text: str, ts: str | None = None, thread: str | None = None) -> str:
        """A person wrote something; returns its ts."""
        message = {"type": "message", "user": user, "text": text, "ts": ts or self._ts()}
        self.messages[channel].append(message | ({"thread_ts": thread} if thread else {}))
        return str(message["ts"])

    def _ts(self) -> str:
        return f"{time.time():.0f}.{next(self._numbers):06d}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Any method of the Web API."""
        method = request.match_info["method"]
        arguments = await _arguments(request)
        await asyncio.sleep(self.latency)
        token = APP_TOKEN if method == "apps.connections.open" else TOKEN
        if request.headers.get("Authorization") not in (f"Bearer {token}", None):
            return web.json_response({"ok": False, "error": "invalid_auth"})
        self.calls.append((method, arguments))
        if self.allowed.get(method) == 0 or self.too_many[method] > 0:
            self.too_many[method] -= 1
            body = {"ok": False, "error": "ratelimited"}
            return web.json_response(body, status=429, headers={"Retry-After": str(self.retry_after)})
        if method in self.allowed:
            self.allowed[method] -= 1
        if wait := self._too_soon(method):
            body = {"ok": False, "error": "ratelimited"}
            return web.json_response(body, status=429, headers={"Retry-After": str(wait)})
        if method in self.errors:
            return web.json_response({"ok": False, "error": self.errors[method], "needed": "some:scope"})
        answer = getattr(self, method.replace(".", "_"), None)
        if answer is None:
            return web.json_response({"ok": False, "error": "unknown_method"})
        reply = answer(arguments)
        if method == "chat.postMessage" and reply["ok"] and self._loses_reply():
            assert request.transport is not None
            request.transport.abort()
        return web.json_response(reply)

    def _too_soon(self, method: str) -> int:
        """Whole seconds to wait for a method's turn, 0 where it is now."""
        if method not in self.pace:
            return 0
        calls, seconds = self.pace[method]
        now = time.monotonic()
        taken = self._taken[method] = [at for at in self._taken[method] if at > now - seconds]
        if len(taken) >= calls:
            return max(1, math.ceil(taken[0] + seconds - now))
        taken.append(now)
        return 0

    def _loses_reply(self) -> bool:
        if self.lost_replies > 0:
            self.lost_replies -= 1
            return True
        return self._random.random() < self.drop

    def apps_connections_open(self, _: Json) -> Json:
        return {"ok": True, "url": "ws://127.0.0.1:9/"}

    def auth_test(self, _: Json) -> Json:
        return {"ok": True, "user_id": BOT, "team_id": TEAM, "user": "brain", "team": "Test"}

    def chat_postMessage(self, given: Json) -> Json:  # noqa: N802 Slack's name
        if refused := self._refused(given):
            return {"ok": False, "error": refused}
        message = {"type": "message", "user": BOT, "bot_id": "B0BOT", "ts": self._ts(), **given}
        self.messages[given["channel"]].append(message)
        return {"ok": True, "channel": given["channel"], "ts": message["ts"], "message": message}

    def chat_postEphemeral(self, given: Json) -> Json:  # noqa: N802 Slack's name
        self.messages[given["channel"]].append({"bot_id": "B0BOT", "ephemeral_to": given["user"], "ts": "0", **given})
        return {"ok": True, "message_ts": self._ts()}

    def chat_update(self, given: Json) -> Json:
        if refused := self._refused(given):
            return {"ok": False, "error": refused}
        for message in self.messages[given["channel"]]:
            if message["ts"] == given["ts"]:
                message.update(given)
                message["updates"] = message.get("updates", 0) + 1
                message["updated_at"] = time.time()
                return {"ok": True, "channel": given["channel"], "ts": given["ts"]}
        return {"ok": False, "error": "message_not_found"}

    def chat_delete(self, given: Json) -> Json:
        standing = self.messages[given["channel"]]
        left = [message for message in standing if message["ts"] != given["ts"]]
        self.messages[given["channel"]] = left
        return {"ok": True} if len(left) < len(standing) else {"ok": False, "error": "message_not_found"}

    def conversations_replies(self, given: Json) -> Json:
        root, oldest = given["ts"], float(given.get("oldest", 0))
        thread = [m for m in self.messages[given["channel"]] if root in (m["ts"], m.get("thread_ts"))]
        thread.sort(key=lambda m: float(m["ts"]))
        if not thread:
            return {"ok": False, "error": "thread_not_found"}
        since = [m for m in thread if float(m["ts"]) > oldest or (given.get("inclusive") and float(m["ts"]) == oldest)]
        return self._paged([*(m for m in thread[:1] if m not in since), *since], given)

    def conversations_history(self, given: Json) -> Json:
        oldest, latest = float(given.get("oldest", 0)), float(given.get("latest", "inf"))
        everything = self.messages[given["channel"]]
        answers = [m for m in everything if m.get("thread_ts") not in (None, m["ts"])]
        answered = Counter(m["thread_ts"] for m in answers)
        last = {m["thread_ts"]: m["ts"] for m in sorted(answers, key=lambda m: float(m["ts"]))}
        alone = [m for m in everything if m.get("thread_ts") in (None, m["ts"])]
        line = alone + [m for m in everything if m.get("subtype") == "thread_broadcast"]
        found = [
            m | (_thread(m["ts"], answered[m["ts"]], last[m["ts"]]) if m["ts"] in answered else {})
            for m in sorted(line, key=lambda m: float(m["ts"]))
            if m["ts"] not in self.unlisted or given.get("inclusive")
            if oldest <= float(m["ts"]) < latest or (given.get("inclusive") and float(m["ts"]) == latest)
        ]
        return self._paged(found[::-1], given)

    def conversations_open(self, given: Json) -> Json:
        return {"ok": True, "channel": {"id": f"D{given['users']}"}}

    def conversations_info(self, given: Json) -> Json:
        about = {"id": given["channel"], "name": given["channel"].lower(), **self.channels.get(given["channel"], {})}
        return {"ok": True, "channel": about}

    def conversations_members(self, given: Json) -> Json:
        members = self.channels.get(given["channel"], {}).get("members", ["U01ANA"])
        return {"ok": True, "members": [*members, BOT], "response_metadata": {"next_cursor": ""}}

    def users_info(self, given: Json) -> Json:
        return {"ok": True, "user": {"id": given["user"], "team_id": TEAM, **self.users.get(given["user"], {})}}

    def users_lookupByEmail(self, given: Json) -> Json:  # noqa: N802 Slack's name
        wanted = given["email"].casefold()
        for one, marks in self.users.items():
            if marks.get("profile", {}).get("email", "").casefold() == wanted:
                return {"ok": True, "user": {"id": one, "team_id": TEAM, **marks}}
        return {"ok": False, "error": "users_not_found"}

    def users_list(self, given: Json) -> Json:
        everybody = {"U01ANA": {}, BOT: {"is_bot": True}} | self.users
        people = [{"id": one, "team_id": TEAM, **marks} for one, marks in everybody.items()]
        return self._paged(people, given, "members")

    def users_conversations(self, given: Json) -> Json:
        member_of = [one for one, marks in self.channels.items() if given["user"] in marks.get("members", [])]
        return {"ok": True, "channels": [{"id": one} for one in member_of]}

    def views_open(self, given: Json) -> Json:
        return self._shown(f"V{next(self._numbers)}", given["view"])

    def views_push(self, given: Json) -> Json:
        return self.views_open(given)

    def views_update(self, given: Json) -> Json:
        standing = self.views.get(given["view_id"])
        if standing is None:
            return {"ok": False, "error": "not_found"}
        if given.get("hash") not in (None, standing["hash"]):
            return {"ok": False, "error": "hash_conflict"}
        return self._shown(given["view_id"], given["view"])

    def _shown(self, name: str, view: Json) -> Json:
        """A form as it stands now, with what Slack would say of one that breaks its limits."""
        if len(view["blocks"]) > VIEW or len(view["title"]["text"]) > TITLE or len(view["private_metadata"]) > SECTION:
            return {"ok": False, "error": "invalid_arguments"}
        self.views[name] = {"id": name, "hash": f"h{next(self._numbers)}", "state": {"values": {}}, **view}
        return {"ok": True, "view": self.views[name]}

    def views_publish(self, given: Json) -> Json:
        return {"ok": True, "view": given["view"]}

    def _paged(self, found: list[Json], given: Json, name: str = "messages") -> Json:
        start, size = int(given.get("cursor") or 0), min(int(given.get("limit", 100)), self.page)
        following = str(start + size) if start + size < len(found) else ""
        clean = [m for m in found[start : start + size] if not m.get("ephemeral_to")]
        told = {"next_cursor": following}
        return {"ok": True, name: clean, "has_more": bool(following), "response_metadata": told}

    def _refused(self, given: Json) -> str | None:
        """What Slack would say of a message that breaks its limits."""
        blocks = given.get("blocks") or []
        texts = [block["text"]["text"] for block in blocks if block["type"] in ("section", "header")]
        if self.old_layouts and any(block["type"] == "context_actions" for block in blocks):
            return "invalid_blocks"
        if len(blocks) > BLOCKS or any(not 0 < len(text) <= SECTION for text in texts):
            return "invalid_blocks"
        if sum(map(len, texts)) > MESSAGE:
            return "msg_blocks_too_long"
        return None if given.get("text") or blocks else "no_text"


def _thread(root: str, answers: int, last: str) -> Json:
    """What Slack adds to the first message of a thread."""
    return {"thread_ts": root, "reply_count": answers, "latest_reply": last}


async def _arguments(request: web.Request) -> Json:
    if request.content_type == "application/json":
        return dict(await request.json())
    return {**request.query, **{name: str(value) for name, value in (await request.post()).items()}}


def application(slack: FakeSlack) -> web.Application:
    """The server's application."""
    app = web.Application(client_max_size=2**24)
    app.router.add_route("*", "/api/{method}", slack.handle)
    app.router.add_get("/_messages", _all(slack))
    app.router.add_post("/_said", _saying(slack))
    return app


def _all(slack: FakeSlack) -> Any:
    async def handler(_: web.Request) -> web.Response:
        return web.json_response({"messages": slack.messages, "calls": Counter(name for name, _ in slack.calls)})

    return handler


def _saying(slack: FakeSlack) -> Any:
    async def handler(request: web.Request) -> web.Response:
        return web.json_response({"ts": slack.said(**await request.json())})

    return handler


@contextmanager
def running(slack: FakeSlack) -> Iterator[FakeSlack]:
    """The server on a free port in a thread of its own; `slack.url` is its base."""
    loop = asyncio.new_event_loop()
    started, stop = threading.Event(), asyncio.Event()

    async def serve() -> None:
        runner = web.AppRunner(application(slack), access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.url = f"http://127.0.0.1:{runner.addresses[0][1]}/api/"
        started.set()
        await stop.wait()
        await runner.cleanup()

    def run() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield slack
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--drop", type=float, default=0.0)
    parser.add_argument("--latency", type=float, default=0.0)
    options = parser.parse_args()
    faulty = FakeSlack(drop=options.drop, latency=options.latency)
    web.run_app(application(faulty), host="127.0.0.1", port=options.port, access_log=None, print=None)
