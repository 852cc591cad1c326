"""The menu of a message, through signed requests: forms open at once, are checked, and nothing is taken unqueued."""

import json
import pkgutil
from typing import Any

import pytest

from assistant.chat import texts
from assistant.errors import Retry
from connectors.slack.shortcuts import unpacked
from tests.fakes import slack_requests as made
from tests.flows.test_slack_web import Site, site, slack  # noqa: F401 fixtures
from workers.queue import ACT, open_queue

MESSAGE = {"ts": "1700000000.000100", "user": "U02BEN", "text": "Decided: <@U01ANA> books the boat &amp; pays."}
THREADED = {**MESSAGE, "thread_ts": "1699990000.000100"}
Json = dict[str, Any]


async def opened(site: Site, name: str, message: Json = MESSAGE, **more: str) -> Json:  # noqa: F811
    """Picks in the menu; the form that stands then."""
    response = await site.send(made.shortcut(name, message, **more), "interactivity")
    assert response.status == 200
    return list(site.slack.views.values())[-1]


def block(view: Json, name: str) -> Json:
    """The block of a field."""
    return next(one for one in view["blocks"] if str(one.get("block_id", "")).partition(".")[0] == name)


async def test_this_is_a_rule_opens_at_once_with_what_the_message_tells(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule", THREADED)
    assert block(view, "statement")["element"]["initial_value"] == "Decided: books the boat & pays."
    assert block(view, "decider")["element"]["initial_user"] == "U02BEN"
    link = "https://test.slack.com/archives/C01RULES/p1700000000000100?thread_ts=1699990000.000100&amp;cid=C01RULES"
    assert link.replace("&amp;", "&") in json.dumps(view)
    picked = unpacked(view["private_metadata"])
    assert (picked.channel, picked.ts, picked.thread, picked.speaker, picked.user) == (
        *("C01RULES", "1700000000.000100", "1699990000.000100", "U02BEN", "U01ANA"),
    )
    assert "boat" not in view["private_metadata"]
    [job] = site.jobs(ACT)
    assert (job["form"], job["view"], job["hash"], job["find"]) == ("flag_rule", view["id"], view["hash"], None)
    assert "boat" not in json.dumps(job)


@pytest.mark.parametrize("name", ["flag_no_decision", "who_decided"])
async def test_the_other_two_open_at_once_too(site: Site, name: str) -> None:  # noqa: F811
    view = await opened(site, name)
    assert view["type"] == "modal"
    assert [job["form"] for job in site.jobs(ACT)] == [name]


async def test_what_an_app_wrote_has_no_speaker(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule", {"ts": "1.1", "bot_id": "B1", "user": "U09", "text": "Deploy is done."})
    assert "initial_user" not in block(view, "decider")["element"]


async def test_a_long_message_is_cut_at_a_word_to_what_a_field_takes(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule", {**MESSAGE, "text": "every word counts " * 2000})
    element = block(view, "statement")["element"]
    assert len(element["initial_value"]) <= element["max_length"]
    assert element["initial_value"].endswith(("word…", "counts…", "every…"))


async def test_a_form_that_slack_does_not_open_is_told(site: Site) -> None:  # noqa: F811
    site.slack.errors["views.open"] = "expired_trigger_id"
    body = made.shortcut("flag_rule", MESSAGE, answer_at=f"{site.slack.url}respond")
    response = await site.send(body, "interactivity")
    assert response.status == 200
    assert site.jobs(ACT) == []
    assert [told["text"] for told in site.slack.made("respond")] == [texts.NOT_OPENED]


def values(statement: str, decider: str | None = "U02BEN", section: str | None = "l1") -> Json:
    """What a form is sent with."""
    option = {"value": section, "text": {"type": "plain_text", "text": "x"}} if section else None
    return {
        "statement.2": {"statement": {"type": "plain_text_input", "value": statement}},
        "decider.2": {"decider": {"type": "users_select", "selected_user": decider}},
        "section.ab": {"section": {"type": "static_select", "selected_option": option}},
        "find": {"flag_find": {"type": "plain_text_input", "value": None}},
    }


async def test_what_is_sent_is_queued_once_a_form(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule")
    body = made.submission(view, values("  Every team books\nthe boat once a year. "))
    for _ in range(2):
        response = await site.send(body, "interactivity")
        assert (response.status, json.loads(await response.text())) == (200, {"response_action": "clear"})
    _, job = site.jobs(ACT)
    assert (job["form"], job["statement"], job["decider"], job["section"]) == (
        *("flag_rule", "Every team books the boat once a year.", "U02BEN", "l1"),
    )
    assert {"C01RULES", "1700000000.000100"} <= set(job["picked"].values()), "forgetting finds jobs by these"


@pytest.mark.parametrize("statement", ["", " \n", "…!?", "12"])
async def test_a_statement_that_says_nothing_is_sent_back(site: Site, statement: str) -> None:  # noqa: F811
    view = await opened(site, "flag_rule")
    response = await site.send(made.submission(view, values(statement)), "interactivity")
    told = json.loads(await response.text())
    assert told == {"response_action": "errors", "errors": {"statement.2": texts.RULE_EMPTY}}
    assert len(site.jobs(ACT)) == 1


async def test_without_a_queue_the_form_stays_and_says_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    rule, other = await opened(site, "flag_rule"), await opened(site, "flag_no_decision")

    def gone(*_: object) -> bool:
        raise Retry("the queue does not answer")

    monkeypatch.setattr("workers.web.intake.enqueue", gone)
    told = json.loads(await (await site.send(made.submission(rule, values("A rule.")), "interactivity")).text())
    assert told["errors"] == {"statement.2": texts.QUEUE_GONE}
    told = json.loads(await (await site.send(made.submission(other, {}), "interactivity")).text())
    assert (told["response_action"], texts.QUEUE_GONE in json.dumps(told)) == ("update", True)


async def test_looking_for_another_section_keeps_what_was_typed(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule")
    typed = {**view, "state": {"values": values("My words.")}}
    action = {"type": "plain_text_input", "action_id": "flag_find", "value": "parental leave"}
    await site.send(made.form_click(action, {**typed, "hash": "h999"}), "interactivity")
    job = site.jobs(ACT)[-1]
    assert (job["find"], job["turn"], job["hash"]) == ("parental leave", ".2", "h999")


async def test_from_who_decided_this_the_rule_form_opens_over_it(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule")
    action = {"action_id": "flag_from_who", "value": "rule"}
    await site.send(made.form_click(action, view), "interactivity")
    assert len(site.slack.made("views.push")) == 1
    assert [job["form"] for job in site.jobs(ACT)] == ["flag_rule", "flag_rule"]


async def test_buttons_are_queued_once(site: Site) -> None:  # noqa: F811
    for _ in range(2):
        await site.send(made.click({"action_id": "flag_undo", "value": "f1"}, "DU01ANA", "1.1"), "interactivity")
    assert site.jobs(ACT) == [{"flag": "f1", "user": "U01ANA", "action": "flag_undo"}]


async def test_a_button_of_several_people_is_each_ones_own(site: Site) -> None:  # noqa: F811
    for user in ("U01ANA", "U02BEN"):
        await site.send(made.click({"action_id": "flag_done", "value": "f1"}, f"D{user}", "1.1", user), "interactivity")
    assert [job["user"] for job in site.jobs(ACT)] == ["U01ANA", "U02BEN"]


async def test_every_job_is_one_that_workers_have(site: Site) -> None:  # noqa: F811
    view = await opened(site, "flag_rule")
    await site.send(made.submission(view, values("A rule.")), "interactivity")
    await site.send(made.click({"action_id": "flag_done", "value": "f1"}, "DU01ANA", "1.1"), "interactivity")
    names = [job.func_name for job in open_queue(site.queue, ACT).jobs]
    assert names == ["workers.forms.fill", "workers.flag.mark", "workers.flag.clicked"]
    assert all(callable(pkgutil.resolve_name(name)) for name in names)
