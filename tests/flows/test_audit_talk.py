"""`brain audit` on all that people say: whole homes pass, and whatever a source says that the graph lacks fails."""

import json
from pathlib import Path

import pytest

from assistant.evals.audit.run import Places, audited
from assistant.graph.space import Space
from assistant.graph.store import Query
from assistant.settings import Settings
from tests.connectors import test_discussions as forges
from tests.connectors import test_teams_transcript as teams
from workers.forgetting import forget
from workers.reconcile import reconcile
from workers.talk import ingest_discussions, ingest_minutes, ingest_slack_export, ingest_teams, ingest_zoom

SHARED = Path(__file__).parents[3] / "shared/data"
DROP = Query("test_audit_talk.drop", "MATCH (u:Utterance {id: $id}) DELETE u")
SAID = Query(
    "test_audit_talk.spoken",
    "MATCH (u:Utterance) RETURN u.id AS id, u.speaker AS speaker ORDER BY id",
    scans="a test looks at all",
)
RENAME = Query("test_audit_talk.rename", "MATCH (p:Person {id: $id}) SET p.keys = p.keys + ['boss']")


def failures(space: Space) -> list[str]:
    return [line for found in audited(space.reader, Places()) for line in found.failures]


def told(space: Space) -> dict[str, int]:
    return {found.check: found.total for found in audited(space.reader, Places())}


@pytest.fixture
def meeting(space: Space, tmp_path: Path) -> Space:
    """One Teams meeting: voices, two in one cue, metadata, a cue before the start."""
    folder = tmp_path / "teams/trial"
    folder.mkdir(parents=True)
    more = (
        "-0:0:1.0 --> 0:0:0.5\n<v Grace>Hello</v>\n\n"
        "0:0:4.0 --> 0:0:5.0\n<v Ada Byron>And</v> <v Grace>now?</v>\n\n"
        '0:0:6.0 --> 0:0:7.0\n{"startDateTime":"2026-03-02T14:30:09.25+00:00","speakerName":"Ada Byron",\n'
        '"spokenText":"We take 25."}\n'
    )
    (folder / "content.vtt").write_text(teams.VOICES + "\n" + more)
    (folder / "meeting.json").write_text(json.dumps(teams.MEETING))
    ingest_teams(space, tmp_path / "teams")
    reconcile(space, days=14)
    return space


@pytest.fixture
def discussed(space: Space, tmp_path: Path) -> Space:
    """Issues and requests of all three, in every shape that the connectors' tests know."""
    github = [[forges.ISSUE], [forges.COMMENT], [{**forges.GH, "url": f"{forges.WEB}/issues/9"}], forges.EVENT]
    folder = forges.written(tmp_path, *github, [forges.MERGE_REQUEST], forges.JIRA)
    ingest_discussions(space, [folder])
    reconcile(space, days=14)
    return space


def test_a_teams_meeting_passes(meeting: Space) -> None:
    assert failures(meeting) == []
    assert told(meeting)["utterances"] == 1 + 5
    assert told(meeting)["rooms"] == 1


def test_discussions_pass(discussed: Space) -> None:
    assert failures(discussed) == []
    assert told(discussed)["utterances"] == 4 + 8


@pytest.mark.parametrize(
    ("gone", "named"),
    [
        ("github:acme/handbook#7/5", "github:acme/handbook#7/5: the graph lacks this remark"),
        ("gitlab:acme/rules/handbook!7/3", "gitlab:acme/rules/handbook!7/3: the graph lacks this remark"),
        ("jira:HB-7/5", "jira:HB-7/5: the graph lacks this remark"),
    ],
)
def test_a_lost_remark_is_missed(discussed: Space, gone: str, named: str) -> None:
    discussed.graph.write(DROP, id=gone)
    assert named in failures(discussed)


def test_a_lost_turn_is_missed(meeting: Space) -> None:
    meeting.graph.write(DROP, id="teams:meetings/trial/1")
    assert any("a cue that no utterance holds" in line for line in failures(meeting))


def test_who_is_let_into_a_room_is_checked(meeting: Space) -> None:
    meeting.graph.write(RENAME, id="ada@acme.example")
    assert any("may be called by other names" in line for line in failures(meeting))


def test_what_only_some_may_see_in_jira_must_not_be_there(discussed: Space) -> None:
    said = Query("test_audit_talk.said", "MATCH (u:Utterance) RETURN u.text AS text")
    assert "psst" not in {row["text"] for row in discussed.reader.rows(said)}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
def test_real_samples_pass(space: Space) -> None:
    samples = SHARED / "samples"
    ingest_teams(space, samples / "teams-graph")
    ingest_discussions(space, [samples / "github-webhooks", samples / "gitlab-webhooks"])
    ingest_zoom(space, samples / "zoom-ethereum-pm")
    ingest_slack_export(space, samples / "slack-export-viewer")
    reconcile(space, days=14)
    assert failures(space) == []
    assert told(space)["utterances"] > 400


def test_minutes_of_which_a_turn_is_lost_fail(space: Space, tmp_path: Path) -> None:
    text = "# March 2, 2026\n\nAda Byron (AB), Grace Hopper (GH)\n\n## Trains\n\nAB: Second class?\n\nGH: Yes.\n"
    (tmp_path / "minutes.md").write_text(text)
    ingest_minutes(space, [tmp_path / "minutes.md"])
    assert failures(space) == []
    space.graph.write(DROP, id="minutes:minutes.md#5/9")
    assert any(line.startswith("minutes:minutes.md:9: the graph lacks this turn") for line in failures(space))


def test_a_lost_message_is_missed_but_a_deleted_one_is_not(space: Space, tmp_path: Path) -> None:
    def put(name: str, content: object) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content))

    put("users.json", [{"id": "U1", "real_name": "Ada Byron", "profile": {"email": "ada@acme.example"}}])
    put("channels.json", [{"id": "C1", "name": "rules"}])
    said = [{"type": "message", "user": "U1", "ts": f"160000{n}000.000000", "text": f"word {n}"} for n in range(3)]
    joined = {**said[2], "subtype": "channel_join", "ts": "1600004000.000000"}
    put("rules/2020-09-13.json", [*said, joined, {"type": "message", "subtype": "tombstone", "ts": said[2]["ts"]}])
    ingest_slack_export(space, tmp_path)
    assert failures(space) == []
    messages = Query("test_audit_talk.ids", "MATCH (u:Utterance) RETURN u.id AS id")
    for row in space.reader.rows(messages):
        if row["id"].endswith("/1600001000.000000"):
            space.graph.write(DROP, id=row["id"])
    assert any(line.startswith("slack:C1/1600001000.000000: the graph lacks") for line in failures(space))


PEOPLE = """
- name: Raj Patel
  email: raj@acme.example
  github: raj.patel
  initials: RP
- {name: Nina Holt, email: nina@acme.example, github: [nina.holt], slack_id: U2}
"""


@pytest.fixture
def talked(space: Space, tmp_path: Path) -> Space:
    """A meeting with a chat, minutes and two channels, with a file that settles who is who."""
    people, zoom, notes = tmp_path / "people.yaml", tmp_path / "zoom/weekly-2026-03-02", tmp_path / "notes"
    people.write_text(PEOPLE)
    zoom.mkdir(parents=True)
    notes.mkdir()
    cues = ("Raj Patel: We take 25.", "Nina Holt: Fine by me, then.", "Raj Patel: I will write it down.")
    stamps = (f"00:00:0{n}.000 --> 00:00:0{n + 1}.000\n{said}\n" for n, said in enumerate(cues, 1))
    (zoom / "transcript.vtt").write_text("WEBVTT\n\n" + "\n".join(stamps))
    (zoom / "chat.txt").write_text("00:00:03\t Raj Patel:\tThe page says 20.\n")
    (zoom / "meeting.json").write_text(json.dumps({"topic": "Weekly", "start_time": "2026-03-02T09:00:00Z"}))
    (notes / "march.md").write_text("# March\n\n## Hotels\n\nRP: Hotels cost more now.\n\nNH: Then we pay more.\n")
    ingest_zoom(space, tmp_path / "zoom", audience="public", people=people)
    ingest_minutes(space, [notes], people=people)
    reconcile(space, days=14)
    return space


def test_talk_with_a_file_that_settles_who_is_who_passes(talked: Space) -> None:
    assert failures(talked) == []


@pytest.mark.parametrize("whose", ["Raj Patel", "Nina Holt", ""], ids=["one of them", "another", "everybody"])
def test_what_was_forgotten_is_not_missed(talked: Space, settings: Settings, whose: str) -> None:
    said = [row["id"] for row in talked.reader.rows(SAID) if whose in ("", row["speaker"])]
    assert said
    forget(talked, None, said, settings=settings)
    assert failures(talked) == []
