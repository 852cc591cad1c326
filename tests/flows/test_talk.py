"""From exports and recordings to conversations in a real graph: who may read what, again and again, and who is who."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import UserFacing
from assistant.graph.people import GraphMembers, known_place, load_people
from assistant.graph.reading.conversations import (
    conversation,
    conversation_count,
    conversations_since,
    holding,
    reactions_text,
    utterances,
)
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.model.audiences import Place, PlaceKind, Scope
from assistant.model.conversations import Identity, Speaker
from assistant.model.times import micros
from workers.talk import TalkReport, ingest_minutes, ingest_slack_export, ingest_zoom

NODES = Query(
    "test_talk.nodes",
    "MATCH (n) RETURN labels(n)[0] AS label, count(n) AS total ORDER BY label",
    scans="a test counts all",
)
EDGES = Query("test_talk.edges", "MATCH (a)-[e]->(b) RETURN type(e) AS type, count(e) AS total ORDER BY type")
AUTHOR = Query(
    "test_talk.author", "MERGE (p:Person {id: $id}) SET p.name = $name, p.source = 's', p.audience = 'public'"
)

DAY = 1_772_409_600
"""2026-03-02, midnight UTC."""
SHARED = Path(__file__).parents[3] / "shared/data"
PUBLIC = Scope(("public",))


def at(minutes: float, text: str, user: str = "U1", **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": f"{DAY + minutes * 60:.6f}", **more}


class Slack:
    """An export that can be changed and taken in again."""

    def __init__(self, space: Space, root: Path) -> None:
        self.space, self.root = space, root
        self.put("users.json", [self.user("U1", "Ada Byron"), self.user("U2", "Grace Hopper")])
        self.put("channels.json", [{"id": "C1", "name": "rules"}])
        self.members("U2")

    @staticmethod
    def user(name: str, full: str) -> dict[str, Any]:
        short = full.split()[0].lower()
        profile = {"email": f"{short}@acme.example", "display_name": short}
        return {"id": name, "team_id": "T1", "name": short, "real_name": full, "profile": profile}

    def members(self, *users: str) -> None:
        self.put("groups.json", [{"id": "G1", "name": "leads", "members": list(users)}])

    def put(self, name: str, content: object) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), encoding="utf-8")

    def say(self, *messages: dict[str, Any], channel: str = "rules", day: str = "2026-03-02") -> None:
        self.put(f"{channel}/{day}.json", list(messages))

    def ingest(self, **more: Any) -> TalkReport:
        return ingest_slack_export(self.space, self.root, **more)

    def read(self, first: dict[str, Any], scope: Scope = PUBLIC, channel: str = "rules") -> list[str]:
        found = conversation(self.space.reader, scope, f"slack:{channel}/{first['ts']}")
        return [utterance.text for utterance in found.utterances] if found else []


@pytest.fixture
def slack(space: Space, tmp_path: Path) -> Slack:
    return Slack(space, tmp_path / "export")


def counts(space: Space) -> list[Any]:
    return [space.reader.rows(NODES), space.reader.rows(EDGES)]


def test_what_was_said_reads_as_it_was_written(slack: Slack) -> None:
    root = at(1, "ten?", reactions=[{"name": "eyes", "users": ["U2"]}], thread_ts=at(1, "")["ts"])
    slack.say(root, at(2, "25 it is :+1:", "U2", thread_ts=root["ts"], files=[{"name": "a.pdf"}]))
    report = slack.ingest(workspace="https://acme.slack.com")
    assert (report.conversations, report.utterances, report.changed, report.people) == (1, 2, 1, 2)
    found = conversation(slack.space.reader, PUBLIC, f"slack:T1/C1/{root['ts']}")
    assert found is not None
    assert found.shown_id == f"slack:rules/{root['ts']}"
    first, second = found.utterances
    assert second.speaker == Speaker("Grace Hopper", "grace@acme.example")
    assert (second.reply_to, second.files, second.at) == (
        first.id,
        ("a.pdf",),
        micros(datetime(2026, 3, 2, 0, 2, tzinfo=UTC)),
    )
    assert [(r.name, r.by) for r in first.reactions] == [("eyes", (second.speaker,))]
    assert first.url == f"https://acme.slack.com/archives/C1/p{root['ts'].replace('.', '')}"
    [row] = utterances(slack.space.reader, PUBLIC, [second.id, "nothing"])
    assert (row.conversation, row.utterance) == (found.id, second)
    assert reactions_text(()) is None


def test_doing_it_again_changes_nothing(slack: Slack) -> None:
    slack.say(at(1, "ten"), at(2, "no", "U2"))
    slack.say(at(3, "secret"), channel="leads")
    slack.ingest()
    before = counts(slack.space)
    cursor = max(cursor for cursor, _ in conversations_since(slack.space.reader, 0))
    report = slack.ingest()
    assert (report.changed, report.forgotten) == (0, 0)
    assert counts(slack.space) == before
    assert not list(conversations_since(slack.space.reader, cursor))


def test_changes_come_in_and_only_they_are_told(slack: Slack) -> None:
    slack.say(at(1, "ten"), at(2, "no", "U2"))
    slack.say(at(1, "other"), day="2026-03-03")
    slack.put("rules/2026-03-03.json", [{**at(1, "other"), "ts": f"{DAY + 86_460}.000000"}])
    slack.ingest()
    cursor = max(cursor for cursor, _ in conversations_since(slack.space.reader, 0))
    slack.say(at(1, "twelve", edited={"ts": at(3, "")["ts"]}), at(2, "no", "U2"), at(4, "fine"))
    assert slack.ingest().changed == 1
    assert slack.read(at(1, "")) == ["twelve", "no", "fine"]
    [(_, [changed])] = list(conversations_since(slack.space.reader, cursor))
    assert [utterance.text for utterance in changed.utterances] == ["twelve", "no", "fine"]
    assert changed.utterances[0].edited


def test_a_deleted_message_loses_its_words_everywhere(slack: Slack) -> None:
    slack.say(at(1, "ten"), at(2, "walrus", "U2"), at(3, "fine"))
    slack.ingest()
    gone = f"slack:T1/C1/{at(2, '')['ts']}"
    assert utterances(slack.space.reader, PUBLIC, [gone])
    slack.say(at(1, "ten"), at(2, "This message was deleted.", "USLACKBOT", subtype="tombstone"), at(3, "fine"))
    assert slack.ingest().forgotten == 1
    assert slack.read(at(1, "")) == ["ten", "fine"]
    assert not utterances(slack.space.reader, PUBLIC, [gone])
    assert not holding(slack.space.reader, PUBLIC, "walrus")


def test_a_conversation_of_which_all_was_deleted_is_told_as_empty(slack: Slack) -> None:
    slack.say(at(1, "ten"))
    slack.ingest()
    cursor = max(cursor for cursor, _ in conversations_since(slack.space.reader, 0))
    slack.say()
    slack.ingest()
    [(_, [empty])] = list(conversations_since(slack.space.reader, cursor))
    assert empty.utterances == ()
    assert slack.read(at(1, "")) == []


def test_days_that_an_export_does_not_hold_are_left_alone(slack: Slack) -> None:
    slack.say(at(1, "ten"))
    slack.ingest()
    (slack.root / "rules/2026-03-02.json").unlink()
    slack.put("rules/2026-04-01.json", [])
    assert slack.ingest().forgotten == 0
    assert slack.read(at(1, "")) == ["ten"]


def test_private_words_are_their_members_own(slack: Slack) -> None:
    slack.say(at(1, "walrus budget"), channel="leads")
    slack.ingest()
    reader, members = slack.space.reader, GraphMembers(slack.space.reader)
    inside = Scope(("public", "channel:G1"))
    assert slack.read(at(1, ""), channel="leads") == []
    assert slack.read(at(1, ""), inside, "leads") == ["walrus budget"]
    assert [bool(holding(reader, scope, "walrus")) for scope in (PUBLIC, inside)] == [False, True]
    for user in ("U2", "grace@acme.example", "@grace", "GRACE"):
        assert members.channels_of(user) == {"G1"}
    for user in ("U1", "ada", "nobody", ""):
        assert members.channels_of(user) == frozenset()


def test_a_channel_may_be_called_by_its_name(slack: Slack) -> None:
    slack.put(
        "channels.json", [{"id": "C1", "name": "rules"}, {"id": "C2", "name": "twin"}, {"id": "C3", "name": "twin"}]
    )
    slack.say(at(1, "walrus"), channel="leads")
    slack.ingest()

    def called(name: str) -> str | None:
        return known_place(slack.space.reader, Place(PlaceKind.CHANNEL, channel=name)).channel

    assert [called(name) for name in ("leads", "G1", "twin", "C2", "none")] == ["G1", "G1", "twin", "C2", "none"]
    assert known_place(slack.space.reader, Place()) == Place()


def test_who_leaves_a_room_sees_no_more_of_it(slack: Slack) -> None:
    slack.say(at(1, "walrus"), channel="leads")
    slack.ingest()
    slack.members("U1")
    slack.ingest()
    members = GraphMembers(slack.space.reader)
    assert members.channels_of("U2") == frozenset()
    assert members.channels_of("U1") == {"G1"}
    slack.members("U1", "U2")
    slack.ingest()
    assert members.channels_of("U2") == {"G1"}


def test_a_moment_of_the_past_holds_what_had_been_said(slack: Slack) -> None:
    slack.say(at(1, "ten"), at(2, "twelve"))
    slack.ingest()
    then = Scope(("public",), as_of=micros(datetime(2026, 3, 2, 0, 1, 30, tzinfo=UTC)))
    assert slack.read(at(1, ""), then) == ["ten"]
    assert not holding(slack.space.reader, then, "twelve")


def test_until_takes_in_less_and_later_the_rest(slack: Slack) -> None:
    slack.say(at(1, "ten"), at(2, "twelve"))
    until = datetime(2026, 3, 2, 0, 1, 30, tzinfo=UTC)
    assert slack.ingest(until=until).utterances == 1
    assert slack.read(at(1, "")) == ["ten"]
    slack.ingest()
    assert slack.read(at(1, "")) == ["ten", "twelve"]


def test_a_broken_export_leaves_everything_as_it_was(slack: Slack) -> None:
    slack.say(at(1, "ten"))
    slack.ingest()
    before = counts(slack.space)
    (slack.root / "users.json").write_text("[{")
    with pytest.raises(UserFacing, match="nothing was read"):
        slack.ingest()
    slack.put("users.json", [slack.user("U1", "Ada Byron")])
    (slack.root / "rules/2026-03-02.json").write_text('[{"ts": "17')
    report = slack.ingest()
    assert (report.changed, report.forgotten) == (0, 0)
    assert any("2026-03-02.json" in line for line in report.skipped)
    assert counts(slack.space) == before


def meeting(folder: Path, *lines: str, participants: object = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    cues = [f"00:00:{n:02}.000 --> 00:00:{n:02}.900\n{line}\n" for n, line in enumerate(lines)]
    (folder / "transcript.vtt").write_text("WEBVTT\n\n" + "\n".join(cues))
    about = {"topic": "Sync", "start_time": "2026-03-02T14:30:00Z", "participants": participants}
    (folder / "meeting.json").write_text(json.dumps(about))
    return folder


def test_people_are_one_across_slack_zoom_and_git(slack: Slack, tmp_path: Path) -> None:
    slack.space.graph.write(AUTHOR, id="ada@home.example", name="Ada Byron")
    slack.space.graph.write(AUTHOR, id="7+ghopper@users.noreply.github.com", name="gh")
    file = tmp_path / "people.yaml"
    file.write_text("- name: Grace Hopper\n  email: grace@acme.example\n  github: ghopper\n  initials: GH\n")
    slack.say(at(1, "ten"), at(2, "no", "U2"))
    slack.ingest(people=file)
    people = load_people(slack.space.reader)

    def who(*identity: Any, **more: Any) -> str | None:
        return people.speaker(Identity(*identity, **more)).person

    assert who("git", "Ada Byron", email="ada@home.example") == who("slack", "Ada", "U1") != None  # noqa: E711
    assert who("git", "gh", email="7+ghopper@users.noreply.github.com") == "grace@acme.example"
    assert who("codeowners", "ghopper", handles=("ghopper",)) == "grace@acme.example"
    assert who("zoom", "GRACE  Hopper (Acme)") == "grace@acme.example"
    assert who("zoom", "Grace") is None
    report = ingest_zoom(slack.space, meeting(tmp_path / "z/sync", "Grace Hopper: yes", "gracie: no", "gracie: never"))
    assert report.unsure == ("gracie",)


def test_two_people_of_one_name_are_nobody_by_name(slack: Slack, tmp_path: Path) -> None:
    twin = slack.user("U3", "Ada Byron")
    twin["profile"]["email"] = "ada2@acme.example"
    slack.put("users.json", [slack.user("U1", "Ada Byron"), twin])
    slack.say(at(1, "ten"), at(2, "no", "U3"))
    slack.ingest()
    folder = meeting(tmp_path / "z/sync", "Ada Byron: yes")
    assert ingest_zoom(slack.space, folder, audience="public").unsure == ("Ada Byron",)
    settled = meeting(
        tmp_path / "z/sync", "Ada Byron: yes", participants=[{"name": "Ada Byron", "user_email": "ada2@acme.example"}]
    )
    assert ingest_zoom(slack.space, settled, audience="public").unsure == ()
    found = conversation(slack.space.reader, PUBLIC, "zoom:sync")
    assert found is not None
    assert found.utterances[0].speaker == Speaker("Ada Byron", "ada2@acme.example")


def test_a_meeting_is_its_participants_own_until_told(space: Space, tmp_path: Path) -> None:
    ada = {"name": "Ada Byron", "user_email": "ada@acme.example"}
    folder = meeting(tmp_path / "sync", "Ada Byron: walrus", participants=[ada])
    ingest_zoom(space, folder)
    assert conversation(space.reader, PUBLIC, "zoom:sync") is None
    rooms = GraphMembers(space.reader).channels_of("ada@acme.example")
    assert conversation(space.reader, Scope(tuple(f"channel:{room}" for room in rooms)), "zoom:sync")
    assert ingest_zoom(space, folder, audience="public").changed == 1
    assert conversation(space.reader, PUBLIC, "zoom:sync")
    with pytest.raises(UserFacing, match="no audience"):
        ingest_zoom(space, folder, audience="everybody")


def test_minutes_that_change_replace_themselves(space: Space, tmp_path: Path) -> None:
    file = tmp_path / "2026-03-02.md"
    file.write_text("# Sync\n\n## Rule\n\nAB: ten\n\n### Conclusion\n\n- Ten\n")
    people = tmp_path / "people.json"
    people.write_text(json.dumps({"people": [{"name": "Ada Byron", "email": "Ada@acme.example", "initials": "AB"}]}))
    ingest_minutes(space, [file], people=people)
    found = conversation(space.reader, PUBLIC, "minutes:2026-03-02.md#3")
    assert found is not None
    assert found.conclusion == ("### Conclusion\n\n- Ten",)
    assert found.utterances[0].speaker == Speaker("Ada Byron", "ada@acme.example")
    file.write_text("# Sync\n\nhello\n\n## Rule\n\nAB: ten\n\n### Conclusion\n\n- Twelve\n")
    report = ingest_minutes(space, [file], people=people)
    assert (report.changed, report.forgotten) == (1, 2)
    assert conversation(space.reader, PUBLIC, "minutes:2026-03-02.md#3") is None
    assert len(holding(space.reader, PUBLIC, "ten twelve")) == 2


@pytest.mark.parametrize("content", ["- email: a@b.example", "name: x", "[1, 2]", "people: {", "- {name: ''}"])
def test_a_people_file_that_is_none_says_so(slack: Slack, tmp_path: Path, content: str) -> None:
    slack.say(at(1, "ten"))
    file = tmp_path / "people.yaml"
    file.write_text(content)
    with pytest.raises(UserFacing, match=r"people\.yaml"):
        slack.ingest(people=file)
    assert conversation_count(slack.space.reader) == 0


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
def test_the_real_conversations(space: Space) -> None:
    data = SHARED / "conversations"
    slack = ingest_slack_export(space, data / "slack-export", people=data / "people.json")
    zoom = ingest_zoom(space, data / "zoom", audience="public", people=data / "people.json")
    assert (slack.conversations, zoom.conversations, slack.people, zoom.people) == (176, 38, 26, 26)
    assert zoom.unsure == ()
    assert not slack.skipped + zoom.skipped
    assert GraphMembers(space.reader).channels_of("praghunathan-hb") == {"G01PPLD2X5Z", "G01FNEX7Y3B", "G01MPIM8B2H"}
    found = [one for _, part in conversations_since(space.reader, 0) for one in part]
    assert sum(len(one.utterances) for one in found) == slack.utterances + zoom.utterances == 2817


def test_a_like_name_lets_nobody_into_a_private_room(slack: Slack, tmp_path: Path) -> None:
    bare = slack.user("U2", "Grace Hopper")
    del bare["profile"]["email"]
    slack.put("users.json", [slack.user("U1", "Ada Byron"), bare])
    slack.say(at(1, "walrus"), channel="leads")
    slack.ingest()
    guest = {"name": "Grace Hopper", "user_email": "grace@other.example"}
    ingest_zoom(slack.space, meeting(tmp_path / "z/sync", "Grace Hopper: hi", participants=[guest]))
    slack.ingest()
    members = GraphMembers(slack.space.reader)
    assert members.channels_of("grace@other.example") == {"zoom:sync"}
    assert members.channels_of("U2") == {"G1"}


def test_a_people_file_may_settle_later_who_had_spoken(slack: Slack, tmp_path: Path) -> None:
    meeting(tmp_path / "z/sync", "gh: yes", participants=[{"name": "gh", "user_email": "gh@home.example"}])
    ingest_zoom(slack.space, tmp_path / "z", audience="public")
    slack.say(at(1, "ten", "U2"))
    slack.ingest()
    file = tmp_path / "people.json"
    file.write_text(json.dumps([{"name": "Grace Hopper", "emails": ["grace@acme.example", "gh@home.example"]}]))
    cursor = max(cursor for cursor, _ in conversations_since(slack.space.reader, 0))
    slack.ingest(people=file)
    found = conversation(slack.space.reader, PUBLIC, "zoom:sync")
    assert found is not None
    assert found.utterances[0].speaker == Speaker("Grace Hopper", "grace@acme.example")
    assert [one.id for _, part in conversations_since(slack.space.reader, cursor) for one in part] == ["zoom:sync"]
    assert load_people(slack.space.reader).speaker(Identity("git", "x", email="gh@home.example")).person == (
        "grace@acme.example"
    )


def test_many_addresses_in_git_do_not_make_a_name_unsure(slack: Slack, tmp_path: Path) -> None:
    for address in ("ada@home.example", "ada@old.example", "ada.byron@acme.example"):
        slack.space.graph.write(AUTHOR, id=address, name="Ada Byron")
    slack.say(at(1, "ten"))
    slack.ingest()
    report = ingest_zoom(slack.space, meeting(tmp_path / "z/sync", "Ada Byron: yes"), audience="public")
    assert report.unsure == ()
    people = load_people(slack.space.reader)
    found = {
        people.speaker(Identity("git", "Ada Byron", email=f"ada@{home}.example")).person for home in ("home", "old")
    }
    assert len(found) == 1
