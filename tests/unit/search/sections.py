"""Sections in memory, as the graph would give them, for tests of search that need no graph."""

from assistant.graph.reading.search import Candidate
from assistant.model.sections import ChangeKind, SectionVersion
from assistant.model.times import FOREVER
from assistant.text.markdown import split_page
from assistant.text.words import search_tokens


def page(path: str, text: str) -> list[SectionVersion]:
    """The sections of a page's text."""
    cut = split_page(text)
    return [
        SectionVersion(
            id=f"{path}#{n}",
            lineage=f"{path}#{n}",
            source="s",
            page=path,
            path=path,
            title=cut.title or path,
            heading=block.heading,
            heading_path=block.heading_path,
            level=block.level,
            anchor=block.anchor,
            position=f"{n:03}",
            text=block.source,
            valid_from=0,
            valid_to=FOREVER,
            commit="c" * 40,
            merge_request=None,
            change=ChangeKind.ADDED,
            audience="public",
        )
        for n, block in enumerate(cut.blocks)
    ]


def candidate(node: int, section: SectionVersion) -> Candidate:
    """The section as a list puts it forward."""
    return Candidate(node, section, tuple(search_tokens(f"{section.heading}\n{section.text}")))
