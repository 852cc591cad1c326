"""What clicks and visits set off, on a real graph: feedback is stored with its reason, the home shows what is there."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.chat import journeys
from assistant.graph.servers import embedded
from assistant.graph.store import Query
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack, running
from tests.flows.office import mention
from workers import act
from workers import equipment as at_work
from workers.equipment import Equipment

GIVEN = Query("test.feedback", "MATCH (f:Feedback) RETURN f.user AS user, f.good AS good, f.reason AS reason")


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as server:
        yield server


@pytest.fixture
def equipment(filled_home: Path, slack: FakeSlack, monkeypatch: pytest.MonkeyPatch) -> Equipment:
    """A worker's equipment on the demonstration's handbook, as its children find it."""
    settings = Settings(home=filled_home, cache=filled_home / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url)
    ready = Equipment(settings, embedded.ensure(settings), Identity(BOT, TEAM), None)
    monkeypatch.setattr(at_work, "_ready", [ready])
    return ready


def test_an_answer_is_judged_and_the_home_remembers_the_question(equipment: Equipment, slack: FakeSlack) -> None:
    act.home({"user": "U01ANA"})
    journeys.answer(mention("What is the trial threshold?", channel="C1"), equipment.desk())
    [message] = slack.by_us("C1")
    assert "31" in message["text"]
    buttons = message["blocks"][-1]["elements"][0]
    answer_id = buttons["negative_button"]["value"].partition(":")[2]
    judged = {"answer_id": answer_id, "user": "U01ANA", "channel": "C1", "thread": "100.000001"}
    act.feedback({**judged, "good": False, "why": "it is 30"})
    act.feedback({**judged, "user": "U02BEN", "good": True, "why": ""})
    with equipment.space() as space:
        rows = {(row["user"], row["good"], row["reason"]) for row in space.reader.rows(GIVEN)}
    assert rows == {("U01ANA", False, "it is 30"), ("U02BEN", True, "")}
    [thanks] = [m for m in slack.messages["C1"] if m.get("ephemeral_to")]
    assert thanks["ephemeral_to"] == "U02BEN"
    act.home({"user": "U01ANA"})
    before, after = (json.dumps(call["view"], ensure_ascii=False) for call in slack.made("views.publish"))
    assert "pages" in before
    assert "What is the trial threshold?" not in before
    assert "What is the trial threshold?" in after


def test_a_guests_home_knows_nothing(equipment: Equipment, slack: FakeSlack) -> None:
    slack.users["U5GUEST"] = {"is_restricted": True}
    act.home({"user": "U5GUEST"})
    [call] = slack.made("views.publish")
    assert "sections" not in json.dumps(call["view"]["blocks"][:2])
