"""Vectors for sections: those that hold first, so that they can be found by meaning; older versions afterwards."""

from collections.abc import Callable, Sequence

from assistant.embed import Embedder
from assistant.graph.space import Space
from assistant.graph.vectors import Unembedded, live_without, past_without, write_vectors
from assistant.text.plain import plain

PORTION = 256
"""Sections a step: after each, what was done is kept, so that a run that is stopped loses little."""

MEANT = 1200
"""Characters of a section that are embedded. The bundled model reads 256 tokens, which is about as much."""

Progress = Callable[[int, int], None]
"""Told how many sections are done, and of how many."""


def embed_current(space: Space, embedder: Embedder, progress: Progress | None = None) -> int:
    """Embeds every section that holds and has no vector of this model; says how many there were. Can be stopped."""
    waiting = live_without(space.reader, embedder.model)
    for start in range(0, len(waiting), PORTION):
        embed(space, embedder, waiting[start : start + PORTION])
        if progress is not None:
            progress(min(start + PORTION, len(waiting)), len(waiting))
    return len(waiting)


def embed_older(space: Space, embedder: Embedder, limit: int = PORTION) -> int:
    """Embeds at most `limit` versions that no longer hold, the latest first; says how many, 0 when none is left."""
    waiting = past_without(space.reader, embedder.model, limit)
    for start in range(0, len(waiting), PORTION):
        embed(space, embedder, waiting[start : start + PORTION])
    return len(waiting)


def embed(space: Space, embedder: Embedder, sections: Sequence[Unembedded]) -> None:
    """Writes these sections' vectors; ones whose text is known are not made again."""
    vectors = embedder.encode([meant(section) for section in sections])
    made = {section.id: vector.tolist() for section, vector in zip(sections, vectors, strict=True)}
    write_vectors(space.graph, embedder.model, made)


def meant(section: Unembedded) -> str:
    """What stands for a section in the model's eyes: title, headings, and as much of the text as the model reads."""
    body = section.text.lstrip("\n")
    if section.heading_path and body.startswith("#"):
        body = body.partition("\n")[2]
    return f"{' > '.join((section.title, *section.heading_path))}\n{' '.join(plain(body).split())}"[:MEANT]
