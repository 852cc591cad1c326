"""Forms about messages, and marks, before outsiders' eyes: no private word, and nothing another for what is private."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from assistant.graph.flags import standing_flags
from tests.fakes.canaries import OPEN_ROOM, SECRETS, START, Secret, leaked, neighbour
from tests.flows.test_canaries import Workplace, forget_cached, workplace
from workers import act, flag, forms
from workers import equipment as at_work
from workers.queue import INGEST, connect, open_queue

FORMS = ("flag_rule", "flag_no_decision", "who_decided")
OUTSIDERS = ("U03CLEO", "U8GUEST", "U9STRANGER", "neighbour")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    yield from workplace(tmp_path_factory.mktemp("whole"), private=True)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    yield from workplace(tmp_path_factory.mktemp("bare"), private=False)


@pytest.fixture(autouse=True)
def strangers(whole: Workplace, bare: Workplace) -> None:
    for at in (whole, bare):
        at.slack.users |= {"U8GUEST": {"is_restricted": True}, "U9STRANGER": {"team_id": "T99OTHER"}}


def ts_of(one: Secret) -> str:
    """Of the deciding message in the private room."""
    return f"{int((START + timedelta(days=one.number, minutes=14)).timestamp())}.000100"


def open_ts_of(one: Secret) -> str:
    """Of what was decided in the open, which the private room takes back."""
    return f"{int((START + timedelta(days=one.number, hours=-40, minutes=7)).timestamp())}.000100"


def filled(at: Workplace, monkeypatch: pytest.MonkeyPatch, form: str, picked: dict[str, Any], **more: Any) -> Any:
    """A form as it is shown to who picked."""
    monkeypatch.setattr(at_work, "_ready", [at.equipment])
    empty = {"title": {"text": "x"}, "private_metadata": "", "blocks": []}
    opened = at.slack.views_open({"view": empty})["view"]
    job = {"view": opened["id"], "hash": opened["hash"], "opened": 0.0, "find": None, "turn": "", **more}
    forms.fill({**job, "form": form, "picked": picked})
    shown = {name: value for name, value in at.slack.views[opened["id"]].items() if name not in ("id", "hash")}
    return json.loads(re.sub(r"[0-9a-f]{16,}", "", json.dumps(shown)))


def picked(channel: str, ts: str, user: str) -> dict[str, Any]:
    return {"channel": channel, "ts": ts, "thread": None, "speaker": None, "user": user, "url": "https://a.example"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_a_form_about_a_private_message_shows_an_outsider_nothing(
    whole: Workplace, bare: Workplace, monkeypatch: pytest.MonkeyPatch, form: str, outsider: str
) -> None:
    for one in SECRETS[OUTSIDERS.index(outsider) :: len(OUTSIDERS)]:
        user = neighbour(one).members[0] if outsider == "neighbour" else outsider
        about = picked(one.room, ts_of(one), user)
        find = f"limit for {one.subject} {one.word(0)}"
        shown = [filled(at, monkeypatch, form, about, find=find) for at in (whole, bare)]
        assert leaked(json.dumps(shown[0]), one.room) <= {user.casefold()}
        assert shown[0] == shown[1]


@pytest.mark.parametrize("form", FORMS)
def test_an_insider_is_shown_what_it_is_about(whole: Workplace, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    one = SECRETS[0]
    shown = filled(whole, monkeypatch, form, picked(one.room, ts_of(one), one.members[0]))
    assert one.word(2) in leaked(json.dumps(shown))


@pytest.mark.parametrize("form", FORMS)
def test_a_form_about_an_open_message_is_the_same_whatever_is_private(
    whole: Workplace, bare: Workplace, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    for one in (each for each in SECRETS if each.kind == "takes back what was said in the open"):
        about = picked(OPEN_ROOM, open_ts_of(one), "U03CLEO")
        shown = [filled(at, monkeypatch, form, about, find=one.subject) for at in (whole, bare)]
        assert leaked(json.dumps(shown[0])) == set()
        assert shown[0] == shown[1]
        assert "in summer" in json.dumps(shown[0])


def test_outsiders_mark_nothing_and_insiders_marks_show_outsiders_nothing(
    whole: Workplace, bare: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.pace.Pace.__call__", lambda *_: None)
    monkeypatch.setattr(at_work, "_ready", [whole.equipment])
    before = len(whole.slack.calls)
    for number, one in enumerate(SECRETS):
        for user in (neighbour(one).members[0], one.members[0]):
            told = {"statement": f"{one.word(1)} is {one.value}", "decider": user, "section": None}
            flag.mark(
                {"form": "flag_rule", "view": f"V{number}{user}", "picked": picked(one.room, ts_of(one), user), **told}
            )
    assert {each.message for each in standing_flags(whole.space.reader).values()} == {
        f"{one.room}/{ts_of(one)}" for one in SECRETS
    }
    for channel in {call["channel"] for name, call in whole.slack.calls[before:] if name == "chat.postMessage"}:
        user = channel.removeprefix("D")
        own = [one for one in SECRETS if user in one.members]
        shown = json.dumps(whole.slack.by_us(channel))
        assert leaked(shown) <= {word.casefold() for one in own for word in one.canaries()} | {user.casefold()}
    work(whole)
    homes = []
    for at in (whole, bare):
        forget_cached(at)
        monkeypatch.setattr(at_work, "_ready", [at.equipment])
        act.home({"user": "U03CLEO"})
        homes.append(at.slack.made("views.publish")[-1]["view"])
    assert leaked(json.dumps(homes[0])) == set()
    assert homes[0] == homes[1]


def work(at: Workplace) -> None:
    """Everything that waits for the worker of what comes in."""
    queue = open_queue(connect(at.equipment.servers.queue_url), INGEST)
    while jobs := queue.jobs:
        for job in jobs:
            module, _, function = job.func_name.rpartition(".")
            getattr(import_module(module), function)(*job.args)
            queue.remove(job)
