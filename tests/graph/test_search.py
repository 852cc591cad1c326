"""Search on a real graph filled from real git repositories: days, Audiences, the past, any script, any typing."""

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from assistant.access import scope_for
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.model.audiences import PUBLIC, Place, Scope, Viewer, channel_audience
from assistant.model.protocols import Members
from assistant.search.hybrid import Hit, search, search_past
from assistant.search.passages import best_passages
from connectors.git import GitRepository
from workers.ingest import ingest_git

START = datetime(2024, 1, 1, tzinfo=UTC)

LEAVE = "# Leave\n\n## Parental leave\n\nParents get 16 weeks of paid leave.\n\n## 休暇\n\n有給休暇は年に20日です。\n"
TRAVEL = "# Travel\n\n| City | Most per night |\n|---|---|\n| Oslo | $210 |\n| Zürich | $260 |\n"
CANTEEN = "# Canteen\n\nThe canteen closes at 3pm on Fridays.\n"


class Nobody:
    """Knows no memberships."""

    def channels_of(self, user: str) -> frozenset[str]:
        del user
        return frozenset()


class Handbook:
    """A git repository that grows by a commit a day."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.days = 0
        folder.mkdir()
        self._git("init", "-q", "-b", "main")

    def commit(self, pages: dict[str, str | None]) -> datetime:
        """Writes pages (None deletes one) and commits; gives the moment."""
        for name, text in pages.items():
            if text is None:
                (self.folder / name).unlink()
            else:
                (self.folder / name).write_text(text, encoding="utf-8")
        at = START + timedelta(days=self.days)
        self.days += 1
        self._git("add", "-A")
        self._git("commit", "-q", "-m", f"day {self.days}", at=at)
        return at

    def _git(self, *words: str, at: datetime = START) -> None:
        name = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": at.isoformat()}
        name |= {key.replace("AUTHOR", "COMMITTER"): value for key, value in name.items()}
        subprocess.run(["git", *words], cwd=self.folder, check=True, env={"PATH": "/usr/bin:/bin", **name})


def fill(space: Space, handbook: Handbook, tmp_path: Path, audience: str | None = None) -> None:
    ingest_git(space, GitRepository(handbook.folder, cache=tmp_path / "cache"), audience=audience)


def public(space: Space, day: datetime | None = None) -> Scope:
    members: Members = Nobody()
    return scope_for(Viewer(), Place(), members, heads(space.reader), day)


def said(text: str, hits: list[Hit]) -> str:
    """The best words for the text."""
    passages = best_passages(text, hits, None)
    return passages[0].unit.quote if passages else ""


@pytest.fixture
def handbook(tmp_path: Path) -> Handbook:
    book = Handbook(tmp_path / "book")
    book.commit({"leave.md": LEAVE, "travel.md": TRAVEL, "canteen.md": CANTEEN})
    return book


def test_the_asked_day_decides_what_is_found(space: Space, handbook: Handbook, tmp_path: Path) -> None:
    changed = handbook.commit({"leave.md": LEAVE.replace("16 weeks", "20 weeks")})
    fill(space, handbook, tmp_path)
    question = "How many weeks of paid leave do parents get?"
    assert "20 weeks" in said(question, search(space.reader, public(space), question, None))
    before = public(space, changed - timedelta(hours=1))
    assert "16 weeks" in said(question, search(space.reader, before, question, None))
    long_before = public(space, START - timedelta(days=1))
    assert search(space.reader, long_before, question, None) == []


def test_what_ended_is_found_apart_and_marked(space: Space, handbook: Handbook, tmp_path: Path) -> None:
    handbook.commit({"canteen.md": None})
    fill(space, handbook, tmp_path)
    question = "When does the canteen close on Fridays?"
    assert "3pm" not in said(question, search(space.reader, public(space), question, None))
    past = search_past(space.reader, public(space), question)
    assert "3pm" in said(question, past)
    assert all(hit.past and not hit.section.current for hit in past)


def test_a_row_is_found_by_its_cells_and_accents_need_not_be_typed(
    space: Space, handbook: Handbook, tmp_path: Path
) -> None:
    fill(space, handbook, tmp_path)
    question = "most per night zurich"
    assert "$260" in said(question, search(space.reader, public(space), question, None))


def test_japanese_is_found(space: Space, handbook: Handbook, tmp_path: Path) -> None:
    fill(space, handbook, tmp_path)
    hits = search(space.reader, public(space), "有給休暇は何日ですか", None)
    assert hits[0].section.heading == "休暇"


def test_nothing_unseen_sways_what_is_found(space: Space, handbook: Handbook, tmp_path: Path) -> None:
    """A private handbook full of one word of the question leaves hits, order and scores exactly as they were."""
    fill(space, handbook, tmp_path)
    questions = ["canteen fridays leave", "Which city has the most per night?", "parental leave"]
    before = [search(space.reader, public(space), question, None) for question in questions]
    secret = Handbook(tmp_path / "secret")
    secret.commit({f"{n}.md": f"# Leave {n}\n\nCanteen leave canteen, most per city.\n" for n in range(40)})
    fill(space, secret, tmp_path, channel_audience("C1"))
    after = [search(space.reader, public(space), question, None) for question in questions]
    assert before == after
    everything = Scope((PUBLIC, channel_audience("C1")), heads(space.reader))
    assert any(hit.section.audience != PUBLIC for hit in search(space.reader, everything, questions[0], None))


HOSTILE = [
    "",
    " ",
    "-leave",
    "*",
    "@tokens:leave",
    "=> {$weight: 5}",
    '"x',
    "a|_|b",
    "trial)",
    "50% $100 {} a:b a;b",
    "'}) DETACH DELETE s //",
    "\x00",
    "\ud800",
    "\\",
    "🦊",
    "leave " * 3000,
]


@pytest.mark.parametrize("typed", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_is_typed_is_safe(space: Space, handbook: Handbook, tmp_path: Path, typed: str) -> None:
    fill(space, handbook, tmp_path)
    for hits in (search(space.reader, public(space), typed, None), search_past(space.reader, public(space), typed)):
        best_passages(typed, hits, None)
    assert search(space.reader, public(space), "parental leave", None)


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.text(max_size=80))
def test_any_text_is_safe(space: Space, handbook: Handbook, tmp_path: Path, typed: str) -> None:
    if not heads(space.reader):
        fill(space, handbook, tmp_path)
    best_passages(typed, search(space.reader, public(space), typed, None), None)
