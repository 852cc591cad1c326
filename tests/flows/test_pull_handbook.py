"""A push is fetched into a mirror and read on; nobody's own clone is written, nothing a hook says is fetched from."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import list_sources
from connectors.git import GitRepository
from tests.fakes import gitlab as at_gitlab
from tests.fakes.git_history import History
from tests.fakes.gitlab import PROJECT, FakeGitLab
from tests.flows import pulling
from tests.flows.pulling import Desk
from workers.ingest import ingest_git
from workers.pull import handbook, rounds

WEB = "https://github.com/acme/handbook"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> History:
    """The repository that people push to."""
    made = History(tmp_path / "origin.git")
    made.commit({"rules.md": "# Trial\n\nA trial needs 25 seats.\n"}, "First")
    made.write()
    return made


@pytest.fixture
def clone(origin: History, tmp_path: Path) -> Path:
    """Somebody's own clone of it."""
    subprocess.run(["git", "clone", "-q", str(origin.folder), str(tmp_path / "clone")], check=True)
    return tmp_path / "clone"


@pytest.fixture
def desk(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    given = {"github_repositories": "acme/handbook", "gitlab_projects": "acme/handbook"}
    with pulling.desk(servers, tmp_path / "home", monkeypatch, **given) as made:
        yield made


def read(desk: Desk, clone: Path, **given: str) -> str:
    """The clone is read by hand, first; gives the name of its branch."""
    repository = GitRepository(clone, cache=desk.settings.cache, subdir=given.pop("subdir", None))
    ingest_git(desk.space, repository, **given)
    return repository.branch


def head(desk: Desk) -> str | None:
    [source] = list_sources(desk.space.reader)
    return source.cursor


def pushed(branch: str, forge: str = "github") -> dict[str, str]:
    return {"forge": forge, "repository": "Acme/Handbook", "branch": branch, "default": branch}


def test_a_push_is_fetched_and_read_and_the_clone_stays_as_it_was(desk: Desk, origin: History, clone: Path) -> None:
    branch = read(desk, clone, web_url=WEB)
    before = (git(clone, "rev-parse", "HEAD"), git(clone, "for-each-ref"))
    origin.commit({"rules.md": "# Trial\n\nA trial needs 31 seats.\n"}, "Raise")
    origin.write()
    for _ in range(2):
        handbook.pushed(pushed(branch))
        assert head(desk) == git(origin.folder, "rev-parse", branch)
    assert desk.embedding == [desk.settings.home], "once, for what was new"
    assert (git(clone, "rev-parse", "HEAD"), git(clone, "for-each-ref")) == before
    [source] = list_sources(desk.space.reader)
    assert Path(source.path).is_relative_to(desk.settings.home)
    origin.commit({"rules.md": "# Trial\n\nA trial needs 40 seats.\n"}, "Raise again")
    origin.write()
    handbook.pushed(pushed(branch))
    assert head(desk) == git(origin.folder, "rev-parse", branch)


def test_other_branches_and_other_repositories_change_nothing(desk: Desk, origin: History, clone: Path) -> None:
    branch = read(desk, clone, web_url=WEB)
    first = head(desk)
    origin.commit({"rules.md": "# Trial\n\nA trial needs 31 seats.\n"}, "Raise")
    origin.write()
    handbook.pushed(pushed("side"))
    handbook.pushed({**pushed(branch), "repository": "acme/other"})
    handbook.pushed(pushed(branch, "gitlab"))
    assert head(desk) == first
    assert not (desk.settings.home / handbook.MIRRORS).exists()


def test_subdir_and_audience_stay_as_they_were(desk: Desk, origin: History, clone: Path) -> None:
    origin.commit({"docs/a.md": "# A\n\nOne.\n", "b.md": "# B\n"}, "More")
    origin.write()
    git(clone, "pull", "-q")
    branch = read(desk, clone, web_url=WEB, subdir="docs", audience="channel:C1")
    origin.commit({"docs/a.md": "# A\n\nTwo.\n"}, "Two")
    origin.write()
    handbook.pushed(pushed(branch))
    [source] = list_sources(desk.space.reader)
    assert (source.subdir, source.audience, source.web_url) == ("docs", "channel:C1", WEB)
    assert source.cursor == git(origin.folder, "rev-parse", branch)


def test_a_handbook_is_known_by_where_its_clone_came_from(desk: Desk, clone: Path) -> None:
    git(clone, "remote", "set-url", "origin", "git@github.com:acme/handbook.git")
    read(desk, clone)
    wanted = handbook.address(desk.settings, "github", "acme/handbook")
    assert len(list(handbook.followed(desk.space, desk.settings, wanted))) == 1
    assert not list(handbook.followed(desk.space, desk.settings, "github.com/acme/other"))


def test_a_repository_that_is_pushed_to_itself_is_read_where_it_lies(desk: Desk, origin: History) -> None:
    branch = read(desk, origin.folder, web_url=WEB)
    origin.commit({"rules.md": "# Trial\n\nA trial needs 31 seats.\n"}, "Raise")
    origin.write()
    handbook.pushed(pushed(branch))
    assert head(desk) == git(origin.folder, "rev-parse", branch)


def test_a_poll_reads_on_where_the_push_was_never_told(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: History, clone: Path
) -> None:
    with (
        at_gitlab.running(FakeGitLab()) as gitlab,
        pulling.desk(servers, tmp_path / "home", monkeypatch, **gitlab.settings()) as desk,
    ):
        gitlab.opens("issues", "Trial", "Is it 10?")
        branch = read(desk, clone, web_url=f"{gitlab.url}/{PROJECT}")
        origin.commit({"rules.md": "# Trial\n\nA trial needs 31 seats.\n"}, "Raise")
        origin.write()
        rounds.round_of({"source": f"gitlab {PROJECT}"})
        assert head(desk) == git(origin.folder, "rev-parse", branch)
        assert len(desk.talks()) == 1
        [source] = list_sources(desk.space.reader)
        git(Path(source.path), "config", "remote.origin.url", f"file://{tmp_path}/gone.git")
        gitlab.opens("issues", "Which?", "Is it 31?")
        rounds.round_of({"source": f"gitlab {PROJECT}"})
        assert len(desk.talks()) == 2, "discussions are read though nothing can be fetched"


def test_what_cannot_be_fetched_now_is_tried_later_without_a_key_in_the_words(
    desk: Desk, clone: Path, tmp_path: Path
) -> None:
    from assistant.errors import Retry

    branch = read(desk, clone, web_url=WEB)
    git(clone, "remote", "set-url", "origin", f"file://{tmp_path}/gone.git")
    with pytest.raises(Retry, match="cannot be fetched"):
        handbook.pushed(pushed(branch))
    git(clone, "remote", "set-url", "origin", "ext::sh -c touch% pwned")
    [source] = list_sources(desk.space.reader)
    mirror = desk.settings.home / handbook.MIRRORS / f"{source.id}.git"
    git(mirror, "config", "remote.origin.url", "ext::sh -c touch% pwned")
    with pytest.raises(Retry, match="cannot be fetched"):
        handbook.pushed(pushed(branch))
    git(mirror, "config", "remote.origin.url", "https://user:s3cret@localhost:1/x.git")
    with pytest.raises(Retry) as told:
        handbook.pushed(pushed(branch))
    assert "s3cret" not in str(told.value)
