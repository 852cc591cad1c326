"""Files that came from an API, laid into a folder for as long as they are read."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def unpacked(files: Sequence[tuple[str, str]]) -> Iterator[Path]:
    """A folder with the files (name, text), which is gone afterwards: what was said is kept in the graph only."""
    with tempfile.TemporaryDirectory(prefix="brain-") as name:
        folder = Path(name)
        for file, text in files:
            (folder / Path(file).name).write_bytes(text.encode("utf-8", "replace"))
        yield folder
