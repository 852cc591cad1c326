"""A company whose people mark messages by hand: its handbook, its Slack, and the jobs that forms set off."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from assistant.access import scope_along
from assistant.graph.reading.decisions import DecisionRow, all_decisions
from assistant.graph.servers import embedded
from assistant.graph.sources import heads
from assistant.graph.space import Space, open_space
from assistant.model import ids
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.fakes.handbook import Handbook
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack
from tests.golden.agent.company import write_company
from workers import forms
from workers.equipment import Equipment
from workers.queue import INGEST, connect, open_queue
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export

ANA, BEN, CLEO, DAN = "U01ANA", "U02BEN", "U03CLEO", "U04DAN"
PEOPLE = ((ANA, "Ana Ruiz", "ana"), (BEN, "Ben Okoro", "ben"), (CLEO, "Cleo Marsh", "cleo"), (DAN, "Dan Field", "dan"))
RULES, LEADS, LIVE = "C01RULES", "G01LEADS", "C02LIVE"
START = 1_718_000_000
SAID = {
    RULES: {
        1: (BEN, "Anybody with more than 5 days of annual leave in a row tells the whole team, too."),
        2: (BEN, "May the summer party have a boat? There is nothing about boats anywhere."),
        3: (CLEO, "Decided: every team books the boat for a summer party at most once a year, from today on."),
        4: (BEN, "Sick notes go to the people team by mail, as ever."),
        5: (BEN, "Parents may come back half time for six weeks."),
        6: (BEN, "Half days of annual leave end at noon."),
        7: (BEN, "Nobody works on the last day of the year."),
        8: (BEN, "Leave of a new colleague begins after the first month."),
        360: (BEN, "Decided: the trial threshold for MQLs goes from 25 to 31 points. I'll change the scoring page."),
    },
    LEADS: {
        1: (CLEO, "Nobody tells it, but annual leave of directors is 40 days."),
        2: (CLEO, "Directors take no sick leave, among us."),
    },
}
Json = dict[str, Any]


def ts_of(number: int) -> str:
    return f"{START + 7200 * number}.000100"


@contextmanager
def filled(folder: Path) -> Iterator[Path]:
    """A home with a handbook that has owners, and two channels of an export, one of them private."""
    with open_space(settings_of(folder)) as space:
        book = Handbook(space, folder)
        write_company(book.commit)
        book.ingest()
        ingest_slack_export(space, export(folder / "slack"))
        reconcile(space, days=14)
        servers = space.servers
    yield folder
    embedded.stop(servers)


def export(folder: Path) -> Path:
    folder.mkdir()
    users = [
        {"id": name, "team_id": TEAM, "name": handle, "real_name": full, "profile": {"email": f"{handle}@acme.example"}}
        for name, full, handle in PEOPLE
    ]
    (folder / "users.json").write_text(json.dumps(users))
    everybody = [name for name, _, _ in PEOPLE]
    (folder / "channels.json").write_text(json.dumps([{"id": RULES, "name": "rules", "members": everybody}]))
    (folder / "groups.json").write_text(json.dumps([{"id": LEADS, "name": "leads", "members": [ANA, CLEO, DAN]}]))
    for name, channel in (("rules", RULES), ("leads", LEADS)):
        (folder / name).mkdir()
        days: dict[str, list[Json]] = {}
        for number, (user, text) in SAID[channel].items():
            day = datetime.fromtimestamp(float(ts_of(number)), UTC).date().isoformat()
            days.setdefault(day, []).append({"type": "message", "user": user, "text": text, "ts": ts_of(number)})
        for day, messages in days.items():
            (folder / name / f"{day}.json").write_text(json.dumps(messages))
    return folder


def settings_of(home: Path) -> Settings:
    """Settings of a home."""
    return Settings(home=home, cache=home / "cache")


def workspace() -> FakeSlack:
    """The Slack of that company, with a guest, and a channel of which nothing is known yet."""
    made = FakeSlack()
    everybody = {name: {"name": handle, "real_name": full} for name, full, handle in PEOPLE}
    made.users |= everybody | {"U9GUEST": {"is_restricted": True, "real_name": "Gus Guest"}}
    members = [name for name, _, _ in PEOPLE] + ["U9GUEST"]
    made.channels = {
        RULES: {"name": "rules", "members": members},
        LEADS: {"name": "leads", "is_private": True, "members": [ANA, CLEO, DAN]},
        LIVE: {"name": "live", "members": members},
    }
    return made


def equipped(home: Path, slack: FakeSlack) -> Equipment:
    """A worker's equipment."""
    settings = Settings(home=home, cache=home / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url)
    return Equipment(settings, embedded.ensure(settings), Identity(BOT, TEAM), None)


def picked(number: int, user: str = ANA, channel: str = RULES, ts: str = "") -> Json:
    ts = ts or ts_of(number)
    speaker = SAID.get(channel, {}).get(number, (BEN, ""))[0]
    url = f"https://test.slack.com/archives/{channel}/p{ts.replace('.', '')}"
    return {"channel": channel, "ts": ts, "thread": None, "speaker": speaker, "user": user, "url": url}


def sent(number: int, statement: str = "", form: str = "flag_rule", **more: Any) -> Json:
    """The job of a form that was sent."""
    who = {name: more.pop(name) for name in ("user", "channel", "ts") if name in more}
    about = picked(number, **who)
    view = f"V{about['channel']}{about['ts']}{form}{about['user']}"
    return {
        "form": form,
        "view": view,
        "picked": about,
        "statement": statement,
        "decider": CLEO if form == "flag_rule" else None,
        "section": None,
        **more,
    }


def name_of(job: Json) -> str:
    return ids.digest("flag", job["view"])


def carried_out(ready: Equipment) -> None:
    """Does all jobs that wait for the worker of what comes in, and those that they ask for."""
    queue = open_queue(connect(ready.servers.queue_url), INGEST)
    while jobs := queue.jobs:
        for job in jobs:
            module, _, function = job.func_name.rpartition(".")
            getattr(import_module(module), function)(*job.args)
            queue.remove(job)


def decisions(space: Space, channel: str = RULES) -> dict[str, DecisionRow]:
    """Those of a channel, by the ts of the deciding message."""
    rows = all_decisions(space.reader, scope_along((f"channel:{channel}",), heads(space.reader)))
    return {row.utterance.rpartition("/")[2]: row for row in rows if channel in row.utterance}


def told(slack: FakeSlack, user: str) -> list[str]:
    """What stands in somebody's direct conversation with us, as JSON of the blocks."""
    return [json.dumps(one["blocks"], ensure_ascii=False) for one in slack.by_us(f"D{user}")]


def form_of(ready: Equipment, slack: FakeSlack, job: Json) -> Json:
    """The form as a worker fills it in."""
    assert ready
    opened = slack.views_open({"view": {"title": {"text": "x"}, "private_metadata": "", "blocks": []}})["view"]
    forms.fill({"view": opened["id"], "hash": opened["hash"], "opened": 0.0, "find": None, "turn": "", **job})
    return slack.views[opened["id"]]


def text(words: str) -> Json:
    return {"type": "mrkdwn", "text": words, "verbatim": True}
