"""Vectors on a real model and a real graph: each made once, found by meaning, safe over a fork."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from assistant.embed import BUNDLED, Embedder, VectorStore
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.model.audiences import PUBLIC, Scope
from assistant.search.hybrid import search
from assistant.search.indexing import embed_current, embed_older
from connectors.git import GitRepository
from tests.graph.test_search import Handbook
from workers.ingest import ingest_git


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return Embedder(BUNDLED, tmp_path_factory.mktemp("vectors"))


def test_a_warm_parent_forks_and_the_child_encodes(tmp_path: Path) -> None:
    """Runs first: this process must not have encoded yet."""
    embedder = Embedder(BUNDLED, tmp_path)
    embedder.warm()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if embedder.encode(["a rule", "another"]).shape == (2, 384) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert VectorStore(next(tmp_path.glob("*.sqlite3"))).get([]) == {}


def test_vectors_are_of_length_one_and_in_order(embedder: Embedder) -> None:
    texts = ["short", "a text that is quite a bit longer than the other one", "short"]
    vectors = embedder.encode(texts)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert np.array_equal(vectors[0], vectors[2])
    assert not np.array_equal(vectors[0], vectors[1])


def test_a_known_text_is_not_encoded_again(embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = embedder.encode(["kept"])
    again = Embedder(BUNDLED, tmp_path)
    monkeypatch.setattr(again, "_store", embedder._store)
    assert np.array_equal(again.encode(["kept"]), vectors)
    assert again._model is None


def test_two_writers_share_a_file(tmp_path: Path) -> None:
    one, two = (VectorStore(tmp_path / "v.sqlite3") for _ in range(2))
    one.put({"a": np.ones(3, dtype=np.float32)})
    two.put({"a": np.zeros(3, dtype=np.float32), "b": np.zeros(3, dtype=np.float32)})
    assert one.get(["a", "b", "c"]).keys() == {"a", "b"}
    assert one.get(["a"])["a"].tolist() == [1, 1, 1]


def test_meaning_finds_what_shares_no_word(space: Space, embedder: Embedder, tmp_path: Path) -> None:
    book = Handbook(tmp_path / "book")
    book.commit({"a.md": "# Automobiles\n\nDriving to customers is paid by the mile.\n", "b.md": "# Soup\n\nHot.\n"})
    book.commit({"b.md": "# Soup\n\nCold.\n"})
    ingest_git(space, GitRepository(book.folder, cache=tmp_path / "cache"))
    scope = Scope((PUBLIC,), heads(space.reader))
    assert search(space.reader, scope, "cars", embedder) == []
    assert embed_current(space, embedder) == 2
    assert embed_current(space, embedder) == 0
    hits = search(space.reader, scope, "cars", embedder)
    assert hits[0].section.heading == "Automobiles"
    assert hits[0].why == ("meaning",)
    assert embed_older(space, embedder) == 1
    assert embed_older(space, embedder) == 0
