"""What a command that reads or fills the graph opens: settings, the Space, the embedding model when it is needed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assistant.settings import Settings

if TYPE_CHECKING:
    from assistant.embed import Embedder
    from assistant.graph.space import Space


@contextmanager
def opened(settings: Settings) -> Iterator["Space"]:
    """The handbook's Space, closed at the end; starts the embedded servers where the settings name none."""
    from assistant.graph.space import open_space

    with open_space(settings) as space:
        yield space


def embedder_of(settings: Settings) -> "Embedder":
    """The embedding model of the settings with this machine's vector cache."""
    from assistant.embed import Embedder

    return Embedder(settings.embedding_model, settings.cache)
