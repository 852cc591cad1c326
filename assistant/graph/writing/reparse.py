"""Cutting a page again after an edit, reading only the sections that the edit can have changed.

It rests on one property of Markdown: where a heading at the top level begins, every open block ends. So what is cut
behind a heading depends on what stands before it only by the headings above it and by the anchors already taken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from assistant.model.sections import Block
from assistant.text.markdown import Page, anchor_of, front_matter, split_page


def split_again(old_text: str, old: Page, text: str) -> Page:
    """The same as `split_page(text)`; `old` is the page of `old_text`."""
    if text == old_text:
        return old
    if front_matter(text) != front_matter(old_text):  # an edit anywhere may have closed or opened it
        return split_page(text)
    blocks = _patched(old_text, old.blocks, text)
    return Page(old.title, blocks) if blocks else split_page(text)


def _patched(old_text: str, old: Sequence[Block], text: str) -> tuple[Block, ...] | None:
    """The old sections with those between the ends of the edit cut anew; None where that cannot be told apart."""
    starts = list(accumulate((len(block.source) for block in old), initial=0))
    same = common_start(old_text, text)
    first = _last_heading_within(old, starts, same)
    if first is None or text.startswith(("---", "+++", "\ufeff"), starts[first]):
        return None
    same_end = common_end(old_text, text, min(len(old_text), len(text)) - same)
    grown = len(text) - len(old_text)
    after = next((n for n in range(first + 1, len(old)) if starts[n] >= len(old_text) - same_end), len(old))
    heading = _heading(old[after]) if after < len(old) else ""
    end = starts[after] + grown
    middle = split_page(text[starts[first] : end + len(heading)]).blocks
    if heading:
        *middle_blocks, probe = middle
        if probe.source != heading or probe.level != old[after].level:
            return None
        middle = tuple(middle_blocks)
    blocks = (*old[:first], *_under(old[:first], (*middle, *old[after:])))
    return blocks if _plain(old) and _plain(blocks) else _anchored(blocks)


def _last_heading_within(blocks: Sequence[Block], starts: Sequence[int], same: int) -> int | None:
    """The last section whose heading lies in the common start, with words in a heading up to there (the title)."""
    found = None
    for number, block in enumerate(blocks):
        if starts[number] + len(_heading(block)) >= same:
            break
        if block.level and (block.heading or found is not None):
            found = number
    return found


def _heading(block: Block) -> str:
    """The lines of a section's heading."""
    return block.source[: len(block.source) - len(block.body)]


def _under(above: Iterable[Block], blocks: Iterable[Block]) -> list[Block]:
    """The sections with the heading paths that they have behind the ones above."""
    open_headings: list[tuple[int, str]] = []
    found = []
    for block in above:
        _open(open_headings, block)
    for block in blocks:
        _open(open_headings, block)
        path = tuple(words for _, words in open_headings)
        found.append(block if block.heading_path == path else replace(block, heading_path=path))
    return found


def _open(open_headings: list[tuple[int, str]], block: Block) -> None:
    while open_headings and open_headings[-1][0] >= block.level:
        open_headings.pop()
    if block.level:
        open_headings.append((block.level, block.heading))


def _anchored(blocks: tuple[Block, ...]) -> tuple[Block, ...] | None:
    """The sections with the anchors that they have on one page; None where some may be written out, not derived."""
    if any(block.body.startswith("{:") or "{" in _heading(block) for block in blocks):
        return None
    taken: dict[str, int] = {}
    found = []
    for block in blocks:
        anchor = anchor_of("", block.heading, taken) if block.level else ""
        found.append(block if block.anchor == anchor else replace(block, anchor=anchor))
    return tuple(found)


def _plain(blocks: Iterable[Block]) -> bool:
    """Whether no anchor can have got its number because another section had taken it before."""
    anchors = [block.anchor for block in blocks if block.level]
    taken = set(anchors)
    if len(taken) < len(anchors):
        return False
    ends = (anchor.rpartition("-") for anchor in anchors if anchor[-1:].isdigit())
    return not any(stem in taken for stem, _, number in ends if number.isdigit())


def common_start(one: str, other: str) -> int:
    """How many characters two texts share from the start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_end(one: str, other: str, most: int) -> int:
    """How many characters, at most `most`, two texts share at the end."""
    low, high = 0, min(most, len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
