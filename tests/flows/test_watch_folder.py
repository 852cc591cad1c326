"""A folder that recordings are put into: whole ones are taken in, once; growing ones are waited for."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.errors import UserFacing
from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import open_space
from assistant.settings import Settings
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers.pull import rounds
from workers.watch_folder import QUIET, look

WORDS = "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\nAda Lovelace: The trial starts at 25 seats.\n"
ABOUT = {
    "topic": "Growth",
    "start_time": "2026-03-02T14:30:00Z",
    "participants": [{"name": "Ada Lovelace", "user_email": "ada@acme.example"}],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "zoom").mkdir()
    return tmp_path / "zoom"


@pytest.fixture
def desk(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path) -> Iterator[Desk]:
    with pulling.desk(servers, tmp_path / "home", monkeypatch, watch=root) as made:
        yield made


def put(root: Path, name: str = "2026-03-02 Growth", words: str = WORDS) -> Path:
    folder = root / name
    folder.mkdir(exist_ok=True)
    (folder / "meeting.json").write_text(json.dumps(ABOUT))
    (folder / "transcript.vtt").write_text(words)
    return folder


def test_a_meeting_is_taken_in_once_it_is_quiet_and_again_when_it_changes(desk: Desk, root: Path) -> None:
    folder = put(root)
    now = time.time()
    assert look(desk.space, desk.queue, root, now) == []
    assert look(desk.space, desk.queue, root, now + QUIET - 1) == []
    assert look(desk.space, desk.queue, root, now + QUIET) == [folder.name]
    assert desk.said(f"zoom:{folder.name}") == ["The trial starts at 25 seats."]
    assert look(desk.space, desk.queue, root, now + 2 * QUIET) == []
    put(root, words=WORDS + "\n2\n00:00:05.000 --> 00:00:06.000\nAda Lovelace: No, 31.\n")
    assert look(desk.space, desk.queue, root, now + 3 * QUIET) == []
    assert look(desk.space, desk.queue, root, now + 4 * QUIET) == [folder.name]
    assert desk.said(f"zoom:{folder.name}") == ["The trial starts at 25 seats. No, 31."]


def test_what_grows_is_waited_for(desk: Desk, root: Path) -> None:
    now = time.time()
    for step in range(6):
        put(root, words=WORDS + "\n" * step)
        assert look(desk.space, desk.queue, root, now + step * (QUIET - 1)) == []
    assert desk.talks() == {}


@pytest.mark.parametrize("name", ["video.mp4.part", "x.crdownload", "double_click_to_convert_01.zoom"])
def test_what_is_still_written_to_is_waited_for(desk: Desk, root: Path, name: str) -> None:
    folder = put(root)
    (folder / name).touch()
    now = time.time()
    assert look(desk.space, desk.queue, root, now) == look(desk.space, desk.queue, root, now + 2 * QUIET) == []
    (folder / name).unlink()
    assert look(desk.space, desk.queue, root, now + 3 * QUIET) == []
    assert look(desk.space, desk.queue, root, now + 4 * QUIET) == [folder.name]


def test_one_that_cannot_be_read_keeps_no_other_from_being_taken_in(desk: Desk, root: Path) -> None:
    put(root, "a", "WEBVTT\n\n")
    put(root, "b")
    (root / "b" / "away.vtt").symlink_to("/etc/passwd")
    now = time.time()
    look(desk.space, desk.queue, root, now)
    assert look(desk.space, desk.queue, root, now + QUIET) == ["a", "b"]
    assert list(desk.talks()) == ["zoom:b"]
    assert look(desk.space, desk.queue, root, now + 2 * QUIET) == []


def test_what_people_call_their_meetings_is_in_no_log(
    desk: Desk, root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put(root, "2026-03-02 Xylophone layoffs")
    put(root, "2026-03-03 Xylophone silence", "WEBVTT\n\n")
    several = put(root, "Xylophone both")
    (several / "meeting.json").unlink()
    for name in ("Xylophone one", "Xylophone two"):
        (several / f"{name}.vtt").write_text(WORDS)
    torn = put(root, "2026-03-04 Xylophone torn", "WEBVTT\n\n")
    (torn / "meeting.json").write_text("{")
    now = time.time()
    look(desk.space, desk.queue, root, now)
    assert len(look(desk.space, desk.queue, root, now + QUIET)) == 4
    told = "".join(capfd.readouterr())
    assert told.count("left out") >= 3
    assert told.count("took in a meeting") == 4
    assert "xylophone" not in told.casefold()


def test_workers_look_by_themselves(desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root)
    assert rounds.sources(desk.settings) == ["watch"]
    monkeypatch.setattr("workers.watch_folder.QUIET", 0.0)
    rounds.begin(desk.queue, desk.settings)
    desk.work()
    assert len(desk.talks()) == 1
    assert len(desk.put_off()) == 1
    assert desk.failed() == []


def test_a_folder_that_is_none_is_told(desk: Desk, root: Path) -> None:
    with pytest.raises(UserFacing, match="no folder of recordings"):
        look(desk.space, desk.queue, root / "gone", time.time())


def test_the_command_watches_until_it_is_interrupted(tmp_path: Path, root: Path) -> None:
    put(root)
    home = tmp_path / "own"
    quick = "import workers.watch_folder as w, workers.cli.watch as c\nw.QUIET = c.EVERY = 0.2\n"
    script = f"{quick}import workers.cli as cli\ncli.main()"
    words = [sys.executable, "-c", script, "watch", str(root), "--audience", "public", "--home", str(home)]
    process = subprocess.Popen(words, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    settings = Settings(home=home, cache=home / "cache")
    servers = embedded.ensure(settings)
    try:
        end = time.monotonic() + 60
        with open_space(settings, servers=servers) as space:
            while not space.reader.rows(pulling.ALL) and time.monotonic() < end:
                time.sleep(0.2)
            [row] = space.reader.rows(pulling.ALL)
            assert row["audience"] == "public"
        process.send_signal(2)
        assert process.wait(20) in (0, 130)
    finally:
        process.kill()
        process.wait()
        embedded.stop(servers)
