"""Answers over the real handbook's slice: exact sections, old and new values around real changes, and how fast."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.graph.reading.sections import pages, sections_on_page
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import heads
from assistant.graph.space import Space, open_space
from assistant.model.answers import Answer, AskedQuestion, SectionCitation, Status
from assistant.model.audiences import PUBLIC, Place, Scope, Viewer
from assistant.settings import Settings
from assistant.text.spans import is_verbatim
from connectors.git import GitRepository
from tests.fakes.git_history import git
from tests.fakes.graphs import drop
from workers.ingest import ingest_git

DATA = Path(__file__).parents[3] / "shared" / "data"
BUNDLE = DATA / "repos" / "sourcegraph-slice.bundle"

pytestmark = pytest.mark.skipif(not BUNDLE.exists(), reason=f"no {BUNDLE}")


@pytest.fixture(scope="module")
def slice_space(
    shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Space]:
    """A Space that knows the slice."""
    folder = tmp_path_factory.mktemp("slice")
    git("clone", "--quiet", "--bare", str(BUNDLE), str(folder / "slice.git"))
    with open_space(shared_settings, name="flows-ask", servers=servers) as space:
        ingest_git(space, GitRepository(folder / "slice.git", cache=folder / "cache", subdir="content"))
        yield space
        drop(space.graph)


def asked(space: Space, text: str, as_of: datetime | None = None) -> Answer:
    return ask(AskedQuestion(text=text, as_of=as_of), Viewer(), Place(), space, None, NOBODY)


def test_every_section_is_found_by_the_contracts_question(slice_space: Space) -> None:
    scope = Scope((PUBLIC,), heads(slice_space.reader))
    sections = [
        s for path in pages(slice_space.reader, scope) for s in sections_on_page(slice_space.reader, scope, path)
    ]
    named = [section for section in sections if section.heading_path]
    assert len(named) > 80
    missed = []
    for section in named:
        answer = asked(
            slice_space, f'What does the section "{" > ".join(section.heading_path)}" of {section.path} say?'
        )
        cited = [citation for citation in answer.citations if isinstance(citation, SectionCitation)]
        if not cited or (cited[0].path, cited[0].heading_path) != (section.path, section.heading_path):
            missed.append((section.path, section.heading_path, answer.text))
    assert not missed


def test_quotes_stand_in_their_versions_and_answers_are_quick(slice_space: Space) -> None:
    rows = [json.loads(line) for line in (DATA / "eval/sourcegraph/lookup.dev.jsonl").read_text().splitlines()]
    answers = [asked(slice_space, row["question"]) for row in rows]
    for citation in (citation for answer in answers for citation in answer.citations):
        if isinstance(citation, SectionCitation):
            [text] = texts(slice_space, citation)
            assert is_verbatim(citation.quote, text)
    assert sorted(answer.seconds for answer in answers)[len(answers) // 2] < 0.5


def texts(space: Space, citation: SectionCitation) -> list[str]:
    """The text of the version that a citation names."""
    scope = Scope((PUBLIC,), dict.fromkeys(heads(space.reader), int(citation.valid_from.timestamp() * 1_000_000) + 1))
    return [s.text for s in sections_on_page(space.reader, scope, citation.path) if s.id == citation.version]


def value_rows() -> list[dict[str, Any]]:
    if not BUNDLE.exists():
        return []
    known = (DATA / "eval/sourcegraph/slice_rows.json").read_text()
    lines = (DATA / "eval/sourcegraph/value_changes.dev.jsonl").read_text().splitlines()
    return [row for row in map(json.loads, lines) if f'"{row["id"]}"' in known]


def test_most_answers_around_real_changes_hold_the_value_of_their_day(slice_space: Space) -> None:
    right = {"old_value": 0, "new_value": 0}
    rows = value_rows()
    for row in rows:
        day = datetime.fromisoformat(row["date"]).astimezone(UTC)
        for side, moment in (("old_value", day - timedelta(hours=1)), ("new_value", day + timedelta(days=1))):
            answer = asked(slice_space, row["question"], moment)
            right[side] += answer.status is Status.ANSWERED and row[side].lower() in answer.text.lower()
    assert len(rows) > 40
    assert min(right.values()) >= 0.65 * len(rows), right
