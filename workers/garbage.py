"""How often Python looks for garbage while a run makes millions of small objects."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Lets the garbage collector look more seldom: a run makes millions of small objects and hardly a cycle."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
