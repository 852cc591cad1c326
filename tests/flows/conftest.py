"""A home with the demonstration's handbook in it, shared by the tests of whole processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.settings import Settings
from tests.chaos.slack import fill
from tests.flows.office import Office, opened


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
