"""The commands that take conversations in, as people and scripts run them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.graph.servers import embedded
from assistant.settings import Settings
from tests.flows.brain import Brain
from workers.demo.company import BEFORE, write_handbook

AT = 1_772_409_600
"""2026-03-02, midnight UTC."""


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    yield Brain(tmp_path / "home", tmp_path / "cache")
    embedded.stop(embedded.ensure(Settings(home=tmp_path / "home", cache=tmp_path / "cache")))


def put(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def message(minute: int, text: str, user: str) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": f"{AT + 60 * minute}.000100"}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    root = tmp_path / "export"
    people = [{"id": "U1", "team_id": "T1", "name": "ada", "real_name": "Ada Byron"}, {"id": "U2", "name": "grace"}]
    put(root / "users.json", people)
    put(root / "channels.json", [{"id": "C1", "name": "rules"}])
    put(
        root / "rules/2026-03-02.json", [message(1, "ten?", "U1"), message(2, "no, 25", "U2"), message(300, "hi", "U1")]
    )
    return root


def test_an_export_comes_in_once_and_says_what_it_did(brain: Brain, export: Path) -> None:
    first = brain("ingest", "slack-export", export, "--json")
    assert first.status == 0, first.err
    [row] = first.rows
    assert (row["kind"], row["conversations"], row["utterances"], row["changed"]) == ("slack-export", 2, 3, 2)
    again = brain("ingest", "slack-export", export)
    assert again.status == 0
    assert "0 new or changed" in again.err
    assert again.out == ""


def test_recordings_minutes_discussions_and_teams(brain: Brain, tmp_path: Path) -> None:
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nAda Byron: 25 it is\n"
    put(tmp_path / "zoom/sync-2026-03-02/transcript.vtt", vtt)
    put(tmp_path / "teams/sync/a.vtt", vtt.replace("Ada Byron: 25 it is", "<v Ada Byron>25 it is</v>"))
    put(tmp_path / "minutes/2026-03-02.md", "# Sync\n\n## Rule\n\nAB: 25\n")
    issue = {
        "url": "https://github.com/a/b/issues/1",
        "title": "Rule",
        "body": "25",
        "createdAt": "2026-03-02T14:30:00Z",
    }
    put(tmp_path / "issues.json", [{**issue, "author": {"login": "ada"}}])
    for command in (
        ("zoom", tmp_path / "zoom", "--audience", "public"),
        ("teams", tmp_path / "teams", "--audience", "public"),
        ("minutes", tmp_path / "minutes"),
        ("discussions", tmp_path / "issues.json"),
    ):
        said = brain("ingest", *command, "--json")
        assert said.status == 0, said.err
        assert [row["conversations"] for row in said.rows] == [1], command


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("slack-export", "nowhere"), "there is no"),
        (("zoom", "nowhere"), "no folder"),
        (("minutes", "nowhere"), "there is no"),
        (("zoom", ".", "--audience", "everybody"), "no audience"),
    ],
)
def test_bad_input_is_one_line_and_status_1(brain: Brain, command: tuple[str, ...], text: str) -> None:
    said = brain("ingest", *command)
    assert said.status == 1
    assert said.out == ""
    assert text in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_replay_takes_in_what_had_been_said(brain: Brain, export: Path, tmp_path: Path) -> None:
    handbook, script = tmp_path / "handbook.git", tmp_path / "script.jsonl"
    write_handbook(handbook)
    step = {"op": "ingest", "kind": "slack-export", "path": str(export)}
    steps = [{"op": "advance", "commit": BEFORE}, {**step, "until": "2026-03-02T01:00:00Z"}, {**step, "id": "all"}]
    script.write_text("".join(json.dumps(one) + "\n" for one in steps))
    said = brain("replay", script, "--repo", handbook, "--json")
    assert said.status == 0, said.err
    _, first, second = said.rows
    assert (first["op"], first["conversations"], second["id"], second["conversations"]) == ("ingest", 1, "all", 2)
    assert isinstance(first["decisions"], int)
    script.write_text(json.dumps({**step, "kind": "carrier pigeon"}))
    assert "script.jsonl:1" in brain("replay", script, "--repo", handbook, "--json").err
