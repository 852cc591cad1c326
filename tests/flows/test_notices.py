"""From a commit that breaks an answer to the owner's message, the mark, the new answer, and what the owner says."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from assistant.chat import journeys, texts
from assistant.graph.answers import withdraw
from assistant.graph.notices import events_of, notices_of
from assistant.graph.servers.embedded import Servers
from assistant.graph.store import Query
from assistant.graph.writing.live import write_room
from assistant.model.surfaces import Inquiry, Way
from tests.fakes.handbook import page
from tests.fakes.slack_server import FakeSlack, running
from tests.flows.noticing import ANA, BEN, CLEO, DAN, LEADS, PAY, QUESTION, RULES, URL, Scene, company, workspace
from workers import notify, rooms
from workers.forgetting import forget
from workers.queue import ACT, connect, open_queue

WORDS = Query(
    "test_notices.words",
    "MATCH (n) WHERE n:Notice OR n:Answer OR n:Question "
    "RETURN n.claim AS a, n.claims AS b, n.old_quote AS c, n.text AS d, n.question AS e, n.body AS f, n.trace AS g",
    scans="all of them",
)


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running(workspace()) as server:
        yield server


@pytest.fixture
def scene(tmp_path: Path, servers: Servers, slack: FakeSlack) -> Iterator[Scene]:
    with company(tmp_path, servers, slack) as made:
        yield made


def test_the_owner_is_told_the_answer_marked_and_asked_again(scene: Scene) -> None:
    ts = scene.ask()
    sha = scene.change(PAY.format(400))
    scene.tell()
    assert len(scene.told()) == 1
    says = scene.says()
    assert "An answer is out of date" in says and f"<@{ANA}> asked in <#{RULES}>" in says and QUESTION in says
    assert "~350~" in says and "*400*" in says
    assert f"<{URL}/commit/{sha}|{sha[:7]}> by Dan Field" in says and f"<{URL}/pull/7|#7>" in says
    old, new = scene.slack.by_us(RULES)
    assert old["thread_ts"] == new["thread_ts"] == ts
    assert "Out of date" in json.dumps(old["blocks"][0]) and "asked again below" in json.dumps(old["blocks"][0])
    assert "350" in json.dumps(old["blocks"][1:]) and "400" in json.dumps(new["blocks"])
    assert new["blocks"][0]["text"]["text"].startswith(f"<@{ANA}>, <{URL}")
    [first, second] = scene.standing()
    assert first.refreshed_by == second.answer and second.invalidated_by is None
    before = (scene.says(), scene.posts())
    for _ in range(2):
        scene.tell()
    assert (scene.says(), scene.posts()) == before


def test_one_commit_that_breaks_many_answers_makes_a_notice_of_each_and_one_message(scene: Scene) -> None:
    for _ in range(8):
        scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    [message] = scene.told()
    assert len(scene.values()) == 5 and "and 3 more" in scene.says()
    assert message["text"] == "8 answers may need a look"
    assert len(scene.slack.by_us(RULES)) == 16


def test_what_comes_within_a_while_folds_into_the_message_and_later_begins_another(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.book.commit({"tea.md": page("Tea: Tea is served at 16 hours."), "soap.md": page("Soap: Soap is of 3 sorts.")})
    scene.book.ingest()
    for text in (QUESTION, "When is tea served?", "Of how many sorts is soap?"):
        scene.ask(text=text)
    scene.change(PAY.format(400))
    scene.tell()
    scene.change("Tea: Tea is served at 17 hours.", "tea.md")
    scene.tell()
    [message] = scene.told()
    assert len(scene.values()) == 2 and message["updates"] >= 2
    monkeypatch.setattr("workers.notify.WINDOW", timedelta(0))
    scene.change("Soap: Soap is of 4 sorts.", "soap.md")
    scene.tell()
    assert len(scene.told()) == 2 and len(scene.values()) == 3


def test_words_of_a_place_that_the_owner_may_not_open_stay_there(scene: Scene) -> None:
    for user in (ANA, DAN):
        scene.ask(user, LEADS, f"Please: {QUESTION}")
    scene.ask(BEN, f"D{BEN}", f"Please: {QUESTION}")
    scene.change(PAY.format(400))
    scene.tell()
    says = scene.says()
    assert "Asked by 3 people in private." in says and "~350~" in says
    for word in ("Please", QUESTION, LEADS, ANA, BEN, DAN, "Answered:"):
        assert word not in says
    assert len(scene.values()) == 1
    assert len(scene.posts(LEADS)) == 4 and len(scene.posts(f"D{BEN}")) == 2
    scene.click("right")
    assert [row.invalidated_by for row in scene.standing()] == [None] * 6


def test_when_a_channel_is_closed_what_was_asked_there_is_taken_out(scene: Scene) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    assert QUESTION in scene.says()
    scene.slack.channels[RULES]["is_private"] = True
    rooms.room({"channel": RULES, "private": True, "left": None})
    [job] = open_queue(connect(scene.ready.servers.queue_url), ACT).jobs
    notify.notify(*job.args)
    assert QUESTION not in scene.says() and ANA not in scene.says() and "Asked by 1 person in private" in scene.says()


@pytest.mark.parametrize("known", [True, False])
def test_however_a_channel_is_written_as_private_what_was_asked_there_is_taken_out(scene: Scene, known: bool) -> None:
    if known:
        write_room(scene.space.graph, RULES, "rules", private=False)
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    assert QUESTION in scene.says() and ANA in scene.says()
    scene.slack.channels[RULES]["is_private"] = True
    scene.ready.desk().directory.cache.drop(("*",))
    write_room(scene.space.graph, RULES, "rules", private=True)
    scene.tell()
    assert QUESTION not in scene.says() and ANA not in scene.says() and "Asked by 1 person in private" in scene.says()


def test_who_joins_the_place_sees_what_was_asked(scene: Scene) -> None:
    scene.slack.channels[LEADS]["members"].append(CLEO)
    scene.ask(DAN, LEADS)
    scene.ask(CLEO, f"D{CLEO}")
    scene.change(PAY.format(400))
    scene.tell()
    assert scene.says().count(f"> {QUESTION}") >= 2 and f"<@{DAN}> asked in <#{LEADS}>" in scene.says()
    assert f"<@{CLEO}> asked in our direct messages" in scene.says()


def test_a_page_that_the_owner_may_not_read_shows_no_words(tmp_path: Path, servers: Servers, slack: FakeSlack) -> None:
    with company(tmp_path, servers, slack) as scene:
        scene.book.ingest(audience=f"channel:{LEADS}")
        scene.ask(ANA, LEADS)
        scene.change(PAY.format(400))
        scene.tell()
        says = scene.says()
        assert "that you can't open here" in says
        for word in ("350", "400", "pay.md", "Dan Field", QUESTION):
            assert word not in says


def test_where_the_asker_may_no_longer_read_nothing_is_posted(scene: Scene) -> None:
    scene.ask(DAN, LEADS)
    scene.slack.channels[LEADS]["members"].remove(DAN)
    connect(scene.ready.servers.queue_url).flushall()
    scene.change(PAY.format(400))
    scene.tell()
    [post] = scene.posts(LEADS)
    assert "Out of date" in post and "below" not in post
    assert len(scene.told()) == 1


def test_still_right_takes_the_mark_away_and_holds_until_the_words_change_again(scene: Scene) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    scene.tell()
    [name] = scene.values()
    for _ in range(2):
        scene.click("right", value=name)
    assert "Out of date" not in scene.posts()[0] and "350" in scene.posts()[0]
    assert "Still right, says <@U03CLEO>" in scene.says() and scene.values() == []
    [first, _] = scene.standing()
    assert (first.invalidated_by, first.doubted_by) == (None, None)
    [notice] = notices_of(scene.space.reader, first.answer)
    assert events_of(scene.space.reader, notice.id) == [("still right", CLEO, 1_800_000_000_000_000)]
    scene.change(f"{PAY.format(400)} It is paid monthly.")
    assert scene.standing()[0].invalidated_by is None
    scene.change(PAY.format(450))
    assert scene.standing()[0].invalidated_by is not None


def test_a_doubt_is_asked_again_only_when_an_owner_wants_it(scene: Scene) -> None:
    scene.ask()
    scene.change(f"{PAY.format(350)} This does not apply to interns.")
    scene.tell()
    assert "This may have changed an answer" in scene.says() and "*This does not apply to interns.*" in scene.says()
    [post] = scene.posts()
    assert "May be out of date" in post and "below" not in post
    [name] = scene.values()
    for _ in range(2):
        scene.click("refresh", value=name)
    old, new = scene.posts()
    assert "asked again below" in old and "350" in new
    assert "Asked again for <@U03CLEO>" in scene.says()
    assert [row.refreshed_by is None for row in scene.standing()] == [False, True]
    scene.change(f"{PAY.format(400)} This does not apply to interns.")
    scene.tell()
    assert [row.invalidated_by is None for row in scene.standing()] == [True, False, True]
    assert len(scene.values()) == 1 and len(scene.posts()) == 3


def test_a_follow_up_is_asked_again_with_what_came_before_it(scene: Scene) -> None:
    scene.change("Tea: Tea is served at 16 hours.", "tea.md")
    root = scene.ask(text="When is tea served?")
    scene.ask(text="Is it still so?", thread=root)
    scene.change("Tea: Tea is served at 17 hours.", "tea.md")
    scene.tell()
    assert "Tea is served at 17 hours" in scene.posts()[-1]


def test_forgetting_an_answer_takes_its_words_out_of_the_notice(scene: Scene) -> None:
    scene.ask(text=f"Please: {QUESTION}")
    scene.ask(BEN)
    scene.change(PAY.format(400))
    scene.tell()
    assert "Please" in scene.says() and len(scene.values()) == 2
    answer = next(row.answer for row in scene.standing() if "Please" in row.question)
    forget(scene.space, scene.ready.desk(), (), answers=[answer], settings=scene.ready.settings)
    assert "Please" not in scene.says()
    rows = scene.space.reader.rows(WORDS)
    assert "Please" not in json.dumps(rows), rows
    scene.tell()
    assert "Please" not in scene.says() and f"<@{BEN}> asked" in scene.says() and len(scene.values()) == 1
    assert len(scene.told()) == 1


def test_a_forgotten_question_is_forgotten_where_it_was_asked_again(scene: Scene) -> None:
    scene.ask(text=f"Please: {QUESTION}")
    scene.change(PAY.format(400))
    scene.tell()
    first, second = scene.standing()
    assert "Please" in second.question and "400" in scene.posts()[1]
    scene.change(PAY.format(450))
    scene.tell()
    assert len(scene.posts()) == 3
    forget(scene.space, scene.ready.desk(), (), answers=[first.answer], settings=scene.ready.settings)
    assert scene.standing() == []
    assert "Please" not in json.dumps(scene.space.reader.rows(WORDS))
    assert "400" not in scene.posts()[1] and "450" not in scene.posts()[2]
    scene.tell()
    assert "Please" not in scene.says() and scene.values() == []


def test_what_is_withdrawn_before_it_is_told_is_not_told(scene: Scene) -> None:
    scene.ask()
    scene.change(PAY.format(400))
    withdraw(scene.space.graph, [scene.standing()[0].answer])
    scene.tell()
    assert scene.told() == [] and len(scene.posts()) == 1


def test_what_stood_over_an_answer_stands_there_under_the_mark_too(scene: Scene) -> None:
    shared = Inquiry(
        way=Way.SHARE, key=f"share/{RULES}/1.1", revision="1", user=ANA, text=QUESTION, channel=RULES, ts="1.1"
    )
    journeys.answer(shared, scene.ready.desk())
    first = scene.slack.by_us(RULES)[0]
    assert "thread_ts" not in first and texts.SHARED_BY in json.dumps(first)
    scene.change(PAY.format(400))
    scene.tell()
    again = scene.slack.by_us(RULES)[1]
    assert again["thread_ts"] == first["ts"] and texts.SHARED_BY in json.dumps(first)
    assert "Out of date" in json.dumps(first["blocks"][0])
    scene.change(PAY.format(450))
    scene.tell()
    first, again, last = scene.slack.by_us(RULES)
    assert "Out of date" in json.dumps(again["blocks"][0]) and "rests on. Asked again" in json.dumps(again["blocks"][1])
    assert "450" in json.dumps(last) and last["thread_ts"] == first["ts"]
    assert len(scene.values()) == 2
