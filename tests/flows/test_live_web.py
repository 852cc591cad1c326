"""What the web process lets into the queue of channels' talk, and what it does before it acknowledges."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any

import pytest

from assistant.settings import Settings
from connectors.slack.client import sync_client
from connectors.slack.members import SlackDirectory
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import TEAM, TOKEN, FakeSlack, running
from tests.flows.test_slack_web import Site
from tests.flows.test_slack_web import site as opened_site
from workers.cache import RedisCache
from workers.queue import INGEST
from workers.queue.recording import let_in, switch_off
from workers.web.serve import have_missed_read

SECRET = "the walrus eats at noon"


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(FakeSlack()) as server:
        yield server


site = opened_site


def stored(site: Site) -> str:
    """Everything that the queue's server holds, jobs unpacked."""
    jobs = site.jobs(INGEST) + site.jobs()
    return repr(jobs) + repr(list(site.queue.scan_iter()))


def talk(**more: Any) -> dict[str, Any]:
    return made.message(SECRET, "1772452800.000100", "C1", **more)


def edit() -> dict[str, Any]:
    message = {
        "type": "message",
        "user": "U1",
        "text": SECRET,
        "ts": "1772452800.000100",
        "edited": {"ts": "1772452900.000000"},
    }
    return talk(subtype="message_changed", message=message, previous_message={**message, "text": "it does not"})


async def test_no_word_of_a_channel_that_does_not_record_is_kept(site: Site) -> None:
    let_in(site.queue, "C2", words=True)
    gone = {"subtype": "message_deleted", "deleted_ts": "1772452800.000100", "previous_message": {"text": SECRET}}
    for event in (talk(), talk(thread_ts="1772452700.000100"), edit(), talk(**gone), talk(subtype="channel_topic")):
        assert (await site.send(made.envelope(event))).status == 200
    assert SECRET not in stored(site)
    told, outdated = [[job for job in site.jobs(INGEST) if ("kind" in job) is talk] for talk in (True, False)]
    assert [job["kind"] for job in told] == ["written", "deleted"]
    assert [set(job) for job in outdated] == [{"channel", "ts", "before", "until", "thread"}] * 2, "edited, and deleted"


async def test_where_we_are_switched_off_a_question_comes_without_its_words(site: Site) -> None:
    """What is refused unread need not be kept: by a mention, new or edited, or by sharing an answer there."""
    mention = made.mention(SECRET, "1772452800.000100", "C1")
    for channel in ("C1", "C2"):
        switch_off(site.queue, channel, off=channel == "C1")
    assert (await site.send(made.envelope(mention))).status == 200
    assert (await site.send(made.envelope({**mention, "edited": {"ts": "1772452900.000000"}}))).status == 200
    share = {"action_id": "share", "value": json.dumps({"channel": "C1", "question": SECRET})}
    assert (await site.send(made.click(share, "DU01ANA", "1.1"), "interactivity")).status == 200
    jobs = site.jobs()
    assert SECRET not in stored(site)
    assert [(job["channel"], job["user"], job["text"]) for job in jobs] == [("C1", made.USER, "")] * 3
    assert (await site.send(made.envelope({**mention, "channel": "C2"}))).status == 200
    assert SECRET in stored(site)


async def test_words_of_a_channel_that_records_are_queued_once(site: Site) -> None:
    let_in(site.queue, "C1", words=True)
    body = made.envelope(talk())
    for _ in range(3):
        assert (await site.send(body)).status == 200
    [job] = site.jobs(INGEST)
    assert (job["kind"], job["body"]["text"]) == ("written", SECRET)
    assert not site.jobs(), "nobody asked anything"


async def test_direct_and_group_messages_are_no_talk(site: Site) -> None:
    for channel in ("D1", "G1"):
        let_in(site.queue, channel, words=True)
    group = {**talk(), "channel": "G1", "channel_type": "mpim"}
    assert (await site.send(made.envelope(group))).status == 200
    assert (await site.send(made.envelope(made.message("what is the limit?", "1.5")))).status == 200
    assert not site.jobs(INGEST)
    assert len(site.jobs()) == 1


async def test_who_left_a_channel_has_lost_it_before_the_event_is_acknowledged(
    site: Site, slack: FakeSlack, tmp_path: Path
) -> None:
    client = sync_client(Settings(home=tmp_path, slack_bot_token=TOKEN, slack_api_url=slack.url))
    directory = SlackDirectory(client, RedisCache(site.queue), TEAM)
    slack.channels["C1"] = {"members": ["U1"]}
    assert await asyncio.to_thread(directory.channels_of, "U1") == {"C1"}
    slack.channels["C1"] = {"members": []}
    left = {"type": "member_left_channel", "user": "U1", "channel": "C1", "channel_type": "C", "event_ts": "5.0"}
    assert (await site.send(made.envelope(left))).status == 200
    assert await asyncio.to_thread(directory.channels_of, "U1") == frozenset()
    [job] = site.jobs(INGEST)
    assert (job["channel"], job["left"]) == ("C1", "U1")


async def test_a_new_picture_of_somebody_drops_nothing(site: Site) -> None:
    for status in ("away", "back", "away again"):
        person = {"id": "U1", "team_id": TEAM, "profile": {"status_text": status}}
        await site.send(made.envelope({"type": "user_change", "user": person, "event_ts": "6.0"}))
    assert len(site.jobs(INGEST)) == 1
    guest = {"id": "U1", "team_id": TEAM, "is_restricted": True}
    await site.send(made.envelope({"type": "user_change", "user": guest, "event_ts": "7.0"}))
    assert len(site.jobs(INGEST)) == 2


async def test_when_the_web_process_starts_what_it_missed_is_read(site: Site) -> None:
    have_missed_read(site.queue)
    assert not site.jobs(INGEST), "nothing was ever heard, so nothing was missed"
    let_in(site.queue, "C1", words=True)
    began = time()
    await site.send(made.envelope(talk()))
    have_missed_read(site.queue)
    [_, job] = site.jobs(INGEST)
    assert began <= job["since"] <= time()
