"""Google documents as a handbook: every revision a version, through the chain that git's commits go through."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.agent.links import Links
from assistant.errors import Fatal, Skip, UserFacing
from assistant.graph.dump import canonical_dump
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import list_sources
from assistant.model.answers import AskedQuestion, Status
from assistant.model.audiences import Place, Viewer
from assistant.model.revisions import Revision
from assistant.settings import Settings
from connectors.base import Connector
from connectors.drive.documents import DriveFolder, connected
from tests.connectors.conformance import ConnectorConformance, Grow
from tests.fakes import drive as at_google
from tests.fakes.drive import ROOT, FakeDrive
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers.cli.pull import documents
from workers.pages import page_history
from workers.pull import rounds
from workers.pull.drive import AT_ONCE, ingest_drive

DOC, OTHER = "1DocOfTheTrial", "1DocOfLeave"


class Notes(dict[str, str]):
    def put(self, name: str, value: str, seconds: int) -> None:
        self[name] = value


@pytest.fixture
def drive() -> Iterator[FakeDrive]:
    with at_google.running(FakeDrive()) as made:
        yield made


@pytest.fixture
def desk(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drive: FakeDrive) -> Iterator[Desk]:
    with pulling.desk(servers, tmp_path, monkeypatch, **drive.settings()) as made:
        yield made


def folder(fake: FakeDrive, **given: str) -> DriveFolder:
    made = connected(Settings(**{**fake.settings(), **given}), Notes(), ROOT)
    assert made
    return made


class TestDrive(ConnectorConformance):
    @pytest.fixture
    def connect(self, drive: FakeDrive) -> Callable[[], Connector[Revision]]:
        drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\n10 seats.\n")
        drive.writes(OTHER, "2026-03-02T10:00:00.000Z", "# Leave\n\n30 days.\n", parent=drive.folder("People"))
        drive.writes(DOC, "2026-03-02T11:00:00.000Z", "# Trial\n\n25 seats.\n", "grace")
        drive.writes(DOC, "2026-03-02T12:00:00.000Z", "# Trial\n\n31 seats.\n")
        return lambda: folder(drive)

    @pytest.fixture
    def grow(self, drive: FakeDrive) -> Grow:
        return lambda: drive.writes(OTHER, "2026-03-03T09:00:00.000Z", "# Leave\n\n28 days.\n") and None


def versions(desk: Desk, file: str, heading: str) -> list[tuple[str, str]]:
    """What a section said, one after the other, and how it changed."""
    rows = sorted(page_history(desk.space, f"{file}.md", heading), key=lambda row: row.valid_from)
    return [(row.text.strip().rpartition("\n")[2], row.change.value) for row in rows]


def test_each_revision_is_a_version_with_its_time_and_its_writer(desk: Desk, drive: FakeDrive) -> None:
    first = drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\nA trial needs 10 seats.\n\n## Who\n\nAda.\n")
    second = drive.writes(
        DOC, "2026-04-02T09:00:00.000Z", "# Trial\n\nA trial needs 25 seats.\n\n## Who\n\nAda.\n", "grace"
    )
    for _ in range(2):
        rounds.round_of({"source": f"drive {ROOT}"})
        history = page_history(desk.space, f"{DOC}.md", "Trial")
        assert [(row.commit, row.valid_from) for row in history] == [
            (f"{first}@{DOC}", int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()) * 1_000_000),
            (f"{second}@{DOC}", int(datetime(2026, 4, 2, 9, tzinfo=UTC).timestamp()) * 1_000_000),
        ]
        assert [row.change.value for row in history] == ["added", "modified"]
        assert len(page_history(desk.space, f"{DOC}.md", "Who")) == 1
    [source] = list_sources(desk.space.reader)
    assert (source.kind, source.path, source.root) == ("drive", "Rules", ROOT)


def asked(desk: Desk, text: str, as_of: str | None = None) -> tuple[Status, str, list[str | None]]:
    question = AskedQuestion(id="q", text=text, as_of=datetime.fromisoformat(as_of) if as_of else None)
    answer = ask(question, Viewer(), Place(), desk.space, None, NOBODY)
    return answer.status, answer.text, [one.url for one in answer.citations]


def test_a_question_is_answered_from_the_version_of_its_day_with_a_link(desk: Desk, drive: FakeDrive) -> None:
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial threshold\n\nA trial needs 10 active seats.\n")
    drive.writes(DOC, "2026-04-02T09:00:00.000Z", "# Trial threshold\n\nA trial needs 25 active seats.\n")
    ingest_drive(desk.space, folder(drive))
    status, text, urls = asked(desk, "What is the trial threshold?")
    assert status is Status.ANSWERED
    assert "25" in text
    assert f"https://docs.google.com/document/d/{DOC}/edit" in urls
    assert "10" in asked(desk, "What was the trial threshold on 10 March 2026?")[1]


def test_what_google_merges_is_read_on_and_nothing_is_taken_back(desk: Desk, drive: FakeDrive) -> None:
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\n10 seats.\n")
    drive.writes(DOC, "2026-03-03T09:00:00.000Z", "# Trial\n\n25 seats.\n")
    ingest_drive(desk.space, folder(drive))
    drive.merges(DOC, "2026-03-04T09:00:00.000Z", "# Trial\n\n31 seats.\n")
    del drive.revisions[DOC][0]
    ingest_drive(desk.space, folder(drive))
    assert versions(desk, DOC, "Trial") == [
        ("10 seats.", "added"),
        ("25 seats.", "modified"),
        ("31 seats.", "modified"),
    ]


def test_a_document_that_leaves_the_folder_ends_and_begins_again_when_it_is_back(desk: Desk, drive: FakeDrive) -> None:
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\n10 seats.\n")
    drive.writes(OTHER, "2026-03-02T10:00:00.000Z", "# Leave\n\n30 days.\n", name="Leave")
    ingest_drive(desk.space, folder(drive))
    for turn in (1, 2):
        drive.files[DOC]["trashed"] = True
        for _ in range(2):
            ingest_drive(desk.space, folder(drive))
        assert [change for _, change in versions(desk, DOC, "Trial")] == ["added", "removed"] * turn
        drive.files[DOC]["trashed"] = False
        for _ in range(2):
            ingest_drive(desk.space, folder(drive))
        assert [change for _, change in versions(desk, DOC, "Trial")] == ["added", "removed"] * turn + ["added"]
    assert versions(desk, OTHER, "Leave") == [("30 days.", "added")]


def test_a_document_that_comes_in_late_counts_from_then_on_as_it_is(desk: Desk, drive: FakeDrive) -> None:
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\n10 seats.\n")
    drive.writes(OTHER, "2025-01-01T10:00:00.000Z", "# Leave\n\n20 days.\n", parent="elsewhere")
    drive.writes(OTHER, "2025-02-01T10:00:00.000Z", "# Leave\n\n30 days.\n")
    ingest_drive(desk.space, folder(drive))
    drive.files[OTHER]["parents"] = [ROOT]
    ingest_drive(desk.space, folder(drive))
    assert versions(desk, OTHER, "Leave") == [("30 days.", "added")]
    [row] = page_history(desk.space, f"{OTHER}.md", "Leave")
    assert row.valid_from > int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()) * 1_000_000


def test_in_one_run_or_in_many_the_graph_is_the_same(desk: Desk, drive: FakeDrive) -> None:
    edits = [(DOC, 2, "10"), (OTHER, 3, "20"), (DOC, 4, "25"), (OTHER, 5, "30"), (DOC, 6, "31")]
    whole = FakeDrive(url=drive.url)
    for file, day, number in edits:
        drive.writes(file, f"2026-03-{day:02d}T09:00:00.000Z", f"# Rule\n\nIt is {number}.\n")
        ingest_drive(desk.space, folder(drive))
    in_many = list(canonical_dump(desk.space.reader))
    assert whole.files == {}
    from assistant.graph.space import open_space
    from tests.fakes.graphs import drop

    other = open_space(desk.settings, "whole", desk.servers)
    ingest_drive(other, folder(drive))
    in_one = list(canonical_dump(other.reader))
    drop(other.graph)
    other.close()
    assert in_one == in_many


def test_a_long_past_is_read_in_turns(desk: Desk, drive: FakeDrive) -> None:
    drive.page = 100
    for n in range(AT_ONCE + 5):
        drive.writes(DOC, f"2026-03-02T09:{n:02d}:00.000Z", f"# Trial\n\n{n} seats.\n")
    rounds.round_of({"source": f"drive {ROOT}"})
    assert len(versions(desk, DOC, "Trial")) == AT_ONCE
    desk.work()
    assert len(versions(desk, DOC, "Trial")) == AT_ONCE + 5


def test_what_is_still_written_on_is_waited_for(drive: FakeDrive) -> None:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\n10 seats.\n")
    drive.writes(DOC, now, "# Trial\n\n25 se")
    assert [record.cursor for record in folder(drive).pull(None)] == [f"1@{DOC}"]


def test_pictures_and_names_do_no_harm(drive: FakeDrive) -> None:
    picture = "[image1]: <data:image/png;base64," + "A" * 5000 + ">"
    drive.writes(
        DOC, "2026-03-02T09:00:00.000Z", f"# Trial\n\n![][image1]\n\n10 seats.\n\n{picture}\n", name='A "b": é'
    )
    [record] = folder(drive).pull(None)
    [page] = record.value.pages
    assert page.text == '---\ntitle: "A \\"b\\": é"\n---\n\n# Trial\n\n![][image1]\n\n10 seats.\n'


def test_who_may_not_see_revisions_is_told_what_it_takes(drive: FakeDrive) -> None:
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n")
    drive.refused = True
    with pytest.raises(Fatal, match="may edit the folder"):
        list(folder(drive).pull(None))
    drive.refused = False
    drive.revisions[DOC][0]["exportLinks"] = {"text/markdown": "https://evil.example/export"}
    with pytest.raises(Fatal, match="does not lie at Google"):
        list(folder(drive).pull(None))
    with pytest.raises(Skip, match="no id of a folder"):
        connected(Settings(**drive.settings()), Notes(), "x' in parents or '")
    assert connected(Settings(), Notes(), ROOT) is None


def test_the_command_reads_it_and_says_what_is_missing(desk: Desk, drive: FakeDrive) -> None:
    drive.writes(DOC, "2026-03-02T09:00:00.000Z", "# Trial\n\n10 seats.\n")
    assert documents(desk.space, desk.settings) == 1
    assert documents(desk.space, desk.settings) == 0
    for missing, given in (("DRIVE_FOLDERS", {}), ("GOOGLE_CLIENT_ID", {"drive_folders": (ROOT,)})):
        with pytest.raises(UserFacing, match=missing):
            documents(desk.space, Settings(home=desk.settings.home, **given))


def test_links_lead_to_the_document() -> None:
    links = Links({"d": f"https://drive.google.com/drive/folders/{ROOT}"})
    assert links.section("d", f"8@{DOC}", f"{DOC}.md", "trial") == f"https://docs.google.com/document/d/{DOC}/edit"
    assert links.commit("d", f"8@{DOC}") == f"https://docs.google.com/document/d/{DOC}/edit"
    assert links.merge_request("d", "7") is None
    assert replace(links) == links
