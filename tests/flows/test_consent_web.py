"""Choices, `/why settings` and `/why forget` at the web process: queued once, forms opened at once, faults told."""

import json
from typing import Any

import pytest

from assistant.chat import texts
from assistant.chat.render.forget import SURE
from tests.fakes import slack_requests as made
from tests.flows.test_slack_web import Site, site, slack
from workers.queue import ACT, ANSWER, INGEST, open_queue

__all__ = ["site", "slack"]


def queued(site: Site, name: str = ACT) -> list[tuple[str, dict[str, Any]]]:
    """What waits in a queue: functions and payloads."""
    return [(job.func_name, job.args[0]) for job in open_queue(site.queue, name).jobs]


@pytest.mark.parametrize("mode", ["answer", "record", "off"])
async def test_a_choice_is_queued_with_its_author_and_channel(site: Site, mode: str) -> None:
    await site.send(made.click({"action_id": f"consent_{mode}", "value": "C1"}, "C1", "1.1", "U2"), "interactivity")
    [(function, payload)] = queued(site)
    assert function == "workers.consent.chosen"
    assert (payload["channel"], payload["user"], payload["mode"]) == ("C1", "U2", mode)


async def test_to_forget_a_channel_is_queued(site: Site) -> None:
    await site.send(made.click({"action_id": "consent_forget", "value": "C1"}, "C1", "1.1", "U2"), "interactivity")
    [(function, payload)] = queued(site)
    assert (function, payload["channel"], payload["user"]) == ("workers.consent.forgotten", "C1", "U2")


async def test_we_say_what_we_do_where_we_come_and_not_where_others_do(site: Site) -> None:
    for number, user in enumerate(["U7", "U0BOT"]):
        event = {"type": "member_joined_channel", "user": user, "channel": "C1", "event_ts": f"{number}.1"}
        assert (await site.send(made.envelope(event))).status == 200
    assert queued(site) == [
        ("workers.consent.watched", {"channel": "C1", "at": "0.1"}),
        ("workers.consent.invited", {"channel": "C1", "at": "1.1"}),
    ]


async def test_settings_are_asked_for_in_the_channel_that_is_meant(site: Site) -> None:
    assert (await site.send(made.command("Settings", channel="C1"), "commands")).status == 200
    [(function, payload)] = queued(site)
    assert (function, payload["channel"]) == ("workers.consent.settings", "C1")
    told = await (await site.send(made.command("settings", channel="D1"), "commands")).json()
    assert told["text"] == texts.SETTINGS_WHERE


@pytest.mark.parametrize(("said", "target"), [("forget", ""), ("Forget <@U2|ben>", "<@U2|ben>")])
async def test_to_forget_opens_a_form_at_once_and_has_it_filled_in(site: Site, said: str, target: str) -> None:
    assert (await site.send(made.command(said), "commands")).status == 200
    [opened] = site.slack.made("views.open")
    assert texts.FORGET_LOOKING in json.dumps(opened["view"], ensure_ascii=False)
    [(function, payload)] = queued(site)
    assert (function, payload["target"]) == ("workers.forget_asked.look", target)


async def test_what_merely_begins_so_is_a_question(site: Site) -> None:
    await site.send(made.command("forget about trials, what is the limit?"), "commands")
    assert queued(site) == []
    assert len(queued(site, ANSWER)) == 1


async def test_the_form_is_queued_once_and_says_what_happens_now(site: Site) -> None:
    view = {"id": "V5", "type": "modal", "callback_id": SURE, "private_metadata": ""}
    for _ in range(2):
        told = await (await site.send(made.submission(view, {}), "interactivity")).json()
        assert texts.FORGET_BEGUN in json.dumps(told, ensure_ascii=False)
    [(function, payload)] = queued(site, INGEST)
    assert (function, payload["user"], payload["view"]) == ("workers.forget_asked.sure", made.USER, "V5")
