"""Where nothing is recorded, too, an edit and a deletion take the words that an import or a mark has brought in."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from assistant.chat import texts
from assistant.graph.flags import find_flag, said_at
from connectors.slack.changes import change_of
from connectors.slack.spoken import micros_of
from tests.fakes.slack_server import BOT, FakeSlack
from tests.fakes.traces import gone_from, uncompressed
from tests.flows.marking import ANA, BEN, CLEO, LIVE, RULES, SAID, carried_out, name_of, sent, told, ts_of
from workers import act, flag, hear
from workers.equipment import Equipment
from workers.web.slack.heard import without_words

Json = dict[str, Any]


def happened(channel: str, **more: Any) -> None:
    """As the web process lets it in from a channel that does not record."""
    event = {"type": "message", "channel": channel, "channel_type": "channel", "event_ts": f"{time.time():.6f}", **more}
    change = change_of(event, BOT)
    assert change is not None
    kept = without_words(change)
    assert kept is not None
    hear.heard(asdict(kept))


def deleted(slack: FakeSlack, channel: str, ts: str) -> None:
    slack.messages[channel] = [one for one in slack.messages[channel] if one["ts"] != ts]
    happened(channel, subtype="message_deleted", deleted_ts=ts, previous_message={"user": BEN, "ts": ts, "text": "x"})


def test_an_imported_message_that_is_edited_is_not_told_as_it_was(ready: Equipment) -> None:
    after = {
        "type": "message",
        "user": BEN,
        "ts": ts_of(6),
        "text": "never mind",
        "edited": {"ts": f"{time.time():.6f}"},
    }
    before = {**after, "text": SAID[RULES][6][1], "edited": None}
    with ready.space() as space:
        assert said_at(space.reader, RULES, micros_of(ts_of(6))) is not None
        happened(RULES, subtype="message_changed", message=after, previous_message=before)
        carried_out(ready)
        assert said_at(space.reader, RULES, micros_of(ts_of(6))) is None
        happened(RULES, subtype="message_changed", message={**after, "ts": "1718000001.000100"}, previous_message={})
        carried_out(ready)
        assert said_at(space.reader, RULES, micros_of(ts_of(7))) is not None


def heard_first(slack: FakeSlack, ts: str, ready: Equipment) -> None:
    deleted(slack, LIVE, ts)
    carried_out(ready)


def never_heard(slack: FakeSlack, ts: str, ready: Equipment) -> None:
    """The event is lost: that it is gone is seen when it is to be kept."""
    slack.messages[LIVE] = [one for one in slack.messages[LIVE] if one["ts"] != ts]
    carried_out(ready)


def heard_last(slack: FakeSlack, ts: str, ready: Equipment) -> None:
    carried_out(ready)
    deleted(slack, LIVE, ts)
    carried_out(ready)


@pytest.mark.parametrize("end", [heard_first, never_heard, heard_last])
def test_a_marked_message_that_is_deleted_takes_its_mark_along(
    ready: Equipment, slack: FakeSlack, end: Callable[[FakeSlack, str, Equipment], None]
) -> None:
    uncompressed(ready.servers)
    secret = f"krumplet{end.__name__.replace('_', '')}"
    statement = f"Nobody may paint the {secret} of annual leave red, from now on."
    ts = slack.said(LIVE, BEN, statement, f"{time.time():.6f}")
    job = {**sent(0, statement, user=ANA, channel=LIVE, ts=ts), "view": f"V{end.__name__}"}
    flag.mark(job)
    assert secret in told(slack, ANA)[-1] and secret in told(slack, CLEO)[-1]
    end(slack, ts, ready)
    with ready.space() as space:
        mark = find_flag(space.reader, name_of(job))
        assert mark is not None and (mark.statement, mark.by_name) == ("", "Ana Ruiz")
    for user in (ANA, CLEO):
        assert texts.FLAG_WITHDRAWN in told(slack, user)[-1]
        assert secret not in json.dumps(slack.by_us(f"D{user}"), ensure_ascii=False)
    act.home({"user": ANA})
    assert secret not in json.dumps(slack.made("views.publish")[-1]["view"], ensure_ascii=False)
    assert gone_from(secret, ready.settings.home) == []
