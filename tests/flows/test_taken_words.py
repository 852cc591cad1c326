"""Nobody takes back what others were told by saying the same words and deleting them."""

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest

from assistant.chat import journeys, texts
from assistant.graph.consent import Mode, set_mode
from connectors.slack.changes import change_of
from connectors.slack.events import from_mention
from tests.fakes.slack_server import BOT, FakeSlack
from tests.flows.marking import ANA, BEN, CLEO, DAN, LIVE, RULES, carried_out
from workers import hear
from workers.equipment import Equipment
from workers.forgetting import forget
from workers.whose import words_by

RULE = "Everybody has 28 days of paid leave a year"
QUESTION = "How many days of annual leave do we have?"


def said_and_deleted(ready: Equipment, slack: FakeSlack, text: str) -> None:
    """In a channel that records."""
    ts = slack.said(LIVE, BEN, text, f"{time.time() + 30:.6f}")
    event: dict[str, Any] = {"type": "message", "channel": LIVE, "channel_type": "channel"}
    said = {"type": "message", "user": BEN, "text": text, "ts": ts}
    gone = {
        "subtype": "message_deleted",
        "deleted_ts": ts,
        "previous_message": said,
        "event_ts": f"{time.time() + 60:.6f}",
    }
    for more in ({**said, "event_ts": ts}, gone):
        change = change_of({**event, **more}, BOT)
        assert change is not None
        hear.heard(asdict(change))
        carried_out(ready)


def ask(ready: Equipment, user: str, question: str) -> None:
    """Somebody asks in a channel, and is answered."""
    ts = f"{time.time() + 5:.6f}"
    event = {"type": "app_mention", "channel": RULES, "user": user, "text": f"<@{BOT}> {question}", "ts": ts}
    asked = from_mention(event, BOT)
    assert asked is not None
    journeys.answer(asked, ready.desk())


@pytest.fixture
def recorded(ready: Equipment, slack: FakeSlack) -> Iterator[Equipment]:
    """Everybody is in both channels, and one of them records."""
    for room in (RULES, LIVE):
        slack.channels[room]["members"] = [ANA, BEN, CLEO, DAN]
    with ready.space() as space:
        set_mode(space.graph, LIVE, Mode.RECORD, ANA, datetime.now(UTC))
    yield ready
    with ready.space() as space:
        set_mode(space.graph, LIVE, Mode.ANSWER, ANA, datetime.now(UTC))


def test_an_answer_stays_whoever_says_its_words_and_deletes_them(recorded: Equipment, slack: FakeSlack) -> None:
    ask(recorded, ANA, QUESTION)
    for words in (RULE, RULE.upper(), QUESTION, "We have 28 days, since 13 September 2020 by Ada Example"):
        said_and_deleted(recorded, slack, words)
        post = json.dumps(slack.by_us(RULES)[-1], ensure_ascii=False)
        assert RULE in post and texts.WITHDRAWN not in post, words


def test_what_somebody_asked_and_our_words_round_it_are_nobody_elses_to_take(
    recorded: Equipment, slack: FakeSlack
) -> None:
    question = "What was decided about the quagga enclosure?"
    ask(recorded, ANA, question)
    told = slack.by_us(RULES)[-1]
    for words in (question, "I found no decision about this in what I may read.", told["text"]):
        said_and_deleted(recorded, slack, words)
        assert slack.by_us(RULES)[-1]["text"] == told["text"], words


def test_what_one_asked_goes_from_our_posts_when_one_has_it_forgotten(ready: Equipment, slack: FakeSlack) -> None:
    question = "Is the quibblefox to be fired before long?"
    slack.channels[RULES]["members"] = [ANA, BEN]
    ask(ready, BEN, question)
    assert "quibblefox" in json.dumps(slack.by_us(RULES)[-1])
    with ready.space() as space:
        mine = words_by(space, BEN, ready.us.team)
        forget(space, ready.desk(), (), answers=mine.answers, by=BEN, about="own words", settings=ready.settings)
    assert "quibblefox" not in json.dumps(slack.by_us(RULES))
