"""`/why forget`: told only of places one can open, forgotten everywhere; others' words only by admins."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.access import audiences_for
from assistant.chat import texts
from assistant.chat.render.forms import note_view
from assistant.graph.answers import Given, record_feedback, save_answer
from assistant.graph.dump import canonical_dump
from assistant.graph.flags import Flag, FlagKind, save_flag
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space
from assistant.graph.writing.forget import trail
from assistant.model.answers import Answer, Status
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.conversations import Speaker, Utterance
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.fakes.graphs import drop
from tests.fakes.slack_server import BOT, TEAM, TOKEN, FakeSlack, running
from tests.fakes.traces import jobs_with
from workers import equipment as at_work
from workers import forget_asked
from workers.deciding import known_decisions
from workers.equipment import Equipment
from workers.queue import ACT, Work, connect, enqueue, job_id
from workers.reconcile import reconcile_as_set
from workers.talk import ingest_minutes, ingest_slack_export, ingest_zoom
from workers.whose import Words, words_by

LENA, PRIYA, GUEST = "U0LENA", "U0PRIYA", "U5GUEST"
PEOPLE = {LENA: "Lena Brandt", PRIYA: "Priya Nair"}


@dataclass
class Desk:
    """A worker's equipment and what it is connected to."""

    ready: Equipment
    space: Space
    slack: FakeSlack

    def dump(self) -> str:
        """All that the graph holds."""
        return "\n".join(canonical_dump(self.space.reader))

    def look(self, user: str, target: str = "") -> dict[str, Any]:
        """The form as it is filled in."""
        view = self.slack.views_open({"view": note_view(texts.FORGET_TITLE, texts.FORGET_LOOKING)})["view"]
        payload = {"user": user, "target": target, "view": view["id"], "hash": view["hash"]}
        forget_asked.look(payload)
        return dict(self.slack.views[view["id"]])

    def sure(self, user: str, target: str = "", view: str = "V9") -> list[str]:
        """The form is sent; what the person is told in the direct conversation."""
        forget_asked.sure({"user": user, "target": target, "view": view, "at": "1.000001"})
        return [one["text"] for one in self.slack.by_us(f"D{user}")]


def export(folder: Path) -> Path:
    """Lena spoke in a public channel, in a private one, and in one that she has left; Priya in the public one."""
    rooms = {"rules": "C1", "hiring": "G1", "merger": "G2"}
    users = [
        {"id": i, "team_id": TEAM, "name": n.split()[0].lower(), "real_name": n, "profile": {"email": f"{i}@a.example"}}
        for i, n in PEOPLE.items()
    ]
    (folder / "users.json").write_text(json.dumps(users))
    (folder / "channels.json").write_text(json.dumps([{"id": "C1", "name": "rules"}]))
    private = [{"id": rooms[name], "name": name, "members": [*PEOPLE]} for name in ("hiring", "merger")]
    (folder / "groups.json").write_text(json.dumps(private))
    for number, name in enumerate(rooms):
        said = [(LENA, f"lenaword in {name}"), (PRIYA, f"priyaword in {name}")]
        day = [
            {"type": "message", "user": user, "ts": f"{1_782_810_000 + number}.{n:06}", "text": text}
            for n, (user, text) in enumerate(said)
        ]
        (folder / name).mkdir()
        (folder / name / "2026-06-30.json").write_text(json.dumps(day))
    return folder


@pytest.fixture
def desk(
    servers: Servers, shared_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    def person(email: str, **more: Any) -> dict[str, Any]:
        return {"profile": {"email": email}, "is_email_confirmed": True, **more}

    people = {
        LENA: person("U0LENA@a.example"),
        PRIYA: person("boss@a.example"),
        GUEST: person("guest@a.example", is_restricted=True),
        "U6FAKE": {"profile": {"email": "boss@a.example"}},
    }
    rooms = {"C1": {"members": [LENA, PRIYA]}, "G1": {"members": [LENA, PRIYA]}, "G2": {"members": [PRIYA]}}
    with running(FakeSlack(users=people, channels=rooms)) as slack:
        given = {"slack_bot_token": TOKEN, "slack_api_url": slack.url, "admins": ("Boss@a.example",)}
        settings = shared_settings.model_copy(update=given)
        ready = Equipment(settings, servers, Identity(BOT, TEAM), None)
        monkeypatch.setattr(at_work, "_ready", [ready])
        connect(servers.queue_url).flushall()
        with ready.space() as space:
            ingest_slack_export(space, export(tmp_path))
            yield Desk(ready, space, slack)
            drop(space.graph)


def test_one_is_told_only_of_places_one_can_open_and_forgotten_everywhere(desk: Desk) -> None:
    shown = json.dumps(desk.look(LENA), ensure_ascii=False)
    assert "rules: 1 message" in shown
    assert "hiring: 1 message" in shown
    assert "merger" not in shown
    assert "lenaword" not in shown
    assert desk.sure(LENA) == [texts.FORGET_DONE]
    assert "lenaword" not in desk.dump()
    assert all(f"priyaword in {place}" in desk.dump() for place in ("rules", "hiring", "merger"))
    assert [(row.by, row.about, row.count) for row in trail(desk.space.reader)] == [(LENA, "own words", 3)]


def test_a_second_time_there_is_nothing_left_and_nothing_breaks(desk: Desk) -> None:
    desk.sure(LENA)
    assert texts.FORGET_NOTHING in json.dumps(desk.look(LENA), ensure_ascii=False)
    assert desk.sure(LENA) == [texts.FORGET_DONE], "the same form, tried again, tells once"
    assert len(trail(desk.space.reader)) == 1


@pytest.mark.parametrize(
    "target", ["<@U0PRIYA|priya>", "<mailto:u0priya@a.example|x>", "slack:rules/1782810000.000000"]
)
def test_only_admins_with_a_confirmed_address_forget_what_others_said(desk: Desk, target: str) -> None:
    before = desk.dump()
    for user in (LENA, GUEST, "U6FAKE"):
        assert texts.FORGET_ADMINS_ONLY in json.dumps(desk.look(user, target))
        assert desk.sure(user, target) == []
    assert desk.dump() == before
    shown = json.dumps(desk.look(PRIYA, target), ensure_ascii=False)
    assert texts.FORGET_ADMIN_SURE in shown
    [told] = desk.sure(PRIYA, target)
    assert told.startswith("Done: ")
    assert "priyaword in rules" not in desk.dump()


def test_a_link_to_a_message_means_its_conversation(desk: Desk) -> None:
    desk.sure(PRIYA, "<https://acme.slack.com/archives/C1/p1782810000000001>")
    assert "in rules" not in desk.dump()
    assert "lenaword in hiring" in desk.dump()


def test_a_name_that_nobody_has_is_none(desk: Desk) -> None:
    assert "I know no conversation" in json.dumps(desk.look(PRIYA, "slack:nowhere/1.1"))
    assert "I know no conversation" in json.dumps(desk.look(PRIYA, "nobody@a.example"))


def test_a_guest_is_shown_no_places(desk: Desk) -> None:
    desk.slack.users[LENA]["is_restricted"] = True
    shown = json.dumps(desk.look(LENA), ensure_ascii=False)
    assert "hiring" not in shown
    assert texts.FORGET_ELSEWHERE in shown


def test_what_one_marked_by_hand_goes_with_the_decision_made_of_it(desk: Desk) -> None:
    said = Utterance(f"slack:{TEAM}/C1/1782810000.000001", Speaker("Priya Nair", None), 1_782_810_000_000_001, "")
    flag = Flag(
        "f1",
        FlagKind.RULE,
        "C1/1782810000.000001",
        said.id,
        said.at,
        "Quaggas are billed monthly.",
        None,
        "",
        None,
        LENA,
        "Lena Brandt",
        1,
        "public",
    )
    save_flag(desk.space.graph, flag)
    reconcile_as_set(desk.space, desk.ready.settings)
    server = connect(desk.ready.servers.queue_url)
    picked = {"channel": "C1", "ts": "1782810000.000001", "user": LENA}
    payload = {"picked": picked, "statement": flag.statement}
    enqueue(server, Work(ACT, "workers.flag.mark", "flag/V1", payload))
    server.hset(f"rq:job:{job_id('flag/V1')}", "status", "finished")
    assert jobs_with("quagga", desk.ready.servers)
    assert [one.statement for one in known_decisions(desk.space, None)] == ["Quaggas are billed monthly."]
    assert "marked by hand" in json.dumps(desk.look(LENA), ensure_ascii=False)
    desk.sure(LENA)
    assert "quagga" not in desk.dump().casefold()
    assert jobs_with("quagga", desk.ready.servers) == []
    assert known_decisions(desk.space, None) == []
    assert "priyaword in rules" in desk.dump()


@pytest.mark.parametrize("private", [True, False])
def test_whoever_takes_a_name_has_none_of_the_words_said_under_it(desk: Desk, tmp_path: Path, private: bool) -> None:
    """Neither those of meetings nor those of minutes; whom the meeting knows by that address has theirs."""
    folder = tmp_path / "zoom" / "board"
    folder.mkdir(parents=True)
    (folder / "transcript.vtt").write_text("WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nPat Chair: patword, so decided.\n")
    there = [{"name": "Pat Chair", "user_email": "pat@b.example"}]
    (folder / "meeting.json").write_text(
        json.dumps({"topic": "Board", "start_time": "2026-03-02T12:00:00Z", "participants": there})
    )
    ingest_zoom(desk.space, folder.parent, audience=None if private else "public")
    minutes = tmp_path / "2026-03-03.md"
    minutes.write_text("# Minutes\n\n## Budget\n\nPat Chair: minuteword is 70.\n")
    ingest_minutes(desk.space, [minutes])
    users = json.loads((tmp_path / "users.json").read_text())
    users.append({"id": "U7MAL", "name": "mal", "real_name": "Pat Chair", "profile": {"email": "mal@a.example"}})
    (tmp_path / "users.json").write_text(json.dumps(users))
    day = {"type": "message", "user": "U7MAL", "ts": "1782820000.000001", "text": "malword"}
    (tmp_path / "rules" / "2026-07-01.json").write_text(json.dumps([day]))
    ingest_slack_export(desk.space, tmp_path)
    own = words_by(desk.space, "U7MAL", TEAM).utterances
    assert [one.rpartition("/")[2] for one in own] == ["1782820000.000001"]
    own = words_by(desk.space, "pat@b.example").utterances
    assert own == (("zoom:board/0",) if private else ())


def test_what_one_typed_to_judge_an_answer_goes_and_the_judgement_stays(desk: Desk) -> None:
    """Whoever asked, and although one has said nothing else; what others typed stays."""
    answer = Answer(answer_id="a1", status=Status.REFUSED, text="I found nothing.", trace_id="a1", seconds=0.1)
    save_answer(desk.space.graph, Given(answer, "who knows?", datetime.now(UTC), "public", PRIYA, (), {}))
    record_feedback(desk.space.graph, "a1", "U8NEW", False, "The wibblenook is wrong, as anybody knows.")
    record_feedback(desk.space.graph, "a1", PRIYA, False, "Not what I asked.")
    server, job = (
        connect(desk.ready.servers.queue_url),
        {"user": "U8NEW", "why": "The wibblenook is wrong, as anybody knows."},
    )
    enqueue(server, Work(ACT, "workers.act.feedback", "feedback/V1", job))
    server.hset(f"rq:job:{job_id('feedback/V1')}", "status", "failed")
    desk.slack.users["U8NEW"] = {"profile": {"email": "new@a.example"}, "is_email_confirmed": True}
    assert "judged, in your words: 1 answer" in json.dumps(desk.look("U8NEW"), ensure_ascii=False)
    assert desk.sure("U8NEW") == [texts.FORGET_DONE]
    assert "wibblenook" not in desk.dump() and "Not what I asked." in desk.dump()
    assert jobs_with("wibblenook", desk.ready.servers) == []
    assert desk.dump().count('[["Feedback"]') == 2, "that it was judged bad is nobody's words"
    assert words_by(desk.space, "U8NEW", TEAM) == Words("U8NEW")


@pytest.mark.parametrize(("address", "shown"), [("u0lena@a.example", True), ("other@a.example", False)])
def test_of_a_meeting_is_told_who_took_part_in_it(desk: Desk, tmp_path: Path, address: str, shown: bool) -> None:
    """Who may open what is ruled in one place, for answers and for this form."""
    folder = tmp_path / "zoom" / "board"
    folder.mkdir(parents=True)
    (folder / "transcript.vtt").write_text("WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nLena Brandt: so decided.\n")
    there = [{"name": "Lena Brandt", "user_email": address}]
    (folder / "meeting.json").write_text(
        json.dumps({"topic": "Board", "start_time": "2026-03-02T12:00:00Z", "participants": there})
    )
    ingest_zoom(desk.space, folder.parent)
    told = json.dumps(desk.look(LENA), ensure_ascii=False)
    assert ("Board: 1 message" in told) == shown
    assert "rules: 1 message" in told and "merger" not in told
    met = audiences_for(Viewer(LENA), Place(PlaceKind.DM), desk.ready.desk().directory)
    assert ("channel:zoom:board" in met) == shown
