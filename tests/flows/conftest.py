"""A home with the demonstration's handbook in it, shared by the tests of whole processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from tests.chaos.slack import fill
from tests.fakes.slack_server import FakeSlack, running
from tests.flows import marking
from tests.flows.office import Office, opened
from workers import equipment as at_work
from workers.equipment import Equipment
from workers.queue import connect


@pytest.fixture(scope="module")
def filled_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Its servers end with the module."""
    home = tmp_path_factory.mktemp("filled")
    servers = fill(Settings(home=home, cache=home / "cache"))
    yield home
    embedded.stop(servers)


@pytest.fixture
def office(servers: Servers, tmp_path: Path) -> Iterator[Office]:
    """A desk for answering, see office.py."""
    with opened(servers, tmp_path) as desk:
        yield desk


@pytest.fixture(scope="module")
def marking_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """See marking.py."""
    with marking.filled(tmp_path_factory.mktemp("marking")) as home:
        yield home


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """The Slack of marking.py."""
    with running(marking.workspace()) as server:
        yield server


@pytest.fixture
def ready(marking_home: Path, slack: FakeSlack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Equipment]:
    """A worker's equipment in the company of marking.py, as its children find it; nothing waits in its queues."""
    made = marking.equipped(marking_home, slack)
    monkeypatch.setattr(at_work, "_ready", [made])
    monkeypatch.setattr("workers.pace.Pace.__call__", lambda *_: None)
    connect(made.servers.queue_url).flushall()
    yield made
    connect(made.servers.queue_url).flushall()
