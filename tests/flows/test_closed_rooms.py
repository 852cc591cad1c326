"""A channel that was open and is private now: whatever was told of it elsewhere is taken back."""

import json
import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.chat import journeys, texts
from assistant.errors import Retry
from assistant.graph.answers import Given, find_answer, save_answer
from assistant.graph.flags import find_flag
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.graph.writing import closing, live, talk
from assistant.model.answers import AskedQuestion
from assistant.model.audiences import Place, Viewer
from assistant.model.surfaces import Inquiry
from connectors.slack.events import from_direct_message, from_mention
from tests.fakes.slack_server import BOT, FakeSlack
from tests.flows.marking import ANA, BEN, CLEO, DAN, LIVE, RULES, carried_out, export, name_of, sent, told
from workers import act, flag, forgetting
from workers.ear import listening
from workers.equipment import Equipment
from workers.queue import connect
from workers.rooms import refresh, turn
from workers.talk import ingest_slack_export

QUESTION = "Who decided how often a team books the boat for a summer party?"
SECRET = "at most once a year"
AUDIENCES = Query(
    "test_closed.audiences",
    "MATCH (a:Answer) WHERE a.text CONTAINS $words RETURN DISTINCT a.audience AS audience ORDER BY audience",
    scans="all of them",
)
FORGET = Query("test_closed.forget", "MATCH (c:Channel {id: $channel}) SET c.private = false")
Json = dict[str, Any]


def asked(place: str, user: str, text: str = QUESTION) -> Inquiry:
    """A question in a channel, or alone."""
    ts = f"{time.time() + 5:.6f}"
    event = {"type": "message", "channel": place, "user": user, "ts": ts}
    if place.startswith("D"):
        found = from_direct_message({**event, "channel_type": "im", "text": text}, BOT)
    else:
        found = from_mention({**event, "type": "app_mention", "text": f"<@{BOT}> {text}"}, BOT)
    assert found is not None
    return found


def post(slack: FakeSlack, place: str) -> str:
    return json.dumps(slack.by_us(place)[-1], ensure_ascii=False)


def closed_live(ready: Equipment, space: Space, folder: Path) -> None:
    """Slack tells that it was made private."""
    assert space and folder
    with listening() as ear:
        turn(ear, RULES, closed=True, left=BEN)
    carried_out(ready)


def closed_by_import(ready: Equipment, space: Space, folder: Path) -> None:
    """An export lists it among the private ones."""
    folder.mkdir(exist_ok=True)
    made = export(folder / "slack")
    groups = json.loads((made / "groups.json").read_text())
    members = [ANA, CLEO]
    (made / "groups.json").write_text(json.dumps([*groups, {"id": RULES, "name": "rules", "members": members}]))
    (made / "channels.json").write_text("[]")
    ingest_slack_export(space, made)
    forgetting.carry_out(space, ready.desk(), ready.settings)


def opened_again(space: Space) -> None:
    """As if it had never been private."""
    space.graph.write(FORGET, channel=RULES)
    live.write_room(space.graph, RULES, "rules", private=False)


@pytest.mark.parametrize("close", [closed_live, closed_by_import])
def test_what_was_told_of_a_channel_that_is_closed_is_taken_back(
    ready: Equipment, slack: FakeSlack, tmp_path: Path, close: Callable[[Equipment, Space, Path], None]
) -> None:
    for room in (RULES, LIVE):
        slack.channels[room]["members"] = [ANA, BEN, CLEO, DAN]
    desk, direct = ready.desk(), f"D{BEN}"
    for place in (RULES, LIVE, direct):
        journeys.answer(asked(place, BEN), desk)
        assert SECRET in post(slack, place), place
    journeys.answer(asked(f"D{DAN}", DAN, "How many days of annual leave do we have?"), desk)
    anybodys = desk.ask(AskedQuestion(text=QUESTION, id=f"public/{close}"), Viewer(DAN), Place(), frozenset())
    job = {**sent(4, "Sick notes go by mail to the people team.", user=BEN), "view": f"V{close.__name__}"}
    flag.mark(job)
    carried_out(ready)
    assert "by mail" in told(slack, CLEO)[-1]
    slack.channels[RULES] |= {"is_private": True, "members": [ANA, CLEO]}
    connect(ready.servers.queue_url).flushall()
    with ready.space() as space:
        close(ready, space, tmp_path)
        assert [row["audience"] for row in space.reader.rows(AUDIENCES, words=SECRET)] == [f"channel:{RULES}"]
        mark = find_flag(space.reader, name_of(job))
        assert mark is not None and mark.audience == f"channel:{RULES}"
        with pytest.raises(Retry):  # it was being made while the channel was closed
            again = anybodys.model_copy(update={"answer_id": "late"})
            save_answer(space.graph, Given(again, "?", datetime.now(UTC), "public", None, (), {}))
        assert find_answer(space.reader, "late") is None
    assert texts.WITHDRAWN in post(slack, LIVE)
    assert texts.WITHDRAWN in json.dumps(slack.by_us(direct), ensure_ascii=False)
    assert SECRET not in json.dumps(slack.by_us(direct), ensure_ascii=False)
    assert SECRET in post(slack, RULES), "who reads it there may still know"
    assert "28 days" in post(slack, f"D{DAN}")
    assert texts.FLAG_WITHDRAWN in told(slack, CLEO)[-1]
    act.home({"user": BEN})
    home = json.dumps(slack.made("views.publish")[-1]["view"], ensure_ascii=False)
    assert "by mail" not in home and SECRET not in home
    with ready.space() as space:
        opened_again(space)


def noticed_late(ready: Equipment, space: Space, folder: Path) -> None:
    """Slack says that it is private, when something else is asked."""
    assert ready and space and folder
    with listening() as ear:
        refresh(ear, RULES)


@pytest.mark.parametrize("close", [closed_by_import, noticed_late])
@pytest.mark.parametrize("step", ["close_room", "call_in", "take_back"])
def test_killed_while_a_channel_is_closed_the_next_try_takes_all_back(
    ready: Equipment, slack: FakeSlack, tmp_path: Path, close: Callable[[Equipment, Space, Path], None], step: str
) -> None:
    for room in (RULES, LIVE):
        slack.channels[room]["members"] = [ANA, BEN, CLEO, DAN]
    anybodys = AskedQuestion(text=QUESTION, id=f"public/{close}/{step}")
    ready.desk().ask(anybodys, Viewer(DAN), Place(), frozenset())
    journeys.answer(asked(LIVE, BEN), ready.desk())
    slack.channels[RULES] |= {"is_private": True, "members": [ANA, CLEO]}
    with ready.space() as space:
        child = os.fork()
        if child == 0:
            for place in (talk, live) if step == "close_room" else (closing, closing.posts):
                if hasattr(place, step):
                    setattr(place, step, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
            try:
                close(ready, space, tmp_path / "first")
            finally:
                os._exit(0)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
        close(ready, space, tmp_path / "second")
        assert [row["audience"] for row in space.reader.rows(AUDIENCES, words=SECRET)] == [f"channel:{RULES}"]
        forgetting.carry_out(space, ready.desk(), ready.settings)
        assert texts.WITHDRAWN in post(slack, LIVE)
        opened_again(space)
