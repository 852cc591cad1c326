"""A company whose rules change after people asked for them: its handbook with owners, its Slack, its answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant.chat import journeys
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.graph.staleness import StandingRow, standing
from assistant.model.surfaces import Inquiry, Way
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook, page
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack
from workers import equipment as at_work
from workers import notify, settle
from workers.equipment import Equipment
from workers.queue import connect

ANA, BEN, CLEO, DAN = "U01ANA", "U02BEN", "U03CLEO", "U04DAN"
RULES, LEADS = "C01RULES", "G01LEADS"
PAY = "On call: On-call pay is {} EUR a week."
QUESTION = "What is the on-call pay?"
URL = "https://github.com/acme/handbook"
OWNERS = "* cleo@acme.example\n/lost/ @acme/nobody\n/both/ cleo@acme.example dan@acme.example\n"


def workspace() -> FakeSlack:
    """Four colleagues, a public channel and a private one that Cleo, who owns the pages, is not in."""
    made = FakeSlack()
    for user, name in ((ANA, "Ana Ruiz"), (BEN, "Ben Okoro"), (CLEO, "Cleo Marsh"), (DAN, "Dan Field")):
        email = f"{name.split()[0].lower()}@acme.example"
        made.users[user] = {"real_name": name, "profile": {"email": email}, "is_email_confirmed": True}
    made.channels = {
        RULES: {"name": "rules", "members": [ANA, BEN, DAN]},
        LEADS: {"name": "leads", "is_private": True, "members": [ANA, DAN]},
    }
    return made


@dataclass
class Scene:
    """The company at work."""

    ready: Equipment
    slack: FakeSlack
    book: Handbook
    space: Space
    asked: int = 0

    def ask(self, user: str = ANA, channel: str = RULES, text: str = QUESTION, thread: str | None = None) -> str:
        """Somebody asks, and is answered; the ts of the question."""
        self.asked += 1
        direct = channel.startswith("D")
        ts = self.slack.said(channel, user, text if direct else f"<@{BOT}> {text}", thread=thread)
        way = Way.DM if direct else Way.MENTION
        key = f"ask/{channel}/{ts}"
        asked = Inquiry(way=way, key=key, revision=ts, user=user, text=text, channel=channel, ts=ts, thread=thread)
        journeys.answer(asked, self.ready.desk())
        return ts

    def change(self, to: str, name: str = "pay.md", **more: Any) -> str:
        """A commit; its sha."""
        more.setdefault("author", "Dan Field <dan@acme.example>")
        number = self.book.commit({name: page(to)}, "Change it (#7)", **more)
        self.book.ingest()
        return self.book.history.sha(number)

    def tell(self, **payload: Any) -> None:
        """The job."""
        notify.notify(payload)

    def click(self, action: str, user: str = CLEO, value: str | None = None, at: int = 1_800_000_000_000_000) -> None:
        """Somebody clicks a button in our last message to them."""
        settle.clicked({"notice": value or self.values(user)[-1], "user": user, "action": f"notice_{action}", "at": at})

    def values(self, user: str = CLEO) -> list[str]:
        """What the buttons in our messages to somebody stand for, in order."""
        rows = [b for one in self.told(user) for b in one["blocks"] if b["type"] == "actions"]
        return [row["elements"][0]["value"] for row in rows]

    def told(self, user: str = CLEO) -> list[dict[str, Any]]:
        """Our direct messages to somebody."""
        return self.slack.by_us(f"D{user}")

    def says(self, user: str = CLEO) -> str:
        """All of them as JSON."""
        return json.dumps(self.told(user), ensure_ascii=False)

    def posts(self, channel: str = RULES) -> list[str]:
        """Our messages in a channel, each as JSON of its blocks."""
        return [json.dumps(one["blocks"], ensure_ascii=False) for one in self.slack.by_us(channel)]

    def standing(self) -> list[StandingRow]:
        """What became of the answers."""
        return standing(self.space.reader)


@contextmanager
def company(folder: Path, servers: Servers, slack: FakeSlack, **settings: Any) -> Iterator[Scene]:
    """The company, on a graph that is empty before and after."""
    made = Settings(home=folder, cache=folder / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url, **settings)
    with open_space(made, servers=servers) as old:
        drop(old.graph)
    connect(servers.queue_url).flushall()
    ready = Equipment(made, servers, Identity(BOT, TEAM, url="https://acme.slack.com/"), None)
    with open_space(made, servers=servers) as space:
        book = Handbook(space, folder)
        book.commit({"pay.md": page(PAY.format(350)), "CODEOWNERS": OWNERS}, "Write it down (#1)")
        book.ingest(web_url=URL)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(at_work, "_ready", [ready])
            patched.setattr("workers.pace.Pace.__call__", lambda *_: None)
            yield Scene(ready, slack, book, space)
        drop(space.graph)
    connect(servers.queue_url).flushall()
