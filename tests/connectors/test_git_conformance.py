"""The git connector, held to what every connector keeps to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.model.revisions import Revision
from connectors.base import Connector
from connectors.git import GitRepository
from tests.connectors.conformance import ConnectorConformance, Grow
from tests.fakes.git_history import History


class TestGit(ConnectorConformance):
    @pytest.fixture
    def history(self, tmp_path: Path) -> History:
        history = History(tmp_path / "repo.git")
        for n in range(5):
            history.commit({"a.md": f"# Title\n\nText {n}\n", "CODEOWNERS": f"* @team{n % 2}"}, f"Edit {n} (#{n})")
        history.write()
        return history

    @pytest.fixture
    def connect(self, history: History, tmp_path: Path) -> Callable[[], Connector[Revision]]:
        return lambda: GitRepository(history.folder, cache=tmp_path / "cache")

    @pytest.fixture
    def grow(self, history: History) -> Grow:
        def more() -> None:
            history.commit({"b.md": "new"}, branch="side", parent=2)
            history.commit({"b.md": "new"}, "Merge pull request #9 from x", merge=6)
            history.write()

        return more
