"""Fixtures shared by all tests: a clean environment, no network beyond this machine, a real Space to work in."""

import itertools
import sys
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.settings import Settings, load_settings
from tests.fakes.graphs import drop


class NetworkBlockedError(AssertionError):
    """A test tried to reach beyond this machine."""


def stay_on_this_machine(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: connections only to loopback and unix sockets, names only of this machine."""
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if isinstance(host, str) and host and not is_local(host):
        raise NetworkBlockedError(f"{event} {host}")


def is_local(host: str) -> bool:
    """Whether a name or address is this machine."""
    try:
        return ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


sys.addaudithook(stay_on_this_machine)

# How long an example takes, by the clock, tells how busy the machine is, not whether the code is right.
hypothesis_settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("shared")

ENGINE = load_settings().falkordb_module
"""The FalkorDB that tests run on: BRAIN_FALKORDB_MODULE keeps newer ones honest; None is the bundled one."""


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine reaches a test, but for the ENGINE."""
    for field in Settings.model_fields.values():
        for name in getattr(field.validation_alias, "choices", ()):
            monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def shared_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of the one home that all tests of a run share; each test has a graph of its own in it."""
    folder = tmp_path_factory.mktemp("shared")
    return Settings(home=folder / "home", cache=folder / "cache", falkordb_module=ENGINE)


@pytest.fixture(scope="session")
def servers(shared_settings: Settings) -> Iterator[Servers]:
    """One pair of embedded servers a test run."""
    running = embedded.ensure(shared_settings, idle=3600.0)  # longer than the tests between two that use them
    yield running
    embedded.stop(running)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a home of the test's own, in which nothing runs yet."""
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache", falkordb_module=ENGINE)


_numbers = itertools.count(1)


@pytest.fixture
def space(shared_settings: Settings, servers: Servers) -> Iterator[Space]:
    """A real, empty Space, ready for use."""
    opened = open_space(shared_settings, name=f"test-{next(_numbers)}", servers=servers)
    yield opened
    drop(opened.graph)
    opened.close()
