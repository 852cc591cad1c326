"""A home in a file and back: whole, checked, taken while it runs."""

import os
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from assistant.errors import UserFacing
from assistant.graph.dump import canonical_dump
from assistant.graph.servers import embedded
from assistant.graph.servers.backup import backup, restore, set_aside
from assistant.graph.space import Space, open_space
from assistant.graph.store import Query
from assistant.settings import Settings

ADD = Query(
    "test_backup.add",
    "UNWIND $rows AS r MERGE (s:Section {id: r.id}) SET s += r MERGE (p:Page {id: 'p'}) MERGE (p)-[e:HAS_SECTION]->(s)",
)


@pytest.fixture
def home(settings: Settings) -> Iterator[Space]:
    """A Space in a home of its own, with three sections and a job."""
    space = open_space(settings)
    space.graph.write(ADD, rows=[{"id": str(i), "text": "Ünïcode 閾値 " * i, "valid_to": i} for i in range(3)])
    with redis.Redis.from_url(space.servers.queue_url) as queue:
        queue.set("job", "waits")
    (settings.home / "notes").mkdir()
    (settings.home / "notes" / "servers").write_text("a file called like the servers' folder")
    yield space
    space.close()
    embedded.stop(space.servers)


def test_a_home_comes_back_as_it_was_when_the_backup_began(home: Space, tmp_path: Path) -> None:
    before = list(canonical_dump(home.reader))
    assert backup(home, tmp_path / "b.tar") == (tmp_path / "b.tar").stat().st_size
    home.graph.write(ADD, rows=[{"id": "later", "text": "not in the backup"}])

    restore(tmp_path / "b.tar", tmp_path / "other")

    with open_space(Settings(home=tmp_path / "other")) as other:
        try:
            assert list(canonical_dump(other.reader)) == before
            assert redis.Redis.from_url(other.servers.queue_url).get("job") == b"waits"
            other.graph.write(ADD, rows=[{"id": "0", "text": "still one node"}])
            assert len(list(canonical_dump(other.reader))) == len(before)
        finally:
            embedded.stop(other.servers)
    assert (tmp_path / "other" / "notes" / "servers").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "home", "other"]


def test_a_home_with_something_in_it_is_replaced_only_by_force(home: Space, tmp_path: Path) -> None:
    backup(home, tmp_path / "b.tar")
    place = home.servers.folder
    assert place is not None
    home.graph.write(ADD, rows=[{"id": "later"}])

    with pytest.raises(UserFacing, match="not empty"):
        restore(tmp_path / "b.tar", place.parent)
    restore(tmp_path / "b.tar", place.parent, force=True)

    with open_space(Settings(home=place.parent)) as again:
        assert not [line for line in canonical_dump(again.reader) if "later" in line]


@pytest.mark.parametrize("force", [True, False])
def test_a_file_that_is_there_is_replaced_only_by_force(home: Space, tmp_path: Path, force: bool) -> None:
    file = tmp_path / "b.tar"
    file.write_text("an earlier one")
    if force:
        backup(home, file, force=True)
        restore(file, tmp_path / "other")
        return
    with pytest.raises(UserFacing, match="--force"):
        backup(home, file)
    assert file.read_text() == "an earlier one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "home"]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("missing", "there is no file"),
        ("folder", "is a folder"),
        ("text", "is not a backup"),
        ("empty", "is not a backup"),
        ("another tar", "is not a backup"),
        ("another kind", "is not a backup"),
        ("cut in its list", "cut short"),
        ("cut in a file", "cut short"),
        ("cut between files", "missing"),
    ],
)
def test_what_cannot_be_restored_is_told_in_words(home: Space, tmp_path: Path, what: str, says: str) -> None:
    file = tmp_path / "b.tar"
    spoil(home, file, what)
    with pytest.raises(UserFacing, match=says) as told:
        restore(file, tmp_path / "other")
    assert str(file) in str(told.value)
    assert not re.search(r"Errno|header|Traceback", str(told.value))
    assert not (tmp_path / "other").exists()


def spoil(home: Space, file: Path, what: str) -> None:
    """Makes of `file` what no home can be restored from."""
    if what == "folder":
        file.mkdir()
    elif what == "text":
        file.write_text("hello " * 1000)
    elif what == "empty":
        file.touch()
    elif what == "another tar":
        with tarfile.open(file, "w") as tar:
            tar.add(__file__, "README")
    elif what == "another kind":
        with tarfile.open(file, "w:gz") as tar:
            tar.add(__file__, "manifest.json")
    elif what != "missing":
        backup(home, file)
        with tarfile.open(file) as tar:
            first, second, third = tar.getmembers()[:3]
        size = {"list": first.offset_data + 10, "file": second.offset_data + 10, "files": third.offset}
        os.truncate(file, size[what.split()[-1]])


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_home_that_cannot_be_made_is_told(home: Space, tmp_path: Path, place: str) -> None:
    backup(home, tmp_path / "b.tar")
    (tmp_path / "file").touch()
    with pytest.raises(UserFacing, match="--home"):
        restore(tmp_path / "b.tar", tmp_path / place)
    assert (tmp_path / "file").is_file()


@pytest.mark.parametrize("damage", ["changed", "cut", "unlisted", "link", "dead link", "no list", "something else"])
def test_a_damaged_backup_changes_nothing(home: Space, tmp_path: Path, damage: str) -> None:
    file = tmp_path / "b.tar"
    backup(home, file)
    data = file.read_bytes()
    if damage == "changed":
        file.write_bytes(data.replace("閾値".encode(), "値閾".encode()).replace(b"waits", b"watts"))
    elif damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "unlisted":
        with tarfile.open(file, "a") as tar:
            tar.add(__file__, "extra")
    elif "link" in damage:
        link = tarfile.TarInfo("notes/link")
        link.type, link.linkname = tarfile.SYMTYPE, "servers" if damage == "link" else "nothing"
        with tarfile.open(file, "a") as tar:
            tar.addfile(link)
    elif damage == "no list":
        (tmp_path / "manifest.json").write_text('{"format": 1, "files": ["notes/servers"]}')
        with tarfile.open(file, "w") as tar:
            tar.add(tmp_path / "manifest.json", "manifest.json")
        (tmp_path / "manifest.json").unlink()
    else:
        file.write_text("hello")

    with pytest.raises(UserFacing):
        restore(file, tmp_path / "other")
    assert not (tmp_path / "other").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "home"]


def test_a_backup_that_cannot_be_written_leaves_no_half_file(home: Space, tmp_path: Path) -> None:
    with pytest.raises(UserFacing, match="no folder"):
        backup(home, tmp_path / "no such folder" / "b.tar")
    assert home.servers.folder is not None
    assert not list(home.servers.folder.glob(".backup-*"))


@pytest.mark.parametrize("stop", [OSError, KeyboardInterrupt])
def test_a_restore_that_is_stopped_half_way_leaves_the_home_as_it_was(
    tmp_path: Path, stop: type[BaseException]
) -> None:
    kept = tmp_path / "home" / "kept"
    kept.parent.mkdir()
    kept.touch()
    with pytest.raises(stop), set_aside(tmp_path / "home", tmp_path / "former"):
        assert not kept.exists()
        raise stop
    assert kept.exists()


def test_servers_of_ones_own_are_backed_up_there(home: Space, tmp_path: Path, settings: Settings) -> None:
    own = settings.model_copy(update={"redis_url": home.servers.queue_url})
    with open_space(own) as space, pytest.raises(UserFacing, match="BGSAVE"):
        backup(space, tmp_path / "b.tar")
