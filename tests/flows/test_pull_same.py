"""What comes in live and what is imported later from files give the same graph."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.graph.dump import canonical_dump
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from connectors.zoom.cloud import connected
from tests.fakes import github as at_github
from tests.fakes import gitlab as at_gitlab
from tests.fakes import zoom as at_zoom
from tests.fakes.github import REPOSITORY, FakeGitHub
from tests.fakes.gitlab import PROJECT, FakeGitLab
from tests.fakes.graphs import drop
from tests.fakes.zoom import FakeZoom
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers.cache import RedisCache
from workers.pull import forges
from workers.pull import zoom as pull
from workers.reconcile import reconcile_as_set
from workers.talk import ingest_discussions, ingest_zoom


def told(space: Space) -> list[str]:
    """The graph, but for where files were read from and which run wrote what."""
    lines = canonical_dump(space.reader, {"revision", "hash", "valid_from", "cursor"})
    return [line for line in lines if '"Origin"' not in line and '"Migration"' not in line]


@contextmanager
def imported(desk: Desk) -> Iterator[Space]:
    """Another Space, for the files."""
    space = open_space(desk.settings, "imported", desk.servers)
    try:
        yield space
    finally:
        drop(space.graph)
        space.close()


def test_github(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        at_github.running(FakeGitHub()) as github,
        pulling.desk(servers, tmp_path / "home", monkeypatch, **github.settings()) as desk,
        imported(desk) as space,
    ):
        number = github.opens("Trial", "Is it 10 or 25 seats?", pull=True)
        said = [github.comments_on(number, "25 it is."), github.reviews_of(number, "Agreed.")]
        said.append(github.remarks_on(number, "Here."))
        forges.discussed({"forge": "github", "repository": REPOSITORY, "kind": "pulls", "number": number})
        for one in said:
            one.setdefault("pull_request_url", f"{github.url}/repos/{REPOSITORY}/pulls/{number}")
        (tmp_path / "export.json").write_text(json.dumps([github.issues[number], *said]))
        ingest_discussions(space, [tmp_path / "export.json"])
        reconcile_as_set(space, desk.settings)
        assert told(desk.space) == told(space)
        assert len(told(space)) > 8


def test_gitlab(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        at_gitlab.running(FakeGitLab()) as gitlab,
        pulling.desk(servers, tmp_path / "home", monkeypatch, **gitlab.settings()) as desk,
        imported(desk) as space,
    ):
        number = gitlab.opens("issues", "Trial", "Is it 10 or 25 seats?")
        gitlab.says("issues", number, "25 it is.")
        forges.poll("gitlab", PROJECT)
        exported = {**gitlab.things["issues", number], "notes": gitlab.notes["issues", number]}
        (tmp_path / "issues.ndjson").write_text(json.dumps(exported))
        ingest_discussions(space, [tmp_path / "issues.ndjson"])
        reconcile_as_set(space, desk.settings)
        assert told(desk.space) == told(space)


def test_zoom(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        at_zoom.running(FakeZoom()) as zoom,
        pulling.desk(servers, tmp_path / "home", monkeypatch, **zoom.settings()) as desk,
        imported(desk) as space,
    ):
        meeting = zoom.records("m1==")
        pull.take_in(desk.space, meeting)
        made = connected(desk.settings, RedisCache(desk.queue)).meeting(meeting)
        folder = tmp_path / "recordings" / made.id
        folder.mkdir(parents=True)
        (folder / "meeting.json").write_text(made.about)
        for name, text in made.files:
            (folder / name).write_text(text)
        ingest_zoom(space, folder.parent)
        assert told(desk.space) == told(space)
