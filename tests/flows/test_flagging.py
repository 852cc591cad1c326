"""From a pick in a message's menu to the decision, the owner and back: a real graph, real queues, a fake Slack."""

import json
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from rq import SimpleWorker
from rq.registry import ScheduledJobRegistry
from rq.serializers import JSONSerializer

from assistant.chat import texts
from assistant.graph.consent import Mode, set_mode
from assistant.graph.flags import find_flag, said_at, standing_flags
from assistant.graph.posts import find_post
from connectors.slack.changes import Written, change_of
from connectors.slack.shortcuts import Picked
from connectors.slack.spoken import micros_of
from tests.fakes.slack_server import BOT, TEAM, FakeSlack
from tests.flows.marking import (
    ANA,
    BEN,
    CLEO,
    DAN,
    LEADS,
    LIVE,
    RULES,
    SAID,
    carried_out,
    decisions,
    form_of,
    name_of,
    picked,
    sent,
    text,
    told,
    ts_of,
)
from workers import act, flag, forms, hear
from workers.equipment import Equipment
from workers.forgetting import forget
from workers.marking import Marking, slack_user
from workers.queue import ACT, PAUSES, Work, connect, enqueue, janitor, open_queue


def test_a_marked_rule_is_kept_told_and_shown_to_the_owner_with_a_draft(ready: Equipment, slack: FakeSlack) -> None:
    job = sent(1, "Whoever takes more than 5 days of annual leave in a row tells the whole team.")
    flag.mark(job)
    carried_out(ready)
    with ready.space() as space:
        row = decisions(space)[ts_of(1)]
        assert (row.statement, row.decided_by, row.decider) == (job["statement"], "Cleo Marsh (says Ana Ruiz)", None)
        assert (row.quote, row.origin) == (SAID[RULES][1][1], "flagged by Ana Ruiz")
    [confirmed] = told(slack, ANA)
    assert job["statement"] in confirmed and "flag_undo" in confirmed and "@cleo" in confirmed
    [drafted] = told(slack, CLEO)
    assert "Ana Ruiz marked <https://" in drafted and job["statement"] in drafted
    assert "`handbook/people/time-off.md`, under *Time off › Annual leave*, after line 5:" in drafted
    assert "+ Whoever takes more than 5 days" in drafted and "  Everybody has 28 days" in drafted


@pytest.mark.parametrize("times", [1, 2])
def test_a_lost_reply_and_another_try_leave_one_message_each(ready: Equipment, slack: FakeSlack, times: int) -> None:
    job = sent(4 + times, "Half days of annual leave end at noon.")
    slack.lost_replies = times
    for _ in range(times + 2):
        try:
            flag.mark(job)
        except Exception as error:  # noqa: BLE001 what a worker would try again
            assert type(error).__name__ == "Retry"
    carried_out(ready)
    assert (len(told(slack, ANA)), len(told(slack, CLEO))) == (1, 1)


def test_who_marked_something_hears_of_it_when_no_try_has_helped(ready: Equipment, slack: FakeSlack) -> None:
    slack.errors["users.conversations"] = "internal_error"
    server = connect(ready.servers.queue_url)
    job = {**sent(4, "Notes of sick leave go by mail."), "view": "Vfailed"}
    enqueue(server, Work(ACT, "workers.flag.mark", "flag/Vfailed", job))
    queue = open_queue(server, ACT)
    scheduled = ScheduledJobRegistry(queue=queue)
    for _ in range(len(PAUSES) + 1):
        assert told(slack, ANA) == []
        SimpleWorker([queue], connection=server, serializer=JSONSerializer).work(burst=True, logging_level="CRITICAL")
        for waiting in scheduled.get_job_ids():
            server.zadd(scheduled.key, {waiting: 1})
        janitor.sweep(queue)
    assert "Sorry, I could not finish" in told(slack, ANA)[0]


class Killed(BaseException):
    """The process ended here."""


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", range(1, 13))
def test_killed_at_any_call_the_next_try_finishes_it_once(
    ready: Equipment, slack: FakeSlack, monkeypatch: pytest.MonkeyPatch, call: int, after: bool
) -> None:
    from slack_sdk import WebClient

    original, calls = WebClient.api_call, [0]

    def counted(self: WebClient, *args: Any, **more: Any) -> Any:
        calls[0] += 1
        this = calls[0]
        if this == call and not after:
            raise Killed
        try:
            return original(self, *args, **more)
        finally:
            if this == call:
                raise Killed

    monkeypatch.setattr(WebClient, "api_call", counted)
    job = {**sent(7, "Nobody works on the last day of the year."), "view": f"Vkill{call}{after}"}
    try:
        flag.mark(job)
    except Killed:
        flag.mark(job)
    else:
        assert call > calls[0]
    carried_out(ready)
    assert (len(told(slack, ANA)), len(told(slack, CLEO))) == (1, 1)
    with ready.space() as space:
        assert decisions(space)[ts_of(7)].statement == "Nobody works on the last day of the year."


def test_not_a_decision_takes_it_away_and_taking_that_back_brings_it_again(ready: Equipment, slack: FakeSlack) -> None:
    with ready.space() as space:
        before = decisions(space)[ts_of(3)]
    job = sent(3, form="flag_no_decision")
    flag.mark(job)
    carried_out(ready)
    with ready.space() as space:
        assert ts_of(3) not in decisions(space)
    assert "decided nothing" in told(slack, ANA)[0]
    flag.clicked({"flag": name_of(job), "user": BEN, "action": "flag_undo"})
    with ready.space() as space:
        assert find_flag(space.reader, name_of(job)).undone_at is None  # type: ignore[union-attr]
    for _ in range(2):
        flag.clicked({"flag": name_of(job), "user": ANA, "action": "flag_undo"})
    carried_out(ready)
    with ready.space() as space:
        assert decisions(space)[ts_of(3)] == before
        kept = find_flag(space.reader, name_of(job))
        assert kept and (kept.by_name, kept.undone_by) == ("Ana Ruiz", ANA)
    assert told(slack, ANA) == [json.dumps([{"type": "section", "text": text(texts.FLAG_UNDONE)}])]


def test_taking_a_rule_back_tells_the_owner_and_leaves_no_words(ready: Equipment, slack: FakeSlack) -> None:
    job = sent(8, "Annual leave of new colleagues begins after the first month.")
    flag.mark(job)
    flag.clicked({"flag": name_of(job), "user": ANA, "action": "flag_undo"})
    carried_out(ready)
    [owner] = told(slack, CLEO)
    assert "Ana Ruiz took this back" in owner and "first month" not in owner
    with ready.space() as space:
        assert ts_of(8) not in decisions(space)


@pytest.mark.parametrize(("action", "words"), [("flag_done", "done"), ("flag_not_needed", "not needed")])
def test_the_owner_says_what_became_of_the_draft(ready: Equipment, slack: FakeSlack, action: str, words: str) -> None:
    job = {**sent(4, "Notes of sick leave go to the people team by mail."), "view": f"V{action}"}
    flag.mark(job)
    flag.clicked({"flag": name_of(job), "user": CLEO, "action": action})
    [owner] = told(slack, CLEO)
    assert words in owner and "button" not in owner
    assert "flag_undo" in told(slack, ANA)[0]


def test_an_owner_who_may_not_open_the_place_learns_only_who_marked_something(
    ready: Equipment, slack: FakeSlack
) -> None:
    slack.channels[LEADS]["members"] = [ANA, DAN]
    job = sent(1, "Annual leave of directors is 40 days.", channel=LEADS)
    flag.mark(job)
    carried_out(ready)
    [blind] = slack.by_us(f"D{CLEO}")
    said = "Ana Ruiz marked a rule in a place that you can't open. If it concerns you, ask them."
    assert blind["blocks"] == [{"type": "section", "text": text(said)}] and blind["text"] == said
    assert texts.FLAG_OWNER_BLIND.format(owners="@cleo") in told(slack, ANA)[0]
    with ready.space() as space:
        row = decisions(space, LEADS)[ts_of(1)]
        assert (row.audience, row.statement) == ("channel:G01LEADS", job["statement"])


@pytest.mark.parametrize(
    ("user", "channel", "reason"),
    [
        ("U9GUEST", RULES, texts.FLAG_OUTSIDER),
        ("U7STRANGER", RULES, texts.FLAG_OUTSIDER),
        (BEN, LEADS, texts.FLAG_OUTSIDE),
        (ANA, "D0ANA", texts.FLAG_DIRECT),
        (ANA, "G9GROUP", texts.FLAG_OUTSIDE),
        (ANA, LIVE, texts.FLAG_OFF),
        (ANA, "C03GONE", texts.FLAG_GONE),
        (ANA, "C04OURS", texts.FLAG_OURS),
        (ANA, "C05PICTURE", texts.FLAG_WORDLESS),
    ],
)
@pytest.mark.parametrize("form", ["flag_rule", "flag_no_decision"])
def test_only_members_mark_and_only_where_we_may(
    ready: Equipment, slack: FakeSlack, user: str, channel: str, reason: str, form: str
) -> None:
    slack.users["U7STRANGER"] = {"team_id": "T99OTHER"}
    slack.channels |= {name: {"members": [ANA]} for name in ("C03GONE", "C04OURS", "C05PICTURE")}
    slack.said("C04OURS", BOT, "An answer of ours.", ts_of(1))
    slack.said("C05PICTURE", BEN, "", ts_of(1))
    with ready.space() as space:
        set_mode(space.graph, LIVE, Mode.OFF, ANA, datetime.now(UTC))
        before = len(standing_flags(space.reader))
    for _ in range(2):
        flag.mark(sent(1, "Anything goes.", form, user=user, channel=channel))
    [refused] = told(slack, user)
    assert reason in refused
    shown = form_of(ready, slack, {"form": form, "picked": picked(1, user, channel)})
    assert [one["text"]["text"] for one in shown["blocks"]] == [reason]
    with ready.space() as space:
        assert len(standing_flags(space.reader)) == before
        set_mode(space.graph, LIVE, Mode.ANSWER, ANA, datetime.now(UTC))


def test_where_nothing_is_recorded_one_message_is_kept_and_let_go_again(ready: Equipment, slack: FakeSlack) -> None:
    other = slack.said(LIVE, BEN, "Something that nobody marked.", ts="1719000000.000100")
    ts = slack.said(LIVE, BEN, "Sick leave of apprentices counts from the first day on.", ts="1719000060.000100")
    shown = form_of(ready, slack, {"form": "flag_rule", "picked": picked(0, channel=LIVE, ts=ts)})
    assert texts.RULE_UNRECORDED in json.dumps(shown)
    job = sent(0, "Sick leave of apprentices counts from the first day.", channel=LIVE, ts=ts)
    flag.mark(job)
    carried_out(ready)
    with ready.space() as space:
        row = decisions(space, LIVE)[ts]
        assert (row.quote, row.statement, row.place_name) == (
            *("Sick leave of apprentices counts from the first day on.", job["statement"], "live"),
        )
        assert said_at(space.reader, LIVE, micros_of(other)) is None
    slack.messages[LIVE][-1] |= {
        "text": "Sick leave of apprentices counts at once.",
        "edited": {"ts": "1719000100.000000"},
    }
    event = {"type": "message", "subtype": "message_changed", "channel": LIVE, "channel_type": "channel"}
    after = {"type": "message", "user": BEN, "ts": ts, "edited": {"ts": "1719000100.000000"}}
    edit = change_of({**event, "message": after, "event_ts": "1719000100.000100"}, BOT)
    assert isinstance(edit, Written)
    hear.heard(asdict(replace(edit, body={})))
    carried_out(ready)
    with ready.space() as space:
        assert decisions(space, LIVE)[ts].quote == "Sick leave of apprentices counts at once."
    flag.clicked({"flag": name_of(job), "user": ANA, "action": "flag_undo"})
    carried_out(ready)
    with ready.space() as space:
        assert decisions(space, LIVE) == {}
        assert said_at(space.reader, LIVE, micros_of(ts)) is None
    assert texts.FLAG_UNDONE_KEPT in told(slack, ANA)[0]
    flag.mark({**job, "view": "Vagain"})
    assert texts.FLAG_GONE in told(slack, ANA)[1]


@pytest.mark.parametrize(
    ("error", "ts"),
    [("not_in_channel", "1720000001.000100"), ("missing_scope", "1720000002.000100"), ("odd", "1720000003.000100")],
)
def test_a_mark_outlives_that_slack_will_not_show_its_message(
    ready: Equipment, slack: FakeSlack, error: str, ts: str
) -> None:
    slack.said(LIVE, BEN, "Sick leave of guides counts from the first day on.", ts=ts)
    job = sent(0, "Sick leave of guides counts at once.", channel=LIVE, ts=ts)
    flag.mark(job)
    slack.errors["conversations.history"] = error
    carried_out(ready)
    with ready.space() as space:
        assert find_flag(space.reader, name_of(job)).statement == job["statement"]  # type: ignore[union-attr]
    assert job["statement"] in told(slack, ANA)[0]
    flag.clicked({"flag": name_of(job), "user": ANA, "action": "flag_undo"})
    carried_out(ready)


def heard(ready: Equipment, **more: Any) -> None:
    """Something is written, edited or deleted in a channel that records."""
    event = {"type": "message", "channel": "C06HEARD", "channel_type": "channel", **more}
    change = change_of(event, BOT)
    assert change is not None
    hear.heard(asdict(change))
    carried_out(ready)


def test_where_all_is_recorded_a_mark_follows_an_edit_and_goes_with_the_message(
    ready: Equipment, slack: FakeSlack
) -> None:
    slack.channels["C06HEARD"] = {"name": "heard", "members": [ANA, BEN, CLEO]}
    with ready.space() as space:
        set_mode(space.graph, "C06HEARD", Mode.RECORD, ANA, datetime.now(UTC))
    ts = "1721000000.000100"
    said = {"type": "message", "user": BEN, "text": "Interns get sick leave of 10 days.", "ts": ts}
    heard(ready, **said, event_ts=ts)
    job = sent(0, "Interns have 10 days of sick leave.", channel="C06HEARD", ts=ts)
    flag.mark(job)
    carried_out(ready)
    with ready.space() as space:
        assert decisions(space, "C06HEARD")[ts].quote == "Interns get sick leave of 10 days."
    later = {**said, "text": "Interns get sick leave of 12 days.", "edited": {"user": BEN, "ts": "1721000500.000000"}}
    edit = {"subtype": "message_changed", "message": later, "previous_message": said, "event_ts": "1721000500.000100"}
    heard(ready, **edit)
    with ready.space() as space:
        row = decisions(space, "C06HEARD")[ts]
        assert (row.quote, row.statement) == ("Interns get sick leave of 12 days.", job["statement"])
    gone = {"subtype": "message_deleted", "deleted_ts": ts, "previous_message": later, "event_ts": "1721000900.000100"}
    heard(ready, **gone)
    with ready.space() as space:
        assert decisions(space, "C06HEARD") == {}
        assert find_flag(space.reader, name_of(job)).statement == ""  # type: ignore[union-attr]
    assert texts.FLAG_WITHDRAWN in told(slack, CLEO)[0] and "Interns" not in told(slack, ANA)[0]


def test_nobody_is_told_of_what_the_handbook_has_already(ready: Equipment, slack: FakeSlack) -> None:
    with ready.space() as space:
        [shown] = [one for ts, one in decisions(space).items() if ts == ts_of(360)]
        assert shown.links
    flag.mark(sent(360, "The trial threshold for MQLs is 31 points."))
    assert texts.FLAG_WRITTEN in told(slack, ANA)[0]


def test_owners_are_found_by_handle_and_by_e_mail(ready: Equipment, slack: FakeSlack) -> None:
    slack.users["U05NEW"] = {"profile": {"email": "new@acme.example"}}
    with ready.space() as space:
        job = Marking(ready, ready.desk(), space, Picked(**picked(1)))
        found = [slack_user(job, name) for name in ("@cleo", "dan@acme.example", "new@acme.example", "@acme/people")]
    assert found == [CLEO, DAN, "U05NEW", None]


def test_forgetting_the_message_takes_it_out_of_the_mark_and_our_messages(ready: Equipment, slack: FakeSlack) -> None:
    job = {**sent(5, "Parents come back half time for six weeks."), "view": "Vforget"}
    flag.mark(job)
    carried_out(ready)
    with ready.space() as space:
        name = f"slack:{TEAM}/{RULES}/{ts_of(5)}"
        forget(space, ready.desk(), [name], settings=ready.settings)
        kept = find_flag(space.reader, name_of(job))
        assert kept and (kept.statement, kept.by_name) == ("", "Ana Ruiz")
        assert find_post(space.reader, f"flag/{name_of(job)}") is not None
    assert "six weeks" not in "".join(told(slack, ANA) + told(slack, CLEO))
    assert texts.FLAG_WITHDRAWN in told(slack, CLEO)[0]


def test_the_form_offers_what_was_found_and_the_nearest_sections(ready: Equipment, slack: FakeSlack) -> None:
    filled = form_of(ready, slack, {"form": "flag_rule", "picked": picked(3), "opened": 9e12})
    fields = {
        str(one.get("block_id")).partition(".")[0]: one["element"] for one in filled["blocks"] if "element" in one
    }
    assert "once a year" in fields["statement"]["initial_value"]
    assert fields["decider"]["initial_user"] == CLEO
    other = {"form": "flag_rule", "picked": picked(3), "find": "sick leave", "turn": ".2"}
    again = form_of(ready, slack, other)
    fields = {one.get("block_id"): one["element"] for one in again["blocks"] if "element" in one}
    assert "statement.2" in fields
    [chosen] = [one for name, one in fields.items() if str(name).startswith("section.")]
    assert chosen["initial_option"]["text"]["text"] == "Time off › Sick leave"
    assert chosen["options"][-1]["value"] == "none"


def test_a_form_that_was_changed_or_closed_meanwhile_stays(ready: Equipment, slack: FakeSlack) -> None:
    opened = slack.views_open({"view": {"title": {"text": "x"}, "private_metadata": "", "blocks": []}})["view"]
    job = {"form": "flag_rule", "picked": picked(3), "opened": 0.0, "find": None, "turn": ""}
    forms.fill({**job, "view": opened["id"], "hash": "older"})
    forms.fill({**job, "view": "Vclosed", "hash": "h1"})
    assert slack.views[opened["id"]]["blocks"] == []


def test_who_decided_this_tells_decider_words_and_trail_to_who_may_know(ready: Equipment, slack: FakeSlack) -> None:
    shown = json.dumps(form_of(ready, slack, {"form": "who_decided", "picked": picked(3)}), ensure_ascii=False)
    assert "Cleo Marsh decided it" in shown and "#rules" in shown and "once a year" in shown
    nothing = json.dumps(form_of(ready, slack, {"form": "who_decided", "picked": picked(2)}))
    assert texts.WHO_NONE in nothing and "flag_from_who" in nothing
    flag.mark({**sent(2, "Directors take no sick leave.", channel=LEADS), "view": "Vwho"})
    carried_out(ready)
    inside = form_of(ready, slack, {"form": "who_decided", "picked": picked(2, ANA, LEADS)})
    for words in ("Ana Ruiz marked it as a rule: “Directors take no sick leave”.", "Cleo Marsh decided it on"):
        assert words in json.dumps(inside, ensure_ascii=False)
    for outsider in (BEN, "U9GUEST"):
        outside = json.dumps(form_of(ready, slack, {"form": "who_decided", "picked": picked(2, outsider, LEADS)}))
        assert "sick leave" not in outside and "Marsh" not in outside


def test_the_home_lists_what_is_open_where_the_viewer_is(ready: Equipment, slack: FakeSlack) -> None:
    flag.mark({**sent(1, "Annual leave of directors is 40 days.", channel=LEADS), "view": "Vhome"})
    carried_out(ready)
    homes = {}
    for user in (ANA, BEN, "U9GUEST"):
        act.home({"user": user})
        homes[user] = json.dumps(slack.made("views.publish")[-1]["view"], ensure_ascii=False)
    assert "40 days" in homes[ANA] and "marked by Ana Ruiz" in homes[ANA] and "flag_undo_home" in homes[ANA]
    assert "once a year" in homes[ANA] and "once a year" in homes[BEN]
    assert "40 days" not in homes[BEN] and "flag_undo_home" not in homes[BEN]
    assert texts.HOME_RULES not in homes["U9GUEST"] and "once a year" not in homes["U9GUEST"]
    slack.channels[LEADS]["members"] = [CLEO]
    connect(ready.servers.queue_url).flushall()
    act.home({"user": ANA})
    assert "40 days" not in json.dumps(slack.made("views.publish")[-1]["view"])
