"""Forged and valid requests of all five providers, thrown at what checks them; prints who got through.

    python -m tests.chaos.signatures --cases 100000

They go to the functions that the routes ask; a hundredth more goes over HTTP, through the whole web process.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp.test_utils import TestClient, TestServer
from multidict import CIMultiDict

from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from connectors.base.signatures import WINDOW
from tests.fakes.forgeries import FORGERIES, PROVIDERS, Provider, Request, valid
from workers.web.app import web_app

OVER_HTTP = 100
"""For so many cases one more goes over HTTP."""


@dataclass
class Tally:
    """What came of the cases, by provider."""

    forged: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    valid: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Which forgery got through, or that a valid one did not."""


@dataclass(frozen=True)
class Case:
    """One request, and whether it is to get through where `secret` is set."""

    provider: Provider
    secret: str | None
    request: Request
    forgery: str
    """'' for a valid one."""


def a_case(rng: random.Random, now: float) -> Case:
    """One of any kind."""
    provider = rng.choice(PROVIDERS)
    secret = provider.make_secret(rng)
    if rng.random() < 0.3:
        return Case(provider, secret, valid(provider, secret, rng, now), "")
    while True:
        forgery = rng.choice(FORGERIES)
        if made := forgery(provider, secret, rng, now):
            return Case(provider, made[0], made[1], forgery.__name__)


def note(tally: Tally, case: Case, accepted: bool) -> None:
    name = case.provider.name
    if case.forgery:
        tally.forged[name] += 1
        tally.accepted[name] += accepted
    else:
        tally.valid[name] += 1
        tally.refused[name] += not accepted
    if accepted == bool(case.forgery):
        tally.wrong.append(f"{name}: {case.forgery or 'valid'}")


def check(case: Case) -> bool:
    """Whether the functions let it through."""
    return case.provider.accepts(case.secret, case.request)


async def over_http(cases: int, rng: random.Random, home: Path) -> Tally:
    """So many cases through the web process: what gets anything but 401, or 404 of ours, has got through."""
    tally = Tally()
    for _ in range(cases):
        case = a_case(rng, time.time())
        while not sendable(case):
            case = a_case(rng, time.time())
        given = {"slack_signing_secret": "unused", case.provider.setting: case.secret}
        settings = Settings(home=home, slack_bot_token="xoxb-1", slack_api_url="http://[::1]:9/", **given)
        app, _ = web_app(settings, Servers("unix:///nowhere", f"unix://{home}/none.sock"))
        async with TestClient(TestServer(app)) as client:
            headers = CIMultiDict([*case.request.headers, ("Content-Type", "application/json")])
            response = await client.post(case.provider.path, data=case.request.body, headers=headers)
            unset = response.status == 404 and case.provider.name != "Slack"
            note(tally, case, response.status != 401 and not unset)
    return tally


def sendable(case: Case) -> bool:
    """Whether a client can send it, the web process would start with it, and a second more or less changes nothing."""
    texts = [value for _, value in case.request.headers]
    plain = all(text.isprintable() and text == text.strip() and "\ud800" not in text for text in texts)
    stamps = [float(text) for text in texts if text.isascii() and text.isdigit() and len(text) == 10]
    close = any(abs(abs(stamp - case.request.now) - WINDOW) < 5 for stamp in stamps)
    return plain and not close and not (case.provider.name == "Slack" and not (case.secret or "").strip())


def run(cases: int, seed: int) -> tuple[Tally, Tally]:
    """Both ways; the second tally is of what went over HTTP."""
    rng, now = random.Random(seed), time.time()
    tally = Tally()
    for _ in range(cases):
        case = a_case(rng, now)
        note(tally, case, check(case))
    with tempfile.TemporaryDirectory() as home:
        return tally, asyncio.run(over_http(cases // OVER_HTTP, rng, Path(home)))


def tell(title: str, tally: Tally) -> None:
    print(title)
    for provider in PROVIDERS:
        name = provider.name
        print(
            f"  {name:14} forged {tally.forged[name]:7,}, accepted {tally.accepted[name]}; "
            f"valid {tally.valid[name]:7,}, refused {tally.refused[name]}"
        )
    for wrong, count in Counter(tally.wrong).most_common(20):
        print(f"  WRONG {count}× {wrong}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    tallies = run(options.cases, options.seed)
    tell(f"By the functions, {options.cases:,} cases", tallies[0])
    tell("Over HTTP", tallies[1])
    print(f"{time.monotonic() - began:.0f} s, seed {options.seed}")
    sys.exit(bool(tallies[0].wrong or tallies[1].wrong))


if __name__ == "__main__":
    main()
