"""What is made of a section's text when it is written: its heading's words, anchor, page title and search words.

Search words are made by the product's own normalisation, as questions are: whether it is a good one is not asked here.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import PurePosixPath

from markdown_it import MarkdownIt

from assistant.evals.audit.cutting import Cut, front_length
from assistant.graph.reading.audit import Section
from assistant.text.words import search_tokens

TITLED = re.compile(r"^[\"']?title[\"']?[ \t]*[:=](.*(?:\n[ \t]+.*)?)", re.M | re.I)
TARGETS = re.compile(r"\]\([^)]*\)|\]\[[^\]]*\]|<[^>]*>")
"""What of a link nobody reads."""
WRITTEN_ID = re.compile(r"\{[^{}]*#([^\s{}]+)[^{}]*\}")


@cache
def inline() -> MarkdownIt:
    """Inline Markdown only."""
    return MarkdownIt("commonmark")


@lru_cache(maxsize=1 << 15)
def letters(text: str) -> str:
    """Letters and digits alone, small."""
    return "".join(one for one in text.casefold() if one.isalnum())


@lru_cache(maxsize=1 << 15)
def words_of(heading: str) -> str:
    """A heading as it is read, its letters and digits alone."""
    bare = re.sub(r"\s*\{:?[^{}]*\}\s*#*\s*$", "", heading)
    tokens = inline().parseInline(bare)[0].children or []
    texts = (
        each.content for token in tokens for each in (token, *(token.children or ())) if each.type != "html_inline"
    )
    return letters(re.sub(r":[a-z0-9_+-]+:", "", "".join(texts)))


def derived(one: Section, cut: Cut, page: str, first_heading: str) -> Iterator[str]:
    """What is wrong with it."""
    read = letters(re.sub(r":[a-z0-9_+-]+:", "", one.heading))
    if cut.level and read not in (words_of(cut.heading), letters(TARGETS.sub("", cut.heading))):
        yield f"heading {one.heading!r}, not {cut.heading!r}"
    slug = re.sub(r"[^\w\- ]", "", one.heading.lower()).replace(" ", "-")
    base = re.sub(r"-\d+$", "", one.anchor)
    if (
        cut.level
        and slug not in (one.anchor, base)
        and one.anchor not in WRITTEN_ID.findall(one.text[: cut.body + 200])
    ):
        yield f"anchor {one.anchor}"
    front = TITLED.search(page[: front_length(page)])
    titles = [letters(front[1])] if front and letters(front[1]) else [letters(first_heading)] if first_heading else []
    place = PurePosixPath(one.path)
    stems = (place.name.split(".")[0], place.parent.name)
    told = letters(one.title)
    if not (any(told and told in title for title in titles) if titles else told in map(letters, stems)):
        yield f"page title {one.title!r}"
    lines = (one.heading, *one.text[cut.body :].removeprefix("\ufeff").split("\n"))
    if one.tokens != joined(lines) or one.title_tokens != joined((one.title, *one.heading_path)):
        yield "other search words than its text's"


def joined(lines: tuple[str, ...]) -> str:
    """The search words of all lines."""
    return " ".join(filter(None, map(_tokens, lines)))


@lru_cache(maxsize=1 << 17)
def _tokens(line: str) -> str:
    return " ".join(search_tokens(line))
