"""`brain audit`: a graph that is right passes whole, and every kind of fault planted in it is found and named."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from assistant.errors import UserFacing
from assistant.evals.audit.checked import Checked
from assistant.evals.audit.run import Places, audited
from assistant.graph.space import Space
from assistant.graph.store import Query
from connectors.git import GitRepository
from tests.fakes.faults import CHANGE, Planter
from tests.fakes.git_history import START, History
from workers.ingest import ingest_git
from workers.reconcile import reconcile
from workers.talk import ingest_minutes, ingest_slack_export, ingest_zoom

LIMIT = (
    "# Travel\n\nBook early.\n\n## Hotels\n\nThe hotel limit is ${0} per night.\n\n## Trains\n\nSecond class only.\n"
)
PEOPLE = {"U1": "Ada Byron", "U2": "Grace Hopper", "U3": "Mary Somerville"}
SOURCE_GONE = Query("test_audit.moved", "MATCH (s:Source) SET s.path = '/nowhere'")


def ts(minutes: float) -> str:
    return f"{START + 60 * minutes:.6f}"


def write_repository(folder: Path) -> Path:
    history = History(folder)
    history.commit(
        {
            "travel.md": LIMIT.format(150),
            "leave.md": "---\ntitle: Leave\n---\n\n# Leave\n\n25 days.\n",
            "CODEOWNERS": "* @ada\n",
        },
        "Start. (#1)",
    )
    history.commit(
        {"leave.md": "# Leave\n\n26 days.\n\nCarry over\n---\n\nFive days.\n"},
        "See more leave\n\nSee merge request acme/hb!2",
    )
    history.commit(
        {"travel.md": LIMIT.format(180)}, "Raise the hotel limit (#3)", author="Grace Hopper <grace@acme.example>"
    )
    history.commit({"travel.md": None, "trips/travel.md": LIMIT.format(180), "CODEOWNERS": "* @grace\n"}, "Move.")
    history.commit(
        {"trips/travel.md": LIMIT.format(180).replace("## Trains\n\nSecond class only.\n", "")}, "No trains (!5)"
    )
    return history.write()


def write_talk(folder: Path) -> None:
    def put(name: str, content: object) -> None:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")

    users = [
        {
            "id": name,
            "team_id": "T1",
            "name": full.split()[0].lower(),
            "real_name": full,
            "profile": {"email": f"{full.split()[0].lower()}@acme.example"},
        }
        for name, full in PEOPLE.items()
    ]
    put("slack/users.json", users)
    put("slack/channels.json", [{"id": "C1", "name": "rules"}])
    put("slack/groups.json", [{"id": "G1", "name": "leads", "members": ["U1", "U2"]}])
    root = ts(70)
    day = "2026-01-01"
    put(
        f"slack/rules/{day}.json",
        [
            {
                "type": "message",
                "user": "U1",
                "ts": root,
                "thread_ts": root,
                "text": "<@U2> hotels over 150 get rejected &amp; people complain",
            },
            {
                "type": "message",
                "user": "U2",
                "ts": ts(75),
                "thread_ts": root,
                "text": "Agreed, we raise the hotel limit from $150 to $180 per night, effective now.",
                "reactions": [{"name": "+1", "users": ["U3"]}],
            },
        ],
    )
    put(f"slack/leads/{day}.json", [{"type": "message", "user": "U1", "ts": ts(80), "text": "Let us keep this here."}])
    put(
        "zoom/weekly/meeting.json",
        {
            "topic": "Weekly",
            "start_time": "2026-01-02T10:00:00Z",
            "participants": [{"id": "z1", "name": "Ada Byron", "user_email": "ada@acme.example"}],
        },
    )
    put(
        "zoom/weekly/transcript.vtt",
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nAda Byron: We carry\n\n"
        "2\n00:00:02.000 --> 00:00:03.000\nAda Byron: five days over.\n\n"
        "3\n00:00:04.000 --> 00:00:05.000\nGrace Hopper: Good.\n",
    )
    put(
        "minutes/2026-03-02.md",
        "# March 2, 2026 Meeting\n\n| Name | Abbreviation |\n| --- | --- |\n| Ada Byron | AB |\n"
        "| Grace Hopper | GH |\n\n## Trains\n\nAB: Second class is slow.\n\nGH: It is cheap, too.\nAnd green.\n\n"
        "### Conclusion\n\n- Trains stay second class.\n",
    )


@pytest.fixture
def filled(space: Space, tmp_path: Path) -> Space:
    repository = GitRepository(write_repository(tmp_path / "handbook.git"), cache=tmp_path / "cache")
    ingest_git(space, repository)
    write_talk(tmp_path)
    ingest_slack_export(space, tmp_path / "slack")
    ingest_zoom(space, tmp_path / "zoom")
    ingest_minutes(space, [tmp_path / "minutes"])
    reconcile(space, days=14)
    return space


def audit(space: Space) -> dict[str, Checked]:
    return {found.check: found for found in audited(space.reader, Places())}


def failures(space: Space) -> list[str]:
    return [line for found in audit(space).values() for line in found.failures]


def test_what_is_right_passes_and_everything_is_counted(filled: Space) -> None:
    found = audit(filled)
    assert [line for one in found.values() for line in one.failures] == []
    totals = {name: one.total for name, one in found.items()}
    assert all(one.passed == one.total for one in found.values())
    assert (totals["commits"], totals["owners"]) == (5, 2)
    assert totals["versions"] == totals["chains"] > 8
    assert totals["changes"] > totals["versions"]
    assert totals["utterances"] > 8
    assert totals["decisions"] >= 1


def test_planted_faults_are_found_and_named(filled: Space) -> None:
    missed = []
    kinds: Counter[str] = Counter()
    for fault in [fault for seed in range(2) for fault in Planter(filled.graph, seed).faults(40)]:
        kinds[fault.kind] += 1
        fault.plant(filled.graph)
        if not fault.named(failures(filled)):
            missed.append((fault.kind, fault.things))
        fault.mend(filled.graph)
    assert missed == []
    assert len(kinds) > 20
    assert failures(filled) == []


def test_a_commit_that_the_graph_lacks_is_a_failure(filled: Space, tmp_path: Path) -> None:
    [commit, *_] = filled.reader.rows(
        Query("test_audit.one", "MATCH (c:Commit) RETURN c.id AS id, c.sha AS sha ORDER BY c.at")
    )
    filled.graph.write(CHANGE, id=commit["id"], label="Commit", values={"sha": "0" * 40})
    told = failures(filled)
    assert any(line.startswith(f"{commit['sha']}: in the graph 0 times") for line in told)
    assert any(line.startswith("0" * 40) for line in told)


def test_sources_that_moved_are_named_or_asked_for(filled: Space, tmp_path: Path) -> None:
    filled.graph.write(SOURCE_GONE)
    with pytest.raises(UserFacing, match="--repo"):
        failures(filled)
    bundle = tmp_path / "moved.bundle"
    subprocess.run(
        ["git", "-C", str(tmp_path / "handbook.git"), "bundle", "create", "-q", str(bundle), "--all"], check=True
    )
    assert [line for one in audited(filled.reader, Places(repositories=(bundle,))) for line in one.failures] == []


def test_words_whose_source_is_gone_fail(filled: Space, tmp_path: Path) -> None:
    (tmp_path / "zoom/weekly/transcript.vtt").unlink()
    assert any(line.startswith("zoom:weekly: its source is not known") for line in failures(filled))
