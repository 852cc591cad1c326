"""Words that were edited away are told no more: in no answer, no post of ours, not in a byte of the home."""

import itertools
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.chat import journeys, texts
from assistant.errors import Retry
from assistant.graph.answers import Given, find_answer, save_answer
from assistant.graph.consent import Mode, set_mode
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.graph.writing import edited
from assistant.model.answers import Answer
from connectors.slack.changes import change_of
from connectors.slack.events import from_mention
from tests.fakes.slack_server import BOT, FakeSlack
from tests.fakes.traces import gone_from, jobs_with, uncompressed
from tests.flows.marking import ANA, BEN, CLEO, DAN, LIVE, RULES, carried_out, export
from workers import forgetting, hear
from workers.equipment import Equipment
from workers.talk import ingest_slack_export

OLD = "Decided: the {word} budget is 700 euros a team from July, as Otto's salary of {secret} was saved."
NEW = "Decided: the {word} budget is 700 euros a team from July."
ANSWERS = Query("test_edited.answers", "MATCH (a:Answer) RETURN a.id AS id ORDER BY a.at", scans="all of them")
NUMBERS = itertools.count(10)
Json = dict[str, Any]


class Room:
    """A channel that records, in which a rule was settled, asked about and told by us."""

    def __init__(self, ready: Equipment, slack: FakeSlack, word: str) -> None:
        self.ready, self.slack, self.word = ready, slack, word
        self.secret = f"{word}9300"
        self.clock = time.time() + 5
        slack.channels[LIVE]["members"] = [ANA, BEN, CLEO, DAN]
        slack.channels[RULES]["members"] = [ANA, BEN, CLEO, DAN]

    def now(self) -> str:
        self.clock += 2
        return f"{self.clock:.6f}"

    def heard(self, **more: Any) -> None:
        """Something is written, edited or deleted."""
        change = change_of(json.loads(json.dumps({"type": "message", "channel_type": "channel", **more})), BOT)
        assert change is not None
        hear.heard(asdict(change))

    def settled(self, text: str = OLD) -> Json:
        """The rule, as it was said first."""
        text = text.format(word=self.word, secret=self.secret)
        said = {"type": "message", "user": CLEO, "text": text, "ts": self.slack.said(LIVE, CLEO, text, self.now())}
        self.heard(**said, channel=LIVE, event_ts=said["ts"])
        carried_out(self.ready)
        return said

    def edited(self, said: Json, text: str) -> None:
        """It reads otherwise now; the jobs of that wait."""
        after = {**said, "text": text, "edited": {"user": CLEO, "ts": self.now()}}
        self.slack.messages[LIVE] = [one for one in self.slack.messages[LIVE] if one["ts"] != said["ts"]] + [after]
        more = {"subtype": "message_changed", "message": after, "previous_message": said}
        self.heard(**more, channel=LIVE, event_ts=self.now())

    def told(self, place: str = LIVE) -> str:
        """Somebody asks, and is answered; what stands there."""
        text = f"<@{BOT}> what was decided about the {self.word} budget?"
        asked = from_mention(
            {"type": "app_mention", "channel": place, "user": ANA, "text": text, "ts": self.now()}, BOT
        )
        assert asked is not None
        journeys.answer(asked, self.ready.desk())
        return self.post(place)

    def post(self, place: str = LIVE) -> str:
        return json.dumps(self.slack.by_us(place)[-1], ensure_ascii=False)


@pytest.fixture
def room(ready: Equipment, slack: FakeSlack) -> Iterator[Room]:
    uncompressed(ready.servers)
    with ready.space() as space:
        set_mode(space.graph, LIVE, Mode.RECORD, ANA, datetime.now(UTC))
        yield Room(ready, slack, f"quokka{next(NUMBERS)}")
        set_mode(space.graph, LIVE, Mode.ANSWER, ANA, datetime.now(UTC))


@pytest.mark.parametrize("left", [NEW, "never mind", ""], ids=["a part", "something else", "nothing"])
def test_words_that_are_edited_away_leave_answers_posts_and_every_byte(room: Room, left: str) -> None:
    said = room.settled()
    assert room.secret in room.told(LIVE) and room.secret in room.told(RULES)
    room.edited(said, left.format(word=room.word))
    carried_out(room.ready)
    for place in (LIVE, RULES):
        assert texts.WITHDRAWN in room.post(place), place
    assert gone_from(room.secret, room.ready.settings.home) == []
    assert jobs_with(room.secret, room.ready.servers) == []
    again = room.told()
    assert room.secret not in again
    assert (f"{room.word} budget is 700 euros" in again) == (left == NEW)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("> 10", "< 10"),
        ("5%", "5 €"),
        ("-5", "5"),
        ("set by C++", "set by C#"),
        ("👍", "👎"),
        ("3.5", "3,5"),
    ],
)
def test_signs_that_are_edited_are_told_no_more(room: Room, old: str, new: str) -> None:
    rule = "Decided: the {word} budget is 700 euros a team from July, as the score was %s."
    said = room.settled(rule % old)
    room.told()
    with room.ready.space() as space:
        given = answers_of(space)[-1]
        assert f"the score was {old}" in str(find_answer(space.reader, given))
        room.edited(said, (rule % new).format(word=room.word))
        carried_out(room.ready)
        assert find_answer(space.reader, given) is None
    assert texts.WITHDRAWN in room.post()


def test_what_still_stands_is_still_told(room: Room) -> None:
    said = room.settled()
    before = room.told()
    for more in (f"{said['text']} Ask Dan for it.", f"Hello, all! {said['text']}", said["text"].upper()):
        room.edited(said, more)
        carried_out(room.ready)
        assert room.post() == before, more


@pytest.mark.parametrize("step", ["order_forgetting", "withdraw", "hide_decisions"])
def test_killed_on_the_way_the_next_try_takes_it_back(room: Room, step: str) -> None:
    said = room.settled()
    assert room.secret in room.told()
    room.edited(said, NEW.format(word=room.word))
    child = os.fork()
    if child == 0:
        setattr(edited, step, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
        try:
            carried_out(room.ready)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    carried_out(room.ready)
    assert texts.WITHDRAWN in room.post()
    assert gone_from(room.secret, room.ready.settings.home) == []


def answers_of(space: Space) -> list[str]:
    """All of them, the latest last."""
    return [row["id"] for row in space.reader.rows(ANSWERS)]


def test_an_answer_that_was_being_made_meanwhile_is_made_anew(room: Room) -> None:
    said = room.settled()
    room.told()
    with room.ready.space() as space:
        given = find_answer(space.reader, answers_of(space)[-1])
        assert isinstance(given, Answer)
        room.edited(said, NEW.format(word=room.word))
        carried_out(room.ready)
        late = Given(given.model_copy(update={"answer_id": "late"}), "?", datetime.now(UTC), "public", None, (), {})
        with pytest.raises(Retry):
            save_answer(space.graph, late)
    assert gone_from(room.secret, room.ready.settings.home) != [], "until the files are written anew"
    with room.ready.space() as space:
        assert find_answer(space.reader, "late") is None


def test_an_import_that_has_other_words_takes_answers_back_too(room: Room, tmp_path: Path) -> None:
    text = "Decided: every team books the boat for a summer party at most once a year, from today on."
    with room.ready.space() as space:
        question = {"type": "app_mention", "channel": RULES, "user": ANA, "ts": room.now()}
        asked = from_mention({**question, "text": f"<@{BOT}> who decided how often a team books the boat?"}, BOT)
        assert asked is not None
        journeys.answer(asked, room.ready.desk())
        assert "at most once a year" in room.post(RULES)
        folder = export(tmp_path / "slack")
        for day in (folder / "rules").glob("*.json"):
            day.write_text(day.read_text().replace(text, text.replace("once", "twice")))
        ingest_slack_export(space, folder)
        assert find_answer(space.reader, answers_of(space)[-1]) is None
        forgetting.carry_out(space, room.ready.desk(), room.ready.settings)
        assert texts.WITHDRAWN in room.post(RULES)
        ingest_slack_export(space, export(tmp_path / "again"))
